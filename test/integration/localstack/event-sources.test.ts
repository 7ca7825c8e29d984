import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DeleteItemCommand, type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';
import { createStageClock } from '../../../localstack/clock/stage-clock.ts';
import { readCloud } from '../../../localstack/cloudformation/cloud.ts';
import type { Cloud } from '../../../localstack/cloudformation/model.ts';
import { type Engine, startDynoxide } from '../../../localstack/dynamodb/dynoxide.ts';
import { createMissingTables } from '../../../localstack/dynamodb/tables.ts';
import { type EventSources, startEventSources } from '../../../localstack/lambda/event-sources.ts';
import { createFunctions } from '../../../localstack/lambda/functions.ts';
import { openMessaging } from '../../../localstack/messaging.ts';
import type { Queue } from '../../../localstack/sqs/queue.ts';
import { writeAssembly } from '../../support/engine/cloud-assembly.ts';
import { clientOf } from '../../support/engine/engine.ts';
import { until } from '../../support/stage/messaging.ts';

const folder = mkdtempSync(join(tmpdir(), 'event-sources-'));
const dbPath = join(folder, 'dynoxide.db');
const positionsFile = join(folder, 'positions.json');
const seenBy = (name: string) => join(folder, `${name}.ndjson`);

/** A function that writes each event to a line of a file, and then does what it is told. */
const noting = (name: string, then: string) => `
  import { appendFileSync } from 'node:fs';
  export const handler = async (event) => {
    appendFileSync(${JSON.stringify(seenBy(name))}, JSON.stringify(event) + '\\n');
    ${then}
  };`;

const assembly = writeAssembly(
  [
    {
      path: 'capture',
      code: noting(
        'capture',
        `const poisoned = event.Records.find(({ dynamodb }) => dynamodb.Keys.id.S.startsWith('poison'));
         if (poisoned) throw new Error('cannot read it');
         return { batchItemFailures: [] };`,
      ),
    },
    {
      path: 'publish',
      code: noting(
        'publish',
        `const failed = event.Records.filter(
           ({ body, attributes }) => body === 'bad' && attributes.ApproximateReceiveCount === '1',
         );
         return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };`,
      ),
    },
  ],
  {
    Changed: {
      Type: 'AWS::DynamoDB::Table',
      Properties: {
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
      },
    },
    GivenUp: { Type: 'AWS::SQS::Queue' },
    Ticks: { Type: 'AWS::SQS::Queue', Properties: { VisibilityTimeout: 1 } },
    Changes: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        EventSourceArn: { 'Fn::GetAtt': ['Changed', 'StreamArn'] },
        FunctionName: { Ref: 'Functioncapture' },
        StartingPosition: 'TRIM_HORIZON',
        BatchSize: 100,
        BisectBatchOnFunctionError: true,
        MaximumRetryAttempts: 0,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        FilterCriteria: { Filters: [{ Pattern: '{"eventName":["INSERT","MODIFY"]}' }] },
        DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': ['GivenUp', 'Arn'] } } },
      },
    },
    Ticking: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        EventSourceArn: { 'Fn::GetAtt': ['Ticks', 'Arn'] },
        FunctionName: { 'Fn::GetAtt': ['Functionpublish', 'Arn'] },
        FunctionResponseTypes: ['ReportBatchItemFailures'],
      },
    },
  },
);

let cloud: Cloud;
let queues: ReadonlyMap<string, Queue>;
let engine: Engine;
let client: DynamoDBClient;
let functions: ReturnType<typeof createFunctions>;
let sources: EventSources;
const told: string[] = [];
const stops: (() => unknown)[] = [() => rmSync(assembly, { recursive: true })];

beforeAll(async () => {
  const messaging = await openMessaging(join(folder, 'events.db'));
  stops.push(messaging.stop);
  cloud = readCloud(assembly, {}, messaging.endpoints.sqs);
  const served = messaging.serve(cloud, { logs: folder, recordAttempt: async () => {} });
  stops.push(served.stop);
  queues = served.queues;
  engine = await startDynoxide({ dbPath });
  client = clientOf(engine.endpoint);
  stops.push(engine.stop, () => client.destroy());
  await createMissingTables(engine.endpoint, cloud.tables);
  const endpoints = {
    dynamodb: engine.endpoint,
    secretsmanager: 'http://127.0.0.1:1',
    lambda: 'http://127.0.0.1:2',
    ...messaging.endpoints,
  };
  functions = createFunctions(cloud, endpoints, folder);
  for (const pool of functions.values()) stops.push(pool.stop);
  sources = await start();
  stops.push(() => sources.stop());
});
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
  rmSync(folder, { recursive: true });
});

