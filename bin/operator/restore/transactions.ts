import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import { arrivingChunksOf } from '../../../functions/shared/runtime/chunks.ts';
import { sessionNow } from '../import/restore.ts';
import { type Adoption, wentBack } from './adoption.ts';
import { scheduleEvents } from './events.ts';
import { isTombstone, reportGone } from './gone.ts';
import { lifted, notifiedWhole, type Verdict, verdictOn } from './verdict.ts';

/** Transactions written at once. */
const atOnce = 20;

/** Gives each transaction an unseen version where its verdict asks for it. Returns the uuids of all transactions. */
export const adoptTransactions = async (adoption: Adoption): Promise<Set<string>> => {
  const { deps, report } = adoption;
  const seen = new Set<string>();
  for await (const chunk of arrivingChunksOf(deps.recovery.transactions(), atOnce)) {
    await Promise.all(
      chunk.map(async (stored) => adoptTransaction(await inItsSession(stored, adoption), adoption)),
    );
    for (const { transaction } of chunk) seen.add(transaction.uuid);
    report.transactions += chunk.length;
    deps.step('transactions', report.transactions);
  }
  return seen;
};

const adoptTransaction = async (stored: StoredTransaction, adoption: Adoption): Promise<void> => {
  const { report, dryRun } = adoption;
  const verdict = verdictOf(stored, adoption);
  if (verdict === 'lift') report.lifted += 1;
  if (verdict === 'notify') report.notified += 1;
  if (isTombstone(stored, adoption)) reportGone(stored.transaction.uuid, adoption);
  else if (isCompletionUndone(stored, adoption)) report.completionsUndone.push(stored.transaction.uuid);
  const now = verdict === 'leave' || dryRun ? stored : await replace(stored, adoption);
  if (now) await scheduleEvents(now, adoption);
};

/** Moves a checkout to the session of its user who signed in since; the Requests table has that session (V1-10). */
const inItsSession = async (stored: StoredTransaction, adoption: Adoption): Promise<StoredTransaction> => {
  const { deps, dryRun } = adoption;
  if (dryRun || !wentBack(adoption, 'transactions')) return stored;
  const session = await sessionNow(stored, deps.sessions);
  if (session.session === undefined) return stored;
  const moved = await deps.transactions.replace(stored, { ...stored, ...session });
  if (moved.ok) return moved.value;
  const found = await deps.transactions.byUuid(stored.transaction.uuid);
  return found ? inItsSession(found, adoption) : stored;
};

const verdictOf = (stored: StoredTransaction, adoption: Adoption): Verdict =>
  verdictOn(stored, adoption.summary.byUuid.get(stored.transaction.uuid), {
    wentBack: {
      transactions: wentBack(adoption, 'transactions'),
      debounce: wentBack(adoption, 'debounce'),
    },
    floor: adoption.note.floor,
    restoredToMs: adoption.note.restoredToMs,
  });

const isCompletionUndone = ({ transaction }: StoredTransaction, adoption: Adoption): boolean =>
  wentBack(adoption, 'transactions') &&
  transaction.status === 0 &&
  adoption.summary.byUuid.get(transaction.uuid)?.isCompleted === true;

/** Writes the transaction as its verdict says. After a write by others it decides again. */
const replace = async (
  stored: StoredTransaction,
  adoption: Adoption,
): Promise<StoredTransaction | undefined> => {
  const { deps, note } = adoption;
  const verdict = verdictOf(stored, adoption);
  if (verdict === 'leave') return stored;
  const times = { floor: note.floor, nowMs: deps.now().getTime() };
  const after = verdict === 'lift' ? lifted(stored, note.floor) : notifiedWhole(stored, times);
  const replaced = await deps.transactions.replace(stored, after);
  if (replaced.ok) return after;
  const found = await deps.transactions.byUuid(stored.transaction.uuid);
  return found && replace(found, adoption);
};
