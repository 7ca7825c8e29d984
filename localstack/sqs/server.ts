import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../functions/shared/runtime/clock.ts';
import { type AwsResponse, fault, type Operations, operation, success } from '../aws/json-protocol.ts';
import type { CloudQueue } from '../cloudformation/model.ts';
import type { Queues } from './queue.ts';

const message = z.strictObject({
  Id: z.string(),
  MessageBody: z.string().min(1),
  DelaySeconds: z.int().min(0).max(900).optional(),
});
type BatchMessage = z.output<typeof message>;
const batch = z.strictObject({ QueueUrl: z.string(), Entries: z.array(message) });

export const sqsProtocol = { prefix: 'AmazonSQS', version: '1.0' };

/** SQS on its own protocol, as far as functions use it: they send batches. The stage receives in its own process. */
export const queueOperations = ({ declared, store }: Queues, now: Clock): Operations => {
  const send = (queue: CloudQueue, { Id, MessageBody, DelaySeconds }: BatchMessage) => {
    const toSend = { body: MessageBody, delaySeconds: DelaySeconds };
    const { messageId } = store.send(queue, toSend, now().getTime());
    return { Id, MessageId: messageId, MD5OfMessageBody: md5(MessageBody) };
  };

  return {
    SendMessageBatch: operation(batch, ({ QueueUrl, Entries }) => {
      const name = QueueUrl.split('/').at(-1);
      const queue = declared.find((one) => one.name === name);
      if (!queue) return fault('com.amazonaws.sqs#QueueDoesNotExist', 'The specified queue does not exist.');
      return (
        batchFault(Entries) ?? success({ Successful: Entries.map((one) => send(queue, one)), Failed: [] })
      );
    }),
  };
};

const batchFault = (entries: readonly BatchMessage[]): AwsResponse | undefined => {
  if (entries.length === 0) return fault('EmptyBatchRequest', 'There are no entries in the batch.');
  if (entries.length > 10) return fault('TooManyEntriesInBatchRequest', 'A batch has at most 10 entries.');
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length)
    return fault('BatchEntryIdsNotDistinct', 'Two entries of the batch have the same Id.');
  if (entries.reduce((sum, { MessageBody }) => sum + Buffer.byteLength(MessageBody), 0) > batchBytesLimit)
    return fault('BatchRequestTooLong', `Messages must be shorter than ${batchBytesLimit} bytes.`);
  return undefined;
};

/** All messages of a batch together. */
const batchBytesLimit = 1_048_576;

/** The SDK compares it with what it sent. */
const md5 = (body: string): string => createHash('md5').update(body).digest('hex');
