import { describe, expect, test } from '@jest/globals';
import { endpointWishOf, hasFailed, isReached } from '../../../../functions/shared/domain/endpoint-wish.ts';
import { aPartner } from '../../../support/builders/a-partner.ts';
import {
  anEndpointWorld,
  aServedEndpointWorld,
  type EndpointWorld,
  endpointName,
} from '../../../support/memory/endpoint-world.ts';

const { clientId } = aPartner();
const noonMs = Date.parse('2026-11-21T12:00:00.000Z');
const url = 'https://partner.example/hook';
const other = 'https://partner.example/2';
const second = 1_000;
const minute = 60_000;
const connection = 'Signature of 2023-11-14T22:13:20.000Z';
const everything = { connection, address: url, rule: 'ENABLED', targets: 1 };
/** When a served world begins, whose endpoint serves since nine minutes. */
const servedAtMs = noonMs + 10 * minute;

const whenSent = ({ sentKept }: EndpointWorld) => sentKept.map(({ atMs }) => atMs - servedAtMs);

describe('a partner with an address', () => {
  test('gets an endpoint after its check, and events leave when the bus knows it', async () => {
    const world = anEndpointWorld();
    const partner = await world.create();

    const calls = await world.invoke();

    const steps = ['probe', 'CreateConnection', 'CreateApiDestination', 'PutRule', 'PutTargets'];
    expect(calls.filter((call) => /^(probe|Create|Put)/.test(call))).toEqual(steps);
    expect(world.onBus()).toEqual(everything);
    const wish = endpointWishOf(partner, false);
    const servesFromMs = noonMs + minute;
    expect(await world.status()).toEqual({
      state: 'on',
      sinceMs: servesFromMs,
      reached: wish,
      servedUrl: url,
      servedSetAtMs: noonMs,
      servesFromMs,
      sendsKeptAtMs: servesFromMs,
      tried: { wish, atMs: noonMs, answers: { status: 204, wrongStatus: 401 } },
      pollAgainAtMs: servesFromMs,
    });
    expect(isReached(await world.status(), wish)).toBe(true);
    const reason = 'make connection, make destination, make rule, make target';
    expect(world.logged).toEqual([['endpointChanged', { clientId, reason }]]);
  });

  test('EV-12 gets its kept events when it is on, and those of the last lease one lease later', async () => {
    const world = anEndpointWorld();
    await world.create();

    await world.invoke();
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

    const calls = await world.invoke();

    expect(world.sentKept).toEqual([{ atMs: noonMs, servesFromMs: noonMs }]);
    expect(calls.slice(-6)).toEqual(['write', 'send-kept', 'write', 'write', 'poll-later', 'write']);
    expect(await world.status()).toMatchObject({ state: 'on', sinceMs: noonMs, servesFromMs: noonMs });
  });

  test('whose resources match is left alone, without a note', async () => {
    const world = await aServedEndpointWorld();

    const calls = await world.invoke();

    const questions = ['DescribeConnection', 'DescribeApiDestination', 'DescribeRule', 'ListTargetsByRule'];
    expect(calls).toEqual(['read', ...questions]);
    expect(world.logged).toEqual([]);
  });

  test('that fails its check gets nothing, the reason, and a check every 15 minutes', async () => {
    const world = anEndpointWorld();
    const partner = await world.create();
    world.answers.set(url, [{ status: 401 }, { status: 500 }]);

    await world.invoke();

    expect(world.onBus()).toEqual({});
    expect(await world.status()).toMatchObject({ state: 'failing', reason: 'HTTP_500', sinceMs: noonMs });
    expect(hasFailed(await world.status(), endpointWishOf(partner, false))).toBe(true);
    expect(world.logged).toEqual([['endpointFailing', { clientId, reason: 'HTTP_500' }]]);
    expect(world.reported).toEqual([]);
    await world.passTime(14 * minute);
    expect(world.probed).toHaveLength(1);
    world.answers.delete(url);
    await world.passTime(10 * minute);
    expect(world.probed).toHaveLength(2);
    expect(world.onBus()).toEqual(everything);
    expect(await world.status()).toMatchObject({ state: 'on' });
    expect(await world.status()).not.toHaveProperty('reason');
  });

  test('that is set again is checked at once', async () => {
    const world = anEndpointWorld();
    await world.create();
    world.answers.set(url, [{ status: 401 }, { fault: 'timed out' }]);
    await world.invoke();
    await world.change({ webhookSetAtMs: noonMs + 1 });

    await world.invoke();

    expect(world.probed).toHaveLength(2);
  });

  test('that the operator set unchecked is not called', async () => {
    const world = anEndpointWorld();
    await world.create({ webhookUnchecked: true });

    await world.invoke();
    await world.invoke({ isUndelivered: true });

    expect(world.probed).toEqual([]);
    expect(world.onBus()).toEqual(everything);
  });
});

