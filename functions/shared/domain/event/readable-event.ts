import { covers, type Grant } from '../ownership/grant.ts';
import type { StoredTransaction } from '../transaction/transaction.ts';
import type { Delivery } from './delivery.ts';
import { isDeletedAfter, testEventType } from './event.ts';

/**
 * Whether a partner may read about an event to it: exactly if it would be sent now, by the same function (GRANT-2). A
 * completion that a restored table no longer has is not readable (DR-10).
 */
export const mayKnowOf = (
  { type, to, reason }: KnownFacts,
  stored: StoredTransaction | undefined,
  grants: readonly Grant[],
): boolean => type === testEventType || (mayKnowUpTo(to, stored, grants) && reason !== 'UNDONE');

/**
 * Whether a partner may read what an event up to this version contains. Of a deleted transaction, only what covers the
 * deletion (DEL-1).
 */
export const mayKnowUpTo = (
  version: number,
  stored: StoredTransaction | undefined,
  grants: readonly Grant[],
): boolean => covers(grants, stored?.transaction.ndMeta) && !isDeletedAfter({ to: version }, stored);

/** The facts that decide about a delivery to the partner. A test has no transaction. */
export type KnownFacts = Pick<Delivery, 'type' | 'to' | 'reason'>;
