import type { Outcome } from '../domain/outcome.ts';
import { asksToMove, targetOf } from '../domain/ownership/move.ts';
import type { NdMeta } from '../domain/ownership/owner.ts';
import type { OwnershipClaim, OwnershipRefusal } from '../domain/ownership/ownership.ts';
import type { Visibility } from '../domain/query/projection.ts';
import type { Selection } from '../domain/query/selection.ts';
import { applyChange, type TransactionChange } from '../domain/transaction/change.ts';
import type { Writer } from '../domain/transaction/size.ts';
import type { StoredTransaction } from '../domain/transaction/transaction.ts';
import { matchesVersion } from '../http/entity-tag.ts';
import type { Command } from '../http/idempotency.ts';
import { transactionResponse } from '../http/list-response.ts';
import type { HandlerResult } from '../http/problem.ts';
import { type Problem, problem } from '../http/problem.ts';
import type { HttpEvent } from '../http/request.ts';
import { ownershipProblem } from '../http/request-problems.ts';
import type { KeptView } from '../store/requests/request-store.ts';
import { type OptimisticWriteDeps, type WriteDecision, writeOptimistically } from './optimistic-write.ts';

/** A PATCH or PUT of one transaction, validated without the transaction. */
export type TransactionUpdate = {
  uuid: string;
  writer: Writer;
  change: TransactionChange;
  command: Command | undefined;
  view?: KeptView;
  selection: Selection;
  visibleTo: Visibility;
  /** Whether the caller may see the transaction; a hidden one is answered as unknown. */
  isVisible: (stored: StoredTransaction) => boolean;
  staysEmpty?: boolean;
  /** Why the caller may not change a visible transaction. */
  refusal?: (before: StoredTransaction) => Problem | undefined;
  /** The allowed target of a move. */
  ownerAt: (claim: OwnershipClaim, owner: NdMeta | undefined) => Promise<Outcome<NdMeta, OwnershipRefusal>>;
};

/** The update of both APIs. Checks existence, `If-Match` (WR-2), state and ownership, then applies the change. */
export const updateTransaction = (
  event: HttpEvent,
  update: TransactionUpdate,
  deps: OptimisticWriteDeps,
): Promise<HandlerResult> =>
  writeOptimistically({ ...update, decide: (before) => decide(event, update, before) }, deps);

const decide = async (
  event: HttpEvent,
  { refusal, change, ownerAt, selection }: TransactionUpdate,
  before: StoredTransaction,
): Promise<WriteDecision | Problem> => {
  if (!matchesVersion(event, before.version)) return problem('precondition-failed');
  const refused = refusal?.(before);
  if (refused) return refused;
  const owner = await ownerAfter(change.claim, before.transaction.ndMeta, ownerAt);
  if (!owner.ok) return ownershipProblem(owner.reason, { claim: change.claim, detail: noneOpenToYou });
  const changed = applyChange(before.transaction, change);
  return {
    transaction: owner.value ? { ...changed, ndMeta: owner.value } : changed,
    toResponse: (stored, visibleTo) => transactionResponse(stored, selection, { visibleTo }),
  };
};

export const noneOpenToYou = 'You cannot use a storefront at this location.';

const ownerAfter = async (
  claim: OwnershipClaim,
  owner: NdMeta | undefined,
  ownerAt: TransactionUpdate['ownerAt'],
): Promise<Outcome<NdMeta | undefined, OwnershipRefusal>> =>
  asksToMove(claim, owner) ? ownerAt(targetOf(claim, owner), owner) : { ok: true, value: owner };
