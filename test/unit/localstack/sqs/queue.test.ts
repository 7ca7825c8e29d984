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
  id: name,
  name,
  arn: `arn:${name}`,
  visibilitySeconds: 30,
  retentionSeconds: 345_600,
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

const only = (queues: Queue[]): Queue => queues[0] as Queue;
const bodies = async (queue: Queue) => (await queue.receive(10)).map(({ body }) => body);

describe('queues of the embedded stage', () => {
  test('a message is received with its attributes, and is gone when removed', async () => {
    const queue = only(open(aQueue('plain')));
    const attributes = { RULE_ARN: { StringValue: 'arn:rule', DataType: 'String' } };
    const { messageId } = await queue.send({ body: 'one', attributes });

    const [message] = await queue.receive(10);
    await queue.remove(message?.receiptHandle ?? '');
    clock.pass({ seconds: 60 });

    expect(message).toEqual({
      messageId,
      receiptHandle: expect.any(String),
      body: 'one',
      attributes: {
        ApproximateReceiveCount: '1',
        SentTimestamp: '1795262400000',
        ApproximateFirstReceiveTimestamp: '1795262400000',
      },
      messageAttributes: attributes,
    });
    expect(await bodies(queue)).toEqual([]);
  });

  test('a queue knows its ARN and its URL', () => {
    expect(only(open(aQueue('plain')))).toMatchObject({
      arn: 'arn:plain',
      url: 'http://queues/000000000000/plain',
    });
  });

  test('messages come oldest first, at most so many at once, and each to one receiver', async () => {
    const queue = only(open(aQueue('plain')));
    for (const body of ['a', 'b', 'c']) await queue.send({ body });

    expect((await queue.receive(2)).map(({ body }) => body)).toEqual(['a', 'b']);
    expect(await bodies(queue)).toEqual(['c']);
    expect(await bodies(queue)).toEqual([]);
  });

  test('a message is shown after its delay', async () => {
    const queue = only(open(aQueue('plain')));
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
    const queue = only(open(aQueue('plain', { visibilitySeconds: 90 })));
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
    const queue = only(open(aQueue('plain')));
    for (const body of ['a', 'b']) await queue.send({ body });
    await queue.receive(1);

    clock.pass({ seconds: 30 });

    expect(await bodies(queue)).toEqual(['b', 'a']);
  });

  test('the receipt of an earlier receive removes nothing', async () => {
    const queue = only(open(aQueue('plain')));
    await queue.send({ body: 'kept' });
    const [first] = await queue.receive(1);
    clock.pass({ seconds: 30 });
    await queue.receive(1);

    await queue.remove(first?.receiptHandle ?? '');
    clock.pass({ seconds: 30 });

    expect(await bodies(queue)).toEqual(['kept']);
  });

  test('a message is forgotten at the end of its retention, however often it was received', async () => {
    const queue = only(open(aQueue('plain', { retentionSeconds: 60 })));
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

    expect(await bodies(only([...byArn.values()]))).toEqual(['waiting']);
  });

  test('messages outlive a restart, those in flight too', async () => {
    const queue = only(open(aQueue('plain')));
    await queue.send({ body: 'waiting' });
    await queue.send({ body: 'in flight' });
    await queue.receive(1);
    file.close();

    file = openMessagesFile(join(folder, `${files}.db`));
    const reopened = only(open(aQueue('plain')));
    const atOnce = await bodies(reopened);
    clock.pass({ seconds: 30 });

    expect(atOnce).toEqual(['in flight']);
    expect((await bodies(reopened)).toSorted()).toEqual(['in flight', 'waiting']);
  });

  test('queues do not see each other’s messages', async () => {
    const [one, other] = open(aQueue('one'), aQueue('other')) as [Queue, Queue];
    await one.send({ body: 'mine' });

    expect(await bodies(other)).toEqual([]);
    expect(await bodies(one)).toEqual(['mine']);
  });
});
