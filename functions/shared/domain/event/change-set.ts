import type { StoredTransaction } from '../transaction/transaction.ts';
import { type EventElementName, eventElementNames } from './event.ts';

/**
 * The elements that changed after version `from` (events 3, I5). Derived from the versions on the transaction, never from
 * what a stream told, so that lost or repeated records cannot falsify it. Values that are equal again count as well (EV-3).
 */
export const changedElements = (
  { elementVersions }: Pick<StoredTransaction, 'elementVersions'>,
  from: number,
): EventElementName[] => eventElementNames.filter((name) => elementVersions[name] > from);
