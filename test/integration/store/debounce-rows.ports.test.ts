import { randomBytes } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import type { DebounceRow, DebounceRowKey } from '../../../functions/shared/domain/event/debounce-row.ts';
import {
  type DebounceRowStore,
  dueShards,
  resendShard,
} from '../../../functions/shared/store/debounce/debounce-row-store.ts';
import { dueShardOf } from '../../../functions/shared/store/debounce/keys.ts';
import {
  aClaim,
  aDelivery,
  anEvent,
  aPendingDelivery,
  claimedAtMs,
  someBodies,
} from '../../support/builders/events.ts';
import { uuidOf } from '../../support/builders/transactions.ts';
import type { Fault } from '../../support/engine/faults.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { type EventStores, engineEventStores, memoryEventStores } from '../../support/memory/event-stores.ts';

const engine = useEngine();

const uuid = uuidOf(1);
const debounceRow: DebounceRowKey = { uuid, kind: 'NOTIFY' };
const changedAtMs = claimedAtMs - 120_000;
const dueAtMs = claimedAtMs;
const leaseEndsAtMs = claimedAtMs + 20_000;

const change = (values: Partial<Parameters<DebounceRowStore['recordChange']>[0]> = {}) => ({
  uuid,
  changed: ['vehicle'],
  changedAtMs,
  dueAtMs,
  ...values,
});

/** A debounce row that one change has scheduled, of a transaction of version 1. */
const aWorld = async (newStores: () => Promise<EventStores>) => {
  const stores = await newStores();
  await stores.setVersion(uuid, 1);
  await stores.debounceRows.recordChange(change());
  return stores;
};

const allDue = async ({ debounceRows }: EventStores, nowMs: number, limit = 100) => {
  const shards = Array.from({ length: dueShards + 1 }, (_, shard) => debounceRows.due(shard, nowMs, limit));
  return (await Promise.all(shards)).flat();
};

const completedSend = {
  eventId: 'event-1',
  changeCount: 1,
  to: 1,
  nowMs: claimedAtMs + 500,
  rescheduleAtMs: claimedAtMs + 120_500,
};

const hundred = Array.from({ length: 150 }, (_, index) => uuidOf(index + 1));

