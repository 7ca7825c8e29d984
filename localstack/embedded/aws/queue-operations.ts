import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type QueueName, queues, queueUrl } from '../wiring.ts';
import { type AwsAnswer, fault, type Operation, type Operations, operation, success } from './protocol.ts';
import { isFifo, type MessageToSend, type Queues } from './queues.ts';

/** 1 to 128 letters, digits and punctuation marks. */
const fifoId = z.string().regex(/^[!-~]{1,128}$/);
const message = z.strictObject({
  MessageBody: z.string().min(1),
  DelaySeconds: z.int().min(0).max(900).optional(),
  MessageGroupId: fifoId.optional(),
  MessageDeduplicationId: fifoId.optional(),
});
type Message = z.output<typeof message>;
const url = { QueueUrl: z.string() };
const inputs = {
  named: z.strictObject({ QueueName: z.string(), QueueOwnerAWSAccountId: z.string().optional() }),
  counted: z.strictObject({ ...url, AttributeNames: z.array(z.string()).optional() }),
  receiving: z.strictObject({
    ...url,
    MaxNumberOfMessages: z.int().min(1).max(10).default(1),
    VisibilityTimeout: z.int().min(0).max(43_200).optional(),
    // Taken without effect: the answer comes at once.
    WaitTimeSeconds: z.int().min(0).max(20).optional(),
  }),
  removal: z.strictObject({ ...url, ReceiptHandle: z.string() }),
  sending: message.extend(url),
  batch: z.strictObject({ ...url, Entries: z.array(message.extend({ Id: z.string() })) }),
};

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
  const send = (queue: QueueName, given: Message) => {
    const { messageId, sequenceNumber } = all.send(queue, toSend(given));
    return {
      ...{ MessageId: messageId, MD5OfMessageBody: md5(given.MessageBody) },
      ...(sequenceNumber !== undefined && { SequenceNumber: sequenceNumber }),
    };
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
    'AmazonSQS.SendMessage': at(inputs.sending, (queue, given) => {
      const found = missingIn(queue, given) ?? misplacedIn(queue, given);
      if (found) return fault(found.code, found.message);
      if (bytesOf([given]) > bytesLimit) return fault('InvalidParameterValue', tooLong);
      return success(send(queue, given));
    }),
    'AmazonSQS.SendMessageBatch': at(inputs.batch, (queue, { Entries }) => {
      const refused = batchFault(queue, Entries);
      if (refused) return refused;
      const judged = Entries.map((given) => ({ given, found: misplacedIn(queue, given) }));
      return success({
        Successful: judged
          .filter(({ found }) => found === undefined)
          .map(({ given }) => ({ Id: given.Id, ...send(queue, given) })),
        Failed: judged.flatMap(({ given, found }) =>
          found ? [{ Id: given.Id, SenderFault: true, Code: found.code, Message: found.message }] : [],
        ),
      });
    }),
  };
};

const queueNamed = (name: string): QueueName | undefined =>
  (Object.keys(queues) as QueueName[]).find((queue) => queue === name);
const noQueue = () => fault('com.amazonaws.sqs#QueueDoesNotExist', 'The specified queue does not exist.');

const toSend = (given: Message): MessageToSend => ({
  body: given.MessageBody,
  delaySeconds: given.DelaySeconds,
  groupId: given.MessageGroupId,
  deduplicationId: given.MessageDeduplicationId,
});

type SendFault = { code: 'MissingParameter' | 'InvalidParameterValue'; message: string };

/** The parameter that a message for a FIFO queue lacks, for which SendMessageBatch refuses the whole batch. */
const missingIn = (
  queue: QueueName,
  { MessageGroupId, MessageDeduplicationId }: Message,
): SendFault | undefined => {
  if (!isFifo(queue)) return undefined;
  if (MessageGroupId === undefined)
    return { code: 'MissingParameter', message: 'The request must contain the parameter MessageGroupId.' };
  if (MessageDeduplicationId !== undefined) return undefined;
  return {
    code: 'InvalidParameterValue',
    message:
      'The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly',
  };
};

/** A parameter that queues of this type do not take, for which SendMessageBatch refuses only the entry. */
const misplacedIn = (queue: QueueName, given: Message): SendFault | undefined => {
  const misplaced = isFifo(queue)
    ? // A FIFO queue cannot delay a single message, but takes 0.
      { DelaySeconds: given.DelaySeconds || undefined }
    : {
        MessageGroupId: given.MessageGroupId,
        MessageDeduplicationId: given.MessageDeduplicationId,
      };
  const [found] = Object.entries(misplaced).filter(([, value]) => value !== undefined);
  return (
    found && {
      code: 'InvalidParameterValue',
      message: `Value ${found[1]} for parameter ${found[0]} is invalid. Reason: The request include parameter that is not valid for this queue type.`,
    }
  );
};

const batchFault = (
  queue: QueueName,
  entries: readonly (Message & { Id: string })[],
): AwsAnswer | undefined => {
  if (entries.length === 0) return fault('EmptyBatchRequest', 'There are no entries in the batch.');
  if (entries.length > 10) return fault('TooManyEntriesInBatchRequest', 'A batch has at most 10 entries.');
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length)
    return fault('BatchEntryIdsNotDistinct', 'Two entries of the batch have the same Id.');
  const missing = entries.map((given) => missingIn(queue, given)).find(Boolean);
  if (missing) return fault('InvalidParameterValue', missing.message);
  return bytesOf(entries) > bytesLimit ? fault('BatchRequestTooLong', tooLong) : undefined;
};

/** The limit of a message, and of all messages of a batch together. */
const bytesLimit = 1_048_576;
const tooLong = `Messages must be shorter than ${bytesLimit} bytes.`;

const bytesOf = (messages: readonly Message[]): number =>
  messages.reduce((sum, { MessageBody }) => sum + Buffer.byteLength(MessageBody), 0);

/** The MD5 of a body, by which the SDK checks sent and received messages. */
const md5 = (body: string): string => createHash('md5').update(body).digest('hex');
