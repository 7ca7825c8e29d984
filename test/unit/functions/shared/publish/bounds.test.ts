import { describe, expect, test } from '@jest/globals';
import { aNewTransaction, anOwner, uuidOf } from '../../../../support/builders/transactions.ts';
import { aCrowdedStage, afterCalls, counted } from '../../../../support/memory/crowded-stage.ts';
import { aBus } from '../../../../support/memory/publishing.ts';

describe('EV-14 200 partners and 10 transactions that are due together', () => {
  test('EV-14 at most four requests are with the bus at once, and forty status entries on their way, each one request', async () => {
    const stage = await aCrowdedStage({ transactions: 10, partners: 200 });
    const [requests, entries] = [counted(), counted()];

    await stage.flush({
      bus: { put: requests.through(stage.bus.put) },
      deliveryLog: { ...stage.deliveryLog, move: entries.through(stage.deliveryLog.move) },
    });

    expect([requests.seen, entries.seen]).toEqual([
      { most: 4, calls: 200 },
      { most: 40, calls: 2_000 },
    ]);
    expect(await stage.completed()).toEqual(stage.uuids);
  });

  test('EV-14 a partner’s record is read once for its ten entries', async () => {
    const { flush, deps } = await aCrowdedStage({ transactions: 10, partners: 2 });
    const asked: (readonly string[])[] = [];
    const byClientIds: typeof deps.partners.byClientIds = (clientIds) => {
      asked.push(clientIds);
      return deps.partners.byClientIds(clientIds);
    };

    await flush({ partners: { ...deps.partners, byClientIds } });

    expect(asked).toEqual([['P0000'], ['P0001']]);
  });

  test('EV-14 an invocation that is killed leaves at most forty entries in doubt, and one claim', async () => {
    const stage = await aCrowdedStage({ transactions: 40, partners: 200 });
    let requests = 0;
    const isKilled = () => requests > 30;
    const never = () => new Promise<never>(() => {});
    const killed = stage.flush({
      bus: {
        put: (entries) => {
          requests += 1;
          return isKilled() ? never() : stage.bus.put(entries);
        },
      },
      deliveryLog: {
        ...stage.deliveryLog,
        move: (move) => (isKilled() ? never() : stage.deliveryLog.move(move)),
      },
    });
    await Promise.race([killed, turns(5_000)]);

    const inFlight = await stage.inFlight();
    const sent = stage.bus.taken.map(({ eventId, clientId }) => ({ eventId, clientId }));
    const states = await Promise.all(sent.map((key) => stage.deliveryLog.delivery(key)));
    expect(inFlight).toHaveLength(1);
    expect(states.filter((delivery) => delivery?.state === 'READY').length).toBeLessThanOrEqual(40);
  });
});

describe('EV-15 the time of an invocation', () => {
  test('EV-15 the oldest row is loaded first', async () => {
    const stage = await aCrowdedStage({ transactions: 30, partners: 50 });

    await stage.flush();

    const notified = [...new Set(stage.bus.taken.map(({ message }) => JSON.parse(message).detail.uuid))];
    const place = (uuid: string | undefined) => notified.indexOf(uuid);
    expect(place(stage.uuids[0])).toBeLessThan(4);
    expect(place(stage.uuids[29])).toBeGreaterThan(25);
  });

  test('EV-15 it claims nothing that it has no time to send: 600 partners are not begun in its last moment', async () => {
    const stage = await aCrowdedStage({ transactions: 2, partners: 600 });

    const { isCutShort, claimed } = await stage.flush({}, 300);

    expect([isCutShort, claimed]).toEqual([true, 0]);
    expect(await stage.inFlight()).toEqual([]);
    expect(stage.bus.taken).toEqual([]);
  });

  test.each([1, 100])(
    'EV-15 it reports %i events for many partners that it had no time for, although it sends a later one for few',
    async (heavy) => {
      const stage = await aCrowdedStage({ transactions: heavy, partners: 600 });
      const light = uuidOf(heavy + 1);
      const nowMs = stage.clock.now().getTime();
      const ndMeta = anOwner({ group: 'group-b' });
      await stage.transactions.create(
        aNewTransaction({ uuid: light, ndMeta }, { updatedAtMs: nowMs - 120_000 }),
      );
      await stage.debounceRows.recordChange({ uuid: light, changed: [], dueAtMs: nowMs });

      const { isCutShort, claimed } = await stage.flush({}, 300);

      expect([isCutShort, claimed]).toEqual([true, 1]);
    },
  );

  test('EV-15 it takes over no lease that it has no time for', async () => {
    const stage = await aCrowdedStage({ transactions: 1, partners: 600 });
    await stage.flush({ bus: aBus(() => ({ outcome: 'unconfirmed' })) });
    stage.clock.pass({ seconds: 21 });

    await stage.flush({}, 300);

    const key = { uuid: stage.uuids[0] ?? '', kind: 'NOTIFY' } as const;
    expect((await stage.debounceRows.get(key))?.inflight?.attempts).toBe(1);
  });

  test('EV-15 it takes over an event of which only a few entries are left', async () => {
    const stage = await aCrowdedStage({ transactions: 1, partners: 600 });
    const silent = aBus(({ clientId }) =>
      clientId === 'P0300' ? { outcome: 'unconfirmed' } : { outcome: 'accepted', busEventId: 'b' },
    );
    await stage.flush({ bus: silent });
    stage.clock.pass({ seconds: 21 });

    await stage.flush({}, 300);

    expect(stage.bus.taken.map(({ clientId }) => clientId)).toEqual(['P0300']);
  });

  test('EV-15 it checks its time before each request, and leaves the rest to the end of the lease', async () => {
    const stage = await aCrowdedStage({ transactions: 1, partners: 200 });
    afterCalls(stage.bus, 'put', () => stage.clock.pass({ seconds: 1 }));
    const taken: number[] = [];

    for (let flush = 0; flush < 3; flush += 1) {
      await stage.flush();
      taken.push(stage.bus.taken.length);
      stage.clock.pass({ seconds: 20 });
    }

    expect(taken).toEqual([80, 160, 200]);
    expect(new Set(stage.bus.taken.map(({ clientId }) => clientId)).size).toBe(200);
    expect(await stage.completed()).toEqual(stage.uuids);
  });

  test('EV-15 it begins an event for more partners than it estimates to have time for, because otherwise it would never be sent', async () => {
    const stage = await aCrowdedStage({ transactions: 1, partners: 1_300 });

    const { isCutShort } = await stage.flush({}, 3_000);

    expect(isCutShort).toBe(false);
    expect(await stage.completed()).toEqual(stage.uuids);
  });
});

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
};
