import { type Outcome, refuse } from '../../../functions/shared/domain/outcome.ts';
import { completeTransaction } from '../../../functions/shared/domain/transaction/shape.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import type { OperatorDeps } from '../deps.ts';

/** Why a transaction cannot be restored. */
export type RestoreRefusal = 'no-transaction' | 'not-deleted' | 'erased' | 'changed-meanwhile';

/** Restores a deleted transaction to its former place in every list. Only the operator can (DEL-1). */
export const restoreTransaction = async (
  uuid: string,
  { transactions, sessions, now }: OperatorDeps,
): Promise<Outcome<StoredTransaction, RestoreRefusal>> => {
  const deleted = await transactions.byUuid(uuid);
  if (!deleted) return refuse('no-transaction');
  if (deleted.transaction.isDeleted === 0) return refuse('not-deleted');
  if (deleted.erasedAtMs !== undefined) return refuse('erased');
  const session = await sessionNow(deleted, sessions);
  const restored = await transactions.replace(deleted, {
    ...toRestored(deleted, now().getTime()),
    ...session,
  });
  if (restored.ok) return restored;
  return refuse(restored.reason === 'not-found' ? 'no-transaction' : 'changed-meanwhile');
};

/** The session that the transaction's user has since signing in: the move left out deleted transactions (V1-10). */
export const sessionNow = async (
  { session }: StoredTransaction,
  { endOf }: OperatorDeps['sessions'],
): Promise<{ session?: string }> => {
  const { movedTo } = (session === undefined ? undefined : await endOf(session)) ?? {};
  return movedTo === undefined ? {} : { session: movedTo };
};

const toRestored = (deleted: StoredTransaction, nowMs: number): StoredTransaction => {
  const version = deleted.version + 1;
  return {
    ...deleted,
    transaction: { ...deleted.transaction, isDeleted: 0 as const },
    version,
    elementVersions: notifiedWhole(deleted.elementVersions, version),
    updatedAtMs: Math.max(deleted.updatedAtMs + 1, nowMs),
  };
};

/** Every part counts as changed: partners that were notified of the deletion have dropped the transaction (EV-11). */
const notifiedWhole = (versions: StoredTransaction['elementVersions'], version: number) =>
  Object.fromEntries(
    Object.entries(versions).map(([part, at]) => [part, at > 0 || part === 'own' ? version : 0]),
  ) as StoredTransaction['elementVersions'];

/** The import line that recreates this transaction: its API shape (SHAPE-1) and its creation time. */
export const toExportLine = ({ transaction, createdAtMs }: StoredTransaction) =>
  `${JSON.stringify({ ...completeTransaction(transaction), createdAt: new Date(createdAtMs).toISOString() })}\n`;
