import type { Visibility } from '../domain/query/projection.ts';
import { nextState, sizeFault } from '../domain/transaction/next-state.ts';
import type { StoredTransaction, Transaction } from '../domain/transaction/transaction.ts';
import { type Command, recordOf, replay } from '../http/idempotency.ts';
import { type HandlerResult, notFound, type Problem, problem } from '../http/problem.ts';
import { tooLarge } from '../http/request-problems.ts';
import type { HttpResponse } from '../http/response.ts';
import type { Clock } from '../runtime/clock.ts';
import { fullJitter, type RetryDelays } from '../store/dynamodb/retry.ts';
import type { RequestStore } from '../store/requests/request-store.ts';
import type { TransactionReader } from '../store/transactions/reader.ts';
import type { TransactionWriter } from '../store/transactions/writer.ts';

export type OptimisticWriteDeps = {
  transactions: Pick<TransactionReader, 'byUuid'> & Pick<TransactionWriter, 'replace'>;
  requests: RequestStore;
  clock: Clock;
  /** Between tries, after somebody else was faster. */
  retryDelays: RetryDelays;
};

/** What a write makes of the transaction that it finds, and how it answers. */
export type WriteDecision = {
  transaction: Transaction;
  toResponse: (stored: StoredTransaction, visibleTo: Visibility) => HttpResponse;
};

export type OptimisticWrite = {
  uuid: string;
  /** What the caller may see; what is kept for replays holds no token (WR-1). */
  visibleTo: Visibility;
  command: Command | undefined;
  /** Judges what is stored now, and anew after others changed it in between. */
  decide: (before: StoredTransaction, now: Date) => Promise<WriteDecision | Problem>;
  /** What follows a change before it is answered; it may fail in part, but never throws. */
  onChanged?: (before: StoredTransaction, after: StoredTransaction) => Promise<void>;
  /** Whether `decide` sees that an earlier try, whose answer was lost, was done; else such a try is not repeated. */
  knowsItsOwn?: boolean;
};

/** Whoever is faster has made its write, so 20 writers at once all come through. */
const maximumTries = 20;

/**
 * Reads, decides and writes one transaction on the condition that nobody wrote in between, the record of its
 * `Idempotency-Key` in the same step (WR-1). Who lost a race decides anew on what stands there then.
 */
export const writeOptimistically = async (
  asked: OptimisticWrite,
  deps: OptimisticWriteDeps,
): Promise<HandlerResult> => {
  let isPerhapsDone = false;
  for (let tries = 1; tries <= maximumTries; tries += 1) {
    const attempted = await tryOnce(asked, deps, isPerhapsDone);
    if (typeof attempted === 'object') return orUnavailable(attempted, isPerhapsDone);
    isPerhapsDone ||= attempted === 'perhaps-done';
    await deps.retryDelays.sleep(fullJitter(tries, deps.retryDelays.random));
  }
  return unavailable();
};

type TryOutcome = HandlerResult | 'changed-meanwhile' | 'perhaps-done' | 'key-used';

/** A refusal would say that nothing was written; where an earlier try's answer was lost, nobody knows. */
const orUnavailable = (answer: HandlerResult, isPerhapsDone: boolean): HandlerResult =>
  isPerhapsDone && 'problem' in answer ? unavailable() : answer;

const unavailable = () => problem('unavailable', { headers: { 'Retry-After': '2' } });

const tryOnce = async (
  asked: OptimisticWrite,
  deps: OptimisticWriteDeps,
  isPerhapsDone: boolean,
): Promise<TryOutcome> => {
  const now = deps.clock();
  const record = asked.command && (await deps.requests.find(asked.command.id, now));
  if (asked.command && record) return replay(asked.command, record);
  const before = await deps.transactions.byUuid(asked.uuid);
  if (!before || before.transaction.isDeleted === 1) return notFound();
  const decision = await asked.decide(before, now);
  if ('problem' in decision) return decision;
  const after = nextState(before, decision.transaction, now);
  // Others wrote since: done a second time, it would take their change back.
  if (after && isPerhapsDone && !asked.knowsItsOwn) return unavailable();
  return after
    ? writeChange(asked, { before, after, decision, now }, deps)
    : writeRecordAlone(asked, { before, decision, now }, deps);
};

type DecidedWrite = { before: StoredTransaction; decision: WriteDecision; now: Date };

const writeChange = async (
  asked: OptimisticWrite,
  { before, after, decision, now }: DecidedWrite & { after: StoredTransaction },
  { transactions }: OptimisticWriteDeps,
): Promise<TryOutcome> => {
  const fault = sizeFault(after.transaction);
  if (fault) return tooLarge(fault);
  const saved = await transactions.replace(before, after, recordFor(asked, after, decision, now));
  if (!saved.ok) return saved.reason === 'not-found' ? notFound() : saved.reason;
  await asked.onChanged?.(before, saved.value);
  return decision.toResponse(after, asked.visibleTo);
};

/** A save that changes nothing writes nothing but the record of its key (WR-3). */
const writeRecordAlone = async (
  asked: OptimisticWrite,
  { before, decision, now }: DecidedWrite,
  { requests }: OptimisticWriteDeps,
): Promise<TryOutcome> => {
  const record = recordFor(asked, before, decision, now);
  const kept = record && (await requests.remember(record, now));
  return kept?.ok === false ? kept.reason : decision.toResponse(before, asked.visibleTo);
};

const recordFor = (
  { command }: OptimisticWrite,
  stored: StoredTransaction,
  { toResponse: answer }: WriteDecision,
  now: Date,
) => command && recordOf(command, answer(stored, { showsPaymentTokens: false }), now);
