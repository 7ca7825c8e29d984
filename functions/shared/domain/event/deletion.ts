import type { StoredTransaction } from '../transaction/transaction.ts';
import type { VersionRange } from './event.ts';

/**
 * Whether the transaction was deleted by a change that an event up to `to` does not tell of: no read shows its content any
 * more (DEL-1), and so the event shows it to nobody (TH-08).
 */
export const isDeletedAfter = (
  { to }: Pick<VersionRange, 'to'>,
  stored: StoredTransaction | undefined,
): boolean => stored?.transaction.isDeleted === 1 && stored.elementVersions.own > to;
