import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Events from '@aws-sdk/client-eventbridge';
import * as Lambda from '@aws-sdk/client-lambda';
import * as Secrets from '@aws-sdk/client-secrets-manager';
import * as Sqs from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { busOperations, busRecords, type RuleTarget } from '../../localstack/embedded/aws/bus.ts';
import { type AwsServer, openAws } from '../../localstack/embedded/aws/protocol.ts';
import { queueOperations } from '../../localstack/embedded/aws/queue-operations.ts';
import { openQueues } from '../../localstack/embedded/aws/queues.ts';
import { openSecrets } from '../../localstack/embedded/aws/secrets.ts';
import { openState } from '../../localstack/embedded/state.ts';
import { settingsFor } from '../support/engine/engine.ts';

const folder = mkdtempSync(join(tmpdir(), 'limits-'));
let aws: AwsServer;
let close: () => void;
let events: Events.EventBridgeClient;
let sqs: Sqs.SQSClient;
let secrets: Secrets.SecretsManagerClient;
let lambda: Lambda.LambdaClient;
const accepted: RuleTarget[] = [];

beforeAll(async () => {
  const state = openState(join(folder, 'state.db'));
  aws = await openAws();
  const sender = {
    accept: ({ target }: { target: RuleTarget }) => void accepted.push(target),
    sendAccepted: () => {},
    removeTarget: () => {},
  };
  aws.serve(
    {
      ...queueOperations(openQueues(state), aws.url),
      ...busOperations(state, busRecords(state), sender),
      ...openSecrets(state, () => {}).operations,
    },
    async (name, event) =>
      name === 'v2-read'
        ? { ok: true, value: JSON.stringify(event) }
        : { ok: false, reason: 'threw TypeError: no' },
  );
  const settings = settingsFor(aws.url);
  events = new Events.EventBridgeClient(settings);
  sqs = new Sqs.SQSClient(settings);
  secrets = new Secrets.SecretsManagerClient(settings);
  lambda = new Lambda.LambdaClient(settings);
  close = state.close;
  await make();
});
afterAll(async () => {
  for (const client of [events, sqs, secrets, lambda]) client.destroy();
  await aws.stop();
  close();
  rmSync(folder, { recursive: true });
});

const EventBusName = 'transactions-local';
const busArn = 'arn:aws:events:eu-west-2:000000000000:event-bus/transactions-local';
const AuthorizationType = 'API_KEY' as const;
const keyed = (ApiKeyValue: string, ApiKeyName = 'X-Signature') => ({
  AuthParameters: { ApiKeyAuthParameters: { ApiKeyName, ApiKeyValue } },
});
const connection = { Name: 'acme', AuthorizationType, ...keyed('the-signature') };
let destination: { Name: string; ConnectionArn: string; InvocationEndpoint: string; HttpMethod: 'POST' };
let target: Events.Target;
/** A rule with one target, as a partner has. */
const make = async () => {
  const { ConnectionArn = '' } = await events.send(new Events.CreateConnectionCommand(connection));
  destination = {
    Name: 'acme',
    ConnectionArn,
    InvocationEndpoint: 'https://acme.example/',
    HttpMethod: 'POST',
  };
  const { ApiDestinationArn } = await events.send(new Events.CreateApiDestinationCommand(destination));
  await events.send(
    new Events.PutRuleCommand({ Name: 'acme', EventBusName, EventPattern: '{"source":["s"]}' }),
  );
  target = { Id: 'one', Arn: ApiDestinationArn, RoleArn: 'arn:role' };
  await events.send(new Events.PutTargetsCommand({ Rule: 'acme', EventBusName, Targets: [target] }));
};

