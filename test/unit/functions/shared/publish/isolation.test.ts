import { describe, expect, test } from '@jest/globals';
import type { Delivery } from '../../../../../functions/shared/domain/event/delivery.ts';
import type { BusEntry } from '../../../../../functions/shared/outbound/event-bus.ts';
import { dueShards } from '../../../../../functions/shared/store/debounce/debounce-row-store.ts';
import type { DeliveryMove } from '../../../../../functions/shared/store/debounce/delivery-log-store.ts';
import { aCrowdedStage } from '../../../../support/memory/crowded-stage.ts';
import { oneByOne } from '../../../../support/memory/publishing.ts';

const broken = () => Promise.reject(new Error('broken'));

describe('EV-17 ten transactions that are due together', () => {
  const aStage = () => aCrowdedStage({ transactions: 10, partners: 1 });
  type Stage = Awaited<ReturnType<typeof aStage>>;
  const others = ({ uuids }: Stage) => uuids.slice(1);
  const isFirst = ({ uuids }: Stage, entry: BusEntry) => entry.message.includes(String(uuids[0]));

  test.each<[string, (stage: Stage) => Parameters<Stage['flush']>[0]]>([
    [
      'whose row cannot be moved',
      (stage) => ({
        deliveryLog: {
          ...stage.deliveryLog,
          move: async (move: DeliveryMove) => {
            const { uuid } = (await stage.deliveryLog.delivery(move)) ?? {};
            return uuid === stage.uuids[0] ? broken() : stage.deliveryLog.move(move);
          },
        },
      }),
    ],
    [
      'that cannot be completed',
      (stage) => ({
        debounceRows: {
          ...stage.debounceRows,
          complete: (key, completedSend) =>
            key.uuid === stage.uuids[0] ? broken() : stage.debounceRows.complete(key, completedSend),
        },
      }),
    ],
    [
      'that cannot be claimed',
      (stage) => ({
        debounceRows: {
          ...stage.debounceRows,
          // Refused as a whole, so that nothing says for which of them.
          claimTogether: async (wanted) => wanted.map(() => 'not-at-fault'),
          claim: (wanted) =>
            wanted.key.uuid === stage.uuids[0] ? broken() : stage.debounceRows.claim(wanted),
        },
      }),
    ],
    [
      'that cannot be read',
      (stage) => ({
        transactions: oneByOne((uuid) =>
          uuid === stage.uuids[0] ? broken() : stage.transactions.byUuid(uuid),
        ),
      }),
    ],
  ])('EV-17 one %s keeps none of the others from being completed', async (_, parts) => {
    const stage = await aStage();

    const { failed } = await stage.flush(parts(stage));

    expect(await stage.completed()).toEqual(others(stage));
    expect(failed).toBe(1);
  });

  test('EV-17 a delivery whose withheld row cannot be written does not stop the others from completing', async () => {
    const stage = await aCrowdedStage({ transactions: 1, partners: 10 });
    const all = (await stage.deps.partners.ofOwners([])).map((partner) => ({
      ...partner,
      webhookPaused: 'operator' as const,
    }));
    const partners = {
      ofOwners: async () => all,
      byClientIds: async () => new Map(all.map((one) => [one.clientId, one])),
    };
    const move = (asked: DeliveryMove) =>
      asked.clientId === 'P0003' ? broken() : stage.deliveryLog.move(asked);

    await stage.flush({ partners, deliveryLog: { ...stage.deliveryLog, move } });

    const { inflight } = (await stage.debounceRows.get({ uuid: stage.uuids[0] ?? '', kind: 'NOTIFY' })) ?? {};
    const found = await stage.deliveryLog.event(inflight?.eventId ?? '');
    expect(found?.deliveries.map(({ state }) => state)).toEqual([
      ...['HELD', 'HELD', 'HELD', 'READY', 'HELD'],
      ...['HELD', 'HELD', 'HELD', 'HELD', 'HELD'],
    ]);
  });

  test('EV-17 I7 a delivery whose acceptance cannot be written keeps its event open, and only it is sent once more', async () => {
    const stage = await aCrowdedStage({ transactions: 1, partners: 100 });
    const move = (asked: DeliveryMove) =>
      asked.clientId === 'P0050' ? broken() : stage.deliveryLog.move(asked);

    await stage.flush({ deliveryLog: { ...stage.deliveryLog, move } });
    const first = stage.bus.taken.length;
    stage.clock.pass({ seconds: 21 });
    await stage.flush();

    expect(first).toBe(100);
    expect(stage.bus.taken.slice(100).map(({ clientId }) => clientId)).toEqual(['P0050']);
    expect(await stage.completed()).toEqual(stage.uuids);
  });

  describe('EV-18 an entry for which the bus refuses the whole request', () => {
    const refusing = (stage: Stage) => ({
      put: async (entries: readonly BusEntry[]) => {
        if (!entries.some((entry) => isFirst(stage, entry))) return stage.bus.put(entries);
        const outcome = entries.length === 1 ? 'refused' : 'refused-together';
        return entries.map(() => ({ outcome, code: 'ValidationException' }) as const);
      },
    });

    test('EV-18 does not stop the others: the request is halved until the entry is alone', async () => {
      const stage = await aStage();

      await stage.flush({ bus: refusing(stage) });

      expect(await stage.completed()).toEqual(others(stage));
      expect(stage.bus.taken).toHaveLength(9);
    });

    test('S-54 a partner that is disabled meanwhile gets none of the halves', async () => {
      const stage = await aStage();
      let enabled = true;
      const now = async () => (await stage.deps.partners.ofOwners([])).map((one) => ({ ...one, enabled }));
      const partners = {
        ofOwners: now,
        byClientIds: async () => new Map((await now()).map((one) => [one.clientId, one])),
      };
      const requests: number[] = [];
      const bus = {
        put: async (entries: readonly BusEntry[]) => {
          requests.push(entries.length);
          enabled = false;
          const outcome = entries.length === 1 ? 'refused' : 'refused-together';
          return entries.map(() => ({ outcome, code: 'ValidationException' }) as const);
        },
      };

      await stage.flush({ partners, bus });

      expect(requests).toEqual([10]);
    });

    test('EV-18 is given up after five refusals, as if it had been refused alone', async () => {
      const stage = await aStage();

      for (let tries = 0; tries < 5; tries += 1) {
        await stage.flush({ bus: refusing(stage) });
        stage.clock.pass({ seconds: 21 });
      }

      expect(await stage.completed()).toEqual(stage.uuids);
      const deliveries: Delivery[] = [];
      for await (const one of stage.deliveryLog.deliveriesOfTransaction(stage.uuids[0] ?? '', {}))
        deliveries.push(one);
      expect(deliveries).toMatchObject([{ state: 'DEAD', reason: 'REFUSED_BY_BUS', refusals: 5 }]);
    });
  });

  test('EV-17 a good row behind 1,250 unreadable ones of its shard is sent', async () => {
    const stage = await aCrowdedStage({ transactions: 1_251, partners: 1 });
    stage.clock.pass({ seconds: 1 });
    const shards = Array.from({ length: dueShards }, (_, shard) => shard);
    const due: typeof stage.debounceRows.due = async (shard, nowMs, limit) => {
      if (shard !== 0) return [];
      const all = await Promise.all(shards.map((one) => stage.debounceRows.due(one, nowMs, 1_251)));
      return all
        .flat()
        .toSorted((one, other) => one.dueAtMs - other.dueAtMs)
        .slice(0, limit);
    };
    const last = stage.uuids.slice(1_250);
    const transactions = oneByOne((uuid) =>
      last.includes(uuid) ? stage.transactions.byUuid(uuid) : broken(),
    );

    const { failed } = await stage.flush({ debounceRows: { ...stage.debounceRows, due }, transactions });

    expect(await stage.completed()).toEqual(last);
    expect(failed).toBe(1_250);
  });

  test.each([
    { rows: 10, slowSeconds: 0, reads: 11 },
    { rows: 1, slowSeconds: 0, reads: 1 },
    { rows: 10, slowSeconds: 7, reads: 1 },
  ])(
    'EV-17 $rows that cannot be read together are read one by one if there is time: $reads reads',
    async (row) => {
      const stage = await aCrowdedStage({ transactions: row.rows, partners: 1 });
      let reads = 0;
      const byUuids = () => {
        reads += 1;
        stage.clock.pass({ seconds: row.slowSeconds });
        return broken();
      };

      const { failed } = await stage.flush({ transactions: { ...stage.transactions, byUuids } });

      expect([reads, failed]).toEqual([row.reads, row.rows]);
    },
  );

  test('EV-17 partners that cannot be read before the request leave all entries to their leases', async () => {
    const stage = await aStage();
    const { partners } = stage.deps;

    await stage.flush({ partners: { ...partners, byClientIds: broken } });
    const completed = await stage.completed();
    stage.clock.pass({ seconds: 21 });
    await stage.flush();

    expect(completed).toEqual([]);
    expect(stage.bus.taken).toHaveLength(10);
    expect(await stage.completed()).toEqual(stage.uuids);
  });

  test('EV-17 a bus that throws leaves all entries to their leases', async () => {
    const stage = await aStage();

    await stage.flush({ bus: { put: broken } });
    stage.clock.pass({ seconds: 21 });
    await stage.flush();

    expect(await stage.completed()).toEqual(stage.uuids);
  });
});

