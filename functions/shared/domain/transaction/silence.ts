import type { TransactionChange } from './change.ts';
import type { StoredTransaction } from './transaction.ts';

type Silence = Pick<StoredTransaction, 'session' | 'version' | 'notifyFromVersion'>;

/** A checkout for which nothing was sent so far (EV-10): no partner is notified of it, and it is swept after 30 days (V1-8). */
export const isSilent = ({ session, version, notifyFromVersion }: Silence): boolean =>
  session !== undefined && version < notifyFromVersion;

/** Whether a body names anything but `location` and `franchise`: any element or property, whatever its value. */
export const sendsContent = ({ own, elements }: Pick<TransactionChange, 'own' | 'elements'>): boolean =>
  Object.keys(own).length + Object.keys(elements).length > 0;

/** The first version that partners are notified of, after a change. Only a move by its own session keeps a checkout silent (`keepsSilence`). */
export const notifyFromVersionAfter = (
  before: Silence,
  { version }: Pick<StoredTransaction, 'version'>,
  { keepsSilence }: { keepsSilence: boolean },
): number => (keepsSilence && isSilent(before) ? version + 1 : before.notifyFromVersion);