const x = (count: number) => 'x'.repeat(count);
const at = (queue: string) => ({ QueueUrl: `${aws.url}/000000000000/${queue}` });
const entry = { EventBusName, Source: 's', DetailType: 't', Detail: '{}' };
/** The text of an entry takes this many bytes. */
const ofBytes = (bytes: number) => ({ ...entry, Detail: `{"a":"é${x(bytes - 12)}"}` });
const put = (...Entries: object[]) => events.send(new Events.PutEventsCommand({ Entries }));
const send = (queue: string, more: object = {}) =>
  sqs.send(new Sqs.SendMessageCommand({ ...at(queue), MessageBody: 'x', ...more }));
const batch = (queue: string, ...Entries: object[]) =>
  sqs.send(
    new Sqs.SendMessageBatchCommand({
      ...at(queue),
      Entries: Entries.map((more, index) => ({ Id: `${index}`, MessageBody: 'x', ...more })),
    }),
  );
const putTarget = (...changes: object[]) =>
  events.send(
    new Events.PutTargetsCommand({
      ...{ Rule: 'acme', EventBusName },
      Targets: changes.map((change) => ({ ...target, ...change })),
    }),
  );
const connect = (change: object) =>
  events.send(new Events.CreateConnectionCommand({ ...connection, Name: 'c', ...change }));
const direct = (change: object) =>
  events.send(new Events.CreateApiDestinationCommand({ ...destination, Name: 'd', ...change }));
const rule = (change: object) =>
  events.send(new Events.PutRuleCommand({ Name: 'r', EventBusName, EventPattern: '{"a":["b"]}', ...change }));
const headers = (HeaderParameters: Record<string, string>) => ({ HttpParameters: { HeaderParameters } });
const fifo = { MessageGroupId: 'g', MessageDeduplicationId: 'd' };
const taken = 'taken';
const Name = 'nobody';

