import { describe, expect, test } from '@jest/globals';
import { endpointWishOf, hasFailed, isReached } from '../../../../functions/shared/domain/endpoint-wish.ts';
import { aPartner } from '../../../support/builders/a-partner.ts';
import { anEndpointWorld } from '../../../support/memory/endpoint-world.ts';

const { clientId } = aPartner();
const Name = `transactions-local-${clientId}`;
const message = { clientId };
const noonMs = Date.parse('2026-11-21T12:00:00.000Z');
const url = 'https://partner.example/hook';
const other = 'https://partner.example/2';
const second = 1_000;
const minute = 60_000;

type World = ReturnType<typeof anEndpointWorld>;

/** What the bus has, and whom it sends to. */
const onBus = ({ memory }: World) => ({
  connection: memory.connections.get(Name)?.Description,
  address: memory.destinations.get(Name)?.InvocationEndpoint,
  rule: memory.rules.get(Name)?.State,
  targets: memory.rules.get(Name)?.targets.length,
});
const everything = {
  connection: 'Signature of 2023-11-14T22:13:20.000Z',
  address: url,
  rule: 'ENABLED',
  targets: 1,
};
const nothing = { connection: undefined, address: undefined, rule: undefined, targets: undefined };

/** A partner whose endpoint serves since a while. */
const aServedWorld = async () => {
  const world = anEndpointWorld();
  await world.create();
  await world.invoke(message);
  await world.passTime(10 * minute);
  world.sentKept.length = 0;
  world.logged.length = 0;
  world.reported.length = 0;
  return world;
};
const servedAtMs = noonMs + 10 * minute;

describe('a partner with an address', () => {
  test('gets an endpoint after its check, and events leave when the bus knows it', async () => {
    const world = anEndpointWorld();
    const partner = await world.create();

    const calls = await world.invoke(message);

    expect(calls.filter((call) => /^(probe|Create|Put)/.test(call))).toEqual([
      'probe',
      'CreateConnection',
      'CreateApiDestination',
      'PutRule',
      'PutTargets',
    ]);
    expect(onBus(world)).toEqual(everything);
    const wish = endpointWishOf(partner, false);
    expect(await world.status()).toEqual({
      ...{ state: 'on', sinceMs: noonMs + minute, reached: wish },
      ...{
        servedUrl: url,
        servedSetAtMs: noonMs,
        servesFromMs: noonMs + minute,
        sendsKeptAtMs: noonMs + minute,
      },
      tried: { wish, atMs: noonMs, answers: { status: 204, wrongStatus: 401 } },
      pollAgainAtMs: noonMs + minute,
    });
    expect(isReached(await world.status(), wish)).toBe(true);
    expect(world.logged).toEqual([
      ['endpointChanged', { clientId, reason: 'make connection, make destination, make rule, make target' }],
    ]);
  });

  test('EV-12 gets its kept events when it is on, and those of the last lease one lease later', async () => {
    const world = anEndpointWorld();
    await world.create();

    await world.invoke(message);
    await world.passTime(10 * minute);

    const servesFromMs = noonMs + minute;
    expect(world.sentKept).toEqual([
      { atMs: servesFromMs, servesFromMs },
      { atMs: servesFromMs + 20 * second, servesFromMs },
    ]);
    expect(await world.status()).toMatchObject({ state: 'on', servesFromMs });
    expect(await world.status()).not.toHaveProperty('pollAgainAtMs');
    expect(await world.status()).not.toHaveProperty('sendsKeptAtMs');
  });

  test('is on at once on an emulator, after its kept events are due', async () => {
    const world = anEndpointWorld({ effectMs: 0 });
    await world.create();

    const calls = await world.invoke(message);

    expect(world.sentKept).toEqual([{ atMs: noonMs, servesFromMs: noonMs }]);
    expect(calls.slice(-6)).toEqual(['write', 'send-kept', 'write', 'write', 'poll-later', 'write']);
    expect(await world.status()).toMatchObject({ state: 'on', sinceMs: noonMs, servesFromMs: noonMs });
  });

  test('whose resources match is left alone, without a note', async () => {
    const world = await aServedWorld();

    const calls = await world.invoke(message);

    expect(calls).toEqual([
      'read',
      'DescribeConnection',
      'DescribeApiDestination',
      'DescribeRule',
      'ListTargetsByRule',
    ]);
    expect(world.logged).toEqual([]);
  });

  test('S-47 outside the public internet is never called', async () => {
    const world = anEndpointWorld();
    await world.create({ webhookUrl: 'https://169.254.169.254/latest' });

    await world.invoke(message);

    expect(world.probed).toEqual([]);
    expect(await world.status()).toMatchObject({ state: 'failing', reason: 'ip-literal' });
    expect(onBus(world)).toEqual(nothing);
  });

  test('that fails its check gets nothing, the reason, and a check every 15 minutes', async () => {
    const world = anEndpointWorld();
    const partner = await world.create();
    world.answers.set(url, [{ status: 401 }, { status: 500 }]);

    await world.invoke(message);

    expect(onBus(world)).toEqual(nothing);
    expect(await world.status()).toMatchObject({ state: 'failing', reason: 'HTTP_500', sinceMs: noonMs });
    expect(hasFailed(await world.status(), endpointWishOf(partner, false))).toBe(true);
    expect(world.logged).toEqual([['endpointFailing', { clientId, reason: 'HTTP_500' }]]);
    expect(world.reported).toEqual([]);
    await world.passTime(14 * minute);
    expect(world.probed).toHaveLength(1);
    world.answers.delete(url);
    await world.passTime(10 * minute);
    expect(world.probed).toHaveLength(2);
    expect(onBus(world)).toEqual(everything);
    expect(await world.status()).toMatchObject({ state: 'on' });
    expect(await world.status()).not.toHaveProperty('reason');
  });

  test('that is set again is checked at once', async () => {
    const world = anEndpointWorld();
    await world.create();
    world.answers.set(url, [{ status: 401 }, { fault: 'timed out' }]);
    await world.invoke(message);
    await world.change({ webhookSetAtMs: noonMs + 1 });

    await world.invoke(message);

    expect(world.probed).toHaveLength(2);
  });

  test('that the operator set unchecked is not called', async () => {
    const world = anEndpointWorld();
    await world.create({ webhookUnchecked: true });

    await world.invoke(message);
    await world.invoke({ clientId, isUndelivered: true });

    expect(world.probed).toEqual([]);
    expect(onBus(world)).toEqual(everything);
  });
});

