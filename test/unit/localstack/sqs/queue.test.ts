import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { CloudQueue } from '../../../../localstack/cloudformation/model.ts';
import { type MessagesFile, openMessagesFile } from '../../../../localstack/data/messages-file.ts';
import { openQueues, type Queue } from '../../../../localstack/sqs/queue.ts';
import { aClock } from '../../../support/builders/manual-clock.ts';

const folder = mkdtempSync(join(tmpdir(), 'queue-'));
afterAll(() => rmSync(folder, { recursive: true }));

const aQueue = (name: string, more: Partial<CloudQueue> = {}): CloudQueue => ({
  ...{ id: name, name, arn: `arn:${name}`, visibilitySeconds: 30, retentionSeconds: 345_600 },
  ...more,
});

let file: MessagesFile;
let clock: ReturnType<typeof aClock>;
let files = 0;
beforeEach(() => {
  files += 1;
  file = openMessagesFile(join(folder, `${files}.db`));
  clock = aClock();
});
afterEach(() => file.close());

const openOne = (more: Partial<CloudQueue> = {}, name = 'plain'): Queue => {
  const queue = aQueue(name, more);
  return openQueues(file, [queue], { now: clock.now, endpoint: 'http://queues' }).byArn.get(
    queue.arn,
  ) as Queue;
};
const restart = () => {
  file.close();
  file = openMessagesFile(join(folder, `${files}.db`));
};
const bodies = async (queue: Queue, max = 10) => (await queue.receive(max)).map(({ body }) => body);

describe('queues of the embedded stage', () => {
  test('messages come oldest first, at most so many at once, and each to one receiver', async () => {
    const queue = openOne();
    for (const body of ['a', 'b', 'c']) await queue.send({ body });

    expect((await queue.receive(2)).map(({ body }) => body)).toEqual(['a', 'b']);
    expect(await bodies(queue)).toEqual(['c']);
    expect(await bodies(queue)).toEqual([]);
  });

  test('a message is shown after its delay', async () => {
    const queue = openOne();
    await queue.send({ body: 'later', delaySeconds: 20 });
    await queue.send({ body: 'at once' });

    const received = [await bodies(queue)];
    for (const ms of [19_999, 1]) {
      clock.pass({ ms });
      received.push(await bodies(queue));
    }

    expect(received).toEqual([['at once'], [], ['later']]);
  });

  test('what is not removed comes back after the visibility timeout, counted', async () => {
    const queue = openOne({ visibilitySeconds: 90 });
    await queue.send({ body: 'again' });
    await queue.receive(1);

    clock.pass({ ms: 89_999 });
    const early = await bodies(queue);
    clock.pass({ ms: 1 });
    const [second] = await queue.receive(1);

    expect(early).toEqual([]);
    expect(second?.attributes).toEqual({
      ApproximateReceiveCount: '2',
      SentTimestamp: '1795262400000',
      ApproximateFirstReceiveTimestamp: '1795262400000',
    });
  });

  test('what comes back stands behind what was there before it', async () => {
    const queue = openOne();
    for (const body of ['a', 'b']) await queue.send({ body });
    await queue.receive(1);

    clock.pass({ seconds: 30 });

    expect(await bodies(queue)).toEqual(['b', 'a']);
  });

  test('the receipt of an earlier receive removes nothing', async () => {
    const queue = openOne();
    await queue.send({ body: 'kept' });
    const [first] = await queue.receive(1);
    clock.pass({ seconds: 30 });
    await queue.receive(1);

    await queue.remove(first?.receiptHandle ?? '');
    clock.pass({ seconds: 30 });

    expect(await bodies(queue)).toEqual(['kept']);
  });

  test('a message is forgotten at the end of its retention, however often it was received', async () => {
    const queue = openOne({ retentionSeconds: 60 });
    await queue.send({ body: 'old' });
    await queue.receive(1);
    clock.pass({ ms: 59_999 });
    const still = await bodies(queue);
    clock.pass({ seconds: 30 });

    expect(still).toEqual(['old']);
    expect(await bodies(queue)).toEqual([]);
  });

  test('RUN-12 a move of the stage’s clock makes no message older, and shows what is delayed', async () => {
    const queue = aQueue('q', { retentionSeconds: 60 });
    const { byArn, store } = openQueues(file, [queue], { now: clock.now, endpoint: 'http://queues' });
    await byArn.get(queue.arn)?.send({ body: 'waiting', delaySeconds: 900 });

    store.makeYounger(31 * 86_400_000);
    clock.pass({ seconds: 31 * 86_400 });

    expect(await bodies(byArn.get(queue.arn) as Queue)).toEqual(['waiting']);
  });
});

