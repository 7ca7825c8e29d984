import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  PurgeQueueCommand,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  SendMessageCommand,
  type SendMessageCommandInput,
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
import { settingsFor } from '../../support/engine/engine.ts';

const folder = mkdtempSync(join(tmpdir(), 'queue-'));
const clock = aClock();
let file: MessagesFile;
let server: JsonServer;
let client: SQSClient;
let queue: Queue;
let letters: Queue;
let work: Queue;

const declared = ['tick', 'letters', 'work.fifo'].map((name) => ({
  ...{ id: name, name, arn: `arn:aws:sqs:eu-west-2:000000000000:${name}` },
  ...{ visibilitySeconds: 30, retentionSeconds: 345_600 },
}));

beforeAll(async () => {
  file = openMessagesFile(join(folder, 'events.db'));
  server = await startJsonServer(sqsProtocol);
  const { endpoint } = server;
  const queues = openQueues(file, declared, { now: clock.now, endpoint });
  [queue, letters, work] = [...queues.byArn.values()] as [Queue, Queue, Queue];
  server.serve(queueOperations(queues, clock.now));
  client = new SQSClient(settingsFor(endpoint));
});
afterAll(async () => {
  client.destroy();
  await server.stop();
  file.close();
  rmSync(folder, { recursive: true });
});

const sendBatch = (Entries: SendMessageBatchRequestEntry[], QueueUrl = queue.url) =>
  client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
const messages = (...ids: number[]) => ids.map((id) => ({ Id: `${id}`, MessageBody: 'x' }));
const tooLong = 'Messages must be shorter than 1048576 bytes.';

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

  const notDistinct = 'Two entries of the batch have the same Id.';
  const unknown = 'Entries.0: Unrecognized key: "MessageAttributes"';
  const attributes = [{ Id: 'a', MessageBody: 'x', MessageAttributes: {} }];
  const long = [{ Id: 'a', MessageBody: 'x'.repeat(1_048_577) }];
  test.each([
    ['over 1 MiB', long, 'BatchRequestTooLong', tooLong],
    ['of two equal ids', messages(1, 1), 'BatchEntryIdsNotDistinct', notDistinct],
    [
      'of eleven',
      messages(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
      'TooManyEntriesInBatchRequest',
      'A batch has at most 10 entries.',
    ],
    ['of none', [], 'EmptyBatchRequest', 'There are no entries in the batch.'],
    ['with an unknown parameter', attributes, 'ValidationException', unknown],
  ])('a batch %s is refused by name', async (_, entries, name, message) => {
    await expect(sendBatch(entries)).rejects.toMatchObject({ name, message });
  });

  test('an unknown queue and an unknown operation are refused by name', async () => {
    await expect(sendBatch(messages(1), queue.url.replace('tick', 'nope'))).rejects.toMatchObject({
      name: 'QueueDoesNotExist',
      message: 'The specified queue does not exist.',
    });
    await expect(client.send(new PurgeQueueCommand({ QueueUrl: queue.url }))).rejects.toMatchObject({
      name: 'UnknownOperationException',
      message: 'The local stage does not know AmazonSQS.PurgeQueue.',
    });
  });
});

