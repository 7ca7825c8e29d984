import { z } from 'zod';
import type { Clock } from '../../functions/shared/runtime/clock.ts';
import { type AwsResponse, fault, type Operations, operation, success } from '../aws/json-protocol.ts';
import { queueUrl } from '../aws/names.ts';
import type { CloudQueue } from '../cloudformation/model.ts';
import type { QueueMessage } from './message.ts';
import type { Queues } from './queue.ts';
import { batchInput, createSending, md5, messageInput } from './sending.ts';

const named = z.strictObject({ QueueName: z.string(), QueueOwnerAWSAccountId: z.string().optional() });
const attributes = z.strictObject({ QueueUrl: z.string(), AttributeNames: z.array(z.string()).optional() });
const receiving = z.strictObject({
  QueueUrl: z.string(),
  MaxNumberOfMessages: z.int().min(1).max(10).default(1),
  VisibilityTimeout: z.int().min(0).max(43_200).optional(),
  /** Accepted without effect: the answer comes at once. */
  WaitTimeSeconds: z.int().min(0).max(20).optional(),
});
const removal = z.strictObject({ QueueUrl: z.string(), ReceiptHandle: z.string() });

export const sqsProtocol = { prefix: 'AmazonSQS', version: '1.0' };

/**
 * The operations of SQS that functions and the operator's tool use: functions send, and the tool searches the dead letters.
 * Event sources receive within the stage's process.
 */
export const queueOperations = ({ declared, store, endpoint }: Queues, now: Clock): Operations => {
  const nowMs = () => now().getTime();
  const sending = createSending(store, nowMs);
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
      at((queue) => success({ Attributes: countsText(store.count(queue, nowMs())) })),
    ),
    ReceiveMessage: operation(
      receiving,
      at((queue, { MaxNumberOfMessages, VisibilityTimeout }) => {
        const hidden = { ...queue, visibilitySeconds: VisibilityTimeout ?? queue.visibilitySeconds };
        return success({ Messages: store.receive(hidden, MaxNumberOfMessages, nowMs()).map(shown) });
      }),
    ),
    DeleteMessage: operation(
      removal,
      at((queue, { ReceiptHandle }) => {
        store.remove(queue, ReceiptHandle, nowMs());
        return success();
      }),
    ),
    SendMessage: operation(
      messageInput,
      at((queue, message) => sending.one(queue, message)),
    ),
    SendMessageBatch: operation(
      batchInput,
      at((queue, { Entries }) => sending.batch(queue, Entries)),
    ),
  };
};

const noQueue = () => fault('com.amazonaws.sqs#QueueDoesNotExist', 'The specified queue does not exist.');

/** SQS writes these numbers as strings. */
const countsText = ({ visible, hidden }: { visible: number; hidden: number }) => ({
  ApproximateNumberOfMessages: `${visible}`,
  ApproximateNumberOfMessagesNotVisible: `${hidden}`,
});

const shown = ({ messageId, receiptHandle, body }: QueueMessage) => ({
  ...{ MessageId: messageId, ReceiptHandle: receiptHandle },
  ...{ Body: body, MD5OfBody: md5(body) },
});