describe('a new address', () => {
  test('is used after its check; events are sent meanwhile', async () => {
    const world = await aServedWorld();
    await world.change({ webhookUrl: other, webhookSetAtMs: servedAtMs });

    const calls = await world.invoke(message);

    expect(calls.filter((call) => /^(probe|Create|Update|Put|Delete|Remove)/.test(call))).toEqual([
      'probe',
      'UpdateApiDestination',
    ]);
    expect(await world.status()).toMatchObject({
      ...{ state: 'on', sinceMs: servedAtMs, servedUrl: other, servesFromMs: noonMs + minute },
    });
  });

  test('that fails its check leaves the former one in use, with the reason', async () => {
    const world = await aServedWorld();
    const before = await world.status();
    world.answers.set(other, [{ fault: 'name not found' }]);
    const partner = await world.change({ webhookUrl: other, webhookSetAtMs: servedAtMs });

    await world.invoke(message);

    expect(onBus(world)).toEqual(everything);
    expect(await world.status()).toMatchObject({
      ...{ state: 'failing', reason: 'name not found', servedUrl: url },
      ...{ servesFromMs: noonMs + minute, reached: before?.reached },
    });
    expect(isReached(await world.status(), endpointWishOf(partner, false))).toBe(false);
    expect(hasFailed(await world.status(), endpointWishOf(partner, false))).toBe(true);
  });

  test('that never passes does not stop other work: a rotation continues', async () => {
    const world = await aServedWorld();
    world.answers.set(other, [{ fault: 'name not found' }]);
    await world.change({ webhookUrl: other, webhookSetAtMs: servedAtMs, nextSignatureMadeAtMs: servedAtMs });

    await world.invoke(message);

    expect(onBus(world)).toEqual({
      ...everything,
      connection: 'Signature of 2023-11-14T22:13:20.000Z, next of 2026-11-21T12:10:00.000Z',
    });
  });
});

