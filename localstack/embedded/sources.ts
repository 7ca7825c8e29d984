import { createHash } from 'node:crypto';
import type { SQSRecord } from 'aws-lambda';
import type { Queues, ReceivedMessage } from './aws/queues.ts';
import type { StageClock } from './clock.ts';
import type { CallOutcome, Invoke } from './instances.ts';
import { arn, type QueueName, type QueueWiring, queues as queueWiring, region, schedules } from './wiring.ts';

export type SourcesOptions = {
  invoke: Invoke;
  clock: StageClock;
  /** Tells a person of a fault. */
  warn: (sentence: string) => void;
  /** Aborted when the stage ends. */
  stopping: AbortSignal;
};

/**
 * The ids of a batch that failed, by Lambda's rules: all if the function failed; otherwise those that its answer names, if the
 * source reports item failures. An answer with an unknown id fails the whole batch.
 */
export const failedItems = (
  outcome: CallOutcome,
  ids: readonly string[],
  reportsItemFailures: boolean,
): readonly string[] => {
  if (!outcome.ok) return ids;
  if (!reportsItemFailures) return [];
  const answer: unknown = JSON.parse(outcome.value);
  if (answer === null) return [];
  if (typeof answer !== 'object') return ids;
  const failures = (answer as { batchItemFailures?: unknown }).batchItemFailures ?? [];
  if (!Array.isArray(failures)) return ids;
  const named = failures.map((failure) => String(failure?.itemIdentifier));
  return named.every((id) => ids.includes(id)) ? named : ids;
};

const pollMs = 250;

/**
 * Lambda's event source mappings of queues: each calls its function until the stage ends, in as many concurrent batches as the
 * wiring allows. Processed messages are removed; failed ones are received again after their visibility timeout.
 */
export const serveQueues = (queues: Queues, { invoke, clock, warn, stopping }: SourcesOptions) => {
  const deliverBatch = async (queue: QueueName, calls: Required<QueueWiring>['calls']): Promise<boolean> => {
    const messages = queues.receive(queue, calls.batchSize);
    if (messages.length === 0) return false;
    const outcome = await invoke(calls.name, { Records: messages.map((one) => recordOf(one, queue)) });
    // A call that ended with the stage has not failed.
    if (stopping.aborted && !outcome.ok) return false;
    const ids = messages.map(({ messageId }) => messageId);
    const failed = failedItems(outcome, ids, calls.reportsItemFailures);
    for (const { messageId, receiptHandle } of messages)
      if (!failed.includes(messageId)) queues.remove(queue, receiptHandle);
    if (failed.length > 0)
      warn(
        `${calls.name}, for messages of ${queue}: ${
          outcome.ok ? `${failed.length} messages failed` : `the function ${outcome.reason}`
        }.`,
      );
    return true;
  };
  const serve = async (queue: QueueName, calls: Required<QueueWiring>['calls']) => {
    // A fault that lasts, such as that of a full disk, is told once.
    let isFaulty = false;
    while (!stopping.aborted)
      try {
        const isDelivered = await deliverBatch(queue, calls);
        isFaulty = false;
        if (!isDelivered) await clock.pause(pollMs, stopping);
      } catch (fault) {
        if (!isFaulty) warn(`${calls.name}: its queue cannot be read: ${fault}`);
        isFaulty = true;
        await clock.pause(pollMs, stopping);
      }
  };
  for (const [queue, { calls }] of Object.entries<QueueWiring>(queueWiring))
    for (let lane = 0; lane < (calls?.maximumConcurrency ?? 0); lane += 1)
      if (calls) void serve(queue as QueueName, calls);
};

const recordOf = (message: ReceivedMessage, queue: QueueName): SQSRecord => ({
  messageId: message.messageId,
  receiptHandle: message.receiptHandle,
  body: message.body,
  attributes: message.attributes,
  messageAttributes: Object.fromEntries(
    Object.entries(message.messageAttributes).map(([name, { StringValue, DataType }]) => [
      name,
      { stringValue: StringValue, stringListValues: [], binaryListValues: [], dataType: DataType },
    ]),
  ),
  md5OfBody: createHash('md5').update(message.body).digest('hex'),
  eventSource: 'aws:sqs',
  eventSourceARN: arn('sqs', queue),
  awsRegion: region,
});

/** Calls each function of a schedule at its rate, as a scheduled rule does, and at once what a stopped stage may have missed. */
export const startSchedules = (
  { invoke, clock, warn, stopping }: SourcesOptions,
  { hasEarlierData }: { hasEarlierData: boolean },
) => {
  for (const { name, everySeconds, input } of schedules) {
    const run = async () => {
      const outcome = await invoke(name, input);
      if (!stopping.aborted && !outcome.ok) warn(`${name}, by its schedule: the function ${outcome.reason}.`);
    };
    // The ticks of the first minute are needed in any case.
    if (hasEarlierData || everySeconds === 60) void run();
    const end = clock.repeat(() => void run(), everySeconds * 1000);
    stopping.addEventListener('abort', end);
  }
};
