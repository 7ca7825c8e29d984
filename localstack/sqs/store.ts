import { randomUUID } from 'node:crypto';
import type { CloudQueue } from '../cloudformation/model.ts';
import type { EventsFile } from '../data/messages-file.ts';
import type { MessageCounts, MessageToSend, QueueMessage } from './message.ts';
/** The messages of all queues; times are the caller's. */
export type QueueStore = ReturnType<typeof createQueueStore>;

type Row = {
  position: number;
  id: string;
  body: string;
  attributes: string;
  sentMs: number;
  receives: number;
  firstReceivedMs: number | null;
};

export const createQueueStore = ({ db, inOneStep }: EventsFile) => {
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
  const remove = db.prepare('DELETE FROM messages WHERE queue = ? AND receipt = ?');
  const purge = db.prepare('DELETE FROM messages WHERE queue = ?');
  const count = db.prepare(
    'SELECT count(*) FILTER (WHERE visibleMs <= :nowMs) AS visible, ' +
      'count(*) FILTER (WHERE visibleMs > :nowMs AND receives > 0) AS inFlight, ' +
      'count(*) FILTER (WHERE visibleMs > :nowMs AND receives = 0) AS delayed ' +
      'FROM messages WHERE queue = :queue',
  );

  /** What is too old goes, and what was received too often moves to the dead-letter queue. */
  const tidy = (queue: CloudQueue, nowMs: number) => {
    forget.run(queue.arn, nowMs - queue.retentionSeconds * 1000);
    if (!queue.redrive) return;
    redrive.run(queue.redrive.deadLetterArn, queue.arn, nowMs, queue.redrive.maxReceiveCount);
  };

  const hand = (row: Row, nowMs: number, visibilitySeconds: number): QueueMessage => {
    const receiptHandle = randomUUID();
    const firstReceivedMs = row.firstReceivedMs ?? nowMs;
    const receives = row.receives + 1;
    hide.run(nowMs + visibilitySeconds * 1000, receiptHandle, receives, firstReceivedMs, row.position);
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
    receive: (
      queue: CloudQueue,
      {
        max,
        visibilitySeconds = queue.visibilitySeconds,
      }: { max: number; visibilitySeconds?: number | undefined },
      nowMs: number,
    ): QueueMessage[] =>
      inOneStep(() => {
        tidy(queue, nowMs);
        const rows = visible.all(queue.arn, nowMs, max) as unknown as Row[];
        return rows.map((row) => hand(row, nowMs, visibilitySeconds));
      }),
    /** A receipt of an earlier receive removes nothing: the message is somebody else's now. */
    remove: (queue: CloudQueue, receiptHandle: string) => {
      remove.run(queue.arn, receiptHandle);
    },
    purge: (queue: CloudQueue) => {
      purge.run(queue.arn);
    },
    count: (queue: CloudQueue, nowMs: number) => {
      inOneStep(() => tidy(queue, nowMs));
      return count.get({ nowMs, queue: queue.arn }) as MessageCounts;
    },
  };
};
