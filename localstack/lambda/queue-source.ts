import { createHash, randomUUID } from 'node:crypto';
import type { SQSRecord } from 'aws-lambda';
import { region } from '../aws/names.ts';
import type { CloudQueueSource } from '../cloudformation/model.ts';
import type { QueueMessage } from '../sqs/message.ts';
import type { Queue } from '../sqs/queue.ts';
import { failedItems } from './batch-response.ts';
import type { InvocationOutcome } from './function-pool.ts';

export type QueueSourceDeps = {
  source: CloudQueueSource;
  queue: Queue;
  invoke: (event: unknown, requestId: string) => Promise<InvocationOutcome>;
  /** Prints a sentence about a fault, given without its subject. */
  warn: (sentence: string) => void;
  pause: (ms: number) => Promise<void>;
  stopping: AbortSignal;
};

const pollMs = 250;
/** The most messages of one receive of SQS. */
const mostReceived = 10;

/**
 * Calls the function with messages of a queue until `stopping`, in as many concurrent batches as the source allows. Processed
 * messages are removed; failed ones are received again after their visibility timeout.
 */
export const readQueue = async (deps: QueueSourceDeps): Promise<void> => {
  await Promise.all(Array.from({ length: deps.source.maximumConcurrency }, () => readBatches(deps)));
};

const readBatches = async (deps: QueueSourceDeps): Promise<void> => {
  while (!deps.stopping.aborted) {
    const isEmpty = await deliverBatch(deps).catch((error: unknown) => {
      if (!deps.stopping.aborted) deps.warn(`its queue cannot be read: ${error}`);
      return true;
    });
    if (isEmpty) await deps.pause(pollMs);
  }
};

const deliverBatch = async ({ source, queue, ...deps }: QueueSourceDeps): Promise<boolean> => {
  const messages = await queue.receive(Math.min(source.batchSize, mostReceived));
  const records = messages.map((message) => toRecord(message, source.queueArn));
  if (records.length === 0) return true;
  const outcome = await deps.invoke({ Records: records }, randomUUID());
  const ids = records.map(({ messageId }) => messageId);
  const failed = failedItems(outcome, ids, source.reportsItemFailures);
  // An instance that ended with the stage has not failed.
  if (deps.stopping.aborted && !outcome.ok) return true;
  for (const { messageId, receiptHandle } of records)
    if (!failed.includes(messageId)) await queue.remove(receiptHandle);
  if (failed.length > 0)
    deps.warn(outcome.ok ? `${failed.length} messages failed` : `the function ${outcome.reason}`);
  return false;
};

const toRecord = (message: QueueMessage, queueArn: string): SQSRecord => ({
  messageId: message.messageId,
  receiptHandle: message.receiptHandle,
  body: message.body,
  attributes: {
    SenderId: 'local',
    ApproximateReceiveCount: '1',
    SentTimestamp: '0',
    ApproximateFirstReceiveTimestamp: '0',
    ...message.attributes,
  },
  messageAttributes: Object.fromEntries(
    Object.entries(message.messageAttributes).map(([name, { StringValue, DataType }]) => [
      name,
      { stringValue: StringValue, stringListValues: [], binaryListValues: [], dataType: DataType },
    ]),
  ),
  md5OfBody: createHash('md5').update(message.body).digest('hex'),
  eventSource: 'aws:sqs',
  eventSourceARN: queueArn,
  awsRegion: region,
});