describe.each([
  { name: 'stand-in in memory', newStores: memoryEventStores },
  { name: 'DynamoDB engine', newStores: (): Promise<EventStores> => engineEventStores(engine) },
])('$name', ({ newStores }) => {
  const world = () => aWorld(newStores);

  describe('a recorded change', () => {
    test('schedules an unscheduled debounce row', async () => {
      const { debounceRows } = await world();

      expect(await debounceRows.get(debounceRow)).toEqual({
        uuid,
        kind: 'NOTIFY',
        revision: 0,
        changeCount: 1,
        dueAtMs,
        changed: ['vehicle'],
      });
    });

    test('I15 never moves the due time; it counts, and merges the names', async () => {
      const { debounceRows } = await world();

      await debounceRows.recordChange(change({ changed: ['customer', 'vehicle'], dueAtMs: 5 }));
      await debounceRows.recordChange(change({ changed: [], dueAtMs: dueAtMs + 9 }));

      const { changed, ...woken } = (await debounceRows.get(debounceRow)) as DebounceRow;
      expect(woken).toEqual({
        uuid,
        kind: 'NOTIFY',
        revision: 0,
        changeCount: 3,
        dueAtMs,
      });
      expect(changed?.sort()).toEqual(['customer', 'vehicle']);
    });

    test('20 parallel changes are all counted', async () => {
      const { debounceRows } = await newStores();

      await Promise.all(Array.from({ length: 20 }, () => debounceRows.recordChange(change())));

      expect((await debounceRows.get(debounceRow))?.changeCount).toBe(20);
    });

    test('leaves the lease of a claim as it is', async () => {
      const { debounceRows } = await world();
      await debounceRows.claim(aClaim({ key: debounceRow }));

      await debounceRows.recordChange(change({ dueAtMs: claimedAtMs + 1 }));

      expect(await debounceRows.get(debounceRow)).toMatchObject({
        dueAtMs,
        changeCount: 2,
        inflight: { leasedUntilMs: leaseEndsAtMs },
      });
    });
  });

  describe('scheduling for the reconciler', () => {
    test('I20 schedules an unscheduled row, even for a transaction without one', async () => {
      const { debounceRows } = await newStores();

      expect(await debounceRows.schedule(debounceRow, 7)).toBe(true);
      expect(await debounceRows.get(debounceRow)).toEqual({
        uuid,
        kind: 'NOTIFY',
        revision: 0,
        changeCount: 0,
        dueAtMs: 7,
      });
    });

    test('leaves a scheduled debounce row alone', async () => {
      const { debounceRows } = await world();

      expect(await debounceRows.schedule(debounceRow, 7)).toBe(false);
      expect((await debounceRows.get(debounceRow))?.dueAtMs).toBe(dueAtMs);
    });

    test('keeps the notified version', async () => {
      const { debounceRows } = await world();
      await debounceRows.claim(aClaim({ key: debounceRow }));
      await debounceRows.complete(debounceRow, completedSend);

      expect(await debounceRows.schedule(debounceRow, 7)).toBe(true);
      expect(await debounceRows.get(debounceRow)).toMatchObject({
        dueAtMs: 7,
        notifiedVersion: 1,
        revision: 2,
        changeCount: 1,
      });
    });
  });

  describe('what is due', () => {
    test('are every scheduled debounce row, marker and delivery whose time has come, earliest first', async () => {
      const stores = await newStores();
      const { debounceRows, deliveryLog } = stores;
      const shard = dueShardOf(uuid);
      const [near = '', far = ''] = hundred.filter((one) => one !== uuid && dueShardOf(one) === shard);
      await debounceRows.recordChange(change());
      await debounceRows.recordChange(change({ uuid: near, dueAtMs: dueAtMs - 1 }));
      await debounceRows.recordChange(change({ uuid: far, dueAtMs: dueAtMs + 1 }));
      const first = { key: { uuid: near, kind: 'NOTIFY' }, dueAtMs: dueAtMs - 1 };
      const second = { key: debounceRow, dueAtMs };

      expect(await debounceRows.due(shard, dueAtMs, 100)).toEqual([first, second]);
      expect(await debounceRows.due(shard, dueAtMs, 1)).toEqual([first]);
      await deliveryLog.addMissing({ event: anEvent(), deliveries: [aDelivery({ dueAtMs: 3 })] });
      const due = await allDue(stores, dueAtMs);
      expect(due).toHaveLength(3);
      expect(due).toContainEqual({
        key: { kind: 'DELIVERY', eventId: 'event-1', clientId: 'P1' },
        dueAtMs: 3,
      });
    });

    test('EV-26 has deliveries in their own shard, whatever the shards of their transactions', async () => {
      const { debounceRows, deliveryLog } = await newStores();
      await debounceRows.recordChange(change());
      const deliveries = hundred.slice(0, 20).map((eventId) => aDelivery({ eventId, dueAtMs }));
      await deliveryLog.addMissing({ deliveries });

      const again = await debounceRows.due(resendShard, dueAtMs, 100);
      const shards = Array.from({ length: dueShards }, (_, shard) => debounceRows.due(shard, dueAtMs, 100));

      expect(again.map(({ key }) => key.kind)).toEqual(Array(20).fill('DELIVERY'));
      expect((await Promise.all(shards)).flat().map(({ key }) => key)).toEqual([debounceRow]);
    });

    test('are spread over all parts of the index', async () => {
      const { debounceRows } = await newStores();
      await Promise.all(hundred.map((one) => debounceRows.recordChange(change({ uuid: one }))));

      const shards = Array.from({ length: dueShards }, (_, shard) => debounceRows.due(shard, dueAtMs, 100));
      const sizes = (await Promise.all(shards)).map((due) => due.length);

      expect(sizes.every((size) => size > 0)).toBe(true);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(150);
    });

    test('are none after they are unscheduled or completed', async () => {
      const stores = await world();
      const [second = ''] = hundred.slice(1);
      await stores.debounceRows.recordChange(change({ uuid: second }));
      await stores.debounceRows.claim(aClaim({ key: debounceRow }));
      await stores.debounceRows.complete(debounceRow, completedSend);
      await stores.debounceRows.unschedule({ uuid: second, kind: 'NOTIFY' }, { revision: 0, changeCount: 1 });

      expect(await allDue(stores, leaseEndsAtMs)).toEqual([]);
    });
  });

  test('many debounce rows are read at once, and missing ones are absent', async () => {
    const { debounceRows } = await newStores();
    await Promise.all(hundred.map((one) => debounceRows.recordChange(change({ uuid: one }))));

    const found = await debounceRows.getMany([uuid, ...hundred, uuidOf(999)]);

    expect([...found.keys()].sort()).toEqual(hundred);
    expect(found.get(uuidOf(77))).toEqual(await debounceRows.get({ uuid: uuidOf(77), kind: 'NOTIFY' }));
    expect(await debounceRows.getMany([])).toEqual(new Map());
  });

  describe('EV-11 passing over a version', () => {
    test('EV-11 unschedules the row, and the next event begins after that version', async () => {
      const { debounceRows } = await world();

      expect(await debounceRows.passOver(debounceRow, { revision: 0, changeCount: 1 }, 3)).toBe(true);
      expect(await debounceRows.get(debounceRow)).toEqual({
        ...{ uuid, kind: 'NOTIFY', revision: 1, changeCount: 1 },
        notifiedVersion: 3,
      });
    });

    test('EV-11 a change since it was read keeps the debounce row as it was', async () => {
      const { debounceRows } = await world();
      await debounceRows.recordChange(change());

      expect(await debounceRows.passOver(debounceRow, { revision: 0, changeCount: 1 }, 3)).toBe(false);
      expect(await debounceRows.get(debounceRow)).not.toHaveProperty('notifiedVersion');
    });

    test('EV-11 a step of another sender keeps it as well', async () => {
      const { debounceRows } = await world();
      await debounceRows.reschedule(debounceRow, { revision: 0 }, dueAtMs);

      expect(await debounceRows.passOver(debounceRow, { revision: 0, changeCount: 1 }, 3)).toBe(false);
    });
  });

  describe('unscheduling', () => {
    test('removes the schedule, and what only the next event needs', async () => {
      const { debounceRows } = await world();

      expect(await debounceRows.unschedule(debounceRow, { revision: 0, changeCount: 1 })).toBe(true);
      expect(await debounceRows.get(debounceRow)).toEqual({
        uuid,
        kind: 'NOTIFY',
        revision: 1,
        changeCount: 1,
      });
    });

    test('I19 a change since it was read keeps the debounce row scheduled', async () => {
      const { debounceRows } = await world();
      await debounceRows.recordChange(change());

      expect(await debounceRows.unschedule(debounceRow, { revision: 0, changeCount: 1 })).toBe(false);
      expect((await debounceRows.get(debounceRow))?.dueAtMs).toBe(dueAtMs);
    });

    test('a step of another sender since it was read keeps it scheduled, even with the same due time', async () => {
      const { debounceRows } = await world();
      await debounceRows.reschedule(debounceRow, { revision: 0 }, dueAtMs);

      expect(await debounceRows.unschedule(debounceRow, { revision: 0, changeCount: 1 })).toBe(false);
      expect(await debounceRows.get(debounceRow)).toMatchObject({ dueAtMs, revision: 1 });
    });

    test('of a missing row does nothing', async () => {
      const { debounceRows } = await newStores();

      expect(await debounceRows.unschedule(debounceRow, { revision: 0, changeCount: 0 })).toBe(false);
      expect(await debounceRows.get(debounceRow)).toBeUndefined();
    });
  });

  describe('rescheduling', () => {
    test('moves the time', async () => {
      const { debounceRows } = await world();

      expect(await debounceRows.reschedule(debounceRow, { revision: 0 }, dueAtMs + 1)).toBe(true);
      expect(await debounceRows.get(debounceRow)).toMatchObject({
        dueAtMs: dueAtMs + 1,
        revision: 1,
        changeCount: 1,
      });
    });

    test('is refused after another step', async () => {
      const { debounceRows } = await world();
      await debounceRows.claim(aClaim({ key: debounceRow }));

      expect(await debounceRows.reschedule(debounceRow, { revision: 0 }, dueAtMs + 1)).toBe(false);
      expect((await debounceRows.get(debounceRow))?.dueAtMs).toBe(dueAtMs);
    });
  });

  describe('a claim', () => {
    test('I16 takes the debounce row and stores the event, its bodies and its recipients', async () => {
      const { debounceRows, deliveryLog } = await world();
      const claim = aClaim({ key: debounceRow });

      expect(await debounceRows.claim(claim)).toBe(true);

      expect(await debounceRows.get(debounceRow)).toEqual({
        uuid,
        kind: 'NOTIFY',
        revision: 1,
        changeCount: 1,
        dueAtMs,
        inflight: claim.inflight,
      });
      expect(await deliveryLog.event('event-1')).toEqual({
        event: claim.event,
        bodies: someBodies,
        deliveries: [aPendingDelivery()],
      });
    });

    test('I4 leaves the due time, and sets the end of its lease', async () => {
      const stores = await world();

      await stores.debounceRows.claim(aClaim({ key: debounceRow }));

      expect(await allDue(stores, dueAtMs)).toEqual([{ key: debounceRow, dueAtMs }]);
      expect((await stores.debounceRows.get(debounceRow))?.inflight?.leasedUntilMs).toBe(leaseEndsAtMs);
    });

    test.each([
      { what: 'another step was made', differs: { revision: 1 } },
      { what: 'the transaction was changed again', differs: { transactionVersion: 0 } },
      {
        what: 'there is no such debounce row',
        differs: { key: { uuid: uuidOf(2), kind: 'NOTIFY' as const } },
      },
      {
        what: 'there is no such transaction',
        differs: { key: { uuid: uuidOf(3), kind: 'NOTIFY' as const } },
      },
    ])('I4 is lost, and leaves nothing, if $what', async ({ differs }) => {
      const { debounceRows, deliveryLog, setVersion } = await world();
      await setVersion(uuidOf(2), 1);
      await debounceRows.recordChange(change({ uuid: uuidOf(3) }));
      const before = await debounceRows.get(debounceRow);

      expect(await debounceRows.claim(aClaim({ key: debounceRow, ...differs }))).toBe(false);

      expect(await debounceRows.get(debounceRow)).toEqual(before);
      expect(await deliveryLog.event('event-1')).toBeUndefined();
      expect(await deliveryLog.delivery({ eventId: 'event-1', clientId: 'P1' })).toBeUndefined();
    });

    test('I4 is lost while another event is in flight', async () => {
      const { debounceRows, deliveryLog } = await world();
      await debounceRows.claim(aClaim({ key: debounceRow }));

      const second = aClaim({ key: debounceRow, revision: 1, event: anEvent({ eventId: 'event-2' }) });
      expect(await debounceRows.claim(second)).toBe(false);

      expect((await debounceRows.get(debounceRow))?.inflight?.eventId).toBe('event-1');
      expect(await deliveryLog.event('event-2')).toBeUndefined();
    });

    test('TH-23 has room for two bodies of 60 kB, and a hundred recipients without a status entry', async () => {
      const { debounceRows, deliveryLog } = await world();
      const recipients = Array.from({ length: 100 }, (_, index) => `P${String(index).padStart(3, '0')}`);
      const bodies = { plain: 'p'.repeat(60_000), tokens: 't'.repeat(60_000) };
      const deliveries = recipients.map((clientId) => aPendingDelivery({ clientId }));

      const claim = aClaim({ key: debounceRow, event: anEvent({ recipients }), bodies });
      expect(await debounceRows.claim(claim)).toBe(true);

      expect(await deliveryLog.event('event-1')).toEqual({
        event: anEvent({ recipients }),
        bodies,
        deliveries,
      });
    });

    test('I4 of twenty parallel claims one wins', async () => {
      const { debounceRows } = await world();

      const claims = Array.from({ length: 20 }, () => debounceRows.claim(aClaim({ key: debounceRow })));

      expect((await Promise.all(claims)).filter((isClaimed) => isClaimed)).toHaveLength(1);
    });

    test('I2 against a parallel change: the claim is lost, or the change comes after it', async () => {
      const stores = await world();
      const [isClaimed] = await Promise.all([
        stores.debounceRows.claim(aClaim({ key: debounceRow })),
        stores.setVersion(uuid, 2),
        stores.debounceRows.recordChange(change()),
      ]);

      const after = await stores.debounceRows.get(debounceRow);

      expect(after?.changeCount).toBe(2);
      expect(after?.inflight?.changeCount).toBe(isClaimed ? 1 : undefined);
    });

    test('against a parallel unschedule: one of them is done', async () => {
      const { debounceRows } = await world();

      const made = await Promise.all([
        debounceRows.claim(aClaim({ key: debounceRow })),
        debounceRows.unschedule(debounceRow, { revision: 0, changeCount: 1 }),
        debounceRows.reschedule(debounceRow, { revision: 0 }, dueAtMs + 1),
      ]);

      expect(made.filter((isMade) => isMade)).toHaveLength(1);
    });
  });

  describe('several claims in one request', () => {
    const four = [1, 2, 3, 4].map(uuidOf);
    const claimsOf = (uuids: readonly string[]) =>
      uuids.map((one) =>
        aClaim({
          key: { uuid: one, kind: 'NOTIFY' },
          event: anEvent({ uuid: one, eventId: `event of ${one}` }),
        }),
      );
    const crowd = async () => {
      const stores = await newStores();
      for (const one of four) {
        await stores.setVersion(one, 1);
        await stores.debounceRows.recordChange(change({ uuid: one }));
      }
      const inFlight = async () =>
        (
          await stores.debounceRows.getAll(four.map((one) => ({ uuid: one, kind: 'NOTIFY' as const })))
        ).filter(({ inflight }) => inflight).length;
      return { ...stores, inFlight };
    };

    test('EV-25 take each debounce row, and store each event with its bodies', async () => {
      const { debounceRows, deliveryLog, inFlight } = await crowd();
      const claims = claimsOf(four);

      expect(await debounceRows.claimTogether(claims)).toEqual(['claimed', 'claimed', 'claimed', 'claimed']);

      expect(await inFlight()).toBe(4);
      for (const { event } of claims)
        expect(await deliveryLog.event(event.eventId)).toMatchObject({ event, bodies: someBodies });
    });

    test('EV-25 I4 are all undone if one is lost: a changed transaction, or a row of another sender', async () => {
      const { debounceRows, deliveryLog, inFlight, setVersion } = await crowd();
      const claims = claimsOf(four);
      await setVersion(uuidOf(2), 2);
      await debounceRows.reschedule({ uuid: uuidOf(3), kind: 'NOTIFY' }, { revision: 0 }, dueAtMs + 1);

      expect(await debounceRows.claimTogether(claims)).toEqual([
        'not-at-fault',
        'lost',
        'lost',
        'not-at-fault',
      ]);

      expect(await inFlight()).toBe(0);
      for (const { event } of claims) expect(await deliveryLog.event(event.eventId)).toBeUndefined();
    });

    test('EV-25 in parallel with others for the same rows: each row is claimed once', async () => {
      const { debounceRows, inFlight } = await crowd();

      const made = await Promise.all([
        debounceRows.claimTogether(claimsOf(four)),
        debounceRows.claimTogether(claimsOf(four.toReversed())),
      ]);

      expect(made.flat().filter((outcome) => outcome === 'claimed')).toHaveLength(4);
      expect(await inFlight()).toBe(4);
    });
  });

  describe('a lease', () => {
    const renewed = { nowMs: leaseEndsAtMs, dueAtMs: leaseEndsAtMs + 20_000 };
    const claimed = async () => {
      const stores = await world();
      await stores.debounceRows.claim(aClaim({ key: debounceRow }));
      return stores;
    };

    test('is taken over after its end, with the same event', async () => {
      const { debounceRows } = await claimed();

      const taken = await debounceRows.renewLease(debounceRow, { revision: 1 }, renewed);

      expect(taken).toEqual({
        uuid,
        kind: 'NOTIFY',
        revision: 2,
        changeCount: 1,
        dueAtMs: leaseEndsAtMs + 20_000,
        inflight: { ...aClaim({ key: debounceRow }).inflight, attempts: 2 },
      });
      expect(await debounceRows.get(debounceRow)).toEqual(taken);
    });

    test.each([
      { what: 'it runs still', seen: { revision: 1 }, lease: { ...renewed, nowMs: leaseEndsAtMs - 1 } },
      { what: 'another flusher took it over', seen: { revision: 0 }, lease: renewed },
    ])('is not taken over when $what', async ({ seen, lease }) => {
      const { debounceRows } = await claimed();

      expect(await debounceRows.renewLease(debounceRow, seen, lease)).toBeUndefined();
      expect(await debounceRows.get(debounceRow)).toMatchObject({ revision: 1, dueAtMs });
    });

    test('I4 a renewed one moves the due time, behind rows that nobody has tried', async () => {
      const { debounceRows } = await claimed();
      await debounceRows.renewLease(debounceRow, { revision: 1 }, renewed);
      const { nowMs, dueAtMs: endsAtMs } = renewed;
      const third = { nowMs: endsAtMs - 1, dueAtMs: endsAtMs + 20_000 };

      expect(await debounceRows.due(dueShardOf(uuid), nowMs, 100)).toEqual([]);
      expect(await debounceRows.renewLease(debounceRow, { revision: 2 }, third)).toBeUndefined();
      expect(
        await debounceRows.renewLease(debounceRow, { revision: 2 }, { ...third, nowMs: endsAtMs }),
      ).toMatchObject({
        inflight: { attempts: 3 },
      });
    });

    test('is absent while nothing is in flight', async () => {
      const { debounceRows } = await world();

      expect(await debounceRows.renewLease(debounceRow, { revision: 0 }, renewed)).toBeUndefined();
    });

    test('I4 is taken over by one of twenty', async () => {
      const { debounceRows } = await claimed();

      const takers = Array.from({ length: 20 }, () =>
        debounceRows.renewLease(debounceRow, { revision: 1 }, renewed),
      );

      expect((await Promise.all(takers)).filter((taken) => taken)).toHaveLength(1);
      expect((await debounceRows.get(debounceRow))?.inflight?.attempts).toBe(2);
    });
  });

  describe('completing', () => {
    const claimed = async (key = debounceRow) => {
      const stores = await world();
      await stores.debounceRows.claim(aClaim({ key }));
      return stores;
    };

    test('moves the debounce row and unschedules it', async () => {
      const { debounceRows } = await claimed();

      expect(await debounceRows.complete(debounceRow, completedSend)).toBe(true);
      expect(await debounceRows.get(debounceRow)).toEqual({
        uuid,
        kind: 'NOTIFY',
        revision: 2,
        changeCount: 1,
        notifiedVersion: 1,
        lastSentAtMs: claimedAtMs + 500,
      });
    });

    test('I19 a change during the send schedules the debounce row again, and keeps its names', async () => {
      const { debounceRows } = await claimed();
      await debounceRows.recordChange(change({ changed: ['customer'] }));

      expect(await debounceRows.complete(debounceRow, completedSend)).toBe(true);
      expect(await debounceRows.get(debounceRow)).toEqual({
        uuid,
        kind: 'NOTIFY',
        revision: 2,
        changeCount: 2,
        notifiedVersion: 1,
        lastSentAtMs: claimedAtMs + 500,
        dueAtMs: claimedAtMs + 120_500,
        changed: ['customer'],
      });
    });

    test.each([
      ['', 2],
      [', also where a change came in meanwhile', 1],
    ])('EV-2 stores when the latest event was sent%s', async (_, changeCount) => {
      const { debounceRows } = await claimed();
      await debounceRows.complete(debounceRow, completedSend);
      await debounceRows.recordChange(change());
      const event = anEvent({ eventId: 'event-2' });
      await debounceRows.claim(aClaim({ key: debounceRow, revision: 2, event }));

      const second = { ...completedSend, eventId: 'event-2', changeCount, nowMs: claimedAtMs + 200_000 };

      expect(await debounceRows.complete(debounceRow, second)).toBe(true);
      expect(await debounceRows.get(debounceRow)).toMatchObject({ lastSentAtMs: claimedAtMs + 200_000 });
    });

    test('I4 counts only for the event in flight', async () => {
      const { debounceRows } = await claimed();
      const before = await debounceRows.get(debounceRow);

      expect(await debounceRows.complete(debounceRow, { ...completedSend, eventId: 'event-0' })).toBe(false);
      expect(await debounceRows.get(debounceRow)).toEqual(before);
    });

    test('is done once: a late sender changes nothing', async () => {
      const { debounceRows } = await claimed();
      await debounceRows.complete(debounceRow, completedSend);
      const before = await debounceRows.get(debounceRow);

      expect(await debounceRows.complete(debounceRow, { ...completedSend, to: 0 })).toBe(false);
      expect(await debounceRows.get(debounceRow)).toEqual(before);
    });

    test('after a renewed lease is done for either of the two, once', async () => {
      const { debounceRows } = await claimed();
      await debounceRows.renewLease(
        debounceRow,
        { revision: 1 },
        { nowMs: leaseEndsAtMs, dueAtMs: leaseEndsAtMs + 20_000 },
      );

      const completed = await Promise.all([
        debounceRows.complete(debounceRow, completedSend),
        debounceRows.complete(debounceRow, completedSend),
      ]);

      expect(completed.filter((isCompleted) => isCompleted)).toHaveLength(1);
    });
  });

  test('returned values are copies', async () => {
    const { debounceRows } = await world();
    await debounceRows.claim(aClaim({ key: debounceRow }));
    const read = (await debounceRows.get(debounceRow)) as DebounceRow;
    read.inflight?.elements.push('payments');
    read.changeCount = 99;

    expect(await debounceRows.get(debounceRow)).toMatchObject({
      changeCount: 1,
      inflight: { elements: ['vehicle'] },
    });
  });
});

