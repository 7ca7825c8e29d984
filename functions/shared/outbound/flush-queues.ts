import { SendMessageBatchCommand, type SendMessageBatchRequestEntry, SQSClient } from '@aws-sdk/client-sqs';
import { flushMessageText } from '../domain/event/flush-message.ts';
import { chunksOf } from '../runtime/chunks.ts';
import { requestLimits } from '../runtime/sdk/request-limits.ts';

/** One of the three queues of `publish-dormant`: of ticks, of due shards (FIFO), of completions. */
export type FlushQueue = { client: Pick<SQSClient, 'send'>; queueUrl: string };

/** Messages go out beside the work that matters, so they may not take long. */
export const createQueueClient = (): SQSClient => new SQSClient(requestLimits(1_000));

const largestBatch = 10;

/** Sends ticks that are seen after so many seconds. */
export const sendTicks = (queue: FlushQueue, delays: readonly number[]): Promise<void> =>
  sendAll(queue, delays.map(toTick));

/**
 * Asks for a worker for each of these due shards (EV-24). The shard is the message group, so that SQS has one message of a
 * shard in flight (I23). What is asked for again on the same occasion is delivered once.
 */
export const createWorkerRequest =
  (queue: FlushQueue) =>
  (shards: readonly number[], occasion: string): Promise<void> =>
    sendAll(
      queue,
      shards.map((shard) => ({
        Id: `shard-${shard}`,
        MessageBody: flushMessageText({ asks: 'shard', shard }),
        MessageGroupId: String(shard),
        MessageDeduplicationId: `${shard}/${occasion}`,
      })),
    );

/** Asks for a completion to be published at once (EV-16); the message names the transaction, and holds nothing of it. */
export const createCompletionRequest =
  (queue: FlushQueue) =>
  (uuid: string): Promise<void> =>
    sendAll(queue, [{ Id: 'completed', MessageBody: flushMessageText({ asks: 'completion', uuid }) }]);

/** What the queue does not take is sent once more, and then it is a fault. */
const sendAll = async ({ client, queueUrl }: FlushQueue, messages: SendMessageBatchRequestEntry[]) => {
  const send = async (entries: SendMessageBatchRequestEntry[]) => {
    const answers = await Promise.all(
      chunksOf(entries, largestBatch).map((Entries) =>
        client.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries })),
      ),
    );
    const failed = new Set(answers.flatMap(({ Failed = [] }) => Failed).map(({ Id }) => Id));
    return entries.filter(({ Id }) => failed.has(Id));
  };
  const left = await send(await send(messages));
  if (left.length > 0) throw new Error(`The queue did not take ${left.length} messages`);
};

const toTick = (delay: number): SendMessageBatchRequestEntry => ({
  Id: `after-${delay}`,
  DelaySeconds: delay,
  MessageBody: flushMessageText({ asks: 'poll' }),
});