test.each<[string, () => Promise<unknown>, string]>([
  [
    'EventBridge: an operation that the stage does not have',
    () => events.send(new Events.EnableRuleCommand({ Name })),
    'UnknownOperationException',
  ],
  [
    'EventBridge: an unknown parameter',
    () => rule({ Tags: [{ Key: 'a', Value: 'b' }] }),
    'ValidationException',
  ],
  ['PutEvents: no entry', () => put(), 'ValidationException'],
  ['PutEvents: 10 entries', () => put(...Array(10).fill(entry)), taken],
  ['PutEvents: 11 entries', () => put(...Array(11).fill(entry)), 'ValidationException'],
  ['PutEvents: one byte under 1 MB', () => put(ofBytes(1_048_575)), taken],
  ['PutEvents: 1 MB', () => put(ofBytes(1_048_576)), 'ValidationException'],
  ['PutEvents: 1 MB in two entries', () => put(ofBytes(1_000_000), ofBytes(48_576)), 'ValidationException'],
  [
    'PutEvents: a time counts 14 bytes',
    () => put({ ...ofBytes(1_048_562), Time: new Date(0) }),
    'ValidationException',
  ],
  ['PutEvents: an unknown parameter', () => put({ ...entry, TraceHeader: 'a' }), 'ValidationException'],
  ['PutRule: the longest name', () => rule({ Name: x(64) }), taken],
  ['PutRule: a longer name', () => rule({ Name: x(65) }), 'ValidationException'],
  ['PutRule: a name with a space', () => rule({ Name: 'a b' }), 'ValidationException'],
  ['PutRule: a schedule', () => rule({ ScheduleExpression: 'rate(1 minute)' }), 'ValidationException'],
  ['PutRule: a pattern that is no JSON', () => rule({ EventPattern: '{' }), 'InvalidEventPatternException'],
  [
    'PutRule: a pattern with an operator',
    () => rule({ EventPattern: '{"a":[{"prefix":"b"}]}' }),
    'InvalidEventPatternException',
  ],
  [
    'PutRule: a pattern of alternatives',
    () => rule({ EventPattern: '{"$or":[{"a":["b"]}]}' }),
    'InvalidEventPatternException',
  ],
  [
    'PutRule: a pattern without a list',
    () => rule({ EventPattern: '{"a":"b"}' }),
    'InvalidEventPatternException',
  ],
  ['PutRule: another bus', () => rule({ EventBusName: 'other' }), 'ResourceNotFoundException'],
  [
    'DeleteRule: a rule with targets',
    () => events.send(new Events.DeleteRuleCommand({ Name: 'acme', EventBusName })),
    'ValidationException',
  ],
  ['PutTargets: five targets', () => putTarget({ Id: '1' }, { Id: '2' }, { Id: '3' }, { Id: '4' }), taken],
  ['PutTargets: a sixth target', () => putTarget({ Id: '6' }), 'LimitExceededException'],
  ['PutTargets: a known target', () => putTarget({ Id: '1' }), taken],
  [
    'PutTargets: no API destination',
    () => putTarget({ Arn: 'arn:aws:sqs:eu-west-2:000000000000:q' }),
    'ValidationException',
  ],
  ['PutTargets: no role', () => putTarget({ RoleArn: undefined }), 'ValidationException'],
  [
    'PutTargets: an input transformer',
    () => putTarget({ InputTransformer: { InputTemplate: '1' } }),
    'ValidationException',
  ],
  ['PutTargets: Input that is no JSON', () => putTarget({ Input: '{' }), 'ValidationException'],
  [
    'PutTargets: Input and InputPath',
    () => putTarget({ Input: '{}', InputPath: '$.detail' }),
    'ValidationException',
  ],
  ['PutTargets: an index in a path', () => putTarget({ InputPath: '$.a[0]' }), 'ValidationException'],
  ['PutTargets: a header of 512 letters', () => putTarget(headers({ 'X-A': x(512) })), taken],
  ['PutTargets: a header of 513 letters', () => putTarget(headers({ 'X-A': x(513) })), 'ValidationException'],
  [
    'PutTargets: a header that would end its line',
    () => putTarget(headers({ 'X-A': 'a\r\nX-B: b' })),
    'ValidationException',
  ],
  [
    'PutTargets: a header whose name has a space',
    () => putTarget(headers({ 'X A': 'a' })),
    'ValidationException',
  ],
  [
    'PutTargets: an index in the path of a header',
    () => putTarget(headers({ 'X-A': '$.a[0]' })),
    'ValidationException',
  ],
  ['PutTargets: 185 retries', () => putTarget({ RetryPolicy: { MaximumRetryAttempts: 185 } }), taken],
  [
    'PutTargets: 186 retries',
    () => putTarget({ RetryPolicy: { MaximumRetryAttempts: 186 } }),
    'ValidationException',
  ],
  [
    'PutTargets: an age of 59 s',
    () => putTarget({ RetryPolicy: { MaximumEventAgeInSeconds: 59 } }),
    'ValidationException',
  ],
  [
    'PutTargets: an age of 24 h',
    () => putTarget({ RetryPolicy: { MaximumEventAgeInSeconds: 86_400 } }),
    taken,
  ],
  [
    'PutTargets: an age of more',
    () => putTarget({ RetryPolicy: { MaximumEventAgeInSeconds: 86_401 } }),
    'ValidationException',
  ],
  ['CreateConnection: another kind', () => connect({ AuthorizationType: 'BASIC' }), 'ValidationException'],
  [
    'CreateConnection: a key that would end its line',
    () => connect(keyed('a\r\nX-B: b')),
    'ValidationException',
  ],
  ['CreateConnection: a key of other letters', () => connect(keyed('é')), 'ValidationException'],
  ['CreateConnection: an empty key', () => connect(keyed('')), 'ValidationException'],
  ['CreateConnection: a key of 513 letters', () => connect(keyed(x(513))), 'ValidationException'],
  ['CreateConnection: a header name with a space', () => connect(keyed('a', 'X A')), 'ValidationException'],
  [
    'CreateConnection: a name that is taken',
    () => connect({ Name: 'acme' }),
    'ResourceAlreadyExistsException',
  ],
  [
    'CreateApiDestination: a name that is taken',
    () => direct({ Name: 'acme' }),
    'ResourceAlreadyExistsException',
  ],
  ['CreateApiDestination: another method', () => direct({ HttpMethod: 'GET' }), 'ValidationException'],
  [
    'CreateApiDestination: a rate of 301',
    () => direct({ InvocationRateLimitPerSecond: 301 }),
    'ValidationException',
  ],
  ['CreateApiDestination: no rate', () => direct({ InvocationRateLimitPerSecond: 0 }), 'ValidationException'],
  [
    'CreateApiDestination: http elsewhere',
    () => direct({ InvocationEndpoint: 'http://acme.example/' }),
    'ValidationException',
  ],
  [
    'CreateApiDestination: http to a name like ours',
    () => direct({ InvocationEndpoint: 'http://localhost.acme.example/' }),
    'ValidationException',
  ],
  [
    'CreateApiDestination: a password',
    () => direct({ InvocationEndpoint: 'https://a:b@acme.example/' }),
    'ValidationException',
  ],
  [
    'CreateApiDestination: http to this machine',
    () => direct({ Name: 'here', InvocationEndpoint: 'http://[::1]:8788/' }),
    taken,
  ],
  [
    'CreateApiDestination: no connection',
    () => direct({ ConnectionArn: `${busArn}x` }),
    'ResourceNotFoundException',
  ],
  [
    'DescribeRule: of nothing',
    () => events.send(new Events.DescribeRuleCommand({ Name, EventBusName })),
    'ResourceNotFoundException',
  ],
  [
    'RemoveTargets: of nothing',
    () => events.send(new Events.RemoveTargetsCommand({ Rule: Name, EventBusName, Ids: ['a'] })),
    'ResourceNotFoundException',
  ],
  [
    'UpdateConnection: of nothing',
    () => events.send(new Events.UpdateConnectionCommand({ Name, AuthorizationType })),
    'ResourceNotFoundException',
  ],
  [
    'DeleteConnection: of nothing',
    () => events.send(new Events.DeleteConnectionCommand({ Name })),
    'ResourceNotFoundException',
  ],
  [
    'UpdateApiDestination: of nothing',
    () => events.send(new Events.UpdateApiDestinationCommand({ Name })),
    'ResourceNotFoundException',
  ],
  [
    'DeleteApiDestination: of nothing',
    () => events.send(new Events.DeleteApiDestinationCommand({ Name })),
    'ResourceNotFoundException',
  ],
  [
    'SQS: an operation that the stage does not have',
    () => sqs.send(new Sqs.PurgeQueueCommand(at('ticks'))),
    'UnknownOperationException',
  ],
  ['SQS: an unknown queue', () => send('nobody'), 'QueueDoesNotExist'],
  [
    'SendMessage: an unknown parameter',
    () => send('ticks', { MessageAttributes: { a: { DataType: 'String', StringValue: 'b' } } }),
    'ValidationException',
  ],
  ['SendMessage: an empty body', () => send('ticks', { MessageBody: '' }), 'ValidationException'],
  ['SendMessage: 1 MiB', () => send('given-up', { MessageBody: x(1_048_576) }), taken],
  [
    'SendMessage: one byte more',
    () => send('given-up', { MessageBody: `é${x(1_048_575)}` }),
    'InvalidParameterValue',
  ],
  ['SendMessage: a delay of 900 s', () => send('ticks', { DelaySeconds: 900 }), taken],
  ['SendMessage: a delay of 901 s', () => send('ticks', { DelaySeconds: 901 }), 'ValidationException'],
  [
    'SendMessage: a FIFO queue without a group',
    () => send('shards.fifo', { MessageDeduplicationId: 'd' }),
    'MissingParameter',
  ],
  [
    'SendMessage: a FIFO queue without an id',
    () => send('shards.fifo', { MessageGroupId: 'g' }),
    'InvalidParameterValue',
  ],
  [
    'SendMessage: a FIFO queue with a delay',
    () => send('shards.fifo', { ...fifo, DelaySeconds: 1 }),
    'InvalidParameterValue',
  ],
  [
    'SendMessage: a FIFO queue with a delay of 0',
    () => send('shards.fifo', { ...fifo, DelaySeconds: 0 }),
    taken,
  ],
  [
    'SendMessage: a group of 129 letters',
    () => send('shards.fifo', { ...fifo, MessageGroupId: x(129) }),
    'ValidationException',
  ],
  [
    'SendMessage: a deduplication id for a standard queue',
    () => send('ticks', { MessageDeduplicationId: 'd' }),
    'InvalidParameterValue',
  ],
  ['SendMessageBatch: no entry', () => batch('ticks'), 'EmptyBatchRequest'],
  ['SendMessageBatch: 10 entries', () => batch('given-up', ...Array(10).fill({})), taken],
  [
    'SendMessageBatch: 11 entries',
    () => batch('ticks', ...Array(11).fill({})),
    'TooManyEntriesInBatchRequest',
  ],
  [
    'SendMessageBatch: an id twice',
    () => batch('ticks', { Id: 'a' }, { Id: 'a' }),
    'BatchEntryIdsNotDistinct',
  ],
  [
    'SendMessageBatch: more than 1 MiB together',
    () => batch('ticks', { MessageBody: x(600_000) }, { MessageBody: x(600_000) }),
    'BatchRequestTooLong',
  ],
  [
    'SendMessageBatch: an entry without a group',
    () => batch('shards.fifo', fifo, { MessageDeduplicationId: 'd' }),
    'InvalidParameterValue',
  ],
  [
    'ReceiveMessage: 11 messages',
    () => sqs.send(new Sqs.ReceiveMessageCommand({ ...at('ticks'), MaxNumberOfMessages: 11 })),
    'ValidationException',
  ],
  [
    'ReceiveMessage: hidden for more than 12 h',
    () => sqs.send(new Sqs.ReceiveMessageCommand({ ...at('ticks'), VisibilityTimeout: 43_201 })),
    'ValidationException',
  ],
  [
    'Secrets Manager: an operation that the stage does not have',
    () => secrets.send(new Secrets.GetRandomPasswordCommand({})),
    'UnknownOperationException',
  ],
  [
    'GetSecretValue: of nothing',
    () => secrets.send(new Secrets.GetSecretValueCommand({ SecretId: Name })),
    'ResourceNotFoundException',
  ],
  [
    'PutSecretValue: bytes',
    () =>
      secrets.send(new Secrets.PutSecretValueCommand({ SecretId: 'Pepper', SecretBinary: Buffer.from('a') })),
    'ValidationException',
  ],
  [
    'PutSecretValue: a token of 31 letters',
    () =>
      secrets.send(
        new Secrets.PutSecretValueCommand({
          SecretId: 'Pepper',
          SecretString: 'a',
          ClientRequestToken: x(31),
        }),
      ),
    'ValidationException',
  ],
  [
    'Invoke: an unknown function',
    () => lambda.send(new Lambda.InvokeCommand({ FunctionName: Name })),
    'ResourceNotFoundException',
  ],
  [
    'Invoke: without an answer',
    () => lambda.send(new Lambda.InvokeCommand({ FunctionName: 'v2-read', InvocationType: 'Event' })),
    'InvalidParameterValueException',
  ],
  [
    'Invoke: a payload that is no JSON',
    () => lambda.send(new Lambda.InvokeCommand({ FunctionName: 'v2-read', Payload: '{' })),
    'InvalidRequestContentException',
  ],
])('EMB-6 %s', async (_, ask, name) => {
  const outcome = await ask().then(
    () => taken,
    (error: Error) => error.name,
  );

  expect(outcome).toBe(name);
});