describe('FIFO queues over SQS', () => {
  const send = (given: Partial<SendMessageCommandInput>, QueueUrl = work.url) =>
    client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'x', ...given }));
  const group = (MessageGroupId: string, id: string) => ({ MessageGroupId, MessageDeduplicationId: id });
  const received = async () => {
    const messages = await work.receive(10);
    for (const { receiptHandle } of messages) await work.remove(receiptHandle);
    return messages.map(({ body, attributes }) => [body, attributes.MessageGroupId]);
  };

  test('the answer to a message, sent alone or in a batch, has its sequence number; a copy gets the answer of the first', async () => {
    const one = await send({ MessageBody: '1', ...group('a', 'one') });
    const { Successful = [], Failed } = await sendBatch(
      [
        { Id: 'two', MessageBody: '2', ...group('b', 'two') },
        { Id: 'copy', MessageBody: '3', ...group('b', 'one') },
      ],
      work.url,
    );

    expect([one.SequenceNumber?.length, Failed]).toEqual([20, []]);
    expect(Successful.map(({ Id, SequenceNumber }) => [Id, SequenceNumber === one.SequenceNumber])).toEqual([
      ['two', false],
      ['copy', true],
    ]);
    expect(Successful[1]?.MessageId).toBe(one.MessageId);
    expect(await received()).toEqual([
      ['1', 'a'],
      ['2', 'b'],
    ]);
  });

  const noGroup = 'The request must contain the parameter MessageGroupId.';
  const noId =
    'The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly';
  const misplaced = (name: string, value: string) =>
    `Value ${value} for parameter ${name} is invalid. Reason: The request include parameter that is not valid for this queue type.`;

  const value = 'InvalidParameterValue';
  const inBatch = (given: object) => sendBatch([{ Id: 'a', MessageBody: 'x', ...given }], work.url);
  const [g, d] = [{ MessageGroupId: 'g' }, { MessageDeduplicationId: 'd' }];
  const delayed = { ...g, ...d, DelaySeconds: 1 };
  const large = { ...g, ...d, MessageBody: 'x'.repeat(1_048_577) };
  test.each([
    ['no group', () => send(d), 'MissingParameter', noGroup],
    ['no deduplication id', () => send(g), value, noId],
    ['a delay of its own', () => send(delayed), value, misplaced('DelaySeconds', '1')],
    ['a group for a standard queue', () => send(g, queue.url), value, misplaced('MessageGroupId', 'g')],
    ['an id for a standard queue', () => send(d, queue.url), value, misplaced('MessageDeduplicationId', 'd')],
    ['no group in a batch', () => inBatch(d), value, noGroup],
    ['no deduplication id in a batch', () => inBatch(g), value, noId],
    ['more than 1 MiB', () => send(large), value, tooLong],
  ])('a message with %s is refused by name, and nothing is stored', async (_, ask, name, message) => {
    await expect(ask()).rejects.toMatchObject({ name, message });
    expect(await received()).toEqual([]);
  });

  test('a delay in a batch is the failure of its entry; one of 0 is none', async () => {
    const entries = [
      { Id: 'late', MessageBody: 'late', ...group('l', 'late'), DelaySeconds: 10 },
      { Id: 'now', MessageBody: 'now', ...group('n', 'now'), DelaySeconds: 0 },
    ];
    const { Successful = [], Failed } = await sendBatch(entries, work.url);

    expect(Successful.map(({ Id }) => Id)).toEqual(['now']);
    const Message = misplaced('DelaySeconds', '10');
    expect(Failed).toEqual([{ Id: 'late', SenderFault: true, Code: value, Message }]);
    expect(await received()).toEqual([['now', 'n']]);
  });
});

describe("the operator's look at dead letters, over SQS", () => {
  test('S-61 S-62 counts them, in whose hands they are; removes what is wanted, and gives the others back', async () => {
    const waiting = createDeadLetterQueue(client, letters.arn);
    const remove = () => waiting.remove((text) => text.startsWith('hers'));
    const bodies = Array.from({ length: 23 }, (_, index) => `${index % 4 === 0 ? 'hers' : 'his'} ${index}`);
    for (const some of chunksOf(bodies, 10))
      await sendBatch(
        some.map((MessageBody, index) => ({ Id: `${index}`, MessageBody })),
        letters.url,
      );
    await letters.receive(1);

    expect([await waiting.count(), await remove()]).toEqual([23, 5]);
    clock.pass({ seconds: 29 });
    expect([await waiting.count(), await letters.receive(10)]).toEqual([18, []]);
    clock.pass({ seconds: 91 });
    expect(await remove()).toBe(1);
    clock.pass({ seconds: 120 });
    const left = [...(await letters.receive(10)), ...(await letters.receive(10))].map(({ body }) => body);
    expect(left.sort()).toEqual(bodies.filter((body) => body.startsWith('his')).sort());
  });

  test('a queue that is not there is a fault', async () => {
    const nowhere = createDeadLetterQueue(client, 'arn:aws:sqs:eu-west-2:000000000000:nowhere');

    await expect(nowhere.count()).rejects.toMatchObject({ name: 'QueueDoesNotExist' });
  });
});
