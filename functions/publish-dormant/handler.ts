import type { SQSBatchResponse } from 'aws-lambda';
import { type FlushBounds, type FlushCounts, flushDue, sendCompletions } from '../shared/events/flush.ts';
import type { SendCounts, SendDeps } from '../shared/events/send.ts';
import { flushMessageOf } from '../shared/outbound/flush-queues.ts';
import type { Report } from '../shared/runtime/metrics.ts';
import { sendTest } from './send-test.ts';
import type { Ticks } from './ticks.ts';

export type Deps = {
  sending: SendDeps;
  ticks: Ticks;
  /** What a poll sends itself. More than that is a backlog, for which it asks for workers. */
  atMostRows: number;
  /** Asks for a worker for each due shard. A repeated request on the same occasion is delivered once. */
  askForWorkers: (shards: readonly number[], occasion: string) => Promise<void>;
  /** Asks for another poll at once. */
  sendTick: () => Promise<void>;
  report: Report;
};

/** The parts of Lambda's context that are used. */
export type InvocationContext = { awsRequestId: string; getRemainingTimeInMillis: () => number };

export const lightLoad = 100;

/** Two requests of 3 s to the bus, reads and writes: no group begins in the last nine seconds of an invocation. */
const lastGroupMs = 9_000;

/** Sends what is due: a completion, a test or a due shard that a message names, and what a poll finds. */
export const createHandler =
  (deps: Deps) =>
  async (event: unknown, context: InvocationContext): Promise<SQSBatchResponse> => {
    const beginUntilMs = deps.sending.clock().getTime() + context.getRemainingTimeInMillis() - lastGroupMs;
    const { completions, tests, shards, isTick, isSchedule } = askedBy(event);
    // While everything is stopped rows stay due, and markers stay; nothing is asked for again.
    if (!isSchedule && (await isStopped(deps))) return { batchItemFailures: [] };
    const left = [...(await completed(completions, beginUntilMs, deps)), ...(await tested(tests, deps))];
    for (const shard of shards)
      await workOff(shard, beginUntilMs, { ...deps, occasion: context.awsRequestId });
    if (isTick) await poll(beginUntilMs, deps);
    if (isSchedule) await keepTicksComing(beginUntilMs, deps);
    return { batchItemFailures: left.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };

type Named = { uuid: string; messageId: string };
type NamedTest = { clientId: string; eventId: string; messageId: string };
type Asked = {
  completions: Named[];
  tests: NamedTest[];
  shards: number[];
  isTick: boolean;
  isSchedule: boolean;
};

/** The body of a message says what it asks for, whichever queue delivers it. Ticks that arrive together are one poll. */
const askedBy = (event: unknown): Asked => {
  if (typeof event !== 'object' || event === null || !('Records' in event))
    return { completions: [], tests: [], shards: [], isTick: false, isSchedule: true };
  const records = event.Records as { body?: string; messageId?: string }[];
  const messages = records.map(({ body = '', messageId = '' }) => ({ ...flushMessageOf(body), messageId }));
  return {
    completions: messages.filter((message) => message.asks === 'completion'),
    tests: messages.filter((message) => message.asks === 'test'),
    shards: messages.filter((message) => message.asks === 'shard').map(({ shard }) => shard),
    isTick: messages.length === 0 || messages.some(({ asks }) => asks === 'poll'),
    isSchedule: false,
  };
};

const flush = async (bounds: FlushBounds, { sending, report }: Deps): Promise<FlushCounts> => {
  const counts = await flushDue(sending, bounds);
  const { backlog: _, isCutShort: _cut, ...figures } = counts;
  tell(figures, { sending, report });
  return counts;
};

/** A delay is reported where something was sent, and the age of what is due by polls alone, whose silence rings. */
const tell = (
  { polled, oversize, ...figures }: SendCounts & { polled: number; oldestDueAgeMs?: number },
  { sending, report }: Pick<Deps, 'sending' | 'report'>,
) => {
  if (polled > 0) sending.log('flushEnded', { polled, oversize, ...figures });
  report(figures);
};

/** Nothing rings while a person has stopped everything. */
const isStopped = async ({ sending, report }: Deps): Promise<boolean> => {
  const stopped = await sending.isStopped();
  if (stopped) report({ oldestDueAgeMs: 0 });
  return stopped;
};

/** Messages of completions that are still due. SQS shows them again when the lease has ended (I18). */
const completed = async (
  named: readonly Named[],
  beginUntilMs: number,
  deps: Deps,
): Promise<readonly Named[]> => {
  if (named.length === 0) return [];
  try {
    const uuids = [...new Set(named.map(({ uuid }) => uuid))];
    const { counts, left } = await sendCompletions(deps.sending, uuids, beginUntilMs);
    tell(counts, deps);
    return named.filter(({ uuid }) => left.includes(uuid));
  } catch (fault) {
    recordFailure(fault, {}, deps);
    return named;
  }
};

/** Messages of tests that the bus did not answer: they come again, with the same ids. */
const tested = async (named: readonly NamedTest[], deps: Deps): Promise<readonly NamedTest[]> => {
  const left = named.map(async (test) => {
    try {
      return (await sendTest(test, deps.sending)) ? [] : [test];
    } catch (fault) {
      recordFailure(fault, {}, deps);
      return [test];
    }
  });
  return (await Promise.all(left)).flat();
};

/** Never throws, so its message never comes again. Where its time ends first, it asks for its shard once more. */
const workOff = async (
  shard: number,
  beginUntilMs: number,
  deps: Deps & { occasion: string },
): Promise<void> => {
  try {
    const { isCutShort } = await flush({ turns: [[shard]], beginUntilMs }, deps);
    if (isCutShort) await deps.askForWorkers([shard], deps.occasion);
  } catch (fault) {
    recordFailure(fault, { shard }, deps);
  }
};

const recordFailure = (fault: unknown, facts: { shard?: number }, { sending, report }: Deps) => {
  sending.log('flushFailed', facts, fault);
  report({ failed: 1 });
};

/** Sends the ticks of the next minutes first, and polls itself if none come or they cannot be sent. */
const keepTicksComing = async (beginUntilMs: number, deps: Deps): Promise<void> => {
  const fault = await faultOf(deps.ticks.sendAhead());
  if (!fault && deps.ticks.areComing()) return;
  await poll(beginUntilMs, deps);
  if (fault) throw fault;
};

const faultOf = (work: Promise<void>): Promise<Error | undefined> =>
  work.then(
    () => undefined,
    (fault: unknown) => (fault instanceof Error ? fault : new Error('Unknown fault')),
  );

/** Sends a little itself, and asks for workers for more. If it cannot ask, it sends what its time allows (EV-24). */
const poll = async (beginUntilMs: number, deps: Deps): Promise<void> => {
  if (await isStopped(deps)) return;
  const polledAtMs = deps.sending.clock().getTime();
  const { backlog, isCutShort } = await flush({ atMostRows: deps.atMostRows, beginUntilMs }, deps);
  deps.ticks.recordPoll(polledAtMs);
  if (backlog.length > 0) {
    deps.sending.log('backlogFound', { shards: backlog.length });
    const fault = await faultOf(deps.askForWorkers(backlog, deps.ticks.occasionOf(polledAtMs)));
    if (fault) {
      await flush({ beginUntilMs }, deps);
      throw fault;
    }
  }
  if (isCutShort) await deps.sendTick();
};
