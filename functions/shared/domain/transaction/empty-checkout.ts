import type { TransactionChange } from './change.ts';
import type { StoredTransaction } from './transaction.ts';

type CheckoutVersions = Pick<StoredTransaction, 'session' | 'version' | 'notifyFromVersion'>;

/**
 * Whether nothing but a location was sent for a checkout (EV-10). Then no partner is notified, and it is swept after 30
 * days (V1-8).
 */
export const isEmptyCheckout = ({ session, version, notifyFromVersion }: CheckoutVersions): boolean =>
  session !== undefined && version < notifyFromVersion;

/** Whether a body has any element or property besides `location` and `franchise`, with any value. */
export const sendsContent = ({ own, elements }: Pick<TransactionChange, 'own' | 'elements'>): boolean =>
  Object.keys(own).length + Object.keys(elements).length > 0;

/**
 * The first version that partners are notified of, after a change. Only a move by its own session keeps a checkout
 * empty (`staysEmpty`).
 */
export const notifyFromVersionAfter = (
  before: CheckoutVersions,
  { version }: Pick<StoredTransaction, 'version'>,
  { staysEmpty }: { staysEmpty: boolean },
): number => (staysEmpty && isEmptyCheckout(before) ? version + 1 : before.notifyFromVersion);
