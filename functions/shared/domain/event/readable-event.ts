import { covers, type Grant } from '../ownership/grant.ts';
import type { StoredTransaction } from '../transaction/transaction.ts';
import type { Delivery } from './delivery.ts';
import { isDeletedAfter } from './event.ts';

/**
 * Whether a partner may know of an event to it: exactly where it would be sent now, by the same function (GRANT-2). Of a
 * deleted transaction that is what tells of the deletion, and nothing older (DEL-1). A completion that a restored table does
 * not know any more never was (DR-10).
 */
export const mayKnowOf = (
  { to, reason }: Pick<Delivery, 'to' | 'reason'>,
  stored: StoredTransaction | undefined,
  grants: readonly Grant[],
): boolean =>
  covers(grants, stored?.transaction.ndMeta) && !isDeletedAfter({ to }, stored) && reason !== 'UNDONE';
