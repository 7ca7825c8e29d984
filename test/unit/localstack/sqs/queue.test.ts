import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { CloudQueue } from '../../../../localstack/cloudformation/model.ts';
import { type MessagesFile, openMessagesFile } from '../../../../localstack/data/messages-file.ts';
import { openQueues, type Queue } from '../../../../localstack/sqs/queue.ts';
import { aClock } from '../../../support/builders/manual-clock.ts';

let folder: string;
let file: MessagesFile;
let clock: ReturnType<typeof aClock>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'queue-'));
  file = openMessagesFile(join(folder, 'queues.db'));
  clock = aClock();
});
afterEach(() => {
  file.close();
  rmSync(folder, { recursive: true });
});

const open = (more: Partial<CloudQueue> = {}, name = 'plain') => {
  const arn = `arn:${name}`;
  const declared = { id: name, name, arn, visibilitySeconds: 30, retentionSeconds: 345_600, ...more };
  const { byArn, store } = openQueues(file, [declared], { now: clock.now, endpoint: 'http://queues' });
  return { queue: byArn.get(arn) as Queue, store };
};
const openOne = (more: Partial<CloudQueue> = {}) => open(more).queue;
const openFifo = (more: Partial<CloudQueue> = {}) => open(more, 'work.fifo').queue;

const send = async (queue: Queue, ...bodies: string[]) => {
  for (const body of bodies) await queue.send({ body });
};
/** `a1` is the first message of group a. */
const sendToGroups = (queue: Queue, ...names: string[]) =>
  Promise.all(names.map((body) => queue.send({ body, groupId: body.slice(0, 1), deduplicationId: body })));
const bodies = async (queue: Queue, max = 10) => (await queue.receive(max)).map(({ body }) => body);
const bodiesAfter = (ms: number, queue: Queue, max = 10) => {
  clock.pass({ ms });
  return bodies(queue, max);
};
const receipts = async (queue: Queue, max: number) =>
  (await queue.receive(max)).map(({ receiptHandle }) => receiptHandle);

describe('queues of the embedded stage', () => {
  test('messages come oldest first, at most so many at once, and each to one receiver', async () => {
    const queue = openOne();
    await send(queue, 'a', 'b', 'c');

    expect(await bodies(queue, 2)).toEqual(['a', 'b']);
    expect(await bodies(queue)).toEqual(['c']);
    expect(await bodies(queue)).toEqual([]);
  });

  test('a message is shown after its delay', async () => {
    const queue = openOne();
    await queue.send({ body: 'later', delaySeconds: 20 });
    await send(queue, 'at once');

    expect(await bodies(queue)).toEqual(['at once']);
    expect(await bodiesAfter(19_999, queue)).toEqual([]);
    expect(await bodiesAfter(1, queue)).toEqual(['later']);
  });

  test('what is not removed comes back after the visibility timeout, counted', async () => {
    const queue = openOne({ visibilitySeconds: 90 });
    await send(queue, 'again');
    await queue.receive(1);

    expect(await bodiesAfter(89_999, queue)).toEqual([]);
    clock.pass({ ms: 1 });
    expect((await queue.receive(1))[0]?.attributes).toEqual({
      ApproximateReceiveCount: '2',
      SentTimestamp: '1795262400000',
      ApproximateFirstReceiveTimestamp: '1795262400000',
    });
  });

  test('what comes back stands behind what was there before it', async () => {
    const queue = openOne();
    await send(queue, 'a', 'b');
    await queue.receive(1);

    expect(await bodiesAfter(30_000, queue)).toEqual(['b', 'a']);
  });

  test('the receipt of an earlier receive removes nothing', async () => {
    const queue = openOne();
    await send(queue, 'kept');
    const [first = ''] = await receipts(queue, 1);
    await bodiesAfter(30_000, queue);

    await queue.remove(first);

    expect(await bodiesAfter(30_000, queue)).toEqual(['kept']);
  });

  test('a message is forgotten at the end of its retention, however often it was received', async () => {
    const queue = openOne({ retentionSeconds: 60 });
    await send(queue, 'old');
    await queue.receive(1);

    expect(await bodiesAfter(59_999, queue)).toEqual(['old']);
    expect(await bodiesAfter(30_000, queue)).toEqual([]);
  });

  test('RUN-12 a move of the stage’s clock makes no message older, and shows what is delayed', async () => {
    const { queue, store } = open({ retentionSeconds: 60 });
    await queue.send({ body: 'waiting', delaySeconds: 900 });

    store.makeYounger(31 * 86_400_000);

    expect(await bodiesAfter(31 * 86_400_000, queue)).toEqual(['waiting']);
  });
});

