import { ListTargetsByRuleCommand, RemoveTargetsCommand } from '@aws-sdk/client-eventbridge';
import { describe, expect, test } from '@jest/globals';
import { pollInTurn } from '../../../../functions/keep-endpoints/turn.ts';
import { endpointWishOf, isReached } from '../../../../functions/shared/domain/endpoint-wish.ts';
import { aPartner } from '../../../support/builders/a-partner.ts';
import {
  anEndpointWorld,
  aServedEndpointWorld,
  createMemoryInspections,
  type EndpointWorld,
  endpointName,
} from '../../../support/memory/endpoint-world.ts';
import { createMemoryEventBridge } from '../../../support/memory/event-bridge.ts';
import { directoryOver, endpointsOver } from '../../../support/memory/partners.ts';

const { clientId } = aPartner();
const url = 'https://partner.example/hook';
const minute = 60_000;
const ofRule = { Rule: endpointName, EventBusName: 'Bus' };
const serving = { state: 'on', address: url, serves: true, targets: 1 };

/** Its end: what the bus has, and what the status says of it. */
const endOf = async (world: EndpointWorld) => {
  const { state, reason, servedUrl, servesFromMs, reached } = (await world.status()) ?? {};
  return { ...world.onBus(), state, reason, servedUrl, serves: servesFromMs !== undefined, reached };
};
const removeTarget = ({ memory }: EndpointWorld) =>
  memory.send(new RemoveTargetsCommand({ ...ofRule, Ids: ['partner'] }));

type Change = Parameters<EndpointWorld['change']>[0];
type Scene = [
  name: string,
  open: () => Promise<EndpointWorld>,
  act: (world: EndpointWorld) => Promise<unknown>,
];
const changed = (changes: Change) => (world: EndpointWorld) => world.change(changes);
const paused = async () => {
  const world = await aServedEndpointWorld();
  await world.change({ webhookPaused: 'operator' });
  await world.invoke();
  await world.passTime(minute);
  return world;
};
const newAddress = { webhookUrl: 'https://partner.example/2', webhookSetAtMs: 1 };
const failingAddress = async (world: EndpointWorld) => {
  world.answers.set(newAddress.webhookUrl, [{ fault: 'timed out' }]);
  await world.change(newAddress);
};
const scenes: Scene[] = [
  ['a first address', async () => anEndpointWorld(), (world) => world.create()],
  ['a new address', aServedEndpointWorld, changed(newAddress)],
  ['a new address that does not pass', aServedEndpointWorld, failingAddress],
  ['another signature', aServedEndpointWorld, (world) => world.rotate(5)],
  ['a pause', aServedEndpointWorld, changed({ webhookPaused: 'partner' })],
  ['the end of a pause', paused, changed({ webhookPaused: undefined })],
  ['a disabled partner', aServedEndpointWorld, changed({ enabled: false })],
  ['a deleted partner', aServedEndpointWorld, ({ partners }) => partners.remove(clientId)],
  ['a paused partner without an address', paused, changed({ webhookUrl: undefined })],
  ['a target that somebody took away', aServedEndpointWorld, removeTarget],
];

/**
 * What senders rely on, checked at each change of the bus: a served partner has a rule and a target, and a target is
 * removed only when every sender with an earlier record has ended.
 */
