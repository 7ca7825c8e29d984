import type { SQSBatchResponse } from 'aws-lambda';
import { flushMessageOf } from '../shared/domain/event/flush-message.ts';
import type { Workload } from '../shared/publish/flush.ts';
import type { PublishDeps } from '../shared/publish/publish-deps.ts';
import type { Report } from '../shared/runtime/metrics.ts';
import { beginInvocation, type CountedInvocation, type InvocationContext } from './counted-invocation.ts';
import type { Ticks } from './ticks.ts';

export type Deps = {
  publishing: PublishDeps;
  ticks: Ticks;
  /** What a poll publishes itself. More than that is a backlog, for which it asks for workers. */
  light: Workload;
  /** Asks for a worker for each due shard. A repeated request on the same occasion is delivered once. */
  askForWorkers: (shards: readonly number[], occasion: string) => Promise<void>;
  /** Asks for another poll at once. */
  sendTick: () => Promise<void>;
  report: Report;
};

/** One group of rows, published in one or two seconds: overlapping polls contend for no more than that. */
export const lightLoad: Workload = { rows: 100, recipients: 1_000 };

/**
 * Publishes what is due: a completion or a due shard that a message names, and what a poll finds. A tick asks for a
 * poll; the schedule sends the ticks.
 */
export const createHandler =
  (deps: Deps) =>
  async (event: unknown, context: InvocationContext): Promise<SQSBatchResponse> => {
    const invocation = beginInvocation(deps.publishing, deps.report, context);
    const { completions, shards, isTick, isSchedule } = askedBy(event);
    const stillDue = await publishCompletions(completions, invocation, deps);
    for (const shard of shards) await workOff(shard, invocation, deps);
    if (isTick) await poll(invocation, deps);
    if (isSchedule) await keepTicksComing(invocation, deps);
    return { batchItemFailures: stillDue.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };

/** A message that names a transaction that has completed. */
type NamedCompletion = { uuid: string; messageId: string };

/**
 * What an invocation is asked for. The body of a message says it, whichever queue delivers it. Ticks that arrive
 * together are one poll. An empty list of records, as people and checks send it, is a poll, too.
 */
type Asked = { completions: NamedCompletion[]; shards: number[]; isTick: boolean; isSchedule: boolean };

const askedBy = (event: unknown): Asked => {
  if (typeof event !== 'object' || event === null || !('Records' in event))
    return { completions: [], shards: [], isTick: false, isSchedule: true };
  const records = event.Records as { body?: string; messageId?: string }[];
  const messages = records.map(({ body = '', messageId = '' }) => ({ ...flushMessageOf(body), messageId }));
  return {
    completions: messages.filter((message) => message.asks === 'completion'),
    shards: messages.filter((message) => message.asks === 'shard').map(({ shard }) => shard),
    isTick: messages.length === 0 || messages.some(({ asks }) => asks === 'poll'),
    isSchedule: false,
  };
};

/**
 * Returns the messages of completions that are still due. SQS shows them again when the lease of this invocation has
 * ended, so a bus that did not answer delays no completion by more than that (I18).
 */
const publishCompletions = async (
  completions: readonly NamedCompletion[],
  invocation: CountedInvocation,
  deps: Deps,
): Promise<readonly NamedCompletion[]> => {
  if (completions.length === 0) return [];
  const uuids = [...new Set(completions.map(({ uuid }) => uuid))];
  try {
    const { left } = await invocation.publish(uuids.map((uuid) => ({ uuid, kind: 'COMPLETED' })));
    return completions.filter((named) => left.some(({ uuid }) => uuid === named.uuid));
  } catch (fault) {
    recordFailure(fault, {}, deps);
    return completions;
  }
};

/**
 * Never throws, so its message never comes again: the next poll asks for the rest. Where its time ends first, it asks
 * for its shard once more; its own id is the occasion.
 */
const workOff = async (shard: number, invocation: CountedInvocation, deps: Deps): Promise<void> => {
  try {
    const { isCutShort } = await invocation.flush({ turns: [[shard]] });
    if (isCutShort) await deps.askForWorkers([shard], invocation.id);
  } catch (fault) {
    recordFailure(fault, { shard }, deps);
  }
};

const recordFailure = (fault: unknown, facts: { shard?: number }, { publishing, report }: Deps) => {
  publishing.log('flushFailed', facts, fault);
  report({ failed: 1 });
};

/**
 * Sends the ticks of the next minutes first, because that is quick and a poll may take all of the time. Polls itself
 * only if no ticks come or they cannot be sent. In the second case it then throws, and counts as failed.
 */
const keepTicksComing = async (invocation: CountedInvocation, deps: Deps): Promise<void> => {
  const fault = await faultOf(deps.ticks.sendAhead());
  if (!fault && deps.ticks.areComing()) return;
  await poll(invocation, deps);
  if (fault) throw fault;
};

const faultOf = (work: Promise<void>): Promise<Error | undefined> =>
  work.then(
    () => undefined,
    (fault: unknown) => (fault instanceof Error ? fault : new Error('Unknown fault')),
  );

/**
 * Publishes a small amount itself (`light`), and asks for workers for a backlog. If it cannot ask, it publishes the
 * backlog itself as far as its time goes, and counts as failed (EV-24). If its time ends, it asks for another poll.
 */
const poll = async (invocation: CountedInvocation, deps: Deps): Promise<void> => {
  const polledAtMs = deps.publishing.clock().getTime();
  const { backlog, isCutShort } = await invocation.flush({ atMost: deps.light });
  deps.ticks.recordPoll(polledAtMs);
  if (backlog.length > 0) {
    deps.publishing.log('backlogFound', { shards: backlog.length });
    const fault = await faultOf(deps.askForWorkers(backlog, deps.ticks.occasionOf(polledAtMs)));
    if (fault) {
      await invocation.flush({});
      throw fault;
    }
  }
  if (isCutShort) await deps.sendTick();
};
