import type { Visibility } from '../domain/query/projection.ts';
import { notifyFromVersionAfter } from '../domain/transaction/empty-checkout.ts';
import { nextState } from '../domain/transaction/next-state.ts';
import { sizeFault, type Writer } from '../domain/transaction/size.ts';
import type { StoredTransaction, Transaction } from '../domain/transaction/transaction.ts';
import { type Command, recordOf, replay, shownBy } from '../http/idempotency.ts';
import { type HandlerResult, notFound, type Problem, unavailable } from '../http/problem.ts';
import { tooLarge } from '../http/request-problems.ts';
import type { HttpResponse } from '../http/response.ts';
import type { Clock } from '../runtime/clock.ts';
import { fullJitter, type RetryDelays, realRetryDelays } from '../store/dynamodb/retry.ts';
import type { KeptView, RequestStore } from '../store/requests/request-store.ts';
import type { TransactionReader } from '../store/transactions/reader.ts';
import type { TransactionWriter } from '../store/transactions/writer.ts';

export type OptimisticWriteDeps = {
  transactions: Pick<TransactionReader, 'byUuid'> & Pick<TransactionWriter, 'replace'>;
  requests: RequestStore;
  clock: Clock;
  /** Delays between tries after a lost race; real ones by default. */
  retryDelays?: RetryDelays;
};

/** The new transaction, and the response to the write. */
export type WriteDecision = {
  transaction: Transaction;
  toResponse: (stored: StoredTransaction, visibleTo: Visibility) => HttpResponse;
};

/** A write of one transaction. It is decided again after each lost race. */
export type OptimisticWrite = {
  uuid: string;
  /** Whose limit of size counts (WR-4). */
  writer: Writer;
  /** What the caller may see. The stored answer for replays has no payment tokens. */
  visibleTo: Visibility;
  command: Command | undefined;
  /** What is stored for replays instead of the answer. */
  view?: KeptView;
  /**
   * Whether the caller may see the transaction now. If not, it is unknown to the caller, whatever was answered before
   * (GRANT-2).
   */
  isVisible: (stored: StoredTransaction) => boolean;
  /** The answer for an unknown transaction that is not named by the path. */
  unknownAs?: Problem;
  /** The session of an empty checkout sends only a location, so the checkout stays empty (EV-10). */
  staysEmpty?: boolean;
  /** Decides from the present state. */
  decide: (before: StoredTransaction, now: Date) => Promise<WriteDecision | Problem>;
  /** Runs after a change and before the response; it never throws. */
  onChanged?: (before: StoredTransaction, after: StoredTransaction) => Promise<void>;
  /** Whether `decide` recognises an earlier try whose result was lost. Otherwise the write is not repeated. */
  knowsItsOwn?: boolean;
};

/** Each lost try is lost to another successful write, so 20 concurrent writers all succeed. */
export const maximumTries = 20;

/**
 * Reads, decides and writes one transaction on the condition of its version, together with the record of its
 * `Idempotency-Key` (WR-1). After a lost race it decides again.
 */
export const writeOptimistically = async (
  write: OptimisticWrite,
  deps: OptimisticWriteDeps,
): Promise<HandlerResult> => {
  const { random, sleep } = deps.retryDelays ?? realRetryDelays;
  let isPerhapsDone = false;
  for (let tries = 1; tries <= maximumTries; tries += 1) {
    const outcome = await tryOnce(write, deps, isPerhapsDone);
    if (typeof outcome === 'object') return orUnavailable(outcome, isPerhapsDone);
    isPerhapsDone ||= outcome === 'perhaps-done';
    await sleep(fullJitter(tries, random));
  }
  return unavailable();
};

type TryOutcome = HandlerResult | 'changed-meanwhile' | 'perhaps-done' | 'key-used';

/** A refusal would say that nothing was written, which is uncertain after a lost result. */
const orUnavailable = (result: HandlerResult, isPerhapsDone: boolean): HandlerResult =>
  isPerhapsDone && 'problem' in result ? unavailable() : result;

const tryOnce = async (
  write: OptimisticWrite,
  deps: OptimisticWriteDeps,
  isPerhapsDone: boolean,
): Promise<TryOutcome> => {
  const now = deps.clock();
  const before = await readVisible(write, deps);
  if (!before) return unknown(write);
  // Read after the transaction, so that it has the record of whatever changed the transaction.
  const record = write.command && (await deps.requests.find(write.command.id, now));
  if (write.command && record) {
    // The change of the record may have come after `before` was read.
    const present = write.view ? await readVisible(write, deps) : before;
    if (!present) return unknown(write);
    return replay(write.command, record, (view) => shownBy(view, present, write.visibleTo));
  }
  const decision = await write.decide(before, now);
  if ('problem' in decision) return decision;
  const after = stateAfter(write, before, decision, now);
  // Others wrote since, and a repetition would undo their change.
  if (after && isPerhapsDone && !write.knowsItsOwn) return unavailable();
  return after
    ? writeChange(write, { before, after, decision, now }, deps)
    : writeRecordAlone(write, { before, decision, now }, deps);
};

const readVisible = async (
  { uuid, isVisible }: OptimisticWrite,
  { transactions }: OptimisticWriteDeps,
): Promise<StoredTransaction | undefined> => {
  const stored = await transactions.byUuid(uuid);
  return stored && stored.transaction.isDeleted !== 1 && isVisible(stored) ? stored : undefined;
};

const unknown = ({ unknownAs = notFound() }: OptimisticWrite): Problem => unknownAs;

const stateAfter = (
  { staysEmpty = false }: OptimisticWrite,
  before: StoredTransaction,
  { transaction }: WriteDecision,
  now: Date,
) => {
  const after = nextState(before, transaction, now);
  return after && { ...after, notifyFromVersion: notifyFromVersionAfter(before, after, { staysEmpty }) };
};

type DecidedWrite = { before: StoredTransaction; decision: WriteDecision; now: Date };

const writeChange = async (
  write: OptimisticWrite,
  { before, after, decision, now }: DecidedWrite & { after: StoredTransaction },
  { transactions }: OptimisticWriteDeps,
): Promise<TryOutcome> => {
  const fault = sizeFault(after.transaction, before.transaction, write.writer);
  if (fault) return tooLarge(fault);
  const replaced = await transactions.replace(before, after, recordFor(write, after, decision, now));
  if (!replaced.ok) return replaced.reason === 'not-found' ? unknown(write) : replaced.reason;
  await write.onChanged?.(before, replaced.value);
  return decision.toResponse(after, write.visibleTo);
};

/** A write without a change stores only the record of its key (WR-3). */
const writeRecordAlone = async (
  write: OptimisticWrite,
  { before, decision, now }: DecidedWrite,
  { requests }: OptimisticWriteDeps,
): Promise<TryOutcome> => {
  const record = recordFor(write, before, decision, now);
  const kept = record && (await requests.remember(record, now));
  return kept?.ok === false ? kept.reason : decision.toResponse(before, write.visibleTo);
};

const recordFor = (
  { command, uuid, view }: OptimisticWrite,
  stored: StoredTransaction,
  { toResponse }: WriteDecision,
  now: Date,
) => command && recordOf(command, view ?? toResponse(stored, { showsPaymentTokens: false }), { uuid, now });
