import {
  DeleteApiDestinationCommand,
  DeleteConnectionCommand,
  DeleteRuleCommand,
  DescribeApiDestinationCommand,
  DescribeConnectionCommand,
  DescribeRuleCommand,
  ListTargetsByRuleCommand,
  PutRuleCommand,
  PutTargetsCommand,
  RemoveTargetsCommand,
  type Target,
  UpdateApiDestinationCommand,
  UpdateConnectionCommand,
} from '@aws-sdk/client-eventbridge';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import { foundOf } from '../../../functions/shared/outbound/endpoint/inspect.ts';
import { type EventBridge, readEndpoint } from '../../../functions/shared/outbound/endpoint/state.ts';
import { aPartner } from '../../support/builders/a-partner.ts';
import { anEndpointWorld } from '../../support/memory/endpoint-world.ts';
import { createMemoryEventBridge } from '../../support/memory/event-bridge.ts';
import { removeEndpoint } from '../../support/stage/made-endpoint.ts';
import { startTestBus, type TestBus } from '../../support/stage/messaging.ts';

const place = {
  stage: 'local',
  busName: 'transactions-local',
  deliveryRoleArn: 'arn:aws:iam::000000000000:role/delivery',
  deadLetterQueueArn: 'arn:aws:sqs:eu-west-2:000000000000:DeadLetters',
};
const url = 'https://partner.example/hook';
const { clientId } = aPartner();
const Name = 'transactions-local-ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ofRule = { Rule: Name, EventBusName: 'transactions-local' };

/** One bus for all tests of the file: what a test leaves, the next one takes away. */
let embedded: TestBus | undefined;
afterAll(async () => {
  await embedded?.stop();
  embedded?.remove();
});
const onTheStage = async () => {
  embedded ??= await startTestBus();
  const { client } = embedded;
  await removeEndpoint(clientId, { client, settings: place });
  return client;
};

const buses: [string, () => Promise<EventBridge>][] = [
  ['in memory', async () => createMemoryEventBridge()],
  ['on the embedded stage', onTheStage],
];

