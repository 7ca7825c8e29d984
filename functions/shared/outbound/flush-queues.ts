import { type SendMessageBatchRequestEntry, SQSClient } from '@aws-sdk/client-sqs';
import { requestLimits } from '../runtime/sdk/request-limits.ts';
import { type OutboundQueue, sendMessages } from './queue.ts';

/** What a message asks `publish-dormant` for. */
export type FlushMessage =
  | { asks: 'poll' }
  | { asks: 'shard'; shard: number }
  /** Names the transaction whose completion is to be sent now. */
  | { asks: 'completion'; uuid: string }
  /** Names the partner that gets a test of its webhook, and the id of that test. */
  | { asks: 'test'; clientId: string; eventId: string };

/** What a body asks for, whichever queue brings it. Unknown content is a poll. */
export const flushMessageOf = (body: string): FlushMessage => {
  const [kind, name, more, ...rest] = body.split(' ');
  if (!name || rest.length > 0) return { asks: 'poll' };
  if (kind === 'test' && more) return { asks: 'test', clientId: name, eventId: more };
  if (more !== undefined) return { asks: 'poll' };
  if (kind === 'shard') return { asks: 'shard', shard: Number(name) };
  return kind === 'completed' ? { asks: 'completion', uuid: name } : { asks: 'poll' };
};

/** A client with short timeouts, because messages must not delay the actual work. */
export const createQueueClient = (): SQSClient => new SQSClient(requestLimits(1_000));

/** Sends ticks that become visible after these seconds. SQS refuses an empty body. */
export const sendTicks = (queue: OutboundQueue, delays: readonly number[]): Promise<void> =>
  sendMessages(
    queue,
    delays.map(
      (delay): SendMessageBatchRequestEntry => ({
        ...{ Id: `after-${delay}`, DelaySeconds: delay, MessageBody: '-' },
      }),
    ),
  );

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
        MessageBody: `shard ${shard}`,
        MessageGroupId: String(shard),
        MessageDeduplicationId: `${shard}/${occasion}`,
      })),
    );

/** Requests that a completion is sent now (EV-16). The message names the transaction only. */
export const createCompletionRequest =
  (queue: OutboundQueue) =>
  (uuid: string): Promise<void> =>
    sendMessages(queue, [{ Id: 'completed', MessageBody: `completed ${uuid}` }]);

/** Requests a test of a partner's webhook (V2-12). The message names no address and no signature (S-87). */
export const createTestRequest =
  (queue: OutboundQueue) =>
  (clientId: string, eventId: string): Promise<void> =>
    sendMessages(queue, [{ Id: 'test', MessageBody: `test ${clientId} ${eventId}` }]);