describe('a new address', () => {
  test('is used after its check; events are sent meanwhile', async () => {
    const world = await aServedEndpointWorld();
    await world.change({ webhookUrl: other, webhookSetAtMs: servedAtMs });

    const calls = await world.invoke();

    const changes = calls.filter((call) => /^(probe|Create|Update|Put|Delete|Remove)/.test(call));
    expect(changes).toEqual(['probe', 'UpdateApiDestination']);
    const serving = { servedUrl: other, servesFromMs: noonMs + minute };
    expect(await world.status()).toMatchObject({ state: 'on', sinceMs: servedAtMs, ...serving });
  });

  test('that does not pass leaves the former one serving, says why, and a rotation goes on', async () => {
    const world = await aServedEndpointWorld();
    const { reached } = (await world.status()) ?? {};
    world.answers.set(other, [{ fault: 'name not found' }]);
    const changes = { webhookUrl: other, webhookSetAtMs: servedAtMs, signatureMadeAtMs: servedAtMs };
    const wish = endpointWishOf(await world.change(changes), false);

    await world.invoke();

    const rotated = 'Signature of 2026-11-21T12:10:00.000Z';
    expect(world.onBus()).toEqual({ ...everything, connection: rotated });
    const serving = { servedUrl: url, servesFromMs: noonMs + minute, reached };
    expect(await world.status()).toMatchObject({ state: 'failing', reason: 'name not found', ...serving });
    expect(isReached(await world.status(), wish)).toBe(false);
    expect(hasFailed(await world.status(), wish)).toBe(true);
  });
});

