import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { SQSEvent } from 'aws-lambda';
import { openQueues, type Queues } from '../../../localstack/embedded/aws/queues.ts';
import { openClock } from '../../../localstack/embedded/clock.ts';
import type { CallOutcome } from '../../../localstack/embedded/instances.ts';
import { failedItems, serveQueues } from '../../../localstack/embedded/sources.ts';
import { openState, type State } from '../../../localstack/embedded/state.ts';
import type { QueueName } from '../../../localstack/embedded/wiring.ts';
import { holdDate, settled } from '../../support/stage/held-date.ts';

let folder: string;
let state: State;
let queues: Queues;
let date: ReturnType<typeof holdDate>;
const open = () => {
  state = openState(join(folder, 'state.db'));
  queues = openQueues(state);
};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'queues-'));
  date = holdDate();
  open();
});
afterEach(() => {
  jest.useRealTimers();
  state.close();
  rmSync(folder, { recursive: true });
});

// Hidden for 22 s and kept for 280; the FIFO queue hides for 15 s and keeps for 60.
const [plain, fifo] = ['publish', 'shards.fifo'] as const;
/** `a1` is the first message of group a. */
const send = (queue: QueueName, ...names: string[]) =>
  names.map((body) =>
    queues.send(queue, {
      body,
      ...(queue.endsWith('.fifo') && { groupId: body.slice(0, 1), deduplicationId: body }),
    }),
  );
const bodies = (queue: QueueName, most = 10) => queues.receive(queue, most).map(({ body }) => body);
const receipts = (queue: QueueName, most: number) =>
  queues.receive(queue, most).map(({ receiptHandle }) => receiptHandle);

describe('standard queues', () => {
  test('EMB-7 messages come oldest first, at most so many, each to one receiver; a delayed one after its delay', () => {
    queues.send(plain, { body: 'later', delaySeconds: 20 });
    send(plain, 'a', 'b', 'c');

    expect([bodies(plain, 2), bodies(plain), bodies(plain)]).toEqual([['a', 'b'], ['c'], []]);
    date.pass(19_999);
    expect(bodies(plain)).toEqual([]);
    date.pass(1);
    expect(bodies(plain)).toEqual(['later']);
  });

  test('EMB-7 what is not removed comes back after the visibility timeout, counted, behind what waited; an earlier receipt removes nothing', () => {
    send(plain, 'a', 'b');
    const [early = ''] = receipts(plain, 1);
    date.pass(21_999);
    expect(bodies(plain, 1)).toEqual(['b']);
    date.pass(1);
    const again = queues.receive(plain, 10);
    queues.remove(plain, early);
    date.pass(22_000);

    expect(again).toMatchObject([
      {
        body: 'a',
        attributes: {
          ApproximateReceiveCount: '2',
          SentTimestamp: '1795262400000',
          ApproximateFirstReceiveTimestamp: '1795262400000',
        },
      },
    ]);
    expect(bodies(plain)).toEqual(['b', 'a']);
  });

  test('EMB-7 RUN-12 a message is gone after its retention, however often it was received; a moved clock makes none older', () => {
    const monthMs = 31 * 86_400_000;
    queues.send(plain, { body: 'waiting', delaySeconds: 900 });
    queues.makeYounger(monthMs);
    date.pass(monthMs);
    expect(bodies(plain)).toEqual(['waiting']);

    date.pass(279_999);
    expect(bodies(plain)).toEqual(['waiting']);
    date.pass(22_000);
    expect([bodies(plain), queues.count(plain)]).toEqual([[], { visible: 0, hidden: 0 }]);
  });
});