describe('EV-19 a part of the index that does not answer', () => {
  test('EV-19 does not delay the other fifteen, and counts as a failure', async () => {
    const stage = await aCrowdedStage({ transactions: 40, partners: 1 });
    const [mute] = await shardsWithRows(stage);
    const due: typeof stage.debounceRows.due = (shard, ...asked) =>
      shard === mute ? broken() : stage.debounceRows.due(shard, ...asked);

    const { failed, claimed } = await stage.flush({ debounceRows: { ...stage.debounceRows, due } });
    const completed = (await stage.completed()).length;
    await stage.flush();

    expect([failed, claimed]).toEqual([1, completed]);
    expect(completed).toBeGreaterThan(0);
    expect(completed).toBeLessThan(40);
    expect(stage.faults).toEqual([{ shard: mute }]);
    expect(await stage.completed()).toEqual(stage.uuids);
  });

  test('EV-19 is read once in an invocation', async () => {
    const stage = await aCrowdedStage({ transactions: 40, partners: 1 });
    const asked: number[] = [];
    const due: typeof stage.debounceRows.due = (shard, ...more) => {
      asked.push(shard);
      return shard === 3 ? broken() : stage.debounceRows.due(shard, ...more);
    };

    await stage.flush({ debounceRows: { ...stage.debounceRows, due } });

    expect(asked.filter((shard) => shard === 3)).toHaveLength(1);
    expect(asked.length).toBeGreaterThan(16);
  });
});

const shardsWithRows = async ({ debounceRows, clock }: Awaited<ReturnType<typeof aCrowdedStage>>) => {
  const shards = Array.from({ length: 16 }, (_, shard) => shard);
  const due = await Promise.all(shards.map((shard) => debounceRows.due(shard, clock.now().getTime(), 100)));
  return shards.filter((shard) => (due[shard]?.length ?? 0) > 0);
};
