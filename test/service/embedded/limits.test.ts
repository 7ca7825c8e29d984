import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Events from '@aws-sdk/client-eventbridge';
import * as Lambda from '@aws-sdk/client-lambda';
import * as Secrets from '@aws-sdk/client-secrets-manager';
import * as Sqs from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { busOperations, busRecords } from '../../../localstack/embedded/aws/bus.ts';
import { type AwsServer, invokeOperations, openAws } from '../../../localstack/embedded/aws/protocol.ts';
import { queueOperations } from '../../../localstack/embedded/aws/queue-operations.ts';
import { openQueues } from '../../../localstack/embedded/aws/queues.ts';
import { openSecrets } from '../../../localstack/embedded/aws/secrets.ts';
import { openState } from '../../../localstack/embedded/state.ts';
import { settingsFor } from '../../support/engine/engine.ts';

const folder = mkdtempSync(join(tmpdir(), 'limits-'));
let aws: AwsServer;
let close: () => void;
let events: Events.EventBridgeClient;
let sqs: Sqs.SQSClient;
let secrets: Secrets.SecretsManagerClient;
let lambda: Lambda.LambdaClient;

beforeAll(async () => {
  const state = openState(join(folder, 'state.db'));
  aws = await openAws();
  aws.serve({
    ...queueOperations(openQueues(state), aws.url),
    ...busOperations(state, busRecords(state), { accept: () => {}, sendAccepted: () => {} }),
    ...openSecrets(state, () => {}).operations,
    ...invokeOperations(async (name, event) =>
      name === 'v2-read'
        ? { ok: true, value: JSON.stringify(event) }
        : { ok: false, reason: 'threw TypeError: no' },
    ),
  });
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
const EventPattern = '{"detail":{"to":["acme"]}}';
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
  await events.send(new Events.PutRuleCommand({ Name: 'acme', EventBusName, EventPattern }));
  target = {
    ...{ Id: 'one', Arn: ApiDestinationArn, RoleArn: 'arn:role', InputPath: '$.detail.message' },
    ...{ HttpParameters: { HeaderParameters: {} }, DeadLetterConfig: { Arn: 'arn:queue' } },
    RetryPolicy: { MaximumRetryAttempts: 185, MaximumEventAgeInSeconds: 86_400 },
  };
  await events.send(new Events.PutTargetsCommand({ Rule: 'acme', EventBusName, Targets: [target] }));
};

const x = (count: number) => 'x'.repeat(count);
const at = (queue: string) => ({ QueueUrl: `${aws.url}/000000000000/${queue}` });
const entry = { EventBusName, Source: 's', DetailType: 't', Detail: '{}' };
/** The text of an entry takes this many bytes. */
const ofBytes = (bytes: number) => ({ ...entry, Detail: `{"a":"é${x(bytes - 12)}"}` });
const put = (...Entries: object[]) => events.send(new Events.PutEventsCommand({ Entries }));
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
  events.send(new Events.PutRuleCommand({ Name: 'r', EventBusName, EventPattern, ...change }));
const headers = (HeaderParameters: Record<string, string>) => ({ HttpParameters: { HeaderParameters } });
const fifo = { MessageGroupId: 'g', MessageDeduplicationId: 'd' };
const receiving = { MaxNumberOfMessages: 10, VisibilityTimeout: 120, WaitTimeSeconds: 1 };
const taken = 'taken';
const refused = 'ValidationException';
const Name = 'nobody';

test.each<[string, () => Promise<unknown>, string]>([
  [
    'EventBridge: an operation that the stage does not have',
    () => events.send(new Events.EnableRuleCommand({ Name })),
    'UnknownOperationException',
  ],
  ['EventBridge: an unknown parameter', () => rule({ Tags: [{ Key: 'a', Value: 'b' }] }), refused],
  ['PutEvents: no entry', () => put(), refused],
  ['PutEvents: 10 entries', () => put(...Array(10).fill(entry)), taken],
  ['PutEvents: 11 entries', () => put(...Array(11).fill(entry)), refused],
  ['PutEvents: one byte under 1 MB', () => put(ofBytes(1_048_575)), taken],
  ['PutEvents: 1 MB', () => put(ofBytes(1_048_576)), refused],
  ['PutEvents: 1 MB in two entries', () => put(ofBytes(1_000_000), ofBytes(48_576)), refused],
  ['PutEvents: an unknown parameter', () => put({ ...entry, TraceHeader: 'a' }), refused],
  ['PutRule: the longest name', () => rule({ Name: x(64) }), taken],
  ['PutRule: a longer name', () => rule({ Name: x(65) }), refused],
  ['PutRule: a name with a space', () => rule({ Name: 'a b' }), refused],
  ['PutRule: a schedule', () => rule({ ScheduleExpression: 'rate(1 minute)' }), refused],
  [
    'PutRule: a pattern with an operator',
    () => rule({ EventPattern: '{"detail":{"to":[{"prefix":"b"}]}}' }),
    refused,
  ],
  ['PutRule: another bus', () => rule({ EventBusName: 'other' }), refused],
  [
    'DeleteRule: a rule with targets',
    () => events.send(new Events.DeleteRuleCommand({ Name: 'acme', EventBusName })),
    refused,
  ],
  ['PutTargets: five targets', () => putTarget({ Id: '1' }, { Id: '2' }, { Id: '3' }, { Id: '4' }), taken],
  ['PutTargets: a sixth target', () => putTarget({ Id: '6' }), 'LimitExceededException'],
  ['PutTargets: a known target', () => putTarget({ Id: '1' }), taken],
  [
    'PutTargets: no API destination',
    () => putTarget({ Arn: 'arn:aws:sqs:eu-west-2:000000000000:q' }),
    refused,
  ],
  [
    'PutTargets: an input transformer',
    () => putTarget({ InputTransformer: { InputTemplate: '1' } }),
    refused,
  ],
  ['PutTargets: an index in a path', () => putTarget({ InputPath: '$.a[0]' }), refused],
  ['PutTargets: a header of 512 letters', () => putTarget(headers({ 'X-A': x(512) })), taken],
  ['PutTargets: a header of 513 letters', () => putTarget(headers({ 'X-A': x(513) })), refused],
  [
    'PutTargets: a header that would end its line',
    () => putTarget(headers({ 'X-A': 'a\r\nX-B: b' })),
    refused,
  ],
  ['PutTargets: a header whose name has a space', () => putTarget(headers({ 'X A': 'a' })), refused],
  ['PutTargets: an index in the path of a header', () => putTarget(headers({ 'X-A': '$.a[0]' })), refused],
  ['CreateConnection: another kind', () => connect({ AuthorizationType: 'BASIC' }), refused],
  ['CreateConnection: a key that would end its line', () => connect(keyed('a\r\nX-B: b')), refused],
  ['CreateConnection: a key of other letters', () => connect(keyed('é')), refused],
  ['CreateConnection: an empty key', () => connect(keyed('')), refused],
  ['CreateConnection: a key of 513 letters', () => connect(keyed(x(513))), refused],
  ['CreateConnection: a header name with a space', () => connect(keyed('a', 'X A')), refused],
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
  ['CreateApiDestination: another method', () => direct({ HttpMethod: 'GET' }), refused],
  ['CreateApiDestination: a rate of 301', () => direct({ InvocationRateLimitPerSecond: 301 }), refused],
  ['CreateApiDestination: no rate', () => direct({ InvocationRateLimitPerSecond: 0 }), refused],
  [
    'CreateApiDestination: http elsewhere',
    () => direct({ InvocationEndpoint: 'http://acme.example/' }),
    refused,
  ],
  [
    'CreateApiDestination: http to a name like ours',
    () => direct({ InvocationEndpoint: 'http://localhost.acme.example/' }),
    refused,
  ],
  [
    'CreateApiDestination: http to this machine',
    () => direct({ Name: 'here', InvocationEndpoint: 'http://[::1]:8788/' }),
    taken,
  ],
  [
    'CreateApiDestination: no connection',
    () => direct({ ConnectionArn: 'arn:x' }),
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
    () => sqs.send(new Sqs.PurgeQueueCommand(at('publish'))),
    'UnknownOperationException',
  ],
  ['SQS: an unknown queue', () => batch('nobody', {}), 'QueueDoesNotExist'],
  ['SendMessageBatch: an unknown parameter', () => batch('publish', { MessageAttributes: {} }), refused],
  ['SendMessageBatch: an empty body', () => batch('publish', { MessageBody: '' }), refused],
  ['SendMessageBatch: 1 MiB', () => batch('given-up', { MessageBody: x(1_048_576) }), taken],
  [
    'SendMessageBatch: one byte more',
    () => batch('given-up', { MessageBody: `é${x(1_048_575)}` }),
    'BatchRequestTooLong',
  ],
  [
    'SendMessageBatch: more than 1 MiB together',
    () => batch('publish', { MessageBody: x(600_000) }, { MessageBody: x(600_000) }),
    'BatchRequestTooLong',
  ],
  ['SendMessageBatch: a delay of 900 s', () => batch('publish', { DelaySeconds: 900 }), taken],
  ['SendMessageBatch: a delay of 901 s', () => batch('publish', { DelaySeconds: 901 }), refused],
  ['SendMessageBatch: a FIFO queue without a group', () => batch('shards.fifo', {}), 'InvalidParameterValue'],
  ['SendMessageBatch: a FIFO queue', () => batch('shards.fifo', { ...fifo, DelaySeconds: 0 }), taken],
  [
    'SendMessageBatch: a FIFO queue with a group alone',
    () => batch('shards.fifo', { MessageGroupId: 'g' }),
    refused,
  ],
  [
    'SendMessageBatch: a FIFO queue with a delay',
    () => batch('shards.fifo', { ...fifo, DelaySeconds: 1 }),
    refused,
  ],
  [
    'SendMessageBatch: a group of 129 letters',
    () => batch('shards.fifo', { ...fifo, MessageGroupId: x(129) }),
    refused,
  ],
  ['SendMessageBatch: a group in a standard queue', () => batch('publish', fifo), 'InvalidParameterValue'],
  ['SendMessageBatch: no entry', () => batch('publish'), refused],
  ['SendMessageBatch: 10 entries', () => batch('given-up', ...Array(10).fill({})), taken],
  ['SendMessageBatch: 11 entries', () => batch('publish', ...Array(11).fill({})), refused],
  [
    'ReceiveMessage: 11 messages',
    () =>
      sqs.send(new Sqs.ReceiveMessageCommand({ ...at('publish'), ...receiving, MaxNumberOfMessages: 11 })),
    refused,
  ],
  [
    'ReceiveMessage: hidden for more than 12 h',
    () =>
      sqs.send(new Sqs.ReceiveMessageCommand({ ...at('publish'), ...receiving, VisibilityTimeout: 43_201 })),
    refused,
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
    refused,
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
    refused,
  ],
  [
    'Invoke: an unknown function',
    () => lambda.send(new Lambda.InvokeCommand({ FunctionName: Name })),
    'UnknownOperationException',
  ],
])('EMB-6 %s', async (_, ask, name) => {
  const outcome = await ask().then(
    () => taken,
    (error: Error) => error.name,
  );

  expect(outcome).toBe(name);
});

test('EMB-6 S-18 no answer about a connection has the value of its key', async () => {
  const answers = [
    await events.send(new Events.CreateConnectionCommand({ ...connection, Name: 'of-s18' })),
    await events.send(new Events.UpdateConnectionCommand({ ...connection, Name: 'of-s18' })),
    await events.send(new Events.DescribeConnectionCommand({ Name: 'of-s18' })),
    await events.send(new Events.ListConnectionsCommand({ NamePrefix: 'of-s18', Limit: 100 })),
    await events.send(new Events.DeleteConnectionCommand({ Name: 'of-s18' })),
  ];

  expect(JSON.stringify(answers)).not.toContain('the-signature');
  expect(answers[2]).toMatchObject({
    ConnectionState: 'AUTHORIZED',
    AuthParameters: { ApiKeyAuthParameters: { ApiKeyName: 'X-Signature' } },
  });
});

test('EMB-6 Invoke answers with the result, or names the fault of the function', async () => {
  const payload = async (FunctionName: string) => {
    const { Payload, FunctionError } = await lambda.send(
      new Lambda.InvokeCommand({ FunctionName, Payload: '{"a":1}' }),
    );
    return [Buffer.from(Payload ?? '').toString(), FunctionError];
  };

  expect(await payload('v2-read')).toEqual(['{"a":1}', undefined]);
  expect(await payload('v2-write')).toEqual([
    '{"errorType":"Error","errorMessage":"threw TypeError: no"}',
    'Unhandled',
  ]);
});
