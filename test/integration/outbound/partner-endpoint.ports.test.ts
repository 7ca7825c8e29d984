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
import { createPartnerEndpoints } from '../../../functions/shared/outbound/endpoint/endpoints.ts';
import type { EventBridge } from '../../../functions/shared/outbound/endpoint/state.ts';
import { aPartner } from '../../support/builders/a-partner.ts';
import { createMemoryEventBridge, watchedEventBridge } from '../../support/memory/event-bridge.ts';
import { startTestBus, type TestBus } from '../../support/stage/messaging.ts';

const place = {
  stage: 'local',
  busName: 'Bus',
  deliveryRoleArn: 'arn:aws:iam::000000000000:role/delivery',
  deadLetterQueueArn: 'arn:aws:sqs:eu-west-2:000000000000:DeadLetters',
};
const partner = aPartner({ webhookUrl: 'https://partner.example/hook' });
const { clientId } = partner;
const otherId = 'Z'.repeat(26);
const Name = 'transactions-local-ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ofRule = { Rule: Name, EventBusName: 'Bus' };
const signature = { signature: 's'.repeat(64) };
const rotating = { ...partner, nextSignatureMadeAtMs: Date.parse('2026-11-21T12:00:00Z') };
const both = { ...signature, next: 'n'.repeat(64) };

/** One bus for all tests of the file: what a test leaves, the next one takes away. */
let embedded: TestBus | undefined;
afterAll(async () => {
  await embedded?.stop();
  embedded?.remove();
});
const onTheStage = async () => {
  embedded ??= await startTestBus();
  const { client } = embedded;
  const { remove } = createPartnerEndpoints({ client, settings: place, wait: async () => {} });
  for (const id of [clientId, otherId]) await remove(id);
  return client;
};

const buses: [string, () => Promise<EventBridge>][] = [
  ['in memory', async () => createMemoryEventBridge()],
  ['on the embedded stage', onTheStage],
];

