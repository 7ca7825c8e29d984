import { SendMessageBatchCommand, type SendMessageBatchRequestEntry, SQSClient } from '@aws-sdk/client-sqs';
import { chunksOf } from '../runtime/chunks.ts';
import { requestLimits } from '../runtime/sdk/request-limits.ts';

/** The queue of the flush: each of its messages makes it look at what is due. */
export type TickQueue = { client: Pick<SQSClient, 'send'>; queueUrl: string };

/** Ticks go out beside the work that matters, so they may not take long. */
export const createQueueClient = (): SQSClient => new SQSClient(requestLimits(1_000));

const largestBatch = 10;

/**
 * Sends ticks that are seen after so many seconds. A message is empty: its receiver looks at what is due. What the queue
 * does not take is sent once more, and then it is a fault.
 */
export const sendTicks = async (
  { client, queueUrl }: TickQueue,
  delays: readonly number[],
): Promise<void> => {
  const send = async (entries: SendMessageBatchRequestEntry[]) => {
    const answers = await Promise.all(
      chunksOf(entries, largestBatch).map((Entries) =>
        client.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries })),
      ),
    );
    const failed = new Set(answers.flatMap(({ Failed = [] }) => Failed).map(({ Id }) => Id));
    return entries.filter(({ Id }) => failed.has(Id));
  };
  const left = await send(await send(delays.map(toEntry)));
  if (left.length > 0) throw new Error(`The queue did not take ${left.length} ticks`);
};

/** SQS refuses an empty body. */
const toEntry = (delay: number): SendMessageBatchRequestEntry => ({
  Id: `after-${delay}`,
  DelaySeconds: delay,
  MessageBody: '-',
});

/**
 * Asks for a flush at once, by a function that made something due. The second tick is for an index that shows it late.
 */
export const createFlushRequest = (queue: TickQueue) => (): Promise<void> => sendTicks(queue, [0, 1]);
