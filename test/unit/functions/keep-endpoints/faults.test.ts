import { ListTargetsByRuleCommand, RemoveTargetsCommand } from '@aws-sdk/client-eventbridge';
import { describe, expect, test } from '@jest/globals';
import { pollInTurn } from '../../../../functions/keep-endpoints/turn.ts';
import { endpointWishOf, isReached } from '../../../../functions/shared/domain/endpoint-wish.ts';
import type { Partner } from '../../../../functions/shared/domain/partner.ts';
import { aPartner } from '../../../support/builders/a-partner.ts';
import { anEndpointWorld, createMemoryInspections } from '../../../support/memory/endpoint-world.ts';
import { createMemoryEventBridge } from '../../../support/memory/event-bridge.ts';
import { directoryOver, endpointsOver } from '../../../support/memory/partners.ts';

const { clientId } = aPartner();
const Name = `transactions-local-${clientId}`;
const message = { clientId };
const url = 'https://partner.example/hook';
const minute = 60_000;

type World = ReturnType<typeof anEndpointWorld>;

const aServedWorld = async () => {
  const world = anEndpointWorld();
  await world.create();
  await world.invoke(message);
  await world.passTime(10 * minute);
  world.logged.length = 0;
  world.reported.length = 0;
  return world;
};

/** The bus of a world, without times of creation. */
const busOf = ({ memory }: World) => ({
  connections: [...memory.connections.values()].map(({ Description }) => Description),
  addresses: [...memory.destinations.values()].map(({ InvocationEndpoint }) => InvocationEndpoint),
  targets: [...memory.rules.values()].map(({ targets }) => targets.length),
});

/** Its end: what the bus has, and what the status says of it. */
const endOf = async (world: World) => {
  const { state, reason, servedUrl, servesFromMs, reached } = (await world.status()) ?? {};
  return { ...busOf(world), state, reason, servedUrl, serves: servesFromMs !== undefined, reached };
};

type Scene = { name: string; open: () => Promise<World>; act: (world: World) => Promise<unknown> };
const changed = (changes: Partial<{ [Key in keyof Partner]: Partner[Key] | undefined }>) => (world: World) =>
  world.change(changes);
const paused = async () => {
  const world = await aServedWorld();
  await world.change({ webhookPaused: 'operator' });
  await world.invoke(message);
  await world.passTime(minute);
  return world;
};
const scenes: Scene[] = [
  { name: 'a first address', open: async () => anEndpointWorld(), act: (world) => world.create() },
  {
    name: 'a new address',
    open: aServedWorld,
    act: changed({ webhookUrl: 'https://partner.example/2', webhookSetAtMs: 1 }),
  },
  {
    name: 'a new address that does not pass',
    open: aServedWorld,
    act: async (world) => {
      world.answers.set('https://partner.example/2', [{ fault: 'timed out' }]);
      await world.change({ webhookUrl: 'https://partner.example/2', webhookSetAtMs: 1 });
    },
  },
  { name: 'an announced signature', open: aServedWorld, act: (world) => world.announce(5) },
  { name: 'a pause', open: aServedWorld, act: changed({ webhookPaused: 'partner' }) },
  { name: 'the end of a pause', open: paused, act: changed({ webhookPaused: undefined }) },
  { name: 'a disabled partner', open: aServedWorld, act: changed({ enabled: false }) },
  {
    name: 'a deleted partner',
    open: aServedWorld,
    act: (world) => world.partners.remove(clientId),
  },
  { name: 'a paused partner without an address', open: paused, act: changed({ webhookUrl: undefined }) },
  {
    name: 'a target that somebody took away',
    open: aServedWorld,
    act: ({ memory }) =>
      memory.send(new RemoveTargetsCommand({ Rule: Name, EventBusName: 'Bus', Ids: ['partner'] })),
  },
];

/**
 * What senders rely on, checked at each change of the bus: a served partner has a rule and a target, and a target is
 * removed only when every sender with an earlier record has ended.
 */
