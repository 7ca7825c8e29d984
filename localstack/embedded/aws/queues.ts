import { createHash, randomUUID } from 'node:crypto';
import type { SQSRecordAttributes } from 'aws-lambda';
import { z } from 'zod';
import type { State } from '../state.ts';
import { type QueueName, type QueueWiring, queues, queueUrl } from '../wiring.ts';
import { type AwsAnswer, fault, type Operation, type Operations, operation, success } from './protocol.ts';

/** SQS: the messages of the wiring's queues. */
export type Queues = ReturnType<typeof openQueues>;

type Attributes = Record<string, { StringValue: string; DataType: string }>;

export type MessageToSend = {
  body: string;
  delaySeconds?: number | undefined;
  attributes?: Attributes | undefined;
  /** Only for FIFO queues, which require both. */
  groupId?: string | undefined;
  deduplicationId?: string | undefined;
};

/** The answer to a sender, with a sequence number from a FIFO queue. */
type Sent = { messageId: string; sequenceNumber?: string };

export type ReceivedMessage = {
  messageId: string;
  receiptHandle: string;
  body: string;
  attributes: SQSRecordAttributes;
  messageAttributes: Attributes;
};

const isFifo = (queue: QueueName): boolean => queue.endsWith('.fifo');
const wiringOf = (queue: QueueName): QueueWiring => queues[queue];

