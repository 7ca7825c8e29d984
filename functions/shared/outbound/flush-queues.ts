import { type SendMessageBatchRequestEntry, SQSClient } from '@aws-sdk/client-sqs';
import { flushMessageText } from '../domain/event/flush-message.ts';
import { requestLimits } from '../runtime/sdk/request-limits.ts';
import { type OutboundQueue, sendMessages } from './queue.ts';

/** Messages go out beside the work that matters, so they may not take long. */
export const createQueueClient = (): SQSClient => new SQSClient(requestLimits(1_000));

/** Sends ticks that are seen after so many seconds. */
export const sendTicks = (queue: OutboundQueue, delays: readonly number[]): Promise<void> =>
  sendMessages(queue, delays.map(toTick));

/**
 * Asks for a worker for each of these due shards (EV-24). The shard is the message group, so that SQS has one message of a
 * shard in flight (I23). What is asked for again on the same occasion is delivered once.
 */
export const createWorkerRequest =
  (queue: OutboundQueue) =>
  (shards: readonly number[], occasion: string): Promise<void> =>
    sendMessages(
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
  (queue: OutboundQueue) =>
  (uuid: string): Promise<void> =>
    sendMessages(queue, [{ Id: 'completed', MessageBody: flushMessageText({ asks: 'completion', uuid }) }]);

const toTick = (delay: number): SendMessageBatchRequestEntry => ({
  Id: `after-${delay}`,
  DelaySeconds: delay,
  MessageBody: flushMessageText({ asks: 'poll' }),
});