const watchSenders = (world: World) => {
  const broken: string[] = [];
  const { send } = world.memory;
  const look = async (command: object) => {
    const nowMs = world.clock.now().getTime();
    const status = await world.status();
    const serves = (status?.servesFromMs ?? Number.POSITIVE_INFINITY) <= nowMs;
    const partner = await world.partners.byClientId(clientId);
    const isOn = endpointWishOf(partner, false).wanted === 'on';
    const { Targets = [] } = await send(
      new ListTargetsByRuleCommand({ Rule: Name, EventBusName: 'Bus' }),
    ).catch(() => ({ Targets: [] }));
    if (serves && isOn && Targets.length === 0) broken.push('served without a target');
    if (command instanceof RemoveTargetsCommand && (serves || nowMs < (status?.sinceMs ?? 0) + 20_000))
      broken.push('a target went too early');
  };
  world.memory.send = (async (command: object) => {
    if (command instanceof RemoveTargetsCommand) await look(command);
    const answer = await send(command as never);
    if (!/^(Describe|List|RemoveT)/.test(command.constructor.name)) await look(command);
    return answer;
  }) as unknown as typeof send;
  return broken;
};

describe.each(scenes)('$name', ({ open, act }) => {
  const opened = async () => {
    const world = await open();
    await act(world);
    return { world, broken: watchSenders(world) };
  };

  test('I19 an invocation that is killed before or after any call is completed by the next one', async () => {
    const { world: whole, broken } = await opened();
    await whole.invoke(message);
    await whole.passTime(30 * minute);
    const end = await endOf(whole);
    expect(broken).toEqual([]);
    let deaths = 0;

    for (const isDone of [false, true])
      for (let call = 1; ; call += 1) {
        const { world, broken: brokenByDeath } = await opened();
        const isOver = !(await world.invokeAndKill(message, { call, isDone }));
        // SQS shows the message again.
        await world.invoke(message);
        await world.passTime(30 * minute);
        const { servesFromMs = 0 } = (await world.status()) ?? {};
        const keptIsSent = world.sentKept.filter(({ atMs }) => atMs >= servesFromMs).length;

        expect({ call, isDone, ...(await endOf(world)) }).toEqual({ call, isDone, ...end });
        expect(brokenByDeath).toEqual([]);
        expect(keptIsSent).toBeGreaterThanOrEqual(whole.sentKept.length > 0 ? 1 : 0);
        expect(world.ended.length).toBeGreaterThanOrEqual(whole.ended.length);
        if (isOver) break;
        deaths += 1;
      }

    expect(deaths).toBeGreaterThan(10);
  });

  test('a message that comes twice, or again much later, changes nothing', async () => {
    const { world } = await opened();
    await world.invoke(message);
    await world.invoke(message);
    await world.passTime(30 * minute);
    const end = structuredClone(await world.status());
    const kept = world.sentKept.length;

    await world.invoke(message);
    await world.passTime(minute);

    expect(await world.status()).toEqual(end);
    expect(world.sentKept).toHaveLength(kept);
  });
});

describe('two concurrent changes', () => {
  test('the second change is done by its own message', async () => {
    const world = await aServedWorld();
    await world.change({ webhookPaused: 'operator' });
    const { read } = world.deps.endpoints;
    world.deps.endpoints.read = async (asked) => {
      const record = await read(asked);
      world.deps.endpoints.read = read;
      await world.change({ webhookPaused: undefined });
      return record;
    };

    await world.invoke(message);
    const between = await world.status();
    await world.invoke(message);
    await world.passTime(10 * minute);

    expect(between).toMatchObject({ state: 'paused' });
    expect(await endOf(world)).toMatchObject({ state: 'on', serves: true, targets: [1] });
  });

  test('a partner that is deleted meanwhile is left to its own message', async () => {
    const world = await aServedWorld();
    await world.change({ webhookPaused: 'operator' });
    const { read } = world.deps.endpoints;
    world.deps.endpoints.read = async (asked) => {
      const record = await read(asked);
      world.deps.endpoints.read = read;
      await world.partners.remove(clientId);
      return record;
    };

    await world.invoke(message);
    await world.invoke(message);

    expect(busOf(world)).toEqual({ connections: [], addresses: [], targets: [] });
  });
});

/** Takes the schedule's turn, and handles the messages that it sends. */
const takeTurn = async (world: World) => {
  const asked: string[] = [];
  await pollInTurn({
    ...world.deps,
    bus: { ...world.deps.bus, client: world.memory },
    endpoints: endpointsOver(world.partners, world.webhookSwitch),
    requests: { send: async (messages) => void asked.push(...messages.map((one) => one.clientId)) },
    inspections: createMemoryInspections(),
    wait: async () => {},
  });
  for (const one of asked) await world.invoke({ clientId: one });
  return asked;
};

const nothing = { connections: [], addresses: [], targets: [] };