describe('a pause', () => {
  test('ends sending at once, and removes the target after the leases of earlier senders', async () => {
    const world = await aServedWorld();
    const partner = await world.change({ webhookPaused: 'partner' });

    await world.invoke(message);
    const before = { status: await world.status(), bus: onBus(world) };
    await world.passTime(21 * second);

    expect(before.status).toMatchObject({ state: 'paused', sinceMs: servedAtMs });
    expect(before.status).not.toHaveProperty('servesFromMs');
    expect(isReached(before.status, endpointWishOf(partner, false))).toBe(false);
    expect(before.bus.targets).toBe(1);
    expect(onBus(world)).toEqual({ ...everything, targets: 0 });
    expect(isReached(await world.status(), endpointWishOf(partner, false))).toBe(true);
    expect(world.sentKept).toEqual([]);
  });

  test('S-77 of all webhooks pauses each partner', async () => {
    const world = await aServedWorld();
    await world.webhookSwitch.stop(servedAtMs);

    await world.invoke(message);
    await world.passTime(21 * second);

    expect(onBus(world).targets).toBe(0);
    expect(await world.status()).toMatchObject({ state: 'paused', reached: { wanted: 'kept' } });
  });

  test('that is undone creates the target again without a check, and sends kept events', async () => {
    const world = await aServedWorld();
    await world.change({ webhookPaused: 'partner' });
    await world.invoke(message);
    await world.passTime(minute);
    const probes = world.probed.length;
    await world.change({ webhookPaused: undefined });

    await world.invoke(message);
    await world.passTime(10 * minute);

    expect(onBus(world)).toEqual(everything);
    expect(world.probed).toHaveLength(probes);
    expect(world.sentKept.map(({ atMs }) => atMs - servedAtMs)).toEqual([
      2 * minute,
      2 * minute + 20 * second,
    ]);
  });

  test('that began and ended unseen sends kept events, and once more one lease later', async () => {
    const world = await aServedWorld();
    await world.change({ webhookChange: { by: 'operator', atMs: servedAtMs } });

    await world.invoke(message);
    const atOnce = world.sentKept.length;
    await world.passTime(10 * minute);
    await world.invoke(message);

    expect(atOnce).toBe(1);
    expect(world.sentKept.map(({ atMs }) => atMs - servedAtMs)).toEqual([0, 20 * second]);
  });

  test('S-77 of all webhooks that began and ended unseen works like one of its own', async () => {
    const world = await aServedWorld();
    await world.webhookSwitch.stop(servedAtMs);
    world.clock.pass({ ms: minute });
    await world.webhookSwitch.start(servedAtMs + minute);

    await world.invoke(message);
    await world.passTime(10 * minute);

    expect(world.sentKept.map(({ atMs }) => atMs - servedAtMs)).toEqual([minute, minute + 20 * second]);
    expect(onBus(world)).toEqual(everything);
  });

  test('S-77 I16 that ended late sends events which earlier senders still kept, one lease after it was seen', async () => {
    const world = await aServedWorld();
    await world.webhookSwitch.stop(servedAtMs);
    await world.webhookSwitch.start(servedAtMs);
    world.clock.pass({ ms: 30 * second });

    await world.invoke(message);
    await world.passTime(10 * minute);

    expect(world.sentKept.map(({ atMs }) => atMs - servedAtMs)).toEqual([30 * second, 50 * second]);
    expect(await world.status()).toMatchObject({ servesFromMs: servedAtMs + 30 * second });
  });

  test('EV-12 continues in the next invocation if its time ends, followed by the last pass', async () => {
    const world = await aServedWorld();
    const next = { beganAtMs: servedAtMs, after: { claimedAtMs: 7, eventId: 'e7' } };
    world.parts.push({ next });
    await world.change({ webhookChange: { by: 'operator', atMs: servedAtMs } });

    await world.invoke(message);
    const between = await world.status();
    world.clock.pass({ ms: 30 * second });
    await world.passTime(10 * minute);

    expect(between).toMatchObject({ keptPass: next, sendsKeptAtMs: servedAtMs });
    expect(world.passes.slice(-3)).toEqual([
      { beganAtMs: servedAtMs },
      next,
      { beganAtMs: servedAtMs + 30 * second },
    ]);
    expect(await world.status()).not.toHaveProperty('keptPass');
    expect(await world.status()).not.toHaveProperty('sendsKeptAtMs');
  });

  test('I1 has another pass after five minutes if part of one failed, and the invocation counts as failed', async () => {
    const world = await aServedWorld();
    const next = { beganAtMs: servedAtMs, after: { claimedAtMs: 7, eventId: 'e7' } };
    world.parts.push({ next, fault: new Error('poison') });
    await world.change({ webhookChange: { by: 'operator', atMs: servedAtMs } });

    await expect(world.invoke(message)).rejects.toThrow('poison');
    await world.passTime(minute);
    const waiting = await world.status();
    await world.passTime(10 * minute);

    expect(waiting).toMatchObject({ state: 'on', sendsKeptAtMs: servedAtMs + 5 * minute });
    expect(world.sentKept.map(({ atMs }) => atMs - servedAtMs)).toEqual([0, 0, 5 * minute]);
  });

  test('that is undone before the target is removed keeps events until the bus surely knows the target', async () => {
    const world = await aServedWorld();
    await world.change({ webhookPaused: 'partner' });
    await world.invoke(message);
    await world.change({ webhookPaused: undefined });

    await world.invoke(message);
    await world.passTime(10 * minute);

    expect(onBus(world)).toEqual(everything);
    expect(await world.status()).toMatchObject({ state: 'on', servesFromMs: servedAtMs + minute });
  });
});

