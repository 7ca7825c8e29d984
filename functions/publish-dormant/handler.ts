import type { SQSBatchResponse } from 'aws-lambda';
import { flushMessageOf } from '../shared/domain/event/flush-message.ts';
import type { Workload } from '../shared/publish/flush.ts';
import type { PublishDeps } from '../shared/publish/publish-deps.ts';
import type { Report } from '../shared/runtime/metrics.ts';
import { beginInvocation, type Invocation, type InvocationContext } from './counted-invocation.ts';
import type { Ticks } from './ticks.ts';

/** What the handler works with. */
export type Deps = {
  publishing: PublishDeps;
  ticks: Ticks;
  /** What a poll publishes by itself; more is a backlog, for which it asks for workers. */
  light: Workload;
  /** Asks for a worker for each of these due shards; what is asked for again on the same occasion is delivered once. */
  askForWorkers: (shards: readonly number[], occasion: string) => Promise<void>;
  /** Asks for another poll at once. */
  sendTick: () => Promise<void>;
  report: Report;
};

/** One group of rows, for a second or two of an invocation: polls that overlap contend for no more than that. */
export const lightLoad: Workload = { rows: 100, recipients: 1_000 };

/**
 * Publishes what is due: a completion that a message names, a due shard that one names, or what a poll finds whenever a tick
 * comes. The schedule sends ticks ahead, and leaves the polls to them while they come. When they do not, or cannot be sent,
 * its invocation polls itself, after it has sent them: they take moments, while a poll may take all of its time and would
 * make the next minutes slow as well. Then an invocation that could not send counts as failed.
 */
export const createHandler =
  (deps: Deps) =>
  async (event: unknown, context: InvocationContext): Promise<SQSBatchResponse> => {
    const invocation = beginInvocation(deps.publishing, deps.report, context);
    const { completions, shards, isTick, isSchedule } = askedBy(event);
    const left = completions.length === 0 ? [] : await publishCompletions(completions, invocation, deps);
    for (const shard of shards) await workOff(shard, invocation, deps);
    if (isSchedule) await keepTicksComing(invocation, deps);
    else if (isTick) await poll(invocation, deps);
    return { batchItemFailures: left.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };

/** A message that names a transaction that has completed. */
type NamedCompletion = { uuid: string; messageId: string };

/** Messages say what they are, whichever queue brings them. Ticks that come together are one poll, and so is no message. */
const askedBy = (event: unknown) => {
  const asked = { completions: [] as NamedCompletion[], shards: [] as number[], isTick: false };
  if (typeof event !== 'object' || event === null || !('Records' in event))
    return { ...asked, isSchedule: true };
  const records = event.Records as { body?: string; messageId?: string }[];
  asked.isTick = records.length === 0;
  for (const { body = '', messageId = '' } of records) {
    const message = flushMessageOf(body);
    if (message.asks === 'completion') asked.completions.push({ uuid: message.uuid, messageId });
    else if (message.asks === 'shard') asked.shards.push(message.shard);
    else asked.isTick = true;
  }
  return { ...asked, isSchedule: false };
};

/**
 * Answers the messages of what is still due. They come again when the lease of this invocation has ended, so that a bus that
 * did not answer delays no completion by more than that (I18).
 */
const publishCompletions = async (
  completions: readonly NamedCompletion[],
  invocation: Invocation,
  { publishing, report }: Deps,
): Promise<NamedCompletion[]> => {
  const uuids = [...new Set(completions.map(({ uuid }) => uuid))];
  try {
    const { left } = await invocation.publish(uuids.map((uuid) => ({ uuid, kind: 'COMPLETED' })));
    return completions.filter((named) => left.some(({ uuid }) => uuid === named.uuid));
  } catch (fault) {
    recordFailure(fault, {}, { publishing, report });
    return [...completions];
  }
};

/**
 * A worker never throws, so that its message never comes again: the next poll asks for what it left. Where its time ends
 * first it asks for its shard once more, on the occasion of itself.
 */
const workOff = async (shard: number, invocation: Invocation, deps: Deps): Promise<void> => {
  try {
    const { isCutShort } = await invocation.flush({ turns: [[shard]] });
    if (isCutShort) await deps.askForWorkers([shard], invocation.id);
  } catch (fault) {
    recordFailure(fault, { shard }, deps);
  }
};

const recordFailure = (
  fault: unknown,
  facts: { shard?: number },
  { publishing, report }: Pick<Deps, 'publishing' | 'report'>,
) => {
  publishing.log('flushFailed', facts, fault);
  report({ failed: 1 });
};

const keepTicksComing = async (invocation: Invocation, deps: Deps): Promise<void> => {
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
 * Publishes what one invocation can do soon, and asks for workers for the rest, or where its time ends for another poll. Where
 * it cannot ask it publishes the rest itself, as far as its time goes, and counts as failed.
 */
const poll = async (invocation: Invocation, deps: Deps): Promise<void> => {
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