describe('an endpoint whose partner has no record', () => {
  test('EV-21 is removed by the schedule, whatever call was killed and whatever message was lost', async () => {
    let orphans = 0;
    for (const isDone of [false, true])
      for (const open of [async () => anEndpointWorld(), aServedWorld])
        for (let call = 1; ; call += 1) {
          const world = await open();
          if (!(await world.partners.byClientId(clientId))) await world.create();
          else await world.partners.remove(clientId);
          const isOver = !(await world.invokeAndKill(message, { call, isDone }));
          await world.partners.remove(clientId);
          if (world.memory.connections.size > 0) orphans += 1;

          await takeTurn(world);

          expect({ call, isDone, ...busOf(world) }).toEqual({ call, isDone, ...nothing });
          if (isOver) break;
        }

    expect(orphans).toBeGreaterThan(10);
  });

  test('EV-21 DR-14 is removed after a restore of the Partners table to before the partner was created', async () => {
    const world = await aServedWorld();
    await world.partners.remove(clientId);

    const asked = [await takeTurn(world), await takeTurn(world)];

    expect(asked).toEqual([[clientId], []]);
    expect(busOf(world)).toEqual(nothing);
  });

  test('EV-21 is left alone if it belongs to another stage whose name begins alike', async () => {
    const world = await aServedWorld();
    const { memory } = world;
    const others = memory.connections.get(Name);
    if (others) memory.connections.set(`transactions-local-2-${clientId}`, others);
    Object.assign(others ?? {}, { Name: `transactions-local-2-${clientId}` });

    expect(await takeTurn(world)).not.toContain(`2-${clientId}`);
  });
});

describe('a change back to an earlier state', () => {
  const deleted = { enabled: false, webhookUrl: undefined };

  test.each([
    ['checked', {}],
    ['unchecked', { webhookUnchecked: true } as const],
  ])(
    'EV-28 an address, %s, that is removed while its endpoint is created ends with nothing on the bus',
    async (_, how) => {
      for (let call = 1; ; call += 1) {
        const world = anEndpointWorld();
        await world.create(how);
        await world.change({ enabled: false, webhookUrl: undefined });
        await world.invoke(message);
        await world.change({ enabled: true, webhookUrl: url, webhookSetAtMs: 1 });
        const isOver = !(await world.invokeAndKill(message, { call, isDone: true }));
        const gone = await world.change(deleted);
        const { state, reached } = (await world.status()) ?? {};
        const saysOff = state === 'off' && isReached(await world.status(), endpointWishOf(gone, false));

        if (saysOff) expect({ call, reached, ...busOf(world) }).toMatchObject({ call, ...nothing });
        if (isOver) break;
      }
    },
  );

  test('EV-28 a pause during the creation of the target ends without a target', async () => {
    for (let call = 1; ; call += 1) {
      const world = await paused();
      await world.change({ webhookPaused: undefined });
      const isOver = !(await world.invokeAndKill(message, { call, isDone: true }));
      const wish = endpointWishOf(await world.change({ webhookPaused: 'operator' }), false);
      const status = await world.status();
      const saysPaused = status?.state === 'paused' && isReached(status, wish);

      if (saysPaused) expect({ call, ...busOf(world) }).toMatchObject({ call, targets: [0] });
      if (isOver) break;
    }
  });
});