describe('a disabled partner, or one without an address', () => {
  test.each([
    ['disabled', { enabled: false }, 'DISABLED'],
    ['without an address', { webhookUrl: undefined }, 'NO_ENDPOINT'],
  ])('EV-13 %s has nothing on the bus, and its kept events end', async (_how, changes, reason) => {
    const world = await aServedWorld();
    const partner = await world.change(changes);

    await world.invoke(message);
    const before = onBus(world);
    await world.passTime(minute);

    expect(before).toEqual(everything);
    expect(onBus(world)).toEqual(nothing);
    expect(await world.status()).toEqual({
      state: 'off',
      sinceMs: servedAtMs,
      reached: endpointWishOf(partner, false),
    });
    expect(world.ended).toEqual([
      { atMs: servedAtMs, reason },
      { atMs: servedAtMs + 20 * second, reason },
    ]);
    expect(world.sentKept).toEqual([]);
  });

  test('EV-13 loses its target before its kept events end, however long that takes', async () => {
    const world = await aServedWorld();
    await world.change({ webhookUrl: undefined });
    await world.invoke(message);
    world.clock.pass({ ms: 20 * second });

    const calls = await world.invoke(message);

    expect(calls.indexOf('RemoveTargets')).toBeGreaterThan(0);
    expect(calls.indexOf('RemoveTargets')).toBeLessThan(calls.indexOf('end-kept'));
  });

  test('that is deleted has nothing on the bus at once', async () => {
    const world = await aServedWorld();
    await world.partners.remove(clientId);

    await world.invoke(message);

    expect(onBus(world)).toEqual(nothing);
    expect(world.ended).toEqual([{ atMs: servedAtMs, reason: 'DISABLED' }]);
    expect(world.later).toEqual([]);
  });

  test('that is enabled again is checked again', async () => {
    const world = await aServedWorld();
    await world.change({ enabled: false });
    await world.invoke(message);
    await world.passTime(minute);
    await world.change({ enabled: true });
    const probes = world.probed.length;

    await world.invoke(message);

    expect(world.probed).toHaveLength(probes + 1);
    expect(onBus(world)).toEqual(everything);
  });
});

