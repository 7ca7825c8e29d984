import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { systemClock } from '../../../functions/shared/runtime/clock.ts';
import { startWire, type Wire } from '../../../localstack/aws/json-protocol.ts';
import { type EventsFile, openEventsFile } from '../../../localstack/data/messages-file.ts';
import { openQueues } from '../../../localstack/sqs/queue.ts';
import { queueOperations, sqsProtocol } from '../../../localstack/sqs/server.ts';

const folder = mkdtempSync(join(tmpdir(), 'queue-'));
let file: EventsFile;
let wire: Wire;
let client: SQSClient;
let QueueUrl: string;

const declared = [
  {
    id: 'Tick',
    name: 'tick',
    arn: 'arn:aws:sqs:eu-west-2:000000000000:tick',
    delaySeconds: 0,
    visibilitySeconds: 30,
    retentionSeconds: 345_600,
    redrive: { deadLetterArn: 'arn:dead', maxReceiveCount: 3 },
  },
];

beforeAll(async () => {
  file = openEventsFile(join(folder, 'events.db'));
  wire = await startWire(sqsProtocol);
  const { endpoint } = wire;
  wire.serve(queueOperations(openQueues(file, declared, { now: systemClock, endpoint }), systemClock));
  client = new SQSClient({
    endpoint,
    region: 'eu-west-2',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
  QueueUrl = `${endpoint}/000000000000/tick`;
});
beforeEach(() => client.send(new PurgeQueueCommand({ QueueUrl })));
afterAll(async () => {
  client.destroy();
  await wire.stop();
  file.close();
  rmSync(folder, { recursive: true });
});

const counts = async () => {
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
  );
  return Attributes ?? {};
};

describe('SQS on its own protocol', () => {
  test('a queue is found by its name', async () => {
    expect((await client.send(new GetQueueUrlCommand({ QueueName: 'tick' }))).QueueUrl).toBe(QueueUrl);
  });

  test('a message is sent, received with what was asked for, and deleted', async () => {
    const MessageAttributes = { ERROR_CODE: { DataType: 'String', StringValue: 'TIMEOUT' } };
    const { MessageId } = await client.send(
      new SendMessageCommand({ QueueUrl, MessageBody: 'é {"a":1}', MessageAttributes }),
    );

    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MessageAttributeNames: ['All'],
        MessageSystemAttributeNames: ['ApproximateReceiveCount'],
      }),
    );
    await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: Messages[0]?.ReceiptHandle }));

    expect(Messages).toMatchObject([
      { MessageId, Body: 'é {"a":1}', MessageAttributes, Attributes: { ApproximateReceiveCount: '1' } },
    ]);
    expect(Object.keys(Messages[0]?.Attributes ?? {})).toEqual(['ApproximateReceiveCount']);
    expect(await counts()).toMatchObject({
      ApproximateNumberOfMessages: '0',
      ApproximateNumberOfMessagesNotVisible: '0',
    });
  });

  test('a batch is sent; the queue counts what is visible, in flight and delayed, and tells its settings', async () => {
    const { Successful, Failed } = await client.send(
      new SendMessageBatchCommand({
        QueueUrl,
        Entries: [
          { Id: 'a', MessageBody: '1' },
          { Id: 'b', MessageBody: '2' },
          { Id: 'c', MessageBody: '3', DelaySeconds: 170 },
        ],
      }),
    );
    await client.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 1 }));

    expect([Successful?.map(({ Id }) => Id), Failed]).toEqual([['a', 'b', 'c'], []]);
    expect(await counts()).toEqual({
      QueueArn: 'arn:aws:sqs:eu-west-2:000000000000:tick',
      ApproximateNumberOfMessages: '1',
      ApproximateNumberOfMessagesNotVisible: '1',
      ApproximateNumberOfMessagesDelayed: '1',
      DelaySeconds: '0',
      VisibilityTimeout: '30',
      MessageRetentionPeriod: '345600',
      RedrivePolicy: '{"deadLetterTargetArn":"arn:dead","maxReceiveCount":3}',
    });
  });

  test('a receiver that waits gets what comes meanwhile', async () => {
    const waiting = client.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 5 }));
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'late' }));

    expect((await waiting).Messages?.map(({ Body }) => Body)).toEqual(['late']);
  });

  test('a visibility of its own makes a message come back sooner', async () => {
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'again' }));
    await client.send(new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 0 }));

    const { Messages } = await client.send(new ReceiveMessageCommand({ QueueUrl }));

    expect(Messages?.map(({ Body }) => Body)).toEqual(['again']);
  });

  test.each([
    [
      'an unknown queue',
      () => client.send(new GetQueueUrlCommand({ QueueName: 'nope' })),
      'QueueDoesNotExist',
      'The specified queue does not exist.',
    ],
    [
      'a message over 1 MiB',
      () => client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'x'.repeat(1_048_577) })),
      'InvalidParameterValue',
      'Messages must be shorter than 1048576 bytes.',
    ],
    [
      'a batch of two equal ids',
      () => sendBatch([1, 1]),
      'BatchEntryIdsNotDistinct',
      'Two entries of the batch have the same Id.',
    ],
    [
      'a batch of eleven',
      () => sendBatch([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
      'TooManyEntriesInBatchRequest',
      'A batch has at most 10 entries.',
    ],
    ['an empty batch', () => sendBatch([]), 'EmptyBatchRequest', 'There are no entries in the batch.'],
    [
      'a parameter that the stage does not know',
      () => client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'x', MessageGroupId: 'g' })),
      'ValidationException',
      'Unrecognized key: "MessageGroupId"',
    ],
    [
      'an operation that the stage does not know',
      () =>
        client.send(
          new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle: 'r', VisibilityTimeout: 1 }),
        ),
      'UnknownOperationException',
      'The local stage does not know AmazonSQS.ChangeMessageVisibility.',
    ],
  ])('%s is refused by name', async (_, ask, name, message) => {
    await expect(ask()).rejects.toMatchObject({ name, message });
  });
});

const sendBatch = (ids: number[]) =>
  client.send(
    new SendMessageBatchCommand({
      QueueUrl,
      Entries: ids.map((id) => ({ Id: `${id}`, MessageBody: 'x' })),
    }),
  );
