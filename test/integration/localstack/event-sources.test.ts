import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DeleteItemCommand, type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { DynamoDBRecord } from 'aws-lambda';
import { createStageClock } from '../../../localstack/clock/stage-clock.ts';
import { readCloud } from '../../../localstack/cloudformation/cloud.ts';
import { startDynoxide } from '../../../localstack/dynamodb/dynoxide.ts';
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
const seenFile = join(folder, 'seen.ndjson');

/** Writes each event to a line of a file, and cannot read what is poisoned. */
const capture = `
  import { appendFileSync } from 'node:fs';
  export const handler = async (event) => {
    appendFileSync(${JSON.stringify(seenFile)}, JSON.stringify(event) + '\\n');
    const poisoned = event.Records.find(({ dynamodb }) => dynamodb.Keys.id.S.startsWith('poison'));
    if (poisoned) throw new Error('cannot read it');
    return { batchItemFailures: [] };
  };`;

const assembly = writeAssembly([{ path: 'capture', code: capture }], {
  Changed: {
    Type: 'AWS::DynamoDB::Table',
    Properties: {
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
    },
  },
  GivenUp: { Type: 'AWS::SQS::Queue' },
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
});

let givenUp: Queue;
let client: DynamoDBClient;
let start: () => Promise<EventSources>;
let sources: EventSources;
const told: string[] = [];
const stops: (() => unknown)[] = [() => rmSync(assembly, { recursive: true })];

beforeAll(async () => {
  const messaging = await openMessaging(join(folder, 'events.db'));
  stops.push(messaging.stop);
  const cloud = readCloud(assembly, {}, messaging.endpoints.sqs);
  const { queues, stop } = messaging.serve(cloud, { logs: folder, recordAttempt: async () => {} });
  stops.push(stop);
  givenUp = queues.get('arn:aws:sqs:eu-west-2:000000000000:tests-GivenUp') as Queue;
  const { endpoint, stop: stopEngine } = await startDynoxide({ dbPath });
  client = clientOf(endpoint);
  stops.push(stopEngine, () => client.destroy());
  await createMissingTables(endpoint, cloud.tables);
  const nowhere = { secretsmanager: 'http://127.0.0.1:1', lambda: 'http://127.0.0.1:2' };
  const functions = createFunctions(
    cloud,
    { dynamodb: endpoint, ...nowhere, ...messaging.endpoints },
    folder,
  );
  for (const pool of functions.values()) stops.push(pool.stop);
  start = () =>
    startEventSources(cloud.eventSources, {
      ...{ pause: createStageClock().pause, functions, queues, engine: { endpoint, dbPath } },
      ...{ positionsFile, warn: (sentence: string) => told.push(sentence) },
    });
  sources = await start();
  stops.push(() => sources.stop());
});
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
  rmSync(folder, { recursive: true });
});

const put = (id: string) =>
  client.send(new PutItemCommand({ TableName: 'tests-Changed', Item: { id: { S: id } } }));

const recordsSeen = (): DynamoDBRecord[] =>
  existsSync(seenFile)
    ? readFileSync(seenFile, 'utf8')
        .split('\n')
        // What stands after the last end of a line is being written.
        .slice(0, -1)
        .flatMap((line) => JSON.parse(line).Records)
    : [];
const idsSeen = () => recordsSeen().map(({ dynamodb }) => dynamodb?.Keys?.id?.S);

const positionSaved = (): string =>
  JSON.parse(readFileSync(positionsFile, 'utf8')).Changes.shards['shardId-00000001-tests-Changed'].after;

test('of a stream, what the filter leaves out reaches nobody, and what cannot be read is given up alone, to the queue', async () => {
  await put('before');
  await client.send(new DeleteItemCommand({ TableName: 'tests-Changed', Key: { id: { S: 'before' } } }));
  for (const id of ['poison', 'after']) await put(id);
  await until(() => idsSeen().includes('after') && told.some((sentence) => sentence.includes('given up')));
  const [message] = await givenUp.receive(10);

  expect(new Set(recordsSeen().map(({ eventName }) => eventName))).toEqual(new Set(['INSERT']));
  expect(JSON.parse(message?.body ?? '')).toMatchObject({
    requestContext: { condition: 'RetryAttemptsExhausted' },
    DDBStreamBatchInfo: { batchSize: 1, startSequenceNumber: '3', endSequenceNumber: '3' },
  });
  expect(told.join('\n')).toMatch(
    /capture, by its event source: the function threw Error: cannot read it\. More may be in .*capture\.log/,
  );
});

test('a new start goes on behind the last change that was done; the records before it are forgotten', async () => {
  await until(() => positionSaved() === '4');
  await sources.stop();
  const before = idsSeen();
  await put('meanwhile');
  sources = await start();
  await until(() => positionSaved() === '5');

  expect(idsSeen()).toEqual([...before, 'meanwhile']);
  const db = new DatabaseSync(dbPath, { readOnly: true });
  expect(db.prepare('SELECT sequence_number FROM _stream_records').all()).toEqual([{ sequence_number: '5' }]);
  db.close();
});