describe('a pause', () => {
  test('ends sending at once, and removes the target after the leases of earlier senders', async () => {
    const world = await aServedEndpointWorld();
    const wish = endpointWishOf(await world.change({ webhookPaused: 'partner' }), false);

    await world.invoke();
    const before = await world.status();

    expect(before).toMatchObject({ state: 'paused', sinceMs: servedAtMs });
    expect(before).not.toHaveProperty('servesFromMs');
    expect([isReached(before, wish), world.onBus().targets]).toEqual([false, 1]);
    await world.passTime(21 * second);
    expect(isReached(await world.status(), wish)).toBe(true);
    expect(world.onBus()).toEqual({ ...everything, targets: 0 });
    expect(world.sentKept).toEqual([]);
  });

  test('S-77 of all webhooks pauses each partner', async () => {
    const world = await aServedEndpointWorld();
    await world.webhookSwitch.stop(servedAtMs);

    await world.invoke();
    await world.passTime(21 * second);

    expect(world.onBus().targets).toBe(0);
    expect(await world.status()).toMatchObject({ state: 'paused', reached: { wanted: 'kept' } });
  });

  test('that is undone creates the target again without a check, and sends kept events', async () => {
    const world = await aServedEndpointWorld();
    await world.change({ webhookPaused: 'partner' });
    await world.invoke();
    await world.passTime(minute);
    const probes = world.probed.length;
    await world.change({ webhookPaused: undefined });

    await world.invoke();
    await world.passTime(10 * minute);

    expect(world.onBus()).toEqual(everything);
    expect(world.probed).toHaveLength(probes);
    expect(whenSent(world)).toEqual([2 * minute, 2 * minute + 20 * second]);
  });

  test('that is undone before the target is removed keeps events until the bus surely knows the target', async () => {
    const world = await aServedEndpointWorld();
    await world.change({ webhookPaused: 'partner' });
    await world.invoke();
    await world.change({ webhookPaused: undefined });

    await world.invoke();
    await world.passTime(10 * minute);

    expect(world.onBus()).toEqual(everything);
    expect(await world.status()).toMatchObject({ state: 'on', servesFromMs: servedAtMs + minute });
  });

  test('that began and ended unseen has what was kept sent at once, and once more one lease later', async () => {
    const world = await aServedEndpointWorld();
    await world.change({ webhookChange: { by: 'operator', atMs: servedAtMs } });

    await world.invoke();
    expect(world.sentKept).toHaveLength(1);
    await world.passTime(10 * minute);
    await world.invoke();

    expect(whenSent(world)).toEqual([0, 20 * second]);
  });

  test.each([
    ['that began and ended unseen', minute, 0],
    ['whose end is seen late', 0, 30 * second],
  ])(
    'S-77 I16 of all webhooks, %s, has what was kept until then sent, and once more one lease later',
    async (...row) => {
      const [, lasts, seenAfter] = row;
      const world = await aServedEndpointWorld();
      await world.webhookSwitch.stop(servedAtMs);
      await world.webhookSwitch.start(servedAtMs + lasts);
      const seenMs = lasts + seenAfter;
      world.clock.pass({ ms: seenMs });

      await world.invoke();
      await world.passTime(10 * minute);

      expect(whenSent(world)).toEqual([seenMs, seenMs + 20 * second]);
      expect(await world.status()).toMatchObject({ servesFromMs: servedAtMs + seenMs });
      expect(world.onBus()).toEqual(everything);
    },
  );

  const next = { beganAtMs: servedAtMs, after: { claimedAtMs: 7, eventId: 'e7' } };

  test('EV-12 continues in the next invocation if its time ends, followed by the last pass', async () => {
    const world = await aServedEndpointWorld();
    world.parts.push({ next });
    await world.change({ webhookChange: { by: 'operator', atMs: servedAtMs } });

    await world.invoke();
    expect(await world.status()).toMatchObject({ keptPass: next, sendsKeptAtMs: servedAtMs });
    world.clock.pass({ ms: 30 * second });
    await world.passTime(10 * minute);

    const passes = [{ beganAtMs: servedAtMs }, next, { beganAtMs: servedAtMs + 30 * second }];
    expect(world.passes.slice(-3)).toEqual(passes);
    expect(await world.status()).not.toHaveProperty('keptPass');
    expect(await world.status()).not.toHaveProperty('sendsKeptAtMs');
  });

  test('I1 has another pass after five minutes if part of one failed, and the invocation counts as failed', async () => {
    const world = await aServedEndpointWorld();
    world.parts.push({ next, fault: new Error('poison') });
    await world.change({ webhookChange: { by: 'operator', atMs: servedAtMs } });

    await expect(world.invoke()).rejects.toThrow('poison');
    await world.passTime(minute);
    const sendsKeptAtMs = servedAtMs + 5 * minute;
    expect(await world.status()).toMatchObject({ state: 'on', sendsKeptAtMs });
    await world.passTime(10 * minute);

    expect(whenSent(world)).toEqual([0, 0, 5 * minute]);
  });

  test('I1 has another pass after five minutes if the first of three parts failed', async () => {
    const world = await aServedEndpointWorld();
    world.parts.push({ next, fault: new Error('poison') }, { next });
    await world.change({ webhookChange: { by: 'operator', atMs: servedAtMs } });

    await expect(world.invoke()).rejects.toThrow('poison');
    for (let parts = 2; parts <= 3; parts += 1) {
      world.clock.pass({ ms: second });
      await world.invoke();
    }

    expect(whenSent(world)).toEqual([0, second, 2 * second]);
    expect(await world.status()).toMatchObject({ sendsKeptAtMs: servedAtMs + 2 * second + 5 * minute });
  });
});