/** `a1` is the first message of group a. */
const send = (queue: Queue, ...names: string[]) =>
  Promise.all(names.map((body) => queue.send({ body, groupId: body.slice(0, 1), deduplicationId: body })));

const openFifo = (more: Partial<CloudQueue> = {}) => openOne(more, 'work.fifo');

describe('groups of a FIFO queue', () => {
  test('one message of a group is in flight at a time, and the next comes when it is removed', async () => {
    const queue = openFifo();
    await send(queue, 'a1', 'a2', 'b1');

    const [first, ...others] = await queue.receive(1);
    const meanwhile = [await bodies(queue, 1), await bodies(queue, 1)];
    await queue.remove(first?.receiptHandle ?? '');

    expect([first?.body, others]).toEqual(['a1', []]);
    expect(meanwhile).toEqual([['b1'], []]);
    expect(await bodies(queue)).toEqual(['a2']);
  });

  test('what is not removed locks its group until its visibility timeout ends, and then comes before the others', async () => {
    const queue = openFifo({ visibilitySeconds: 60 });
    await send(queue, 'a1', 'a2');
    await queue.receive(1);

    clock.pass({ ms: 59_999 });
    const early = await bodies(queue, 1);
    clock.pass({ ms: 1 });

    expect(early).toEqual([]);
    expect(await bodies(queue, 1)).toEqual(['a1']);
  });

  test('a receive brings the oldest group first, each in its order', async () => {
    const queue = openFifo();
    await send(queue, 'a1', 'b1', 'c1', 'a2', 'b2');

    expect(await bodies(queue, 3)).toEqual(['a1', 'a2', 'b1']);
    expect(await bodies(queue, 3)).toEqual(['c1']);
  });

  test('a group is locked until the last message that somebody has is removed', async () => {
    const queue = openFifo();
    await send(queue, 'a1', 'a2', 'a3');

    const had = await queue.receive(2);
    await queue.remove(had[0]?.receiptHandle ?? '');
    const between = await bodies(queue);
    await queue.remove(had[1]?.receiptHandle ?? '');

    expect(between).toEqual([]);
    expect(await bodies(queue)).toEqual(['a3']);
  });
});

describe('messages of a FIFO queue', () => {
  test('have their group, their deduplication id and the sequence number of their sender’s answer', async () => {
    const queue = openFifo();
    const sent = await send(queue, 'a1', 'b1');
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
    const [first] = await send(queue, 'a1');
    const [message] = await queue.receive(1);
    await queue.remove(message?.receiptHandle ?? '');

    clock.pass({ ms: 299_999 });
    const copy = await queue.send({ body: 'other', groupId: 'other', deduplicationId: 'a1' });
    const early = await bodies(queue);
    clock.pass({ ms: 1 });
    const [later] = await send(queue, 'a1');

    expect(copy).toEqual(first);
    expect(early).toEqual([]);
    expect(later?.messageId).not.toBe(first?.messageId);
    expect(await bodies(queue)).toEqual(['a1']);
  });

  test('a restart forgets neither copies nor locks', async () => {
    const queue = openFifo();
    await send(queue, 'a1', 'a2', 'b1');
    await queue.receive(1);
    restart();
    const again = openFifo();
    await send(again, 'b1');

    expect(await bodies(again)).toEqual(['b1']);
    expect(await bodies(again)).toEqual([]);
  });
});