export const openQueues = ({ db, inOneStep }: State) => {
  const insert = db.prepare(
    'INSERT INTO messages (queue, id, body, attributes, sentMs, visibleMs, groupId, deduplicationId) ' +
      'VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const forgetOld = db.prepare('DELETE FROM messages WHERE queue = ? AND sentMs <= ?');
  const visible = db.prepare(
    'SELECT * FROM messages WHERE queue = ? AND visibleMs <= ? ORDER BY visibleMs, position LIMIT ?',
  );
  // A group is locked while one of its messages is received. A receive returns all messages of the oldest open group first.
  const visibleInGroups = db.prepare(
    'SELECT *, MIN(position) OVER (PARTITION BY groupId) AS oldest FROM messages ' +
      'WHERE queue = :queue AND visibleMs <= :nowMs AND groupId NOT IN ' +
      '(SELECT groupId FROM messages WHERE queue = :queue AND visibleMs > :nowMs AND receipt IS NOT NULL) ' +
      'ORDER BY oldest, position LIMIT :most',
  );
  const hide = db.prepare(
    'UPDATE messages SET visibleMs = ?, receipt = ?, receives = ?, firstReceivedMs = ? WHERE position = ?',
  );
  const amounts = db.prepare(
    'SELECT COUNT(*) FILTER (WHERE visibleMs <= ?) AS visible, COUNT(*) AS everyone FROM messages WHERE queue = ?',
  );
  const anyVisible = db.prepare('SELECT DISTINCT queue FROM messages WHERE visibleMs <= ?');
  const removeReceived = db.prepare('DELETE FROM messages WHERE queue = ? AND receipt = ?');
  const removeHidden = db.prepare('DELETE FROM messages WHERE queue = ? AND receipt = ? AND visibleMs > ?');
  const makeYounger = db.prepare('UPDATE messages SET sentMs = sentMs + ?');
  const forgetIds = db.prepare('DELETE FROM deduplications WHERE queue = ? AND sentMs <= ?');
  const firstSent = db.prepare(
    'SELECT messageId, sequenceNumber FROM deduplications WHERE queue = ? AND deduplicationId = ?',
  );
  const noteId = db.prepare('INSERT INTO deduplications VALUES (?, ?, ?, ?, ?)');

  /** A copy within five minutes gets the first message's answer, and is not stored. */
  const send = (queue: QueueName, message: MessageToSend): Sent =>
    inOneStep(() => {
      const { body, delaySeconds = 0, attributes = {}, groupId = null, deduplicationId = null } = message;
      const nowMs = Date.now();
      forgetIds.run(queue, nowMs - deduplicationMs);
      const first = deduplicationId === null ? undefined : firstSent.get(queue, deduplicationId);
      if (first) return { ...(first as Required<Sent>) };
      const messageId = randomUUID();
      const visibleMs = nowMs + delaySeconds * 1000;
      const { lastInsertRowid: position } = insert.run(
        ...[queue, messageId, body, JSON.stringify(attributes), nowMs, visibleMs, groupId, deduplicationId],
      );
      if (deduplicationId === null) return { messageId };
      const sequenceNumber = sequenceNumberOf(Number(position));
      noteId.run(queue, deduplicationId, messageId, sequenceNumber, nowMs);
      return { messageId, sequenceNumber };
    });

  const receive = (
    queue: QueueName,
    most: number,
    visibilitySeconds = wiringOf(queue).visibilitySeconds,
  ): ReceivedMessage[] =>
    inOneStep(() => {
      const nowMs = Date.now();
      forgetOld.run(queue, nowMs - wiringOf(queue).retentionSeconds * 1000);
      const rows = isFifo(queue)
        ? visibleInGroups.all({ queue, nowMs, most })
        : visible.all(queue, nowMs, most);
      return (rows as MessageRow[]).map((row) => {
        const receiptHandle = randomUUID();
        const firstReceivedMs = row.firstReceivedMs ?? nowMs;
        hide.run(
          nowMs + visibilitySeconds * 1000,
          receiptHandle,
          row.receives + 1,
          firstReceivedMs,
          row.position,
        );
        return received(row, { receiptHandle, firstReceivedMs });
      });
    });

  return {
    send,
    receive,
    /** `hidden` counts received and delayed messages. */
    count: (queue: QueueName) => {
      const row = amounts.get(Date.now(), queue) as { visible: number; everyone: number };
      return { visible: row.visible, hidden: row.everyone - row.visible };
    },
    /** Whether a message waits for a function that may get it now. */
    isAnyVisible: () =>
      anyVisible.all(Date.now()).some(({ queue }) => wiringOf(queue as QueueName).calls !== undefined),
    /** Keeps the age of messages when the clock is moved on. */
    makeYounger: (byMs: number) => void makeYounger.run(byMs),
    /**
     * A receipt of an earlier receive removes nothing, since a later receiver has the message. In a FIFO queue neither does a
     * receipt whose visibility timeout has ended.
     */
    remove: (queue: QueueName, receiptHandle: string) => {
      if (isFifo(queue)) removeHidden.run(queue, receiptHandle, Date.now());
      else removeReceived.run(queue, receiptHandle);
    },
  };
};

const deduplicationMs = 300_000;

type MessageRow = {
  position: number;
  id: string;
  body: string;
  attributes: string;
  sentMs: number;
  receives: number;
  firstReceivedMs: number | null;
  groupId: string | null;
  deduplicationId: string | null;
};

const received = (
  { id, body, attributes, sentMs, receives, position, groupId, deduplicationId }: MessageRow,
  { receiptHandle, firstReceivedMs }: { receiptHandle: string; firstReceivedMs: number },
): ReceivedMessage => ({
  messageId: id,
  receiptHandle,
  body,
  attributes: {
    SenderId: 'local',
    ApproximateReceiveCount: `${receives + 1}`,
    SentTimestamp: `${sentMs}`,
    ApproximateFirstReceiveTimestamp: `${firstReceivedMs}`,
    ...(groupId !== null &&
      deduplicationId !== null && {
        MessageGroupId: groupId,
        MessageDeduplicationId: deduplicationId,
        SequenceNumber: sequenceNumberOf(position),
      }),
  },
  messageAttributes: JSON.parse(attributes),
});

/** A sequence number of 20 digits, which rises with each message. */
const sequenceNumberOf = (position: number): string => `${position}`.padStart(20, '0');

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
