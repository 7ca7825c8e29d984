import type { SQSEvent, SQSRecord } from 'aws-lambda';
import type { Random } from '../../support/builders/random.ts';
import type { Faults } from '../kernel/faults.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Ending } from '../kernel/process.ts';

export type Message = { body: string; attributes?: { [name: string]: string } };

export type QueueDeps = {
  kernel: Kernel;
  random: Random;
  faults: Faults;
  /** Calls the function; answers which messages failed, or that the whole run did. */
  call: (event: SQSEvent, onEnd: (ending: Ending<readonly string[]>) => void) => void;
  /** How many runs there are at once. */
  atMost: number;
  visibilityMs: number;
  /** How many messages a run gets at most. */
  batchSize?: number;
  /** After so many receives a message goes to the queue's own dead letters; without it, never. */
  mostReceives?: number;
};

type Waiting = { id: string; message: Message; receives: number };

/** A standard queue with its event source: at least once, in any order, sometimes late. */
export const createQueue = ({
  kernel,
  random,
  faults,
  call,
  atMost,
  visibilityMs,
  batchSize = 10,
  mostReceives,
}: QueueDeps) => {
  const visible: Waiting[] = [];
  let running = 0;
  let sent = 0;

  const show = (waiting: Waiting, delayMs: number) =>
    kernel.after(delayMs, () => {
      visible.push(waiting);
      poll();
    });

  const poll = () => {
    while (running < atMost && visible.length > 0) {
      const batch = visible.splice(0, batchSize);
      running += 1;
      for (const one of batch) one.receives += 1;
      call(eventOf(batch), (ending) => {
        running -= 1;
        const failed = ending.ok ? new Set(ending.value) : undefined;
        for (const one of batch)
          if ((!failed || failed.has(one.id)) && one.receives < (mostReceives ?? Number.POSITIVE_INFINITY))
            show(one, visibilityMs);
        poll();
      });
    }
  };

  return {
    send: (message: Message, delayMs = 0) => {
      sent += 1;
      const id = `message-${sent}`;
      const usualMs = delayMs + random.integer(20, 900);
      const lateMs = faults.hits('message-late') ? faults.someMs(1_000, 60_000) : 0;
      show({ id, message, receives: 0 }, usualMs + lateMs);
      if (faults.hits('message-doubled'))
        show({ id, message, receives: 0 }, usualMs + faults.someMs(0, 60_000));
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
