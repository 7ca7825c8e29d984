import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Clock } from '../../functions/shared/runtime/clock.ts';
import {
  fault,
  type Operation,
  type Operations,
  operation,
  type Reply,
  success,
} from '../aws/json-protocol.ts';
import type { CloudQueue } from '../cloudformation/model.ts';
import type { Queues } from './queue.ts';
import { md5, messageAnswer, queueAnswer } from './responses.ts';

const inQueue = z.strictObject({ QueueUrl: z.string() });
const attribute = z.strictObject({ DataType: z.string(), StringValue: z.string() });
const message = z.strictObject({
  MessageBody: z.string().min(1),
  DelaySeconds: z.int().min(0).max(900).optional(),
  MessageAttributes: z.record(z.string(), attribute).optional(),
});
type Message = z.output<typeof message>;
const names = z.array(z.string()).default([]);

const schemas = {
  GetQueueUrl: z.strictObject({ QueueName: z.string() }),
  SendMessage: inQueue.extend(message.shape),
  SendMessageBatch: inQueue.extend({ Entries: z.array(message.extend({ Id: z.string() })) }),
  ReceiveMessage: inQueue.extend({
    MaxNumberOfMessages: z.int().min(1).max(10).default(1),
    VisibilityTimeout: z.int().min(0).max(43_200).optional(),
    WaitTimeSeconds: z.int().min(0).max(20).default(0),
    AttributeNames: names,
    MessageSystemAttributeNames: names,
    MessageAttributeNames: names,
  }),
  DeleteMessage: inQueue.extend({ ReceiptHandle: z.string() }),
  GetQueueAttributes: inQueue.extend({ AttributeNames: names }),
};

export const sqsProtocol = { prefix: 'AmazonSQS', version: '1.0' };

/** SQS on its own wire protocol, as far as functions and the operator's tool use it. */
export const queueOperations = ({ declared, byArn, store }: Queues, now: Clock): Operations => {
  const nowMs = () => now().getTime();
  const find = (name: string) => declared.find((queue) => queue.name === name);

  /** An operation on the queue that the URL names. */
  const on = <Schema extends z.ZodType<{ QueueUrl: string }>>(
    schema: Schema,
    perform: (queue: CloudQueue, input: z.output<Schema>) => Reply | Promise<Reply>,
  ): Operation =>
    operation(schema, (input) => {
      const queue = find(input.QueueUrl.split('/').at(-1) ?? '');
      return queue ? perform(queue, input) : noQueue;
    });

  const send = (queue: CloudQueue, { MessageBody, DelaySeconds, MessageAttributes }: Message) => {
    const { messageId } = store.send(
      queue,
      { body: MessageBody, delaySeconds: DelaySeconds, attributes: MessageAttributes },
      nowMs(),
    );
    return { MessageId: messageId, MD5OfMessageBody: md5(MessageBody) };
  };

  const receive = async (queue: CloudQueue, input: z.output<typeof schemas.ReceiveMessage>) => {
    const wanted = { max: input.MaxNumberOfMessages, visibilitySeconds: input.VisibilityTimeout };
    const untilMs = nowMs() + input.WaitTimeSeconds * 1000;
    let messages = store.receive(queue, wanted, nowMs());
    while (messages.length === 0 && nowMs() < untilMs) {
      await pause(100);
      messages = store.receive(queue, wanted, nowMs());
    }
    const system = [...input.AttributeNames, ...input.MessageSystemAttributeNames];
    return messages.map((one) => messageAnswer(one, { system, custom: input.MessageAttributeNames }));
  };

  return {
    GetQueueUrl: operation(schemas.GetQueueUrl, ({ QueueName }) => {
      const queue = find(QueueName);
      return queue ? success({ QueueUrl: byArn.get(queue.arn)?.url }) : noQueue;
    }),
    SendMessage: on(schemas.SendMessage, (queue, input) =>
      isTooLong([input]) ? tooLong('InvalidParameterValue') : success(send(queue, input)),
    ),
    SendMessageBatch: on(
      schemas.SendMessageBatch,
      (queue, { Entries }) =>
        batchFault(Entries) ??
        success({ Successful: Entries.map((one) => ({ Id: one.Id, ...send(queue, one) })), Failed: [] }),
    ),
    ReceiveMessage: on(schemas.ReceiveMessage, async (queue, input) =>
      success({ Messages: await receive(queue, input) }),
    ),
    DeleteMessage: on(schemas.DeleteMessage, (queue, { ReceiptHandle }) => {
      store.remove(queue, ReceiptHandle);
      return success();
    }),
    GetQueueAttributes: on(schemas.GetQueueAttributes, (queue, { AttributeNames }) =>
      success(queueAnswer(queue, store.count(queue, nowMs()), AttributeNames)),
    ),
    PurgeQueue: on(inQueue, (queue) => {
      store.purge(queue);
      return success();
    }),
  };
};

const noQueue = fault('com.amazonaws.sqs#QueueDoesNotExist', 'The specified queue does not exist.');

const batchFault = (entries: (Message & { Id: string })[]): Reply | undefined => {
  if (entries.length === 0) return fault('EmptyBatchRequest', 'There are no entries in the batch.');
  if (entries.length > 10) return fault('TooManyEntriesInBatchRequest', 'A batch has at most 10 entries.');
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length)
    return fault('BatchEntryIdsNotDistinct', 'Two entries of the batch have the same Id.');
  return isTooLong(entries) ? tooLong('BatchRequestTooLong') : undefined;
};

/** Bodies and attributes of all messages of one request together. */
const isTooLong = (messages: Message[]): boolean =>
  messages.reduce((sum, one) => sum + bytesOf(one), 0) > 1_048_576;

const bytesOf = ({ MessageBody, MessageAttributes }: Message): number =>
  Buffer.byteLength(MessageBody + (MessageAttributes ? JSON.stringify(MessageAttributes) : ''));

const tooLong = (type: string) => fault(type, 'Messages must be shorter than 1048576 bytes.');
