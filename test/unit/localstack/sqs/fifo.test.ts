import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { CloudQueue } from '../../../../localstack/cloudformation/model.ts';
import { type MessagesFile, openMessagesFile } from '../../../../localstack/data/messages-file.ts';
import { openQueues, type Queue } from '../../../../localstack/sqs/queue.ts';
import { aClock } from '../../../support/builders/manual-clock.ts';

const folder = mkdtempSync(join(tmpdir(), 'fifo-'));
afterAll(() => rmSync(folder, { recursive: true }));

const aQueue = (name: string, more: Partial<CloudQueue> = {}): CloudQueue => ({
  ...{ id: name, name, arn: `arn:${name}` },
  ...{ visibilitySeconds: 30, retentionSeconds: 345_600 },
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

const open = (...queues: CloudQueue[]): Queue[] => {
  const { byArn } = openQueues(file, queues, { now: clock.now, endpoint: 'http://queues' });
  return [...byArn.values()];
};
const openOne = (more: Partial<CloudQueue> = {}): Queue => open(aQueue('work.fifo', more))[0] as Queue;

const bodies = async (queue: Queue, max = 10) => (await queue.receive(max)).map(({ body }) => body);
/** `a1` is the first message of group a. */
const send = (queue: Queue, ...names: string[]) =>
  Promise.all(names.map((body) => queue.send({ body, groupId: body.slice(0, 1), deduplicationId: body })));

describe('groups of a FIFO queue', () => {
  test('one message of a group is in flight at a time, and the next comes when it is removed', async () => {
    const queue = openOne();
    await send(queue, 'a1', 'a2', 'b1');

    const [first, ...others] = await queue.receive(1);
    const meanwhile = [await bodies(queue, 1), await bodies(queue, 1)];
    await queue.remove(first?.receiptHandle ?? '');

    expect([first?.body, others]).toEqual(['a1', []]);
    expect(meanwhile).toEqual([['b1'], []]);
    expect(await bodies(queue)).toEqual(['a2']);
  });

  test('what is not removed locks its group until its visibility timeout ends, and then comes before the others', async () => {
    const queue = openOne({ visibilitySeconds: 60 });
    await send(queue, 'a1', 'a2');
    await queue.receive(1);

    clock.pass({ ms: 59_999 });
    const early = await bodies(queue, 1);
    clock.pass({ ms: 1 });

    expect(early).toEqual([]);
    expect(await bodies(queue, 1)).toEqual(['a1']);
  });

  test('a receive brings the oldest group first, each in its order', async () => {
    const queue = openOne();
    await send(queue, 'a1', 'b1', 'c1', 'a2', 'b2');

    expect(await bodies(queue, 3)).toEqual(['a1', 'a2', 'b1']);
    expect(await bodies(queue, 3)).toEqual(['c1']);
  });

  test('a group is locked until the last message that somebody has is removed', async () => {
    const queue = openOne();
    await send(queue, 'a1', 'a2', 'a3');

    const had = await queue.receive(2);
    await queue.remove(had[0]?.receiptHandle ?? '');
    const between = await bodies(queue);
    await queue.remove(had[1]?.receiptHandle ?? '');

    expect(between).toEqual([]);
    expect(await bodies(queue)).toEqual(['a3']);
  });

  test('a receipt whose visibility timeout has ended removes nothing', async () => {
    const queue = openOne();
    await send(queue, 'a1');
    const [late] = await queue.receive(1);
    clock.pass({ seconds: 30 });

    await queue.remove(late?.receiptHandle ?? '');

    expect(await bodies(queue)).toEqual(['a1']);
  });

  test('locks outlive a restart', async () => {
    const queue = openOne();
    await send(queue, 'a1', 'a2', 'b1');
    await queue.receive(1);
    file.close();

    file = openMessagesFile(join(folder, `${files}.db`));

    expect(await bodies(openOne())).toEqual(['b1']);
  });
});

describe('messages of a FIFO queue', () => {
  test('have their group, their deduplication id and the sequence number of their sender’s answer', async () => {
    const queue = openOne();
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
    const queue = openOne();
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

  test('a copy is known after a restart, and no other queue knows it', async () => {
    const queue = openOne();
    await send(queue, 'a1');
    file.close();

    file = openMessagesFile(join(folder, `${files}.db`));
    const [again, other] = open(aQueue('work.fifo'), aQueue('other.fifo')) as [Queue, Queue];
    await send(again, 'a1');
    await send(other, 'a1');

    expect(await bodies(again)).toEqual(['a1']);
    expect(await bodies(other)).toEqual(['a1']);
  });
});
