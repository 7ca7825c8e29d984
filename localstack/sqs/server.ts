import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../functions/shared/runtime/clock.ts';
import { type AwsResponse, fault, type Operations, operation, success } from '../aws/json-protocol.ts';
import { queueUrl } from '../aws/names.ts';
import type { CloudQueue } from '../cloudformation/model.ts';
import type { QueueMessage } from './message.ts';
import type { Queues } from './queue.ts';

const message = z.strictObject({
  Id: z.string(),
  MessageBody: z.string().min(1),
  DelaySeconds: z.int().min(0).max(900).optional(),
});
type BatchMessage = z.output<typeof message>;
const batch = z.strictObject({ QueueUrl: z.string(), Entries: z.array(message) });
const named = z.strictObject({ QueueName: z.string(), QueueOwnerAWSAccountId: z.string().optional() });
const attributes = z.strictObject({ QueueUrl: z.string(), AttributeNames: z.array(z.string()).optional() });
const receiving = z.strictObject({
  QueueUrl: z.string(),
  MaxNumberOfMessages: z.int().min(1).max(10).default(1),
  VisibilityTimeout: z.int().min(0).max(43_200).optional(),
  /** It answers at once in any case. */
  WaitTimeSeconds: z.int().min(0).max(20).optional(),
});
const removal = z.strictObject({ QueueUrl: z.string(), ReceiptHandle: z.string() });

export const sqsProtocol = { prefix: 'AmazonSQS', version: '1.0' };

/**
 * SQS on its own protocol, as far as functions and the operator's tool use it: those send batches, this one searches a queue. The
 * stage itself receives in its own process.
 */
export const queueOperations = ({ declared, store, endpoint }: Queues, now: Clock): Operations => {
  const send = (queue: CloudQueue, { Id, MessageBody, DelaySeconds }: BatchMessage) => {
    const toSend = { body: MessageBody, delaySeconds: DelaySeconds };
    const { messageId } = store.send(queue, toSend, now().getTime());
    return { Id, MessageId: messageId, MD5OfMessageBody: md5(MessageBody) };
  };

  const find = (url: string) => declared.find(({ name }) => name === url.split('/').at(-1));
  const at =
    <Input extends { QueueUrl: string }>(perform: (queue: CloudQueue, input: Input) => AwsResponse) =>
    (input: Input) => {
      const queue = find(input.QueueUrl);
      return queue ? perform(queue, input) : noQueue();
    };

  return {
    GetQueueUrl: operation(named, ({ QueueName }) =>
      find(QueueName) ? success({ QueueUrl: queueUrl(endpoint, QueueName) }) : noQueue(),
    ),
    GetQueueAttributes: operation(
      attributes,
      at((queue) => success({ Attributes: countsText(store.count(queue, now().getTime())) })),
    ),
    ReceiveMessage: operation(
      receiving,
      at((queue, { MaxNumberOfMessages, VisibilityTimeout }) => {
        const hidden = { ...queue, visibilitySeconds: VisibilityTimeout ?? queue.visibilitySeconds };
        return success({ Messages: store.receive(hidden, MaxNumberOfMessages, now().getTime()).map(shown) });
      }),
    ),
    DeleteMessage: operation(
      removal,
      at((queue, { ReceiptHandle }) => {
        store.remove(queue, ReceiptHandle);
        return success();
      }),
    ),
    SendMessageBatch: operation(
      batch,
      at(
        (queue, { Entries }) =>
          batchFault(Entries) ?? success({ Successful: Entries.map((one) => send(queue, one)), Failed: [] }),
      ),
    ),
  };
};

const noQueue = () => fault('com.amazonaws.sqs#QueueDoesNotExist', 'The specified queue does not exist.');

/** Numbers are texts there. */
const countsText = ({ visible, hidden }: { visible: number; hidden: number }) => ({
  ApproximateNumberOfMessages: `${visible}`,
  ApproximateNumberOfMessagesNotVisible: `${hidden}`,
});

const shown = ({ messageId, receiptHandle, body }: QueueMessage) => ({
  ...{ MessageId: messageId, ReceiptHandle: receiptHandle },
  ...{ Body: body, MD5OfBody: md5(body) },
});

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
