import type { TransactionChange } from './change.ts';
import type { StoredTransaction } from './transaction.ts';

type Silence = Pick<StoredTransaction, 'session' | 'version' | 'silentUpToVersion'>;

/** A checkout for which nothing was sent so far (EV-10): no partner is notified of it, and it is swept after 30 days (V1-8). */
export const isSilent = ({ session, version, silentUpToVersion }: Silence): boolean =>
  session !== undefined && version === silentUpToVersion;

/** Whether a body names anything but `location` and `franchise`: any element or property, whatever its value. */
export const sendsContent = ({ own, elements }: Pick<TransactionChange, 'own' | 'elements'>): boolean =>
  Object.keys(own).length + Object.keys(elements).length > 0;

/**
 * Up to which version nobody is notified, after a change. Only a move of a silent checkout by its own session leaves it
 * silent (`keepsSilence`).
 */
export const silenceAfter = (
  before: Silence,
  { version }: Pick<StoredTransaction, 'version'>,
  { keepsSilence }: { keepsSilence: boolean },
): number => (keepsSilence && isSilent(before) ? version : before.silentUpToVersion);
