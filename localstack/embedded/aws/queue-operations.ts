import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type QueueName, queues, queueUrl } from '../wiring.ts';
import { type AwsAnswer, fault, type Operation, type Operations, operation, success } from './protocol.ts';
import { isFifo, type Queues } from './queues.ts';

/** 1 to 128 letters, digits and punctuation marks. */
const fifoId = z.string().regex(/^[!-~]{1,128}$/);
const message = {
  ...{ Id: z.string(), MessageBody: z.string().min(1) },
  DelaySeconds: z.int().min(0).max(900).default(0),
};
const plain = z.strictObject(message);
const grouped = z.strictObject({
  ...message,
  ...{ MessageGroupId: fifoId, MessageDeduplicationId: fifoId },
  // A FIFO queue cannot delay a single message.
  DelaySeconds: z.literal(0).default(0),
});
const url = { QueueUrl: z.string() };
const inputs = {
  named: z.strictObject({ QueueName: z.string(), QueueOwnerAWSAccountId: z.string() }),
  counted: z.strictObject({ ...url, AttributeNames: z.array(z.string()) }),
  receiving: z.strictObject({
    ...url,
    MaxNumberOfMessages: z.int().min(1).max(10),
    VisibilityTimeout: z.int().min(0).max(43_200),
    // Taken without effect: the answer comes at once.
    WaitTimeSeconds: z.int(),
  }),
  removal: z.strictObject({ ...url, ReceiptHandle: z.string() }),
  batch: z.strictObject({
    ...url,
    Entries: z
      .array(z.union([plain, grouped]))
      .min(1)
      .max(10),
  }),
};

/** The limit of all messages of a batch together. */
const bytesLimit = 1_048_576;

/** The operations that functions and the operator's tool use: functions send, and the tool searches the dead letters. */
export const queueOperations = (all: Queues, awsUrl: string): Operations => {
  const at = <Schema extends z.ZodType<{ QueueUrl: string }>>(
    schema: Schema,
    perform: (queue: QueueName, input: z.output<Schema>) => AwsAnswer,
  ): Operation =>
    operation(schema, (input) => {
      const queue = queueNamed(input.QueueUrl.split('/').at(-1) ?? '');
      return queue ? perform(queue, input) : noQueue();
    });
  const send = (queue: QueueName, given: z.output<typeof plain> | z.output<typeof grouped>) => {
    const { Id, MessageBody: body, DelaySeconds: delaySeconds } = given;
    const group = 'MessageGroupId' in given && {
      groupId: given.MessageGroupId,
      deduplicationId: given.MessageDeduplicationId,
    };
    const { messageId } = all.send(queue, { body, delaySeconds, ...group });
    return { Id, MessageId: messageId, MD5OfMessageBody: md5(body) };
  };
  return {
    'AmazonSQS.GetQueueUrl': operation(inputs.named, ({ QueueName }) => {
      const queue = queueNamed(QueueName);
      return queue ? success({ QueueUrl: queueUrl(awsUrl, queue) }) : noQueue();
    }),
    'AmazonSQS.GetQueueAttributes': at(inputs.counted, (queue) => {
      const { visible, hidden } = all.count(queue);
      const counts = {
        ApproximateNumberOfMessages: `${visible}`,
        ApproximateNumberOfMessagesNotVisible: `${hidden}`,
      };
      return success({ Attributes: counts });
    }),
    'AmazonSQS.ReceiveMessage': at(inputs.receiving, (queue, { MaxNumberOfMessages, VisibilityTimeout }) =>
      success({
        Messages: all
          .receive(queue, MaxNumberOfMessages, VisibilityTimeout)
          .map(({ messageId, receiptHandle, body }) => ({
            ...{ MessageId: messageId, ReceiptHandle: receiptHandle, Body: body, MD5OfBody: md5(body) },
          })),
      }),
    ),
    'AmazonSQS.DeleteMessage': at(inputs.removal, (queue, { ReceiptHandle }) => {
      all.remove(queue, ReceiptHandle);
      return success();
    }),
    'AmazonSQS.SendMessageBatch': at(inputs.batch, (queue, { Entries }) => {
      if (Entries.some((given) => 'MessageGroupId' in given !== isFifo(queue)))
        return fault('InvalidParameterValue', 'A message has a group in FIFO queues, and in no other.');
      if (Entries.reduce((sum, { MessageBody }) => sum + Buffer.byteLength(MessageBody), 0) > bytesLimit)
        return fault('BatchRequestTooLong', `Messages must be shorter than ${bytesLimit} bytes together.`);
      return success({ Successful: Entries.map((given) => send(queue, given)), Failed: [] });
    }),
  };
};

const queueNamed = (name: string): QueueName | undefined =>
  (Object.keys(queues) as QueueName[]).find((queue) => queue === name);
const noQueue = () => fault('com.amazonaws.sqs#QueueDoesNotExist', 'The specified queue does not exist.');

/** The MD5 of a body, by which the SDK checks sent and received messages. */
const md5 = (body: string): string => createHash('md5').update(body).digest('hex');