const start = () =>
  startEventSources(cloud.eventSources, {
    pause: createStageClock().pause,
    functions,
    queues,
    engine: { endpoint: engine.endpoint, dbPath },
    positionsFile,
    warn: (sentence) => told.push(sentence),
  });

const put = (id: string) =>
  client.send(new PutItemCommand({ TableName: 'tests-Changed', Item: { id: { S: id } } }));

const queueNamed = (name: string): Queue => {
  const queue = [...queues.values()].find(({ arn }) => arn.endsWith(`:tests-${name}`));
  if (!queue) throw new Error(`There is no queue ${name}.`);
  return queue;
};

const eventsOf = <Event>(name: string): Event[] =>
  existsSync(seenBy(name))
    ? readFileSync(seenBy(name), 'utf8')
        .split('\n')
        // What stands after the last end of a line is being written.
        .slice(0, -1)
        .map((line) => JSON.parse(line))
    : [];

const recordsSeen = () => eventsOf<DynamoDBStreamEvent>('capture').flatMap(({ Records }) => Records);
const idsSeen = () => recordsSeen().map(({ dynamodb }) => dynamodb?.Keys?.id?.S);
const messagesSeen = () => eventsOf<SQSEvent>('publish').flatMap(({ Records }) => Records);

const positionSaved = (): string =>
  JSON.parse(readFileSync(positionsFile, 'utf8')).Changes.shards['shardId-00000001-tests-Changed'].after;

const recordsKept = () => {
  const db = new DatabaseSync(dbPath, { readOnly: true });
  const rows = db.prepare('SELECT sequence_number AS number FROM _stream_records ORDER BY id').all();
  db.close();
  return rows.map(({ number }) => number);
};

describe('event sources of the embedded stage', () => {
  test('a change of a table reaches its function, and what the filter leaves out does not', async () => {
    await put('first');
    await client.send(new DeleteItemCommand({ TableName: 'tests-Changed', Key: { id: { S: 'first' } } }));
    await until(() => idsSeen().includes('first'));

    expect(recordsSeen()).toMatchObject([
      {
        eventName: 'INSERT',
        eventSourceARN: expect.stringMatching(/:table\/tests-Changed\/stream\//),
        dynamodb: { NewImage: { id: { S: 'first' } }, SequenceNumber: '1' },
      },
    ]);
  });

  test('a change that cannot be read is given up alone, and its sequence number is sent to the queue', async () => {
    for (const id of ['before', 'poison', 'after']) await put(id);
    await until(() => idsSeen().includes('after') && told.some((sentence) => sentence.includes('given up')));
    const [message] = await queueNamed('GivenUp').receive(10);

    expect(JSON.parse(message?.body ?? '')).toMatchObject({
      requestContext: { condition: 'RetryAttemptsExhausted' },
      DDBStreamBatchInfo: { batchSize: 1, startSequenceNumber: '4', endSequenceNumber: '4' },
    });
    expect(told.join('\n')).toMatch(
      /capture, by its event source: the function threw Error: cannot read it\. More may be in .*capture\.log/,
    );
  });

  test('a new start goes on behind the last change that was done; the records before it are forgotten', async () => {
    await until(() => positionSaved() === '5');
    await sources.stop();
    const before = idsSeen();
    await put('meanwhile');
    sources = await start();
    await until(() => positionSaved() === '6');

    expect(idsSeen()).toEqual([...before, 'meanwhile']);
    expect(recordsKept()).toEqual(['6']);
  });

  test('messages of a queue reach their function, and only what it names comes again', async () => {
    await queueNamed('Ticks').send({ body: 'good' });
    await queueNamed('Ticks').send({ body: 'bad' });
    const counts = () =>
      messagesSeen().map(({ body, attributes }) => `${body} ${attributes.ApproximateReceiveCount}`);
    await until(() => counts().includes('bad 2'));

    expect(counts().toSorted()).toEqual(['bad 1', 'bad 2', 'good 1']);
  });
});