describe.each(buses)('a partner’s endpoint %s', (_where, openBus) => {
  const open = async () => {
    const changes: string[] = [];
    let left = Number.POSITIVE_INFINITY;
    const beforeChange = (name: string) => {
      if (left === 0) throw new Error('It died here');
      left -= 1;
      changes.push(name);
    };
    const { client } = watchedEventBridge(await openBus(), { beforeChange });
    /** So many changes are let through; the next one fails before it counts. */
    const dieAfter = (count: number) => {
      left = count;
    };
    const endpoints = createPartnerEndpoints({ client, settings: place, wait: async () => {} });
    const codes = async (of = partner) => (await endpoints.inspect(of)).map(({ code }) => code);
    /** What an action changes, and nothing before it. */
    const changesOf = async (act: () => Promise<unknown>) => {
      changes.length = 0;
      await act();
      return [...changes];
    };
    return { client, dieAfter, endpoints, codes, changesOf };
  };
  const made = async () => {
    const world = await open();
    await world.endpoints.ensure(partner, signature);
    return world;
  };

  test('is a connection, an API destination, a rule and its target', async () => {
    const { client, endpoints, changesOf } = await open();

    const changes = await changesOf(() => endpoints.ensure(partner, signature));

    expect(changes).toEqual(['CreateConnection', 'CreateApiDestination', 'PutRule', 'PutTargets']);
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
    const rule = await client.send(new DescribeRuleCommand({ Name, EventBusName: 'Bus' }));
    expect(rule).toMatchObject({
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

  test('is left alone when it is as it should be', async () => {
    const { endpoints, changesOf, codes } = await made();

    expect(await codes()).toEqual([]);
    expect(await changesOf(() => endpoints.ensure(partner, signature))).toEqual([]);
  });

  test.each([
    [
      'another address',
      { ...partner, webhookUrl: 'https://partner.example/2' },
      signature,
      'UpdateApiDestination',
    ],
    ['an announced signature', rotating, both, 'UpdateConnection'],
    ['a new signature', { ...partner, signatureMadeAtMs: 7 }, { signature: 'n' }, 'UpdateConnection'],
  ])('%s is one change, and the rule keeps its target', async (_what, after, next, change) => {
    const { endpoints, changesOf, codes } = await made();

    expect(await codes(after)).toHaveLength(change === 'UpdateConnection' && after === rotating ? 2 : 1);
    expect(await changesOf(() => endpoints.ensure(after, next))).toEqual([change]);
    expect(await codes(after)).toEqual([]);
  });

  test('the header of an announced signature is there for the rotation only', async () => {
    const { client, endpoints } = await made();
    const headers = async () => {
      const { AuthParameters } = await client.send(new DescribeConnectionCommand({ Name }));
      return AuthParameters?.InvocationHttpParameters?.HeaderParameters?.map(({ Key }) => Key) ?? [];
    };

    await endpoints.ensure(rotating, both);
    const during = await headers();
    await endpoints.ensure(partner, signature);

    expect(during).toEqual(['X-Webhook-Signature-Next']);
    expect(await headers()).toEqual([]);
  });

  test('S-22 no question about it is answered with a signature', async () => {
    const { client, endpoints } = await made();
    await endpoints.ensure(rotating, both);

    const answers = [
      await client.send(new DescribeConnectionCommand({ Name })),
      await client.send(new DescribeApiDestinationCommand({ Name })),
      await client.send(new ListTargetsByRuleCommand(ofRule)),
      await endpoints.inspect(partner),
    ];

    for (const value of [both.signature, both.next]) expect(JSON.stringify(answers)).not.toContain(value);
  });

  const target = async (client: EventBridge): Promise<Target> =>
    (await client.send(new ListTargetsByRuleCommand(ofRule))).Targets?.[0] ?? { Id: '', Arn: '' };
  const put = async (client: EventBridge, changed: Partial<Target>) =>
    client.send(new PutTargetsCommand({ ...ofRule, Targets: [{ ...(await target(client)), ...changed }] }));
  const noTarget = (client: EventBridge) =>
    client.send(new RemoveTargetsCommand({ ...ofRule, Ids: ['partner'] }));
  const pattern = '{"detail":{"to":["somebody-else"]}}';

  const damages: [string, string[], (client: EventBridge) => Promise<unknown>][] = [
    [
      'its connection gone',
      ['CONNECTION_MISSING', 'DESTINATION_DIFFERS'],
      (client) => client.send(new DeleteConnectionCommand({ Name })),
    ],
    [
      'another header in its connection',
      ['CONNECTION_DIFFERS'],
      (client) =>
        client.send(
          new UpdateConnectionCommand({
            Name,
            AuthParameters: { ApiKeyAuthParameters: { ApiKeyName: 'X-Other', ApiKeyValue: 'v' } },
          }),
        ),
    ],
    [
      'another signature in its connection',
      ['SIGNATURE_DIFFERS'],
      (client) =>
        client.send(
          new UpdateConnectionCommand({ Name, Description: 'Signature of 2020-01-01T00:00:00.000Z' }),
        ),
    ],
    [
      'its destination gone',
      ['DESTINATION_MISSING', 'TARGET_DIFFERS'],
      (client) => client.send(new DeleteApiDestinationCommand({ Name })),
    ],
    [
      'its destination led elsewhere',
      ['DESTINATION_DIFFERS'],
      (client) =>
        client.send(new UpdateApiDestinationCommand({ Name, InvocationEndpoint: 'https://thief.example/' })),
    ],
    [
      'its rule gone',
      ['RULE_MISSING'],
      async (client) => {
        await noTarget(client);
        await client.send(new DeleteRuleCommand({ Name, EventBusName: 'Bus' }));
      },
    ],
    [
      'its rule for others',
      ['RULE_DIFFERS'],
      (client) => client.send(new PutRuleCommand({ Name, EventBusName: 'Bus', EventPattern: pattern })),
    ],
    [
      'its rule disabled',
      ['RULE_DISABLED'],
      (client) =>
        client.send(
          new PutRuleCommand({
            ...{ Name, EventBusName: 'Bus', State: 'DISABLED' },
            EventPattern: '{ "detail": { "to": ["ABCDEFGHIJKLMNOPQRSTUVWXYZ"] } }',
          }),
        ),
    ],
    ['its target gone', ['TARGET_MISSING'], noTarget],
    ['the whole entry as body', ['TARGET_DIFFERS'], (client) => put(client, { InputPath: '$.detail' })],
    [
      'fewer retries',
      ['TARGET_DIFFERS'],
      (client) => put(client, { RetryPolicy: { MaximumRetryAttempts: 1, MaximumEventAgeInSeconds: 60 } }),
    ],
    ['no headers', ['TARGET_DIFFERS'], (client) => put(client, { HttpParameters: { HeaderParameters: {} } })],
    [
      'another dead-letter queue',
      ['TARGET_DIFFERS'],
      (client) => put(client, { DeadLetterConfig: { Arn: 'arn:aws:sqs:eu-west-2:000000000000:Other' } }),
    ],
    ['a second target', ['TARGET_FOREIGN'], (client) => put(client, { Id: 'spy' })],
  ];

  test.each(damages)('with %s is found as %j, and mended', async (_damage, codesOfIt, damage) => {
    const { client, endpoints, codes } = await made();
    await damage(client);

    const before = await endpoints.inspect(partner);
    await endpoints.ensure(partner, signature);

    expect(before.map(({ code }) => code)).toEqual(codesOfIt);
    for (const { sentence } of before) expect(sentence).toMatch(/^[A-Z].*\.$/);
    expect(await codes()).toEqual([]);
  });

  test.each([0, 1, 2, 3])('whoever dies after %i changes of making it can make it again', async (count) => {
    const { endpoints, dieAfter, codes } = await open();
    dieAfter(count);
    await expect(endpoints.ensure(partner, signature)).rejects.toThrow('It died here');
    dieAfter(Number.POSITIVE_INFINITY);

    await endpoints.ensure(partner, signature);

    expect(await codes()).toEqual([]);
  });

  test('a rule that matches is never without its target while the rest changes, wherever that dies', async () => {
    const after = { ...rotating, webhookUrl: 'https://partner.example/2' };
    const { endpoints, dieAfter, codes } = await made();

    for (const count of [0, 1]) {
      await endpoints.ensure(partner, signature);
      dieAfter(count);
      await expect(endpoints.ensure(after, both)).rejects.toThrow('It died here');
      dieAfter(Number.POSITIVE_INFINITY);
      expect((await codes(after)).filter((code) => /^(RULE|TARGET)/.test(code))).toEqual([]);
    }
    await endpoints.ensure(after, both);
    expect(await codes(after)).toEqual([]);
  });

  test('is removed from its target on, so that nothing is delivered any more', async () => {
    const { endpoints, changesOf, codes } = await made();
    const { webhookUrl: _, ...without } = partner;

    const before = await codes(without);
    const changes = await changesOf(() => endpoints.remove(clientId));

    expect(before).toEqual(['LEFT_OVER']);
    expect(changes).toEqual(['RemoveTargets', 'DeleteRule', 'DeleteApiDestination', 'DeleteConnection']);
    expect(await codes(without)).toEqual([]);
  });

  test.each([0, 1, 2, 3])(
    'whoever dies after %i changes of removing it can remove it again',
    async (count) => {
      const { endpoints, dieAfter, codes } = await made();
      const { webhookUrl: _, ...without } = partner;
      dieAfter(count);
      await expect(endpoints.remove(clientId)).rejects.toThrow('It died here');
      dieAfter(Number.POSITIVE_INFINITY);

      await endpoints.remove(clientId);
      await endpoints.remove(clientId);

      expect(await codes(without)).toEqual([]);
    },
  );

  test('can be without its target for a while', async () => {
    const { endpoints, changesOf, codes } = await made();

    expect(await changesOf(() => endpoints.detach(clientId))).toEqual(['RemoveTargets']);
    expect(await changesOf(() => endpoints.detach(clientId))).toEqual([]);
    expect(await codes()).toEqual(['TARGET_MISSING']);
    expect(await changesOf(() => endpoints.ensure(partner, signature))).toEqual(['PutTargets']);
  });

  test('is its own: what happens to another partner’s does not touch it', async () => {
    const { endpoints, codes } = await made();
    const other = { ...partner, clientId: otherId };

    await endpoints.ensure(other, both);
    await endpoints.detach(other.clientId);
    await endpoints.remove(other.clientId);

    expect(await codes()).toEqual([]);
  });
});

describe('a bus that is slow, or refuses', () => {
  test('a connection that is still going away is waited for', async () => {
    const memory = createMemoryEventBridge();
    const waits: number[] = [];
    const endpoints = createPartnerEndpoints({
      client: memory,
      settings: place,
      wait: async (ms) => {
        waits.push(ms);
        if (waits.length === 3) memory.connections.delete(Name);
      },
    });
    await endpoints.ensure(partner, signature);
    Object.assign(memory.connections.get(Name) ?? {}, { ConnectionState: 'DELETING' });

    await endpoints.ensure(partner, signature);

    expect(waits).toEqual([1_000, 1_000, 1_000]);
    expect(await endpoints.inspect(partner)).toEqual([]);
  });

  test.each(['AUTHORIZING', 'UPDATING'])(
    'S-27 a signature counts when the bus has taken it in: a connection that is %s is waited for',
    async (ConnectionState) => {
      const memory = createMemoryEventBridge();
      const connection = () => memory.connections.get(Name) ?? {};
      const waits: number[] = [];
      const client = {
        send: async (command: object) => {
          const answer = await memory.send(command as never);
          if (command instanceof UpdateConnectionCommand) Object.assign(connection(), { ConnectionState });
          return answer;
        },
      } as unknown as EventBridge;
      const wait = async (ms: number) => {
        waits.push(ms);
        if (waits.length === 2) Object.assign(connection(), { ConnectionState: 'AUTHORIZED' });
      };
      const endpoints = createPartnerEndpoints({ client, settings: place, wait });
      await endpoints.ensure(partner, signature);

      await endpoints.ensure(rotating, both);

      expect(waits).toEqual([1_000, 1_000]);
      expect(await endpoints.inspect(rotating)).toEqual([]);
    },
  );

  test('one that never comes to rest is given up after a minute', async () => {
    const memory = createMemoryEventBridge();
    let waitedMs = 0;
    const wait = async (ms: number) => {
      waitedMs += ms;
    };
    const endpoints = createPartnerEndpoints({ client: memory, settings: place, wait });
    await endpoints.ensure(partner, signature);
    Object.assign(memory.connections.get(Name) ?? {}, { ConnectionState: 'UPDATING' });

    await expect(endpoints.ensure(rotating, both)).rejects.toThrow(
      'The bus is still busy with transactions-local-ABCDEFGHIJKLMNOPQRSTUVWXYZ: try again',
    );
    expect(waitedMs).toBe(60_000);
  });

  test('S-27 a connection is made under the stage’s own key, where it has one', async () => {
    const memory = createMemoryEventBridge();
    const keyed = { ...place, connectionKeyArn: 'arn:aws:kms:eu-west-2:000000000000:key/k' };
    const endpoints = createPartnerEndpoints({ client: memory, settings: keyed, wait: async () => {} });

    await endpoints.ensure(partner, signature);

    expect(memory.connections.get(Name)).toMatchObject({ KmsKeyIdentifier: keyed.connectionKeyArn });
  });

  test('S-22 a refusal that quotes the signature is passed on without it', async () => {
    const memory = createMemoryEventBridge();
    const client = {
      send: async (command: object) => {
        if (!command.constructor.name.startsWith('CreateConnection')) return memory.send(command as never);
        throw Object.assign(new Error(`Value '${both.signature}' or '${both.next}' is too long`), {
          name: 'ValidationException',
        });
      },
    } as unknown as EventBridge;
    const endpoints = createPartnerEndpoints({ client, settings: place, wait: async () => {} });

    const failed = await endpoints.ensure(rotating, both).catch((error: Error) => error);

    expect(failed).toMatchObject({
      name: 'ValidationException',
      message: "Value '(signature)' or '(signature)' is too long",
    });
    expect(String((failed as Error).stack)).not.toMatch(/s{64}|n{64}/);
  });

  test.each(['PutTargets', 'RemoveTargets'])(
    'what %s refuses in an answer of 200 is a fault',
    async (name) => {
      const memory = createMemoryEventBridge();
      const client = {
        send: async (command: object) =>
          command.constructor.name === `${name}Command`
            ? { FailedEntryCount: 1, FailedEntries: [{ ErrorCode: 'ConcurrentModificationException' }] }
            : memory.send(command as never),
      } as unknown as EventBridge;
      const endpoints = createPartnerEndpoints({ client, settings: place, wait: async () => {} });
      const act = async () => {
        await endpoints.ensure(partner, signature);
        await endpoints.remove(clientId);
      };

      await expect(act()).rejects.toThrow(
        'The bus refused the target (ConcurrentModificationException): try again',
      );
    },
  );
});
