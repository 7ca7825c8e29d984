import {
  CreateApiDestinationCommand,
  CreateConnectionCommand,
  DeleteApiDestinationCommand,
  DeleteConnectionCommand,
  DeleteRuleCommand,
  DescribeApiDestinationCommand,
  DescribeConnectionCommand,
  DescribeEventBusCommand,
  DescribeRuleCommand,
  EnableRuleCommand,
  ListConnectionsCommand,
  ListTargetsByRuleCommand,
  PutEventsCommand,
  PutRuleCommand,
  PutTargetsCommand,
  RemoveTargetsCommand,
  type Target,
  UpdateApiDestinationCommand,
  UpdateConnectionCommand,
} from '@aws-sdk/client-eventbridge';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  entryFor,
  publish,
  registerPartner,
  startTestBus,
  type TestBus,
  testBus,
} from '../../support/stage/messaging.ts';

let bus: TestBus;
beforeEach(async () => {
  bus = await startTestBus();
});
afterEach(async () => {
  await bus.stop();
  bus.remove();
});
/** The answer to a command of the SDK's client, of any type. */
const send = async (command: unknown) => {
  const { $metadata: _, ...answer } = await bus.client.send(command as PutRuleCommand);
  return answer as Record<string, unknown>;
};
const refused = (command: unknown, name: string, message?: unknown) =>
  expect(send(command)).rejects.toMatchObject({ name, ...(message !== undefined && { message }) });

const named = { Name: 'acme', EventBusName: 'Bus' };
const rule = { ...named, EventPattern: '{"detail":{"to":["acme"]}}' };
const ofRule = { Rule: 'acme', EventBusName: 'Bus' };
const url = 'https://acme.example/hook';
const apiKey = (ApiKeyValue: string) => ({
  ApiKeyAuthParameters: { ApiKeyName: 'X-Webhook-Signature', ApiKeyValue },
});
const AuthorizationType = 'API_KEY' as const;
const connection = { Name: 'acme', AuthorizationType, AuthParameters: apiKey('the-signature') };

