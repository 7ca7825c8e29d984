import { type SendMessageBatchRequestEntry, SQSClient } from '@aws-sdk/client-sqs';
import { flushMessageText } from '../domain/event/flush-message.ts';
import { requestLimits } from '../runtime/sdk/request-limits.ts';
import { type OutboundQueue, sendMessages } from './queue.ts';

/** A client with short timeouts, because messages must not delay the actual work. */
export const createQueueClient = (): SQSClient => new SQSClient(requestLimits(1_000));

/** Sends ticks that become visible after these seconds. */
export const sendTicks = (queue: OutboundQueue, delays: readonly number[]): Promise<void> =>
  sendMessages(queue, delays.map(toTick));

/**
 * Requests a worker for each due shard (EV-24). The shard is the message group, so SQS has one message of a shard in flight
 * (I23). A repeated request on the same occasion is delivered once.
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

/** Requests that a completion is published now (EV-16). The message names the transaction only. */
export const createCompletionRequest =
  (queue: OutboundQueue) =>
  (uuid: string): Promise<void> =>
    sendMessages(queue, [{ Id: 'completed', MessageBody: flushMessageText({ asks: 'completion', uuid }) }]);

const toTick = (delay: number): SendMessageBatchRequestEntry => ({
  Id: `after-${delay}`,
  DelaySeconds: delay,
  MessageBody: flushMessageText({ asks: 'poll' }),
});
