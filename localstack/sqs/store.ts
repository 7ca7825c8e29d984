import { randomUUID } from 'node:crypto';
import type { CloudQueue } from '../cloudformation/model.ts';
import type { MessagesFile } from '../data/messages-file.ts';
import { createDeduplication, isFifo } from './fifo.ts';
import type { MessageToSend, QueueMessage, SentMessage } from './message.ts';

/** The messages of all queues. Callers pass the time. */
export type QueueStore = ReturnType<typeof createQueueStore>;

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

export const createQueueStore = (file: MessagesFile) => {
  const { db, inOneStep } = file;
  const deduplication = createDeduplication(file);
  const insert = db.prepare(
    'INSERT INTO messages (queue, id, body, attributes, sentMs, visibleMs, groupId, deduplicationId) ' +
      'VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const forget = db.prepare('DELETE FROM messages WHERE queue = ? AND sentMs <= ?');
  const visible = db.prepare(
    'SELECT * FROM messages WHERE queue = ? AND visibleMs <= ? ORDER BY visibleMs, position LIMIT ?',
  );
  // A group is locked while one of its messages is received. A receive returns all messages of the oldest open group first.
  const visibleInGroups = db.prepare(
    'SELECT *, MIN(position) OVER (PARTITION BY groupId) AS oldest FROM messages ' +
      'WHERE queue = :queue AND visibleMs <= :nowMs AND groupId NOT IN ' +
      '(SELECT groupId FROM messages WHERE queue = :queue AND visibleMs > :nowMs AND receipt IS NOT NULL) ' +
      'ORDER BY oldest, position LIMIT :max',
  );
  const hide = db.prepare(
    'UPDATE messages SET visibleMs = ?, receipt = ?, receives = ?, firstReceivedMs = ? WHERE position = ?',
  );
  const amounts = db.prepare(
    'SELECT COUNT(*) FILTER (WHERE visibleMs <= ?) AS visible, COUNT(*) AS everyone FROM messages WHERE queue = ?',
  );
  const remove = db.prepare('DELETE FROM messages WHERE queue = ? AND receipt = ?');
  const removeHidden = db.prepare('DELETE FROM messages WHERE queue = ? AND receipt = ? AND visibleMs > ?');
  const makeYounger = db.prepare('UPDATE messages SET sentMs = sentMs + ?');

  const rowsToReceive = (queue: CloudQueue, max: number, nowMs: number) =>
    (isFifo(queue)
      ? visibleInGroups.all({ queue: queue.arn, nowMs, max })
      : visible.all(queue.arn, nowMs, max)) as unknown as MessageRow[];

  const receive = (queue: CloudQueue, row: MessageRow, nowMs: number): QueueMessage => {
    const receiptHandle = randomUUID();
    const firstReceivedMs = row.firstReceivedMs ?? nowMs;
    const receives = row.receives + 1;
    hide.run(nowMs + queue.visibilitySeconds * 1000, receiptHandle, receives, firstReceivedMs, row.position);
    return {
      messageId: row.id,
      receiptHandle,
      body: row.body,
      attributes: {
        ApproximateReceiveCount: `${receives}`,
        SentTimestamp: `${row.sentMs}`,
        ApproximateFirstReceiveTimestamp: `${firstReceivedMs}`,
        ...fifoAttributes(row),
      },
      messageAttributes: JSON.parse(row.attributes),
    };
  };

  const add = (queue: CloudQueue, message: MessageToSend, nowMs: number): SentMessage => {
    const { body, delaySeconds = 0, attributes = {}, groupId = null, deduplicationId } = message;
    const messageId = randomUUID();
    const visibleMs = nowMs + delaySeconds * 1000;
    const text = JSON.stringify(attributes);
    const { lastInsertRowid: position } = insert.run(
      ...[queue.arn, messageId, body, text, nowMs, visibleMs, groupId, deduplicationId ?? null],
    );
    if (deduplicationId === undefined) return { messageId };
    const sent = { messageId, sequenceNumber: sequenceNumberOf(Number(position)) };
    deduplication.note(queue.arn, deduplicationId, sent, nowMs);
    return sent;
  };

  return {
    /** A copy within five minutes gets the first message's answer, and is not stored. */
    send: (queue: CloudQueue, message: MessageToSend, nowMs: number): SentMessage =>
      inOneStep(() => {
        const { deduplicationId } = message;
        const first =
          deduplicationId === undefined
            ? undefined
            : deduplication.firstSent(queue.arn, deduplicationId, nowMs);
        return first ?? add(queue, message, nowMs);
      }),
    receive: (queue: CloudQueue, max: number, nowMs: number): QueueMessage[] =>
      inOneStep(() => {
        forget.run(queue.arn, nowMs - queue.retentionSeconds * 1000);
        return rowsToReceive(queue, max, nowMs).map((row) => receive(queue, row, nowMs));
      }),
    /** `hidden` counts received and delayed messages. */
    count: (queue: CloudQueue, nowMs: number) => {
      const { visible, everyone } = amounts.get(nowMs, queue.arn) as { visible: number; everyone: number };
      return { visible, hidden: everyone - visible };
    },
    /** Keeps the age of messages when the clock is moved on. */
    makeYounger: (byMs: number) => {
      makeYounger.run(byMs);
    },
    /**
     * A receipt of an earlier receive removes nothing, since a later receiver has the message. In a FIFO queue neither does a
     * receipt whose visibility timeout has ended.
     */
    remove: (queue: CloudQueue, receiptHandle: string, nowMs: number) => {
      if (isFifo(queue)) removeHidden.run(queue.arn, receiptHandle, nowMs);
      else remove.run(queue.arn, receiptHandle);
    },
  };
};

/** A sequence number of 20 digits, which rises with each message. */
const sequenceNumberOf = (position: number): string => `${position}`.padStart(20, '0');

const fifoAttributes = ({ position, groupId, deduplicationId }: MessageRow): Record<string, string> =>
  groupId === null || deduplicationId === null
    ? {}
    : {
        MessageGroupId: groupId,
        MessageDeduplicationId: deduplicationId,
        SequenceNumber: sequenceNumberOf(position),
      };