/** 60 kB that can hardly be deflated. */
const largeText = () => randomBytes(45_000).toString('base64');

describe('over DynamoDB', () => {
  /** Stores whose next claim, or whose next update, meets the fault. */
  const struck = async () => {
    const next: { fault: Fault | undefined } = { fault: undefined };
    const stores = await engineEventStores(engine, (command) => {
      if (!/^(UpdateItem|TransactWrite)/.test(command)) return undefined;
      const { fault } = next;
      next.fault = undefined;
      return fault;
    });
    await stores.setVersion(uuid, 1);
    await stores.debounceRows.recordChange(change());
    return { ...stores, next };
  };

  test.each<{ fault: Fault }>([
    { fault: 'conflict' },
    { fault: 'throttle' },
    { fault: 'crash-before-send' },
    { fault: 'answer-lost' },
    { fault: 'duplicate' },
  ])('a claim is made once, whatever happens on the way: $fault', async ({ fault }) => {
    const { debounceRows, deliveryLog, next } = await struck();
    next.fault = fault;

    expect(await debounceRows.claim(aClaim({ key: debounceRow }))).toBe(true);

    expect(await debounceRows.get(debounceRow)).toMatchObject({
      revision: 1,
      inflight: { eventId: 'event-1', attempts: 1 },
    });
    expect((await deliveryLog.event('event-1'))?.deliveries).toHaveLength(1);
  });

  test.each<{ fault: Fault; outcome: string }>([
    { fault: 'throttle', outcome: 'claimed' },
    { fault: 'crash-before-send', outcome: 'claimed' },
    { fault: 'answer-lost', outcome: 'claimed' },
    { fault: 'duplicate', outcome: 'claimed' },
    { fault: 'conflict', outcome: 'failed' },
    { fault: 'answer-and-token-lost', outcome: 'lost' },
  ])(
    'EV-25 I7 claims together are made once, whatever happens on the way: $fault',
    async ({ fault, outcome }) => {
      const { debounceRows, deliveryLog, setVersion, next } = await struck();
      const other = uuidOf(2);
      await setVersion(other, 1);
      await debounceRows.recordChange(change({ uuid: other }));
      const second = aClaim({
        key: { uuid: other, kind: 'NOTIFY' },
        event: anEvent({ uuid: other, eventId: 'event-2' }),
      });
      next.fault = fault;

      const [first] = await debounceRows.claimTogether([aClaim({ key: debounceRow }), second]);

      expect(first).toBe(outcome);
      const isThere = fault !== 'conflict';
      expect((await debounceRows.get(debounceRow))?.revision).toBe(isThere ? 1 : 0);
      expect((await deliveryLog.event('event-2')) !== undefined).toBe(isThere);
    },
  );

  test('TH-23 twenty claims in one request have room for two bodies of 60 kB each', async () => {
    const { debounceRows, setVersion } = await struck();
    const uuids = Array.from({ length: 20 }, (_, index) => uuidOf(100 + index));
    for (const one of uuids) {
      await setVersion(one, 1);
      await debounceRows.recordChange(change({ uuid: one }));
    }
    const bodies = { plain: largeText(), tokens: largeText() };
    const claims = uuids.map((one) =>
      aClaim({
        key: { uuid: one, kind: 'NOTIFY' },
        event: anEvent({ uuid: one, eventId: `event of ${one}` }),
        bodies,
      }),
    );

    expect(new Set(await debounceRows.claimTogether(claims))).toEqual(new Set(['claimed']));
  });

  test('a claim whose answer was lost finally returns when its lease ends', async () => {
    const { debounceRows, next } = await struck();
    next.fault = 'answer-and-token-lost';

    expect(await debounceRows.claim(aClaim({ key: debounceRow }))).toBe(false);

    const lease = { nowMs: leaseEndsAtMs, dueAtMs: leaseEndsAtMs + 20_000 };
    expect(await debounceRows.renewLease(debounceRow, { revision: 1 }, lease)).toMatchObject({
      inflight: { attempts: 2 },
    });
  });

  test('a step whose answer was lost is done once, and no sender continues it', async () => {
    const { debounceRows, next } = await struck();
    next.fault = 'answer-lost';
    expect(await debounceRows.reschedule(debounceRow, { revision: 0 }, dueAtMs + 1)).toBe(false);
    expect(await debounceRows.get(debounceRow)).toMatchObject({ revision: 1, dueAtMs: dueAtMs + 1 });

    await debounceRows.claim(aClaim({ key: debounceRow, revision: 1 }));
    next.fault = 'answer-lost';
    expect(await debounceRows.complete(debounceRow, completedSend)).toBe(false);
    expect(await debounceRows.get(debounceRow)).toMatchObject({ revision: 3, notifiedVersion: 1 });
  });

  test('a claimed debounce row has these attributes', async () => {
    const { debounceRows, debounceTable } = await struck();
    await debounceRows.claim(aClaim({ key: debounceRow }));

    const Key = { pk: `TX#${uuid}`, sk: 'NOTIFY' };
    const { Item } = await engine.documents.send(new GetCommand({ TableName: debounceTable, Key }));

    expect(Item).toMatchObject({ revision: 1, changeCount: 1, inflight: { changeCount: 1, attempts: 1 } });
    expect(Object.keys(Item ?? {}).sort()).toEqual([
      'changeCount',
      'dueAtMs',
      'dueShard',
      'inflight',
      'pk',
      'revision',
      'sk',
    ]);
  });

  test('a change whose answer was lost counts twice and schedules once', async () => {
    const { debounceRows, next } = await struck();
    next.fault = 'answer-lost';

    await debounceRows.recordChange(change({ dueAtMs: dueAtMs + 1 }));

    expect(await debounceRows.get(debounceRow)).toMatchObject({ changeCount: 3, dueAtMs });
  });
});