describe('a disabled partner, or one without an address', () => {
  test.each([
    ['disabled', { enabled: false }, 'DISABLED'],
    ['without an address', { webhookUrl: undefined }, 'NO_ENDPOINT'],
  ])('EV-13 %s has nothing on the bus, and its kept events end', async (_how, changes, reason) => {
    const world = await aServedEndpointWorld();
    const partner = await world.change(changes);

    await world.invoke();
    expect(world.onBus()).toEqual(everything);
    await world.passTime(minute);

    expect(world.onBus()).toEqual({});
    const reached = endpointWishOf(partner, false);
    expect(await world.status()).toEqual({ state: 'off', sinceMs: servedAtMs, reached });
    expect(world.ended).toEqual([
      { atMs: servedAtMs, reason },
      { atMs: servedAtMs + 20 * second, reason },
    ]);
    expect(world.sentKept).toEqual([]);
  });

  test('EV-13 loses its target before its kept events end, however long that takes', async () => {
    const world = await aServedEndpointWorld();
    await world.change({ webhookUrl: undefined });
    await world.invoke();
    world.clock.pass({ ms: 20 * second });

    const calls = await world.invoke();

    const order = calls.filter((call) => ['RemoveTargets', 'end-kept'].includes(call));
    expect(order).toEqual(['RemoveTargets', 'end-kept']);
  });

  test('that is deleted has nothing on the bus at once', async () => {
    const world = await aServedEndpointWorld();
    await world.partners.remove(clientId);

    await world.invoke();

    expect(world.onBus()).toEqual({});
    expect(world.ended).toEqual([{ atMs: servedAtMs, reason: 'DISABLED' }]);
    expect(world.later).toEqual([]);
  });

  test('that is enabled again is checked again', async () => {
    const world = await aServedEndpointWorld();
    await world.change({ enabled: false });
    await world.invoke();
    await world.passTime(minute);
    await world.change({ enabled: true });
    const probes = world.probed.length;

    await world.invoke();

    expect(world.probed).toHaveLength(probes + 1);
    expect(world.onBus()).toEqual(everything);
  });
});

describe('an address that fails later', () => {
  test('is checked after a dead letter, says why, goes on being sent to, and is checked again every 15 minutes', async () => {
    const world = await aServedEndpointWorld();
    world.answers.set(url, [{ status: 401 }, { status: 503 }]);

    await world.invoke({ isUndelivered: true });
    const first = world.probed.length;

    const failing = { state: 'failing', reason: 'HTTP_503', sinceMs: servedAtMs };
    const serving = { servesFromMs: noonMs + minute, reached: { wanted: 'on' } };
    expect(await world.status()).toMatchObject({ ...failing, ...serving });
    expect(world.onBus()).toEqual(everything);
    expect(world.logged).toContainEqual(['endpointFailing', { clientId, reason: 'HTTP_503' }]);
    await world.passTime(40 * minute);
    expect(world.probed).toHaveLength(first + 2);
    expect(await world.status()).toMatchObject(failing);
    world.answers.delete(url);
    await world.passTime(10 * minute);
    expect(await world.status()).toMatchObject({ state: 'on', sinceMs: servedAtMs + 45 * minute });
    expect(world.later).toEqual([]);
  });

  test('is asked once in five minutes at most, however many dead letters come, and stays on where it passes', async () => {
    const world = await aServedEndpointWorld();
    const first = world.probed.length;

    for (let letters = 0; letters < 10; letters += 1) {
      await world.invoke({ isUndelivered: true });
      await world.passTime(minute);
    }

    expect(world.probed).toHaveLength(first + 2);
    expect(await world.status()).toMatchObject({ state: 'on', sinceMs: noonMs + minute });
  });
});

describe('the signature', () => {
  test('I22 S-27 S-87 is the present one, whatever comes next, and the next one once it is chosen', async () => {
    const world = await aServedEndpointWorld();
    const { memory } = world;
    const parameters = () => memory.connections.get(endpointName)?.AuthParameters;
    const alone = (ApiKeyValue: string) => ({
      ApiKeyAuthParameters: { ApiKeyName: 'X-Webhook-Signature', ApiKeyValue },
    });

    await world.announce(servedAtMs);
    const calls = await world.invoke();
    expect(calls).not.toContain('UpdateConnection');
    expect(parameters()).toEqual(alone('s'.repeat(64)));
    await world.rotate(servedAtMs);
    await world.invoke();

    expect(parameters()).toEqual(alone('n'.repeat(64)));
    expect(world.onBus().targets).toBe(1);
    expect(await world.status()).toMatchObject({ state: 'on', servesFromMs: noonMs + minute });
  });

  test('S-22 is masked in errors, and appears in no log line or status', async () => {
    const world = anEndpointWorld();
    await world.create();
    const signature = 's'.repeat(64);
    const { send } = world.memory;
    world.memory.send = (async (command: { constructor: { name: string } }) => {
      if (command.constructor.name !== 'CreateConnectionCommand') return send(command as never);
      throw new Error(`no ${signature}: ${signature} is taken`);
    }) as unknown as typeof send;

    await world.invoke();

    expect(JSON.stringify([world.logged, await world.status()])).not.toContain(signature);
    const fault = new Error('no (signature): (signature) is taken');
    expect(world.logged).toEqual([['endpointDiffers', { clientId, reason: 'BUS_REFUSED' }, fault]]);
  });
});