describe('an address that fails later', () => {
  const undelivered = { clientId, isUndelivered: true } as const;

  test('is checked after a dead letter, shows the reason, and still gets events', async () => {
    const world = await aServedWorld();
    world.answers.set(url, [{ status: 401 }, { status: 503 }]);

    await world.invoke(undelivered);

    expect(await world.status()).toMatchObject({
      ...{ state: 'failing', reason: 'HTTP_503', sinceMs: servedAtMs, servesFromMs: noonMs + minute },
      reached: { wanted: 'on' },
    });
    expect(onBus(world)).toEqual(everything);
    expect(world.logged).toContainEqual(['endpointFailing', { clientId, reason: 'HTTP_503' }]);
  });

  test('is checked again every 15 minutes, until it passes', async () => {
    const world = await aServedWorld();
    world.answers.set(url, [{ status: 401 }, { status: 503 }]);
    await world.invoke(undelivered);
    const first = world.probed.length;

    await world.passTime(40 * minute);
    const failing = { probes: world.probed.length - first, status: await world.status() };
    world.answers.delete(url);
    await world.passTime(10 * minute);

    expect(failing).toMatchObject({ probes: 2, status: { state: 'failing', sinceMs: servedAtMs } });
    expect(await world.status()).toMatchObject({
      state: 'on',
      sinceMs: servedAtMs + 45 * minute,
    });
    expect(world.later).toEqual([]);
  });

  test('is checked once in five minutes at most, whatever dead letters come', async () => {
    const world = await aServedWorld();
    const first = world.probed.length;

    for (let letters = 0; letters < 10; letters += 1) {
      await world.invoke(undelivered);
      await world.passTime(minute);
    }

    expect(world.probed).toHaveLength(first + 2);
  });

  test('stays on if it passes', async () => {
    const world = await aServedWorld();

    await world.invoke(undelivered);

    expect(await world.status()).toMatchObject({ state: 'on', sinceMs: noonMs + minute });
  });
});

describe('the signature', () => {
  test('I22 S-27 follows the record: the announced one beside the old one, then alone', async () => {
    const world = await aServedWorld();
    const before = await world.partners.byClientId(clientId);
    if (!before) throw new Error('There is no partner');
    const announced = { ...before, nextSignatureMadeAtMs: servedAtMs };
    const values = () => {
      const { ApiKeyAuthParameters, InvocationHttpParameters } =
        world.memory.connections.get(Name)?.AuthParameters ?? {};
      const [next] = InvocationHttpParameters?.HeaderParameters ?? [];
      return [ApiKeyAuthParameters?.ApiKeyValue, next?.Value];
    };
    const [one, two] = ['s'.repeat(64), 'n'.repeat(64)];

    await world.partners.rotateSignature({ before, after: announced }, { announce: two });
    await world.invoke(message);
    const during = values();
    const { nextSignatureMadeAtMs: _, ...chosen } = { ...announced, signatureMadeAtMs: servedAtMs };
    await world.partners.rotateSignature({ before: announced, after: chosen }, 'finish');
    await world.invoke(message);

    expect([during, values()]).toEqual([
      [one, two],
      [two, undefined],
    ]);
    expect(onBus(world)).toMatchObject({ targets: 1 });
    expect(await world.status()).toMatchObject({ state: 'on', servesFromMs: noonMs + minute });
  });

  test('S-22 is masked in errors, and appears in no log line or status', async () => {
    const world = anEndpointWorld();
    await world.create();
    const { send } = world.memory;
    world.memory.send = (async (command: { constructor: { name: string } }) => {
      if (command.constructor.name !== 'CreateConnectionCommand') return send(command as never);
      throw new Error(`no ${'s'.repeat(64)}: ${'s'.repeat(64)} is taken`);
    }) as unknown as typeof send;

    await world.invoke(message);

    expect(JSON.stringify([world.logged, await world.status()])).not.toContain('s'.repeat(64));
    expect(world.logged).toEqual([
      [
        'endpointDiffers',
        { clientId, reason: 'BUS_REFUSED' },
        new Error('no (signature): (signature) is taken'),
      ],
    ]);
  });
});