test('EMB-6 I13 PutEvents refuses an entry by name and takes the others; an entry for an unknown bus is dropped', async () => {
  accepted.length = 0;
  const changes: object[] = [
    {},
    { Source: undefined },
    { DetailType: undefined },
    { Detail: undefined },
    { Detail: '{"a":' },
    { Detail: '[]' },
    { DetailType: x(129) },
    { Source: 'aws.ec2' },
    { EventBusName: 'elsewhere' },
    { EventBusName: busArn, DetailType: x(128) },
  ];

  const { FailedEntryCount, Entries = [] } = await put(...changes.map((change) => ({ ...entry, ...change })));

  expect(FailedEntryCount).toBe(7);
  expect(Entries.map(({ EventId, ErrorCode }) => ErrorCode ?? EventId?.length)).toEqual([
    36,
    ...['InvalidArgument', 'InvalidArgument', 'InvalidArgument', 'MalformedDetail', 'MalformedDetail'],
    ...['InvalidArgument', 'NotAuthorizedForSourceException'],
    36,
    36,
  ]);
  // Two events for each of the rule's five targets.
  expect(accepted).toHaveLength(10);
});

test('EMB-6 a batch for a FIFO queue takes the entries without a delay and names the others', async () => {
  const answer = await batch(
    'shards.fifo',
    { ...fifo, MessageDeduplicationId: 'new' },
    { ...fifo, DelaySeconds: 5 },
  );

  expect([answer.Successful?.map(({ Id }) => Id), answer.Failed?.map(({ Id, Code }) => [Id, Code])]).toEqual([
    ['0'],
    [['1', 'InvalidParameterValue']],
  ]);
});

