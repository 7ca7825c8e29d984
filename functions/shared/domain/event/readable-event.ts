import { covers, type Grant } from '../ownership/grant.ts';
import type { StoredTransaction } from '../transaction/transaction.ts';
import type { Delivery } from './delivery.ts';
import { isDeletedAfter, testEventType } from './event.ts';

/**
 * Whether a partner may know of an event to it: exactly where it would be sent now, by the same function (GRANT-2). A
 * completion that a restored table does not know any more never was (DR-10).
 */
export const mayKnowOf = (
  { type, to, reason }: KnownFacts,
  stored: StoredTransaction | undefined,
  grants: readonly Grant[],
): boolean => type === testEventType || (mayKnowUpTo(to, stored, grants) && reason !== 'UNDONE');

/**
 * Whether a partner may know of a transaction what an event up to this version brings. Of a deleted one that is what covers
 * the deletion, and nothing older (DEL-1).
 */
export const mayKnowUpTo = (
  version: number,
  stored: StoredTransaction | undefined,
  grants: readonly Grant[],
): boolean => covers(grants, stored?.transaction.ndMeta) && !isDeletedAfter({ to: version }, stored);

/** What is judged of a delivery to the partner; a test is of no transaction. */
export type KnownFacts = Pick<Delivery, 'type' | 'to' | 'reason'>;