describe('PutEvents', () => {
  const good = entryFor('acme', 'e1');

  test('I13 each of ten entries has its own answer: an id, for an unknown bus too, or what is wrong with it', async () => {
    const id = { EventId: expect.stringMatching(/^[0-9a-f-]{36}$/) };
    const invalid = (name: string, why: string) => ({
      ErrorCode: 'InvalidArgument',
      ErrorMessage: `Parameter ${name} is not valid. Reason: ${name} ${why}`,
    });
    const malformed = { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
    const unauthorized = 'NotAuthorizedForSourceException';
    const answers: [object, object][] = [
      [{}, id],
      [{ Source: undefined }, invalid('Source', 'is a required argument.')],
      [{ DetailType: undefined }, invalid('DetailType', 'is a required argument.')],
      [{ Detail: undefined }, invalid('Detail', 'is a required argument.')],
      [{ Detail: '{"a":' }, malformed],
      [{ Detail: '[]' }, malformed],
      [{ Detail: 'null' }, malformed],
      [{ DetailType: 'x'.repeat(129) }, invalid('DetailType', 'is too long.')],
      [{ Source: 'aws.ec2' }, { ErrorCode: unauthorized, ErrorMessage: 'Not authorized for the source.' }],
      [{ DetailType: 'x'.repeat(128), EventBusName: 'Elsewhere', Time: new Date(0) }, id],
    ];

    const Entries = answers.map(([changes]) => ({ ...good, ...changes }));

    expect(await send(new PutEventsCommand({ Entries }))).toEqual({
      ...{ FailedEntryCount: 8, Entries: answers.map(([, answer]) => answer) },
    });
  });

  test.each([0, 11])('I13 %d entries are refused', async (count) => {
    await refused(new PutEventsCommand({ Entries: Array(count).fill(good) }), 'ValidationException');
  });

  test('I13 a request of one byte under 1 MB is taken, one of 1 MB is not', async () => {
    const named = Buffer.byteLength(`${good.Source}${good.DetailType}{"a":""}`);
    const ofBytes = (bytes: number) => ({ ...good, Detail: `{"a":"é${'x'.repeat(bytes - named - 2)}"}` });

    expect((await publish(bus, ofBytes(1_048_575))).FailedEntryCount).toBe(0);
    const tooLarge = new PutEventsCommand({ Entries: [ofBytes(1_048_576)] });
    const message = 'Total size of the entries in the request is over the limit.';
    await refused(tooLarge, 'ValidationException', message);
  });
});

test.each(['Bus', testBus.arn])('the bus is described by %s', async (Name) => {
  expect(await send(new DescribeEventBusCommand({ Name }))).toEqual({ Name: 'Bus', Arn: testBus.arn });
});

describe('rules and targets', () => {
  let target: Target;
  const targets = async () => (await bus.client.send(new ListTargetsByRuleCommand(ofRule))).Targets;
  beforeEach(async () => {
    await registerPartner(bus, 'acme', url);
    [target] = (await targets()) as [Target];
  });

  test('a rule is described as it was put; what a later put leaves out is gone, its targets are not', async () => {
    const full = { ...rule, Description: 'of acme', State: 'DISABLED' as const };
    const Arn = 'arn:aws:events:eu-west-2:000000000000:rule/Bus/acme';

    await send(new PutRuleCommand(full));
    expect(await send(new DescribeRuleCommand(named))).toEqual({ ...full, Arn });
    await send(new PutRuleCommand(rule));
    expect(await send(new DescribeRuleCommand(named))).toEqual({ ...rule, State: 'ENABLED', Arn });
    expect(await targets()).toEqual([target]);
  });

  test('a rule with targets is not deleted; without them it is', async () => {
    const hasTargets = "Rule can't be deleted since it has targets.";
    const isNone = 'Rule acme does not exist on EventBus Bus.';
    const removal = new RemoveTargetsCommand({ ...ofRule, Ids: ['partner', 'nobody'] });

    await refused(new DeleteRuleCommand(named), 'ValidationException', hasTargets);
    expect(await send(removal)).toEqual({ FailedEntryCount: 0, FailedEntries: [] });
    await send(new DeleteRuleCommand(named));
    await refused(new DescribeRuleCommand(named), 'ResourceNotFoundException', isNone);
  });

  test.each([
    ['no JSON', '{'],
    ['an operator that the stage does not know', '{"source":[{"cidr":"10.0.0.0/8"}]}'],
    ['a pattern that is no object', '[]'],
  ])('%s as a pattern is refused by name', async (_, EventPattern) => {
    const why = expect.stringContaining('Event pattern is not valid. Reason: ');

    await refused(new PutRuleCommand({ ...rule, EventPattern }), 'InvalidEventPatternException', why);
  });

  const path = 'paths like $.detail.message';
  const oldest = { RetryPolicy: { MaximumEventAgeInSeconds: 59 } };
  const long = { HttpParameters: { HeaderParameters: { 'X-A': 'x'.repeat(513) } } };
  test.each<[string, Partial<Target>, string]>([
    ['a target that is no API destination', { Arn: 'arn:aws:sqs:eu-west-2:0:q' }, 'Only API destinations.'],
    ['a target without a role', { RoleArn: undefined }, 'A role is required for API destinations.'],
    ['an input transformer', { InputTransformer: { InputTemplate: '1' } }, '"InputTransformer"'],
    ['Input and InputPath', { Input: '{}' }, 'Input or InputPath, not both.'],
    ['another kind of path', { InputPath: '$.a[0]' }, path],
    ['path parameters', { HttpParameters: { PathParameterValues: ['a'] } }, '"PathParameterValues"'],
    ['186 retries', { RetryPolicy: { MaximumRetryAttempts: 186 } }, 'MaximumRetryAttempts'],
    ['an age of 59 s', oldest, 'MaximumEventAgeInSeconds'],
    ['a header over 512 letters', long, 'HeaderParameters.X-A'],
  ])('%s is refused by name', async (_, changes, said) => {
    const Targets = [{ ...target, ...changes }];
    const why = expect.stringContaining(said);

    await refused(new PutTargetsCommand({ ...ofRule, Targets }), 'ValidationException', why);
  });

  test('a rule has at most five targets', async () => {
    const Targets = ['a', 'b', 'c', 'd', 'e'].map((Id) => ({ ...target, Id }));

    await refused(new PutTargetsCommand({ ...ofRule, Targets }), 'LimitExceededException');
  });
});

describe('connections', () => {
  test('S-18 no answer has the value of a key', async () => {
    const AuthParameters = apiKey('the-signature');
    const answers = [
      await send(new CreateConnectionCommand({ ...connection, Description: 'made at noon', AuthParameters })),
      await send(new UpdateConnectionCommand({ Name: 'acme', AuthParameters })),
      await send(new DescribeConnectionCommand({ Name: 'acme' })),
      await send(new ListConnectionsCommand({ NamePrefix: 'acme', Limit: 100 })),
      await send(new DeleteConnectionCommand({ Name: 'acme' })),
    ];

    expect(JSON.stringify(answers)).not.toMatch(/the-signature/);
    expect(answers[3]).toMatchObject({ Connections: [{ Name: 'acme', ConnectionState: 'AUTHORIZED' }] });
    expect(answers[2]).toMatchObject({
      Name: 'acme',
      Description: 'made at noon',
      ConnectionArn: expect.stringMatching(
        /^arn:aws:events:eu-west-2:000000000000:connection\/acme\/[0-9a-f-]{36}$/,
      ),
      ConnectionState: 'AUTHORIZED',
      AuthorizationType: 'API_KEY',
      AuthParameters: { ApiKeyAuthParameters: { ApiKeyName: 'X-Webhook-Signature' } },
      CreationTime: expect.any(Date),
      LastModifiedTime: expect.any(Date),
    });
  });

  test.each([
    ['another kind of authorisation', { AuthorizationType: 'BASIC' as const }],
    ['a key that would end its header', { AuthParameters: apiKey('a\r\nX-Injected: 1') }],
    ['an empty key', { AuthParameters: apiKey('') }],
  ])('a connection with %s is refused', async (_, changes) => {
    await refused(new CreateConnectionCommand({ ...connection, ...changes }), 'ValidationException');
  });
});

describe('API destinations', () => {
  let ConnectionArn: string;
  beforeEach(async () => {
    ConnectionArn = String((await send(new CreateConnectionCommand(connection))).ConnectionArn);
  });
  const creation = (InvocationEndpoint = url) =>
    new CreateApiDestinationCommand({ Name: 'acme', ConnectionArn, InvocationEndpoint, HttpMethod: 'POST' });

  test('one is described and changed; without its connection it is inactive', async () => {
    const { ApiDestinationArn } = await send(creation());
    await send(new UpdateApiDestinationCommand({ Name: 'acme', InvocationEndpoint: `${url}/2` }));
    const described = await send(new DescribeApiDestinationCommand({ Name: 'acme' }));
    await send(new DeleteConnectionCommand({ Name: 'acme' }));

    expect(described).toMatchObject({
      Name: 'acme',
      ApiDestinationArn,
      ApiDestinationState: 'ACTIVE',
      ConnectionArn,
      InvocationEndpoint: `${url}/2`,
      HttpMethod: 'POST',
      InvocationRateLimitPerSecond: 300,
      CreationTime: expect.any(Date),
    });
    expect(await send(new DescribeApiDestinationCommand({ Name: 'acme' }))).toMatchObject({
      ApiDestinationState: 'INACTIVE',
    });
  });

  test('a second connection or destination of a name is refused as AWS does', async () => {
    await send(creation());

    for (const second of [creation(), new CreateConnectionCommand(connection)])
      await refused(second, 'ResourceAlreadyExistsException');
  });

  test.each([
    ...['https://partner.example/hook?a=1', 'http://127.0.0.1:8788/acme'],
    ...['http://localhost:8788/acme', 'http://[::1]:8788/acme'],
  ])('%s may be a destination on this stage', async (InvocationEndpoint) => {
    await expect(send(creation(InvocationEndpoint))).resolves.toBeDefined();
  });

  test.each([
    ...['http://partner.example/hook', 'http://10.0.0.1/', 'http://127.0.0.1.partner.example/'],
    ...['http://localhost.partner.example/', 'ftp://partner.example/', 'partner.example', ''],
    ...['https://user:secret@partner.example/', 'https://partner.example/*'],
  ])('%j may not', async (InvocationEndpoint) => {
    await refused(creation(InvocationEndpoint), 'ValidationException');
  });
});

const [Name, EventBusName] = ['nobody', 'Bus'];
const Arn = 'arn:aws:events:eu-west-2:000000000000:api-destination/a/1';
const target = { Id: 'a', Arn, RoleArn: 'arn:role' };
const destination = { ConnectionArn: Arn, InvocationEndpoint: url, HttpMethod: 'POST' as const };
test.each(
  [
    new DescribeEventBusCommand({ Name }),
    new DescribeRuleCommand({ Name, EventBusName }),
    new DeleteRuleCommand({ Name, EventBusName }),
    new ListTargetsByRuleCommand({ Rule: Name, EventBusName }),
    new PutTargetsCommand({ Rule: Name, EventBusName, Targets: [target] }),
    new RemoveTargetsCommand({ Rule: Name, EventBusName, Ids: ['a'] }),
    new PutRuleCommand({ ...rule, EventBusName: Name }),
    new DescribeConnectionCommand({ Name }),
    new UpdateConnectionCommand({ Name }),
    new DeleteConnectionCommand({ Name }),
    new CreateApiDestinationCommand({ Name, ...destination }),
    new DescribeApiDestinationCommand({ Name }),
    new UpdateApiDestinationCommand({ Name }),
    new DeleteApiDestinationCommand({ Name }),
  ].map((command) => [command.constructor.name, command]),
)('%s of what is not there is refused as AWS does', async (_, command) => {
  await refused(command, 'ResourceNotFoundException');
});

test('an operation that the stage does not know is refused by name', async () => {
  const message = 'The local stage does not know AWSEvents.EnableRule.';

  await refused(new EnableRuleCommand({ Name: 'acme' }), 'UnknownOperationException', message);
});
