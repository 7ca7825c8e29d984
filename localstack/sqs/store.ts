import { randomUUID } from 'node:crypto';
import type { CloudQueue } from '../cloudformation/model.ts';
import type { MessagesFile } from '../data/messages-file.ts';
import type { MessageToSend, QueueMessage } from './message.ts';

/** The messages of all queues; times are the caller's. */
export type QueueStore = ReturnType<typeof createQueueStore>;

type MessageRow = {
  position: number;
  id: string;
  body: string;
  attributes: string;
  sentMs: number;
  receives: number;
  firstReceivedMs: number | null;
};

export const createQueueStore = ({ db, inOneStep }: MessagesFile) => {
  const insert = db.prepare(
    'INSERT INTO messages (queue, id, body, attributes, sentMs, visibleMs) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const forget = db.prepare('DELETE FROM messages WHERE queue = ? AND sentMs <= ?');
  const redrive = db.prepare(
    'UPDATE messages SET queue = ?, receives = 0, firstReceivedMs = NULL, receipt = NULL ' +
      'WHERE queue = ? AND visibleMs <= ? AND receives >= ?',
  );
  const visible = db.prepare(
    'SELECT * FROM messages WHERE queue = ? AND visibleMs <= ? ORDER BY visibleMs, position LIMIT ?',
  );
  const hide = db.prepare(
    'UPDATE messages SET visibleMs = ?, receipt = ?, receives = ?, firstReceivedMs = ? WHERE position = ?',
  );
  const amounts = db.prepare(
    'SELECT COUNT(*) FILTER (WHERE visibleMs <= ?) AS visible, COUNT(*) AS everyone FROM messages WHERE queue = ?',
  );
  const remove = db.prepare('DELETE FROM messages WHERE queue = ? AND receipt = ?');

  const makeYounger = db.prepare('UPDATE messages SET sentMs = sentMs + ?');

  /** What is too old goes, and what was received too often moves to the dead-letter queue. */
  const tidy = (queue: CloudQueue, nowMs: number) => {
    forget.run(queue.arn, nowMs - queue.retentionSeconds * 1000);
    if (!queue.redrive) return;
    redrive.run(queue.redrive.deadLetterArn, queue.arn, nowMs, queue.redrive.maxReceiveCount);
  };

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
      },
      messageAttributes: JSON.parse(row.attributes),
    };
  };

  return {
    send: (queue: CloudQueue, { body, delaySeconds, attributes = {} }: MessageToSend, nowMs: number) => {
      const messageId = randomUUID();
      const visibleMs = nowMs + (delaySeconds ?? queue.delaySeconds) * 1000;
      insert.run(queue.arn, messageId, body, JSON.stringify(attributes), nowMs, visibleMs);
      return { messageId };
    },
    receive: (queue: CloudQueue, max: number, nowMs: number): QueueMessage[] =>
      inOneStep(() => {
        tidy(queue, nowMs);
        const rows = visible.all(queue.arn, nowMs, max) as unknown as MessageRow[];
        return rows.map((row) => receive(queue, row, nowMs));
      }),
    /** Hidden are those that somebody has, and those that are delayed. */
    count: (queue: CloudQueue, nowMs: number) => {
      const { visible, everyone } = amounts.get(nowMs, queue.arn) as { visible: number; everyone: number };
      return { visible, hidden: everyone - visible };
    },
    /** The clock was moved on by so much: the age of messages is not. */
    makeYounger: (byMs: number) => {
      makeYounger.run(byMs);
    },
    /** A receipt of an earlier receive removes nothing: the message belongs to the receiver that has it now. */
    remove: (queue: CloudQueue, receiptHandle: string) => {
      remove.run(queue.arn, receiptHandle);
    },
  };
};