test('EMB-6 S-18 no answer about a connection has the value of its key', async () => {
  const answers = [
    await events.send(new Events.CreateConnectionCommand({ ...connection, Name: 'of-s18' })),
    await events.send(new Events.UpdateConnectionCommand({ ...connection, Name: 'of-s18' })),
    await events.send(new Events.DescribeConnectionCommand({ Name: 'of-s18' })),
    await events.send(new Events.ListConnectionsCommand({ NamePrefix: 'of-s18' })),
    await events.send(new Events.DeleteConnectionCommand({ Name: 'of-s18' })),
  ];

  expect(JSON.stringify(answers)).not.toContain('the-signature');
  expect(answers[2]).toMatchObject({
    ConnectionState: 'AUTHORIZED',
    AuthParameters: { ApiKeyAuthParameters: { ApiKeyName: 'X-Signature' } },
  });
});

test('EMB-6 a destination without its connection is inactive', async () => {
  const { ConnectionArn = '' } = await connect({ Name: 'of-inactive' });
  await direct({ Name: 'inactive', ConnectionArn });
  const state = async () =>
    (await events.send(new Events.DescribeApiDestinationCommand({ Name: 'inactive' }))).ApiDestinationState;
  const before = await state();
  await events.send(new Events.DeleteConnectionCommand({ Name: 'of-inactive' }));

  expect([before, await state()]).toEqual(['ACTIVE', 'INACTIVE']);
});

test('EMB-6 Invoke answers with the result, or names the fault of the function', async () => {
  const payload = async (FunctionName: string) => {
    const { Payload, FunctionError } = await lambda.send(
      new Lambda.InvokeCommand({ FunctionName, Payload: '{"a":1}' }),
    );
    return [Buffer.from(Payload ?? '').toString(), FunctionError];
  };

  expect(await payload('v2-read')).toEqual(['{"a":1}', undefined]);
  expect(await payload('arn:aws:lambda:eu-west-2:000000000000:function:v2-write')).toEqual([
    '{"errorType":"TypeError","errorMessage":"no"}',
    'Unhandled',
  ]);
});
