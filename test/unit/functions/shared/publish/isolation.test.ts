import { describe, expect, test } from '@jest/globals';
import type { Delivery } from '../../../../../functions/shared/domain/event/delivery.ts';
import type { BusEntry } from '../../../../../functions/shared/outbound/event-bus.ts';
import { dueShards } from '../../../../../functions/shared/store/debounce/debounce-row-store.ts';
import type { DeliveryMove } from '../../../../../functions/shared/store/debounce/delivery-log-store.ts';
import { dueShardOf } from '../../../../../functions/shared/store/debounce/keys.ts';
import { aCrowdedStage } from '../../../../support/memory/crowded-stage.ts';
import { oneByOne } from '../../../../support/memory/publishing.ts';

const broken = () => Promise.reject(new Error('broken'));

describe('EV-17 ten transactions that are due together', () => {
  const aStage = () => aCrowdedStage({ transactions: 10, partners: 1 });
  type Stage = Awaited<ReturnType<typeof aStage>>;
  const others = ({ uuids }: Stage) => uuids.slice(1);
  const isFirst = ({ uuids }: Stage, entry: BusEntry) => entry.message.includes(String(uuids[0]));

  test.each<[string, (stage: Stage) => void]>([
    [
      'whose row cannot be moved',
      ({ deliveryLog, uuids }) => {
        const { move } = deliveryLog;
        deliveryLog.move = async (asked) => {
          const delivery = await deliveryLog.delivery(asked);
          return delivery?.uuid === uuids[0] ? broken() : move(asked);
        };
      },
    ],
    [
      'that cannot be completed',
      ({ debounceRows, uuids }) => {
        const { complete } = debounceRows;
        debounceRows.complete = (key, sent) => (key.uuid === uuids[0] ? broken() : complete(key, sent));
      },
    ],
    [
      'that cannot be read',
      ({ deps, transactions, uuids }) => {
        deps.transactions = oneByOne((uuid) => (uuid === uuids[0] ? broken() : transactions.byUuid(uuid)));
      },
    ],
  ])('EV-17 one %s keeps none of the others from being completed', async (_, breakFirst) => {
    const stage = await aStage();
    breakFirst(stage);

    const { failed } = await stage.flush();

    expect(await stage.completed()).toEqual(others(stage));
    expect(failed).toBe(1);
  });

  test('EV-17 a delivery whose withheld row cannot be written does not stop the others from completing', async () => {
    const stage = await aCrowdedStage({ transactions: 1, partners: 10 });
    for (const partner of stage.partners) partner.webhookPaused = 'operator';
    const move = (asked: DeliveryMove) =>
      asked.clientId === 'P0003' ? broken() : stage.deliveryLog.move(asked);

    await stage.flush({ deliveryLog: { ...stage.deliveryLog, move } });

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
      const requests: number[] = [];
      const bus = {
        put: async (entries: readonly BusEntry[]) => {
          requests.push(entries.length);
          for (const partner of stage.partners) partner.enabled = false;
          return entries.map(() => ({ outcome: 'refused-together', code: 'ValidationException' }) as const);
        },
      };

      await stage.flush({ bus });

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

  test.each<[string, (stage: Stage) => Parameters<Stage['flush']>[0]]>([
    ['a bus that throws', () => ({ bus: { put: broken } })],
    [
      'partners that cannot be read right before the request',
      ({ deps }) => ({ partners: { ...deps.partners, byClientIds: broken } }),
    ],
  ])('EV-17 %s leaves all of them to their leases', async (_, parts) => {
    const stage = await aStage();

    await stage.flush(parts(stage));
    const completed = await stage.completed();
    stage.clock.pass({ seconds: 21 });
    await stage.flush();

    expect(completed).toEqual([]);
    expect(stage.bus.taken).toHaveLength(10);
    expect(await stage.completed()).toEqual(stage.uuids);
  });
});

test('EV-19 a part of the index that does not answer delays none of the others, is asked once, and counts as a failure', async () => {
  const stage = await aCrowdedStage({ transactions: 40, partners: 1 });
  const mute = dueShardOf(stage.uuids[0] ?? '');
  const [left, done] = [true, false].map((isMute) =>
    stage.uuids.filter((uuid) => (dueShardOf(uuid) === mute) === isMute),
  );
  const asked: number[] = [];
  const due: typeof stage.debounceRows.due = (shard, ...bounds) => {
    asked.push(shard);
    return shard === mute ? broken() : stage.debounceRows.due(shard, ...bounds);
  };

  const { failed, claimed } = await stage.flush({ debounceRows: { ...stage.debounceRows, due } });
  const completed = await stage.completed();
  await stage.flush();

  expect([failed, claimed, left?.length === 0]).toEqual([1, done?.length, false]);
  expect(completed).toEqual(done);
  expect(stage.faults).toEqual([{ shard: mute }]);
  expect(asked.filter((shard) => shard === mute)).toHaveLength(1);
  expect(asked.length).toBeGreaterThan(16);
  expect(await stage.completed()).toEqual(stage.uuids);
});
