import type { SQSEvent, SQSRecord } from 'aws-lambda';
import type { Random } from '../../support/builders/random.ts';
import type { Faults } from '../kernel/faults.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Ending } from '../kernel/process.ts';

export type Message = {
  body: string;
  attributes?: { [name: string]: string };
  /** Of a FIFO queue: one message of a group is in flight at a time. */
  groupId?: string;
  /** Of a FIFO queue: what comes with it again within five minutes is not delivered. */
  deduplicationId?: string;
};

export type QueueDeps = {
  kernel: Kernel;
  random: Random;
  faults: Faults;
  /** Calls the function; answers which messages failed, or that the whole run did. */
  call: (event: SQSEvent, onEnd: (ending: Ending<readonly string[]>) => void) => void;
  /** How many runs there are at once. */
  atMost: number;
  /** How long a received message is hidden. If it is not deleted by then, it is received again. */
  visibilityMs: number;
  /** How many messages a run gets at most. */
  batchSize?: number;
  /** The number of receives after which a message goes to the queue's dead letters. Absent = never. */
  mostReceives?: number;
  /** How long a message is kept. Absent = for ever. */
  retentionMs?: number;
  /** Whether a message may be lost: one that only hastens what a poll finds anyway. */
  mayLose?: boolean;
};

type Waiting = {
  id: string;
  message: Message;
  sentAtMs: number;
  receives: number;
  hiddenUntilMs: number;
  isDeleted: boolean;
};

const deduplicationMs = 5 * 60_000;

/** A queue with its event source: at least once, sometimes late; in any order, but one message of a group at a time. */
export const createQueue = ({
  kernel,
  random,
  faults,
  call,
  atMost,
  visibilityMs,
  batchSize = 10,
  mostReceives = Number.POSITIVE_INFINITY,
  retentionMs = Number.POSITIVE_INFINITY,
  mayLose = false,
}: QueueDeps) => {
  const visible: Waiting[] = [];
  const knownUntil = new Map<string, number>();
  /** The message of each group that was handed out last. */
  const latestOf = new Map<string, Waiting>();
  let running = 0;
  let sent = 0;

  const show = (waiting: Waiting, delayMs: number) =>
    kernel.after(delayMs, () => {
      visible.push(waiting);
      poll();
    });

  const isOver = ({ isDeleted, receives, sentAtMs }: Waiting) =>
    isDeleted || receives >= mostReceives || kernel.nowMs() - sentAtMs >= retentionMs;

  const isBlocked = ({ message: { groupId } }: Waiting) => {
    const latest = groupId === undefined ? undefined : latestOf.get(groupId);
    return latest !== undefined && !latest.isDeleted && latest.hiddenUntilMs > kernel.nowMs();
  };

  /** The next messages to hand out, at most one of each group. */
  const takeBatch = (): Waiting[] => {
    const batch: Waiting[] = [];
    for (let index = 0; index < visible.length && batch.length < batchSize; ) {
      const one = visible[index] as Waiting;
      if (isBlocked(one)) index += 1;
      else {
        visible.splice(index, 1);
        if (isOver(one)) continue;
        one.receives += 1;
        one.hiddenUntilMs = kernel.nowMs() + visibilityMs;
        if (one.message.groupId !== undefined) latestOf.set(one.message.groupId, one);
        batch.push(one);
      }
    }
    return batch;
  };

  const poll = () => {
    while (running < atMost) {
      const batch = takeBatch();
      if (batch.length === 0) return;
      running += 1;
      for (const one of batch) show(one, visibilityMs);
      const hiddenUntilMs = kernel.nowMs() + visibilityMs;
      call(eventOf(batch), (ending) => {
        running -= 1;
        const failed = ending.ok ? new Set(ending.value) : undefined;
        // A FIFO queue refuses a receipt whose visibility timeout has ended.
        const isTimely = ({ message }: Waiting) =>
          message.groupId === undefined || kernel.nowMs() < hiddenUntilMs;
        for (const one of batch) one.isDeleted ||= failed?.has(one.id) === false && isTimely(one);
        poll();
      });
    }
  };

  const isKnown = ({ deduplicationId }: Message) => {
    if (deduplicationId === undefined) return false;
    const isThere = (knownUntil.get(deduplicationId) ?? 0) > kernel.nowMs();
    if (!isThere) knownUntil.set(deduplicationId, kernel.nowMs() + deduplicationMs);
    return isThere;
  };

  return {
    send: (message: Message, delayMs = 0) => {
      if (isKnown(message)) return;
      sent += 1;
      const state = { receives: 0, hiddenUntilMs: 0, isDeleted: false, sentAtMs: kernel.nowMs() + delayMs };
      const id = `message-${sent}`;
      const usualMs = delayMs + random.integer(20, 900);
      const lateMs = faults.hits('message-late') ? faults.someMs(1_000, 60_000) : 0;
      const isLost = mayLose && faults.hits('message-lost');
      if (!isLost) show({ id, message, ...state }, usualMs + lateMs);
      if (faults.hits('message-doubled')) show({ id, message, ...state }, usualMs + faults.someMs(0, 60_000));
    },
  };
};

const eventOf = (batch: readonly Waiting[]): SQSEvent => ({
  Records: batch.map(({ id, message }) => recordOf(id, message)),
});

/** What our functions read of a record, and what the batch processor does. */
const recordOf = (messageId: string, { body, attributes = {} }: Message): SQSRecord => ({
  messageId,
  body,
  messageAttributes: Object.fromEntries(
    Object.entries(attributes).map(([name, stringValue]) => [name, { dataType: 'String', stringValue }]),
  ),
  receiptHandle: messageId,
  md5OfBody: '',
  eventSource: 'aws:sqs',
  eventSourceARN: 'arn:aws:sqs:eu-west-2:000000000000:queue',
  awsRegion: 'eu-west-2',
  attributes: {
    ApproximateReceiveCount: '1',
    SentTimestamp: '0',
    SenderId: '',
    ApproximateFirstReceiveTimestamp: '0',
  },
});