describe('a record that was restored to an earlier state', () => {
  test('I9 a partner that it enables again gets events only after its target is back', async () => {
    const world = await aServedWorld();
    const before = (await world.partners.profileOf(clientId)) ?? undefined;
    await world.change({ enabled: false });
    await world.invoke(message);
    await world.passTime(minute);
    await world.change({ enabled: true });
    world.partners.setEndpoint(clientId, before?.endpoint ?? { state: 'off', sinceMs: 0 });

    const nowMs = world.clock.now().getTime();
    await world.invoke(message);

    expect(await world.status()).toMatchObject({ state: 'on', servesFromMs: nowMs + minute });
    expect(busOf(world)).toMatchObject({ addresses: [url], targets: [1] });
  });

  test('DR-14 a partner without its status has its address checked and gets its target again', async () => {
    const world = await paused();
    await world.change({ webhookPaused: undefined });
    await world.partners.forgetEndpoint(clientId);
    await world.passTime(10 * minute);
    const probes = world.probed.length;

    const nowMs = world.clock.now().getTime();
    await world.invoke(message);

    expect(world.probed.length).toBe(probes + 1);
    expect(await world.status()).toMatchObject({ state: 'on', servesFromMs: nowMs + minute });
    expect(busOf(world)).toMatchObject({ addresses: [url], targets: [1] });
  });

  test('DR-13 a partner that is on in the record without a target is served when the target is back, with all kept events', async () => {
    const world = await aServedWorld();
    const { partners, webhookSwitch, clock } = world;
    const { endpoint: before } = (await partners.profileOf(clientId)) ?? {};
    await webhookSwitch.stop(clock.now().getTime());
    await world.invoke(message);
    await world.passTime(minute);
    const stopped = busOf(world);
    if (before) partners.setEndpoint(clientId, before);
    const directory = directoryOver(partners, webhookSwitch, clock.now);
    const isSentTo = async () => !(await directory.byClientIds([clientId])).get(clientId)?.isUnserved;

    await webhookSwitch.start(clock.now().getTime());
    const atStart = await isSentTo();
    const keptBefore = world.sentKept.length;
    await world.invoke(message);
    const targetIsNew = await isSentTo();
    await world.passTime(minute + 1_000);

    expect([stopped.targets, atStart, targetIsNew, await isSentTo()]).toEqual([[0], false, false, true]);
    expect(busOf(world).targets).toEqual([1]);
    expect(world.sentKept.length).toBeGreaterThan(keptBefore);
  });

  test('a partner that it paused loses its target', async () => {
    const world = await paused();
    const { endpoint } = (await world.partners.profileOf(clientId)) ?? {};
    await world.change({ webhookPaused: undefined });
    await world.invoke(message);
    await world.passTime(10 * minute);
    await world.change({ webhookPaused: 'operator' });
    world.partners.setEndpoint(clientId, endpoint ?? { state: 'off', sinceMs: 0 });

    await world.invoke(message);

    expect(busOf(world)).toMatchObject({ targets: [0] });
  });
});

