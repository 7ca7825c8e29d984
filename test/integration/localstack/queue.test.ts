import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  PurgeQueueCommand,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDeadLetterQueue } from '../../../bin/operator/customers/dead-letters.ts';
import { chunksOf } from '../../../functions/shared/runtime/chunks.ts';
import { type JsonServer, startJsonServer } from '../../../localstack/aws/json-protocol.ts';
import { type MessagesFile, openMessagesFile } from '../../../localstack/data/messages-file.ts';
import { openQueues, type Queue } from '../../../localstack/sqs/queue.ts';
import { queueOperations, sqsProtocol } from '../../../localstack/sqs/server.ts';
import { aClock } from '../../support/builders/manual-clock.ts';

const folder = mkdtempSync(join(tmpdir(), 'queue-'));
const clock = aClock();
let file: MessagesFile;
let server: JsonServer;
let client: SQSClient;
let queue: Queue;
let letters: Queue;

const declared = ['tick', 'letters'].map((name) => ({
  ...{ id: name, name, arn: `arn:aws:sqs:eu-west-2:000000000000:${name}` },
  ...{ delaySeconds: 0, visibilitySeconds: 30, retentionSeconds: 345_600 },
}));

beforeAll(async () => {
  file = openMessagesFile(join(folder, 'events.db'));
  server = await startJsonServer(sqsProtocol);
  const { endpoint } = server;
  const queues = openQueues(file, declared, { now: clock.now, endpoint });
  [queue, letters] = [...queues.byArn.values()] as [Queue, Queue];
  server.serve(queueOperations(queues, clock.now));
  client = new SQSClient({
    endpoint,
    region: 'eu-west-2',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
});
afterAll(async () => {
  client.destroy();
  await server.stop();
  file.close();
  rmSync(folder, { recursive: true });
});

const sendBatch = (Entries: SendMessageBatchRequestEntry[], QueueUrl = queue.url) =>
  client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
const messages = (ids: number[]) => ids.map((id) => ({ Id: `${id}`, MessageBody: 'x' }));

describe('SQS on its own protocol', () => {
  test('a batch is sent; each message comes after its own delay, with the id that its sender was told', async () => {
    const { Successful = [], Failed } = await sendBatch([
      { Id: 'a', MessageBody: 'é {"a":1}' },
      { Id: 'b', MessageBody: '2', DelaySeconds: 170 },
    ]);
    const atOnce = await queue.receive(10);
    for (const { receiptHandle } of atOnce) await queue.remove(receiptHandle);
    clock.pass({ seconds: 170 });
    const later = await queue.receive(10);

    expect([Successful.map(({ Id }) => Id), Failed]).toEqual([['a', 'b'], []]);
    expect([atOnce, later]).toMatchObject([
      [{ messageId: Successful[0]?.MessageId, body: 'é {"a":1}' }],
      [{ messageId: Successful[1]?.MessageId, body: '2' }],
    ]);
  });

  test.each([
    [
      'an unknown queue',
      () => sendBatch(messages([1]), queue.url.replace('tick', 'nope')),
      'QueueDoesNotExist',
      'The specified queue does not exist.',
    ],
    [
      'a batch over 1 MiB',
      () => sendBatch([{ Id: 'a', MessageBody: 'x'.repeat(1_048_577) }]),
      'BatchRequestTooLong',
      'Messages must be shorter than 1048576 bytes.',
    ],
    [
      'a batch of two equal ids',
      () => sendBatch(messages([1, 1])),
      'BatchEntryIdsNotDistinct',
      'Two entries of the batch have the same Id.',
    ],
    [
      'a batch of eleven',
      () => sendBatch(messages([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])),
      'TooManyEntriesInBatchRequest',
      'A batch has at most 10 entries.',
    ],
    ['an empty batch', () => sendBatch([]), 'EmptyBatchRequest', 'There are no entries in the batch.'],
    [
      'a parameter that the stage does not know',
      () => sendBatch([{ Id: 'a', MessageBody: 'x', MessageGroupId: 'g' }]),
      'ValidationException',
      'Entries.0: Unrecognized key: "MessageGroupId"',
    ],
    [
      'an operation that the stage does not know',
      () => client.send(new PurgeQueueCommand({ QueueUrl: queue.url })),
      'UnknownOperationException',
      'The local stage does not know AmazonSQS.PurgeQueue.',
    ],
  ])('%s is refused by name', async (_, ask, name, message) => {
    await expect(ask()).rejects.toMatchObject({ name, message });
  });
});

describe("the operator's look at dead letters, over SQS", () => {
  const waiting = () => createDeadLetterQueue(client, letters.arn);

  test('S-61 S-62 counts them, in whose hands they are; removes what is wanted, and gives the others back', async () => {
    const bodies = Array.from({ length: 23 }, (_, index) =>
      index % 4 === 0 ? `hers ${index}` : `his ${index}`,
    );
    for (const some of chunksOf(bodies, 10))
      await sendBatch(
        some.map((MessageBody, index) => ({ Id: `${index}`, MessageBody })),
        letters.url,
      );
    await letters.receive(1);

    const before = await waiting().count();
    const removed = await waiting().remove((text) => text.startsWith('hers'));
    clock.pass({ seconds: 29 });
    const hidden = await waiting().count();
    clock.pass({ seconds: 91 });
    const again = await waiting().remove((text) => text.startsWith('hers'));
    clock.pass({ seconds: 120 });
    const left = [...(await letters.receive(10)), ...(await letters.receive(10))].map(({ body }) => body);

    expect([before, removed, hidden, again]).toEqual([23, 5, 18, 1]);
    expect(left.sort()).toEqual(bodies.filter((body) => body.startsWith('his')).sort());
  });

  test('a queue that is not there is a fault', async () => {
    const nowhere = createDeadLetterQueue(client, 'arn:aws:sqs:eu-west-2:000000000000:nowhere');

    await expect(nowhere.count()).rejects.toMatchObject({ name: 'QueueDoesNotExist' });
  });
});