describe.each(buses)('a partner’s endpoint %s', (_where, openBus) => {
  /** One whose endpoint is there. */
  const made = async (changes: Partial<Partner> = {}) => {
    const client = await openBus();
    const world = anEndpointWorld({ client, effectMs: 0 });
    const partner = await world.create({ webhookUrl: url, ...changes });
    const calls = await world.invoke({ clientId });
    await world.passTime(60_000);
    const codes = async () =>
      foundOf(await readEndpoint(client, place, clientId), { partner, servedUrl: url }, place).differences;
    const changesOf = (some: readonly string[]) =>
      some.filter((call) => /^(Create|Update|Delete|Put|Remove)/.test(call));
    return { client, world, partner, codes, first: changesOf(calls), changesOf };
  };

  test('is a connection, an API destination, a rule and its target', async () => {
    const { client, first, codes } = await made();

    expect(first).toEqual(['CreateConnection', 'CreateApiDestination', 'PutRule', 'PutTargets']);
    expect(await codes()).toEqual([]);
    const connection = await client.send(new DescribeConnectionCommand({ Name }));
    expect(connection).toMatchObject({
      Description: 'Signature of 2023-11-14T22:13:20.000Z',
      AuthorizationType: 'API_KEY',
      ConnectionState: 'AUTHORIZED',
      AuthParameters: { ApiKeyAuthParameters: { ApiKeyName: 'X-Webhook-Signature' } },
    });
    const destination = await client.send(new DescribeApiDestinationCommand({ Name }));
    expect(destination).toMatchObject({
      ConnectionArn: connection.ConnectionArn,
      InvocationEndpoint: 'https://partner.example/hook',
      HttpMethod: 'POST',
    });
    expect(
      await client.send(new DescribeRuleCommand({ Name, EventBusName: 'transactions-local' })),
    ).toMatchObject({
      State: 'ENABLED',
      EventPattern: '{"detail":{"to":["ABCDEFGHIJKLMNOPQRSTUVWXYZ"]}}',
    });
    const { Targets } = await client.send(new ListTargetsByRuleCommand(ofRule));
    expect(Targets).toEqual([
      {
        Id: 'partner',
        Arn: destination.ApiDestinationArn,
        RoleArn: 'arn:aws:iam::000000000000:role/delivery',
        InputPath: '$.detail.message',
        HttpParameters: {
          HeaderParameters: {
            'Idempotency-Key': '$.detail.delivery.id',
            'X-Transaction-From-Version': '$.detail.delivery.from',
            'X-Transaction-Version': '$.detail.delivery.to',
            'X-Transaction-Omitted': '$.detail.delivery.omitted',
          },
        },
        RetryPolicy: { MaximumRetryAttempts: 185, MaximumEventAgeInSeconds: 86_400 },
        DeadLetterConfig: { Arn: 'arn:aws:sqs:eu-west-2:000000000000:DeadLetters' },
      },
    ]);
  });

  test('S-87 has nothing of a next signature', async () => {
    const { world, codes, changesOf } = await made();

    await world.announce(1);
    const calls = await world.invoke({ clientId });

    expect(changesOf(calls)).toEqual([]);
    expect(await codes()).toEqual([]);
  });

  test('S-22 no response about it has a signature', async () => {
    const { client, world } = await made();
    await world.rotate(1);
    await world.announce(2);
    await world.invoke({ clientId });

    const answers = [
      await client.send(new DescribeConnectionCommand({ Name })),
      await client.send(new DescribeApiDestinationCommand({ Name })),
      await client.send(new ListTargetsByRuleCommand(ofRule)),
      ...[world.logged, await world.status()],
    ];

    for (const value of ['s', 'n']) expect(JSON.stringify(answers)).not.toContain(value.repeat(64));
  });

  type Damage = (client: EventBridge) => Promise<unknown>;
  const sent =
    (command: object): Damage =>
    (client) =>
      client.send(command as never);
  const put =
    (changes: Partial<Target>): Damage =>
    async (client) => {
      const { Targets = [] } = await client.send(new ListTargetsByRuleCommand(ofRule));
      const target = { Id: '', Arn: '', ...Targets[0], ...changes };
      return client.send(new PutTargetsCommand({ ...ofRule, Targets: [target] }));
    };
  const rule = { Name, EventBusName: 'transactions-local' };
  const noConnection = sent(new DeleteConnectionCommand({ Name }));
  const noDestination = sent(new DeleteApiDestinationCommand({ Name }));
  const noTarget = sent(new RemoveTargetsCommand({ ...ofRule, Ids: ['partner'] }));
  const noRule = sent(new DeleteRuleCommand(rule));
  const connected = (changes: object) => sent(new UpdateConnectionCommand({ Name, ...changes }));
  const ruled = (changes: object) => sent(new PutRuleCommand({ ...rule, ...changes }));
  const led = (InvocationEndpoint: string) =>
    sent(new UpdateApiDestinationCommand({ Name, InvocationEndpoint }));
  const otherHeader = { ApiKeyAuthParameters: { ApiKeyName: 'X-Other', ApiKeyValue: 'v' } };
  const formerSignature = 'Signature of 2020-01-01T00:00:00.000Z';
  const forOthers = '{"detail":{"to":["somebody-else"]}}';
  const sameInOtherWords = '{ "detail": { "to": ["ABCDEFGHIJKLMNOPQRSTUVWXYZ"] } }';

  const damages: [string, string, Damage][] = [
    ['its connection gone', 'CONNECTION_MISSING DESTINATION_DIFFERS', noConnection],
    ['another header', 'CONNECTION_DIFFERS', connected({ AuthParameters: otherHeader })],
    ['another signature', 'SIGNATURE_DIFFERS', connected({ Description: formerSignature })],
    ['its destination gone', 'DESTINATION_MISSING TARGET_DIFFERS', noDestination],
    ['its destination led elsewhere', 'DESTINATION_DIFFERS', led('https://thief.example/')],
    ['its rule gone', 'RULE_MISSING', (client) => noTarget(client).then(() => noRule(client))],
    ['its rule for others', 'RULE_DIFFERS', ruled({ EventPattern: forOthers })],
    ['its rule disabled', 'RULE_DISABLED', ruled({ State: 'DISABLED', EventPattern: sameInOtherWords })],
    ['its target gone', 'TARGET_MISSING', noTarget],
    ['the whole entry as body', 'TARGET_DIFFERS', put({ InputPath: '$.detail' })],
    ['no headers', 'TARGET_DIFFERS', put({ HttpParameters: { HeaderParameters: {} } })],
    ['a second target', 'TARGET_FOREIGN', put({ Id: 'spy' })],
  ];

  test.each(damages)('D-09 with %s is found as %s, and repaired', async (_damage, codesOfIt, damage) => {
    const { client, world, codes } = await made();
    await damage(client);

    const before = await codes();
    await world.invoke({ clientId });

    expect(before.join(' ')).toBe(codesOfIt);
    expect(await codes()).toEqual([]);
  });

  test('is removed from its target on, after the leases of earlier senders', async () => {
    const { client, world, changesOf } = await made();
    const partsNow = async () => {
      const none = { partner: undefined, servedUrl: undefined };
      return foundOf(await readEndpoint(client, place, clientId), none, place).parts;
    };
    await world.change({ webhookUrl: undefined });

    await world.invoke({ clientId });
    await world.passTime(19_000);
    const before = await partsNow();
    await world.passTime(1_000);

    expect(before).toEqual(['connection', 'destination', 'rule', 'target']);
    expect(changesOf(world.calls)).toEqual([
      'RemoveTargets',
      'DeleteRule',
      'DeleteApiDestination',
      'DeleteConnection',
    ]);
    expect(await partsNow()).toEqual([]);
  });
});

test('S-27 a connection uses the stage’s key, if it has one', async () => {
  const world = anEndpointWorld();
  world.deps.bus.settings = { ...place, connectionKeyArn: 'arn:aws:kms:eu-west-2:000000000000:key/k' };
  await world.create();

  await world.invoke({ clientId });

  expect(world.memory.connections.get(Name)).toMatchObject({
    KmsKeyIdentifier: 'arn:aws:kms:eu-west-2:000000000000:key/k',
  });
});
