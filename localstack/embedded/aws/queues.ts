import { randomUUID } from 'node:crypto';
import type { SQSRecordAttributes } from 'aws-lambda';
import type { State } from '../state.ts';
import { type QueueName, type QueueWiring, queues } from '../wiring.ts';

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

export type ReceivedMessage = {
  messageId: string;
  receiptHandle: string;
  body: string;
  attributes: SQSRecordAttributes;
  messageAttributes: Attributes;
};

/** As on AWS, the name of a FIFO queue says so. */
export const isFifo = (queue: QueueName): boolean => queue.endsWith('.fifo');
const wiringOf = (queue: QueueName): QueueWiring => queues[queue];

export const openQueues = ({ db, inOneStep }: State) => {
  const insert = db.prepare(
    'INSERT INTO messages (queue, id, body, attributes, sentMs, visibleMs, groupId) ' +
      'VALUES (?, ?, ?, ?, ?, ?, ?)',
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
    'SELECT messageId FROM deduplications WHERE queue = ? AND deduplicationId = ?',
  );
  const noteId = db.prepare('INSERT INTO deduplications VALUES (?, ?, ?, ?)');

  /** A copy within five minutes gets the first message's answer, and is not stored. */
  const send = (queue: QueueName, message: MessageToSend): { messageId: string } =>
    inOneStep(() => {
      const { body, delaySeconds = 0, attributes = {}, groupId = null, deduplicationId = null } = message;
      const nowMs = Date.now();
      forgetIds.run(queue, nowMs - deduplicationMs);
      const first = deduplicationId === null ? undefined : firstSent.get(queue, deduplicationId);
      if (first) return { messageId: String(first.messageId) };
      const messageId = randomUUID();
      const visibleMs = nowMs + delaySeconds * 1000;
      insert.run(...[queue, messageId, body, JSON.stringify(attributes), nowMs, visibleMs, groupId]);
      if (deduplicationId !== null) noteId.run(queue, deduplicationId, messageId, nowMs);
      return { messageId };
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
};

const received = (
  { id, body, attributes, sentMs, receives, groupId }: MessageRow,
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
    ...(groupId !== null && { MessageGroupId: groupId }),
  },
  messageAttributes: JSON.parse(attributes),
});