describe('FIFO queues', () => {
  test('EMB-7 a receive brings the oldest group first, each in its order; a group is locked until all of its received messages are removed', () => {
    send(fifo, 'a1', 'b1', 'c1', 'a2', 'b2', 'a3');
    const [a1 = '', a2 = '', a3 = ''] = receipts(fifo, 3);

    expect([bodies(fifo, 3), bodies(fifo, 3)]).toEqual([['b1', 'b2', 'c1'], []]);
    send(fifo, 'a4');
    queues.remove(fifo, a1);
    queues.remove(fifo, a3);
    expect(bodies(fifo)).toEqual([]);
    queues.remove(fifo, a2);
    expect(bodies(fifo)).toEqual(['a4']);
  });

  test('EMB-7 a receipt is good until the visibility timeout ends; then the message comes before the others of its group', () => {
    send(fifo, 'a1', 'a2');
    const [late = ''] = receipts(fifo, 1);
    date.pass(14_999);
    expect(bodies(fifo)).toEqual([]);
    date.pass(1);
    queues.remove(fifo, late);

    expect(bodies(fifo, 1)).toEqual(['a1']);
  });

  test('EMB-7 a copy within five minutes gets the first answer and is never delivered, also when the first is removed', () => {
    const [first] = send(fifo, 'a1');
    const [receipt = ''] = receipts(fifo, 1);
    queues.remove(fifo, receipt);
    date.pass(299_999);
    const copy = queues.send(fifo, { body: 'other', groupId: 'other', deduplicationId: 'a1' });
    const early = bodies(fifo);
    date.pass(1);
    const [later] = send(fifo, 'a1');
    const received = queues.receive(fifo, 1);

    expect([copy, early]).toEqual([first, []]);
    expect(later?.messageId).not.toBe(first?.messageId);
    expect(received[0]?.attributes).toMatchObject({ MessageGroupId: 'a' });
  });

  test('EMB-7 RUN-1 a restart forgets no message, no copy and no lock', () => {
    send(fifo, 'a1', 'a2', 'b1');
    queues.receive(fifo, 1);
    state.close();
    open();
    send(fifo, 'b1');

    expect([bodies(fifo), bodies(fifo)]).toEqual([['b1'], []]);
  });
});

describe('messages on their way to functions', () => {
  const none: CallOutcome = { ok: true, value: 'null' };
  const names = (...ids: (string | undefined)[]): CallOutcome => ({
    ok: true,
    value: JSON.stringify({ batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })) }),
  });

  test.each<[string, CallOutcome, boolean, string[]]>([
    ['a function that failed', { ok: false, reason: 'timed out' }, true, ['a', 'b']],
    ['no answer', none, true, []],
    ['no failures', names(), true, []],
    ['one failure', names('b'), true, ['b']],
    ['an unknown id', names('b', 'x'), true, ['a', 'b']],
    ['no id', names(undefined), true, ['a', 'b']],
    ['an answer that is no object', { ok: true, value: '"text"' }, true, ['a', 'b']],
    ['failures that are no list', { ok: true, value: '{"batchItemFailures":1}' }, true, ['a', 'b']],
    ['a failure that the source does not report', names('b'), false, []],
  ])('EMB-7 of a batch of a and b, %s', (_, outcome, reports, failed) => {
    expect(failedItems(outcome, ['a', 'b'], reports)).toEqual(failed);
  });

  /** The event sources with a function that waits for the test. */
  const serve = () => {
    const batches: { name: string; bodies: string[]; answer: (outcome: CallOutcome) => Promise<void> }[] = [];
    const warnings: string[] = [];
    const stopping = new AbortController();
    const clock = openClock();
    serveQueues(queues, {
      clock,
      stopping: stopping.signal,
      warn: (sentence) => void warnings.push(sentence),
      invoke: (name, event) =>
        new Promise((resolve) => {
          const { Records } = event as SQSEvent;
          batches.push({
            name,
            bodies: Records.map(({ body }) => body),
            answer: async (outcome) => {
              resolve(outcome);
              await settled();
            },
          });
        }),
    });
    const end = () => {
      stopping.abort();
      clock.close();
    };
    return { batches, warnings, stop: () => stopping.abort(), end };
  };

  test('EMB-7 as many batches run at once as the wiring says; what was handled is removed, what failed comes back and is told', async () => {
    for (let index = 0; index < 25; index += 1) send('dead-letters', `m${index}`);
    const { batches, warnings, end } = serve();
    await settled();
    const atOnce = batches.map(({ bodies: all }) => all.length);
    await batches[0]?.answer(none);
    await batches[1]?.answer({ ok: false, reason: 'threw Error: no' });
    const last = batches[2]?.bodies.length;
    await batches[2]?.answer(none);
    end();

    expect([atOnce, last]).toEqual([[10, 10], 5]);
    expect(warnings).toEqual([
      'collect-dead-letters, for messages of dead-letters: the function threw Error: no.',
    ]);
    date.pass(30_000);
    expect(bodies('dead-letters')).toEqual(batches[1]?.bodies);
  });

  test('EMB-7 a call that ends with the stage removes nothing and is not told', async () => {
    send('dead-letters', 'kept');
    const { batches, warnings, stop, end } = serve();
    await settled();
    stop();
    await batches[0]?.answer({ ok: false, reason: 'timed out' });
    end();

    date.pass(30_000);
    expect([bodies('dead-letters'), warnings]).toEqual([['kept'], []]);
  });
});