const watchSenders = (world: EndpointWorld) => {
  const broken: string[] = [];
  const { send } = world.memory;
  const look = async (command: object) => {
    const nowMs = world.clock.now().getTime();
    const status = await world.status();
    const serves = (status?.servesFromMs ?? Number.POSITIVE_INFINITY) <= nowMs;
    const partner = await world.partners.byClientId(clientId);
    const isOn = endpointWishOf(partner, false).wanted === 'on';
    const { Targets = [] } = await send(new ListTargetsByRuleCommand(ofRule)).catch(() => ({ Targets: [] }));
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

/** Worlds whose invocation was killed at one call after the other, and at last one in which it was not. */
async function* deathsOf<World extends EndpointWorld>(open: () => Promise<World>, isDone: boolean) {
  for (let call = 1, isKilled = true; isKilled; call += 1) {
    const world = await open();
    isKilled = await world.invokeAndKill({ call, isDone });
    yield { world, at: { call, isDone }, isKilled };
  }
}

describe.each(scenes)('%s', (_name, open, act) => {
  const opened = async () => {
    const world = await open();
    await act(world);
    return Object.assign(world, { broken: watchSenders(world) });
  };

  test('I19 an invocation that is killed before or after any call is completed by the next one', async () => {
    const whole = await opened();
    await whole.invoke();
    await whole.passTime(30 * minute);
    const end = await endOf(whole);
    expect(whole.broken).toEqual([]);
    let deaths = 0;

    for (const isDone of [false, true])
      for await (const { world, at, isKilled } of deathsOf(opened, isDone)) {
        deaths += Number(isKilled);
        // SQS shows the message again.
        await world.invoke();
        await world.passTime(30 * minute);
        const { servesFromMs = 0 } = (await world.status()) ?? {};
        const keptIsSent = world.sentKept.filter(({ atMs }) => atMs >= servesFromMs).length;

        expect({ at, ...(await endOf(world)) }).toEqual({ at, ...end });
        expect(world.broken).toEqual([]);
        expect(keptIsSent).toBeGreaterThanOrEqual(whole.sentKept.length > 0 ? 1 : 0);
        expect(world.ended.length).toBeGreaterThanOrEqual(whole.ended.length);
      }

    expect(deaths).toBeGreaterThan(10);
  });

  test('a message that comes twice, or again much later, changes nothing', async () => {
    const world = await opened();
    await world.invoke();
    await world.invoke();
    await world.passTime(30 * minute);
    const end = structuredClone(await world.status());
    const kept = world.sentKept.length;

    await world.invoke();
    await world.passTime(minute);

    expect(await world.status()).toEqual(end);
    expect(world.sentKept).toHaveLength(kept);
  });
});

describe('two concurrent changes', () => {
  /** A paused world in which this happens after the record was read. */
  const whereMeanwhile = async (act: (world: EndpointWorld) => Promise<unknown>) => {
    const world = await aServedEndpointWorld();
    await world.change({ webhookPaused: 'operator' });
    const { endpoints } = world.deps;
    const { read } = endpoints;
    endpoints.read = async (asked) => {
      const record = await read(asked);
      endpoints.read = read;
      await act(world);
      return record;
    };
    await world.invoke();
    return world;
  };

  test('the second change is done by its own message', async () => {
    const world = await whereMeanwhile(changed({ webhookPaused: undefined }));
    expect(await world.status()).toMatchObject({ state: 'paused' });

    await world.invoke();
    await world.passTime(10 * minute);

    expect(await endOf(world)).toMatchObject(serving);
  });

  test('a partner that is deleted meanwhile is left to its own message', async () => {
    const world = await whereMeanwhile(({ partners }) => partners.remove(clientId));

    await world.invoke();

    expect(world.onBus()).toEqual({});
  });
});

describe('an endpoint whose partner has no record', () => {
  /** Takes the schedule's turn, and handles the messages that it sends. */
  const takeTurn = async (world: EndpointWorld) => {
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
  const beingMade = async () => {
    const world = anEndpointWorld();
    await world.create();
    return world;
  };
  const beingRemoved = async () => {
    const world = await aServedEndpointWorld();
    await world.partners.remove(clientId);
    return world;
  };

  test.each([
    ['making', beingMade],
    ['removal', beingRemoved],
  ])('EV-21 is removed by the schedule, wherever its %s was killed and its message lost', async (_, open) => {
    let orphans = 0;
    for (const isDone of [false, true])
      for await (const { world, at } of deathsOf(open, isDone)) {
        await world.partners.remove(clientId);
        orphans += world.memory.connections.size;

        await takeTurn(world);

        expect({ at, ...world.onBus() }).toEqual({ at });
      }

    expect(orphans).toBeGreaterThan(5);
  });

  test('EV-21 DR-14 is removed after a restore of the Partners table to before the partner was created', async () => {
    const world = await beingRemoved();

    expect([await takeTurn(world), await takeTurn(world)]).toEqual([[clientId], []]);
    expect(world.onBus()).toEqual({});
  });
});

describe('a change back to an earlier state', () => {
  const withoutAddress = { enabled: false, webhookUrl: undefined };
  const beingMadeAgain = (how: Change) => async () => {
    const world = anEndpointWorld();
    await world.create(how as object);
    await world.change(withoutAddress);
    await world.invoke();
    await world.change({ enabled: true, webhookUrl: url, webhookSetAtMs: 1 });
    return world;
  };
  const beingResumed = async () => {
    const world = await paused();
    await world.change({ webhookPaused: undefined });
    return world;
  };

  const nothing = { connection: undefined, address: undefined, rule: undefined, targets: undefined };

  test.each<[string, () => Promise<EndpointWorld>, Change, string, object]>([
    ['a checked address taken away', beingMadeAgain({}), withoutAddress, 'off', nothing],
    ['an unchecked one', beingMadeAgain({ webhookUnchecked: true }), withoutAddress, 'off', nothing],
    ['a pause', beingResumed, { webhookPaused: 'operator' }, 'paused', { targets: 0 }],
  ])('EV-28 of %s, while its endpoint is made, is not reached before the bus has it so', async (...row) => {
    const [, open, back, state, onBus] = row;
    for await (const { world, at } of deathsOf(open, true)) {
      const wish = endpointWishOf(await world.change(back), false);
      const status = await world.status();

      if (status?.state === state && isReached(status, wish))
        expect({ at, ...world.onBus() }).toMatchObject({ at, ...onBus });
    }
  });
});

describe('a record that was restored to an earlier state', () => {
  test('I9 a partner that it enables again gets events only after its target is back', async () => {
    const world = await aServedEndpointWorld();
    const before = structuredClone(await world.status());
    await world.change({ enabled: false });
    await world.invoke();
    await world.passTime(minute);
    await world.change({ enabled: true });
    world.partners.setEndpoint(clientId, before ?? { state: 'off', sinceMs: 0 });
    const nowMs = world.clock.now().getTime();

    await world.invoke();

    expect(await world.status()).toMatchObject({ state: 'on', servesFromMs: nowMs + minute });
    expect(await endOf(world)).toMatchObject(serving);
  });

  test('DR-14 a partner without its status has its address checked and gets its target again', async () => {
    const world = await paused();
    await world.change({ webhookPaused: undefined });
    await world.partners.forgetEndpoint(clientId);
    await world.passTime(10 * minute);
    const probes = world.probed.length;
    const nowMs = world.clock.now().getTime();

    await world.invoke();

    expect(world.probed.length).toBe(probes + 1);
    expect(await world.status()).toMatchObject({ state: 'on', servesFromMs: nowMs + minute });
    expect(await endOf(world)).toMatchObject(serving);
  });

  test('DR-13 a partner that is on in the record without a target is served when the target is back, with all kept events', async () => {
    const world = await aServedEndpointWorld();
    const { partners, webhookSwitch, clock } = world;
    const before = structuredClone(await world.status());
    await webhookSwitch.stop(clock.now().getTime());
    await world.invoke();
    await world.passTime(minute);
    expect(world.onBus().targets).toBe(0);
    if (before) partners.setEndpoint(clientId, before);
    const directory = directoryOver(partners, webhookSwitch, clock.now);
    const isSentTo = async () => !(await directory.byClientIds([clientId])).get(clientId)?.isUnserved;
    const keptBefore = world.sentKept.length;

    await webhookSwitch.start(clock.now().getTime());
    const atStart = await isSentTo();
    await world.invoke();
    const targetIsNew = await isSentTo();
    await world.passTime(minute + 1_000);

    expect([atStart, targetIsNew, await isSentTo()]).toEqual([false, false, true]);
    expect(world.onBus().targets).toBe(1);
    expect(world.sentKept.length).toBeGreaterThan(keptBefore);
  });

  test('a partner that it paused loses its target', async () => {
    const world = await paused();
    const before = structuredClone(await world.status());
    await world.change({ webhookPaused: undefined });
    await world.invoke();
    await world.passTime(10 * minute);
    await world.change({ webhookPaused: 'operator' });
    world.partners.setEndpoint(clientId, before ?? { state: 'off', sinceMs: 0 });

    await world.invoke();

    expect(world.onBus().targets).toBe(0);
  });
});

describe('a slow, refusing or full bus', () => {
  /** Answers some commands otherwise, until the bus is healed. */
  const withBus = ({ memory }: EndpointWorld, name: string, answer: () => unknown) => {
    const { send } = memory;
    memory.send = (async (command: object) =>
      command.constructor.name === `${name}Command`
        ? answer()
        : send(command as never)) as unknown as typeof send;
    return () => {
      memory.send = send;
    };
  };
  const refusal = (name: string) => () => {
    throw Object.assign(new Error(name), { name });
  };
  const rings = { differingEndpoints: 1 };

  test.each(['CREATING', 'UPDATING', 'AUTHORIZING', 'DEAUTHORIZING', 'DELETING'])(
    'S-27 a connection that is %s is checked again after 5 s, without sleeping meanwhile',
    async (ConnectionState) => {
      const world = await aServedEndpointWorld();
      const connection = world.memory.connections.get(endpointName) ?? {};
      Object.assign(connection, { ConnectionState });
      await world.rotate(5);
      const pollAgainAtMs = world.clock.now().getTime() + 5_000;

      await world.invoke();

      expect(world.later).toEqual([{ clientId, atMs: pollAgainAtMs }]);
      expect(await world.status()).toMatchObject({ state: 'on', pollAgainAtMs });
      Object.assign(connection, { ConnectionState: 'AUTHORIZED' });
      await world.passTime(10_000);
      expect(world.onBus().connection).toBe('Signature of 1970-01-01T00:00:00.005Z');
      expect(await world.status()).not.toHaveProperty('pollAgainAtMs');
    },
  );

  test.each(['connections', 'destinations', 'rules'])(
    'EV-22 the quota of %s is named, fires an alarm, and is tried again',
    async (part) => {
      const world = anEndpointWorld({ client: createMemoryEventBridge({ [part]: 0 }) });
      const partner = await world.create();
      const reason = `${part}-quota`;

      await world.invoke();
      await world.passTime(6 * minute);

      expect(await world.status()).toMatchObject({ state: 'failing', reason });
      expect(await world.status()).not.toHaveProperty('servesFromMs');
      expect(isReached(await world.status(), endpointWishOf(partner, false))).toBe(false);
      expect(world.reported).toEqual([rings, rings]);
      const fault = expect.objectContaining({ name: 'QuotaReached' });
      expect(world.logged).toContainEqual(['endpointDiffers', { clientId, reason }, fault]);
    },
  );

  test.each(['DescribeRule', 'PutTargets', 'CreateConnection'])(
    'a refused %s fires an alarm that names the partner, and is repaired when the bus accepts it',
    async (name) => {
      const world = anEndpointWorld();
      await world.create();
      const heal = withBus(world, name, refusal('ThrottlingException'));

      await world.invoke();

      expect(await world.status()).toMatchObject({ state: 'failing', reason: 'BUS_REFUSED' });
      expect(world.reported).toEqual([rings]);
      heal();
      await world.passTime(10 * minute);
      expect(await endOf(world)).toMatchObject({ ...serving, reason: undefined });
    },
  );

  test.each<[string, (world: EndpointWorld) => Promise<unknown>]>([
    ['PutTargets', removeTarget],
    ['RemoveTargets', changed({ enabled: false })],
  ])('an error of %s in a response of 200 fires an alarm', async (name, act) => {
    const world = await aServedEndpointWorld();
    await act(world);
    withBus(world, name, () => ({ FailedEntries: [{ ErrorCode: 'ConcurrentModificationException' }] }));

    await world.invoke();
    await world.passTime(minute);

    expect(world.reported).toEqual([rings]);
    expect(await world.status()).toMatchObject({ reason: 'BUS_REFUSED' });
  });

  test('a target that cannot be removed leaves the partner paused, and is tried again', async () => {
    const world = await aServedEndpointWorld();
    await world.change({ webhookPaused: 'operator' });
    const heal = withBus(world, 'RemoveTargets', refusal('InternalException'));

    await world.invoke();
    await world.passTime(minute);

    expect(await world.status()).toMatchObject({ state: 'paused', reason: 'BUS_REFUSED' });
    heal();
    await world.passTime(10 * minute);
    expect(await endOf(world)).toMatchObject({ state: 'paused', reason: undefined, targets: 0 });
  });

  test('a connection that is not authorised fires an alarm, and sending continues', async () => {
    const world = await aServedEndpointWorld();
    const connection = world.memory.connections.get(endpointName) ?? {};
    Object.assign(connection, { ConnectionState: 'DEAUTHORIZED' });
    const heal = withBus(world, 'UpdateConnection', () => ({}));
    const reason = 'CONNECTION_NOT_AUTHORIZED';

    await world.invoke();

    const servesFromMs = expect.any(Number);
    expect(await world.status()).toMatchObject({ state: 'failing', reason, servesFromMs });
    heal();
    await world.passTime(10 * minute);
    expect(world.reported).toEqual([rings, rings]);
    expect(world.logged).toContainEqual(['endpointDiffers', { clientId, reason }]);
    expect(await endOf(world)).toMatchObject({ state: 'on', reason: undefined });
  });

  test('a change that the bus does not show yet is not repeated', async () => {
    const world = await aServedEndpointWorld();
    await world.rotate(5);
    withBus(world, 'UpdateConnection', () => ({}));

    const calls = await world.invoke();

    expect(calls.filter((call) => call === 'UpdateConnection')).toHaveLength(1);
    expect(world.later).toHaveLength(1);
  });

  test('a check that could not be done is repeated, and fires an alarm', async () => {
    const world = anEndpointWorld();
    await world.create();
    const { probe } = world.deps;
    world.deps.probe = () => Promise.reject(new Error('probe-endpoint failed'));

    await world.invoke();

    world.deps.probe = probe;
    await world.passTime(30 * minute);
    expect(world.reported).toEqual([rings]);
    expect(await endOf(world)).toMatchObject({ state: 'on', reason: undefined, serves: true });
  });

  test('a lost target is created again; events are kept until the bus knows it', async () => {
    const world = await aServedEndpointWorld();
    await removeTarget(world);
    const nowMs = world.clock.now().getTime();

    const calls = await world.invoke();

    expect(calls.indexOf('write')).toBeLessThan(calls.indexOf('PutTargets'));
    expect(await world.status()).toMatchObject({ state: 'on', servesFromMs: nowMs + minute });
  });
});