describe('groups of a FIFO queue', () => {
  test('one message of a group is in flight at a time, and the next comes when it is removed', async () => {
    const queue = openFifo();
    await sendToGroups(queue, 'a1', 'a2', 'b1');
    const [a1 = ''] = await receipts(queue, 1);

    expect([await bodies(queue, 1), await bodies(queue, 1)]).toEqual([['b1'], []]);
    await queue.remove(a1);
    expect(await bodies(queue)).toEqual(['a2']);
  });

  test('what is not removed until its visibility timeout ends locks its group, and then comes before the others', async () => {
    const queue = openFifo({ visibilitySeconds: 60 });
    await sendToGroups(queue, 'a1', 'a2');
    const [late = ''] = await receipts(queue, 1);

    expect(await bodiesAfter(59_999, queue, 1)).toEqual([]);
    clock.pass({ ms: 1 });
    await queue.remove(late);
    expect(await bodies(queue, 1)).toEqual(['a1']);
  });

  test('a receive brings the oldest group first, each in its order', async () => {
    const queue = openFifo();
    await sendToGroups(queue, 'a1', 'b1', 'c1', 'a2', 'b2');

    expect(await bodies(queue, 3)).toEqual(['a1', 'a2', 'b1']);
    expect(await bodies(queue, 3)).toEqual(['c1']);
  });

  test('a group is locked until the last message that somebody has is removed', async () => {
    const queue = openFifo();
    await sendToGroups(queue, 'a1', 'a2', 'a3');
    const [a1 = '', a2 = ''] = await receipts(queue, 2);

    await queue.remove(a1);
    expect(await bodies(queue)).toEqual([]);
    await queue.remove(a2);
    expect(await bodies(queue)).toEqual(['a3']);
  });
});

describe('messages of a FIFO queue', () => {
  test('have their group, their deduplication id and the sequence number of their sender’s answer', async () => {
    const queue = openFifo();
    const sent = await sendToGroups(queue, 'a1', 'b1');
    const received = await queue.receive(10);

    expect(sent).toEqual([
      { messageId: expect.any(String), sequenceNumber: '00000000000000000001' },
      { messageId: expect.any(String), sequenceNumber: '00000000000000000002' },
    ]);
    expect(received[1]?.attributes).toEqual({
      ApproximateReceiveCount: '1',
      SentTimestamp: '1795262400000',
      ApproximateFirstReceiveTimestamp: '1795262400000',
      MessageGroupId: 'b',
      MessageDeduplicationId: 'b1',
      SequenceNumber: '00000000000000000002',
    });
  });

  test('a copy within five minutes is answered as the first one was and never delivered, also when that is removed', async () => {
    const queue = openFifo();
    const [first] = await sendToGroups(queue, 'a1');
    const [receipt = ''] = await receipts(queue, 1);
    await queue.remove(receipt);

    clock.pass({ ms: 299_999 });
    expect(await queue.send({ body: 'other', groupId: 'other', deduplicationId: 'a1' })).toEqual(first);
    expect(await bodies(queue)).toEqual([]);
    clock.pass({ ms: 1 });
    const [later] = await sendToGroups(queue, 'a1');
    expect(later?.messageId).not.toBe(first?.messageId);
    expect(await bodies(queue)).toEqual(['a1']);
  });

  test('a restart forgets neither copies nor locks', async () => {
    const queue = openFifo();
    await sendToGroups(queue, 'a1', 'a2', 'b1');
    await queue.receive(1);
    file.close();
    file = openMessagesFile(join(folder, 'queues.db'));
    const again = openFifo();
    await sendToGroups(again, 'b1');

    expect(await bodies(again)).toEqual(['b1']);
    expect(await bodies(again)).toEqual([]);
  });
});
