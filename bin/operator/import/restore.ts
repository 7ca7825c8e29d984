import { type Outcome, refuse } from '../../../functions/shared/domain/outcome.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import type { OperatorDeps } from '../deps.ts';

export type RestoreRefusal = 'no-transaction' | 'not-deleted' | 'changed-meanwhile';

/** DEL-1: only the operator brings a deleted transaction back; it is an update and keeps its place in every list. */
export const restoreTransaction = async (
  uuid: string,
  { transactions, now }: OperatorDeps,
): Promise<Outcome<StoredTransaction, RestoreRefusal>> => {
  const deleted = await transactions.byUuid(uuid);
  if (!deleted) return refuse('no-transaction');
  if (deleted.transaction.isDeleted === 0) return refuse('not-deleted');
  const restored = await transactions.replace(deleted, toRestored(deleted, now().getTime()));
  if (restored.ok) return restored;
  return refuse(restored.reason === 'not-found' ? 'no-transaction' : 'changed-meanwhile');
};

const toRestored = (deleted: StoredTransaction, nowMs: number): StoredTransaction => {
  const version = deleted.version + 1;
  return {
    ...deleted,
    transaction: { ...deleted.transaction, isDeleted: 0 },
    version,
    elementVersions: { ...deleted.elementVersions, own: version },
    updatedAtMs: Math.max(deleted.updatedAtMs + 1, nowMs),
  };
};

/** The line of an import file that gives this transaction again (RUN-4): its API shape and its time of creation. */
export const toExportLine = ({ transaction, createdAtMs }: StoredTransaction) =>
  `${JSON.stringify({ ...transaction, createdAt: new Date(createdAtMs).toISOString() })}\n`;
