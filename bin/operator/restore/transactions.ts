import { isPending } from '../../../functions/shared/domain/event/cursor.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import { arrivingChunksOf } from '../../../functions/shared/runtime/chunks.ts';
import { type Adoption, wentBack } from './adoption.ts';
import { settleCompletion } from './completions.ts';
import { lifted, toldWhole, type Verdict, verdictOn } from './doubt.ts';
import { isTombstone, reportGone } from './gone.ts';
import { sendInDoubtAgain } from './in-doubt.ts';
import { isCompleted, type Told } from './told.ts';

/** So many transactions are written at once. */
const atOnce = 20;

/** Gives every transaction that is in doubt a version that nobody has seen; answers the uuids that there are. */
export const adoptTransactions = async (adoption: Adoption): Promise<Set<string>> => {
  const { deps, report } = adoption;
  const seen = new Set<string>();
  for await (const some of arrivingChunksOf(deps.recovery.transactions(), atOnce)) {
    await Promise.all(some.map((stored) => adoptTransaction(stored, adoption)));
    for (const { transaction } of some) seen.add(transaction.uuid);
    report.transactions += some.length;
    deps.step('transactions', report.transactions);
  }
  return seen;
};

const adoptTransaction = async (stored: StoredTransaction, adoption: Adoption): Promise<void> => {
  const { report, dryRun, told } = adoption;
  const known = told.get(stored.transaction.uuid);
  const verdict = verdictOf(stored, adoption);
  if (verdict === 'lift') report.lifted += 1;
  if (verdict === 'tell') report.told += 1;
  if (isTombstone(stored, adoption)) reportGone(stored.transaction.uuid, adoption);
  else if (isCompletionUndone(stored, adoption)) report.completionsUndone.push(stored.transaction.uuid);
  const now = verdict === 'leave' || dryRun ? stored : await replace(stored, adoption);
  if (!now) return;
  if (!dryRun) await schedule(now, known, adoption);
  await sendInDoubtAgain(now.transaction.uuid, known, adoption);
  // The run that put it there settled nothing of it, either: it is told as deleted.
  if (isTombstone(now, adoption)) return;
  await settleCompletion(now, known, adoption);
};

const verdictOf = (stored: StoredTransaction, adoption: Adoption): Verdict =>
  verdictOn(stored, adoption.told.get(stored.transaction.uuid), {
    wentBack: {
      transactions: wentBack(adoption, 'transactions'),
      ledger: wentBack(adoption, 'debounce'),
    },
    floor: adoption.note.floor,
    restoredToMs: adoption.note.restoredToMs,
    ledgerToMs: adoption.ledgerToMs,
  });

const isCompletionUndone = ({ transaction }: StoredTransaction, adoption: Adoption): boolean =>
  wentBack(adoption, 'transactions') &&
  transaction.status === 0 &&
  isCompleted(adoption.told.get(transaction.uuid));

/** A write that comes in between is judged again, with what it has written. */
const replace = async (
  stored: StoredTransaction,
  adoption: Adoption,
): Promise<StoredTransaction | undefined> => {
  const { deps, note } = adoption;
  const verdict = verdictOf(stored, adoption);
  if (verdict === 'leave') return stored;
  const times = { floor: note.floor, nowMs: deps.now().getTime() };
  const after = verdict === 'lift' ? lifted(stored, note.floor) : toldWhole(stored, times);
  const replaced = await deps.transactions.replace(stored, after);
  if (replaced.ok) return after;
  const found = await deps.transactions.byUuid(stored.transaction.uuid);
  return found && replace(found, adoption);
};

/** What is pending is looked at, whether or not its stream or its index say so; a change more is counted, so that it stays due. */
const schedule = async (
  stored: StoredTransaction,
  told: Told | undefined,
  { deps: { cursors, events } }: Adoption,
): Promise<void> => {
  if (!isPending(told, stored)) return;
  const { transaction, updatedAtMs } = stored;
  const dueAtMs = updatedAtMs + events.dormancyMs;
  await cursors.recordChange({ uuid: transaction.uuid, changed: [], changedAtMs: updatedAtMs, dueAtMs });
};