describe('a slow, refusing or full bus', () => {
  /** A world whose bus answers some commands otherwise. */
  const withBus = (world: World, name: string, answer: () => unknown) => {
    const { send } = world.memory;
    world.memory.send = (async (command: object) =>
      command.constructor.name === `${name}Command`
        ? answer()
        : send(command as never)) as unknown as typeof send;
    return () => {
      world.memory.send = send;
    };
  };
  const refusal = (name: string) => () => {
    throw Object.assign(new Error(name), { name });
  };

  test.each(['CREATING', 'UPDATING', 'AUTHORIZING', 'DEAUTHORIZING', 'DELETING'])(
    'S-27 a connection that is %s is checked again after 5 s, without sleeping meanwhile',
    async (ConnectionState) => {
      const world = await aServedWorld();
      const connection = world.memory.connections.get(Name);
      Object.assign(connection ?? {}, { ConnectionState });
      await world.announce(5);

      await world.invoke(message);
      const nowMs = world.clock.now().getTime();
      const first = { later: [...world.later], status: await world.status() };
      Object.assign(connection ?? {}, { ConnectionState: 'AUTHORIZED' });
      await world.passTime(10_000);

      expect(first.later).toEqual([{ clientId, atMs: nowMs + 5_000 }]);
      expect(first.status).toMatchObject({ state: 'on', pollAgainAtMs: nowMs + 5_000 });
      expect(busOf(world).connections).toEqual([
        'Signature of 2023-11-14T22:13:20.000Z, next of 1970-01-01T00:00:00.005Z',
      ]);
      expect(await world.status()).not.toHaveProperty('pollAgainAtMs');
    },
  );

  test.each([
    ['connections', 'connections-quota'],
    ['destinations', 'destinations-quota'],
    ['rules', 'rules-quota'],
  ])('EV-22 the quota of %s is named, fires an alarm, and is tried again', async (part, reason) => {
    const world = anEndpointWorld({ client: createMemoryEventBridge({ [part]: 0 }) });
    const partner = await world.create();

    await world.invoke(message);
    await world.passTime(6 * minute);

    expect(await world.status()).toMatchObject({ state: 'failing', reason });
    expect(await world.status()).not.toHaveProperty('servesFromMs');
    expect(isReached(await world.status(), endpointWishOf(partner, false))).toBe(false);
    expect(world.reported).toEqual([{ differingEndpoints: 1 }, { differingEndpoints: 1 }]);
    expect(world.logged).toContainEqual([
      'endpointDiffers',
      { clientId, reason },
      expect.objectContaining({ name: 'QuotaReached' }),
    ]);
  });

  test.each(['DescribeRule', 'PutTargets', 'CreateConnection'])(
    'a refused %s fires an alarm that names the partner, and is repaired when the bus accepts it',
    async (name) => {
      const world = anEndpointWorld();
      await world.create();
      const heal = withBus(world, name, refusal('ThrottlingException'));

      await world.invoke(message);
      const refused = await world.status();
      heal();
      await world.passTime(10 * minute);

      expect(refused).toMatchObject({ state: 'failing', reason: 'BUS_REFUSED' });
      expect(world.reported).toEqual([{ differingEndpoints: 1 }]);
      expect(await endOf(world)).toMatchObject({
        state: 'on',
        reason: undefined,
        serves: true,
        targets: [1],
      });
    },
  );

  test.each(['PutTargets', 'RemoveTargets'])(
    'an error of %s in a response of 200 fires an alarm',
    async (name) => {
      const world = await aServedWorld();
      await world.memory.send(
        new RemoveTargetsCommand({
          Rule: Name,
          EventBusName: 'Bus',
          Ids: name === 'PutTargets' ? ['partner'] : [],
        }),
      );
      if (name === 'RemoveTargets') await world.change({ enabled: false });
      withBus(world, name, () => ({ FailedEntries: [{ ErrorCode: 'ConcurrentModificationException' }] }));

      await world.invoke(message);
      await world.passTime(minute);

      expect(world.reported).toEqual([{ differingEndpoints: 1 }]);
      expect(await world.status()).toMatchObject({ reason: 'BUS_REFUSED' });
    },
  );

  test('a target that cannot be removed leaves the partner paused, and is tried again', async () => {
    const world = await aServedWorld();
    await world.change({ webhookPaused: 'operator' });
    const heal = withBus(world, 'RemoveTargets', refusal('InternalException'));
    await world.invoke(message);
    await world.passTime(minute);
    const refused = await world.status();
    heal();

    await world.passTime(10 * minute);

    expect(refused).toMatchObject({ state: 'paused', reason: 'BUS_REFUSED' });
    expect(await endOf(world)).toMatchObject({ state: 'paused', reason: undefined, targets: [0] });
  });

  test('a connection that is not authorised fires an alarm, and sending continues', async () => {
    const world = await aServedWorld();
    const connection = world.memory.connections.get(Name) ?? {};
    Object.assign(connection, { ConnectionState: 'DEAUTHORIZED' });
    const heal = withBus(world, 'UpdateConnection', () => ({}));

    await world.invoke(message);
    const refused = await world.status();
    heal();
    await world.passTime(10 * minute);

    expect(refused).toMatchObject({ state: 'failing', reason: 'CONNECTION_NOT_AUTHORIZED' });
    expect(refused?.servesFromMs).toBeDefined();
    expect(world.reported).toEqual([{ differingEndpoints: 1 }, { differingEndpoints: 1 }]);
    expect(world.logged).toContainEqual([
      'endpointDiffers',
      { clientId, reason: 'CONNECTION_NOT_AUTHORIZED' },
    ]);
    expect(await endOf(world)).toMatchObject({ state: 'on', reason: undefined });
  });

  test('a change that the bus does not show yet is not repeated', async () => {
    const world = await aServedWorld();
    await world.announce(5);
    withBus(world, 'UpdateConnection', () => ({}));

    const calls = await world.invoke(message);

    expect(calls.filter((call) => call === 'UpdateConnection')).toHaveLength(1);
    expect(world.later).toHaveLength(1);
  });

  test('a check that could not be done is repeated, and fires an alarm', async () => {
    const world = anEndpointWorld();
    await world.create();
    const { probe } = world.deps;
    world.deps.probe = async () => {
      throw new Error('probe-endpoint failed');
    };
    await world.invoke(message);
    world.deps.probe = probe;

    await world.passTime(30 * minute);

    expect(world.reported).toEqual([{ differingEndpoints: 1 }]);
    expect(await endOf(world)).toMatchObject({ state: 'on', reason: undefined, serves: true });
  });
});

describe('resources that differ', () => {
  test('a lost target is created again; events are kept until the bus knows it', async () => {
    const world = await aServedWorld();
    await world.memory.send(new RemoveTargetsCommand({ Rule: Name, EventBusName: 'Bus', Ids: ['partner'] }));
    const nowMs = world.clock.now().getTime();

    const calls = await world.invoke(message);

    expect(calls.indexOf('write')).toBeLessThan(calls.indexOf('PutTargets'));
    expect(await world.status()).toMatchObject({ state: 'on', servesFromMs: nowMs + minute });
  });
});
