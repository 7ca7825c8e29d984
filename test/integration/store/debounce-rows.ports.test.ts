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
import { type Fault, faultOfNext } from '../../support/engine/faults.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { bothEventStores, type EventStores, engineEventStores } from '../../support/memory/event-stores.ts';

const engine = useEngine();

const uuid = uuidOf(1);
const rowOf = (one: string): DebounceRowKey => ({ uuid: one, kind: 'NOTIFY' });
const key = rowOf(uuid);
const dueAtMs = claimedAtMs;
const leaseEndsAtMs = claimedAtMs + 20_000;
const renewed = { nowMs: leaseEndsAtMs, dueAtMs: leaseEndsAtMs + 20_000 };

const change = (values: Partial<Parameters<DebounceRowStore['recordChange']>[0]> = {}) => ({
  uuid,
  changed: ['vehicle'],
  changedAtMs: claimedAtMs - 120_000,
  dueAtMs,
  ...values,
});
const claimOf = (one: string) =>
  aClaim({ key: rowOf(one), event: anEvent({ uuid: one, eventId: `event of ${one}` }) });
const completedSend = {
  eventId: 'event-1',
  changeCount: 1,
  to: 1,
  nowMs: claimedAtMs + 500,
  rescheduleAtMs: claimedAtMs + 120_500,
};

/** A debounce row that one change has scheduled, of a transaction of version 1. */
const scheduled = async (stores: EventStores, one = uuid) => {
  await stores.setVersion(one, 1);
  await stores.debounceRows.recordChange(change({ uuid: one }));
};
const aWorld = async (newStores: () => Promise<EventStores>) => {
  const stores = await newStores();
  await scheduled(stores);
  return { ...stores, read: () => stores.debounceRows.get(key) };
};

const shards = Array.from({ length: dueShards }, (_, shard) => shard);
const dueIn = ({ debounceRows }: EventStores, some: readonly number[], nowMs: number) =>
  Promise.all(some.map((shard) => debounceRows.due(shard, nowMs, 100)));
const allDue = async (stores: EventStores, nowMs: number) =>
  (await dueIn(stores, [...shards, resendShard], nowMs)).flat();

const many = Array.from({ length: 150 }, (_, index) => uuidOf(index + 1));
const twenty = Array.from({ length: 20 });

describe.each(bothEventStores(engine))('$name', ({ newStores }) => {
  const world = () => aWorld(newStores);
  const claimed = async () => {
    const stores = await world();
    await stores.debounceRows.claim(aClaim({ key }));
    return stores;
  };

  describe('a recorded change', () => {
    test('I15 schedules what nothing has scheduled, and never moves it then; it counts, and merges the names', async () => {
      const { debounceRows, read } = await world();
      const scheduledRow = { uuid, kind: 'NOTIFY', revision: 0, dueAtMs };
      expect(await read()).toEqual({ ...scheduledRow, changeCount: 1, changed: ['vehicle'] });

      await debounceRows.recordChange(change({ changed: ['customer', 'vehicle'], dueAtMs: 5 }));
      await debounceRows.recordChange(change({ changed: [], dueAtMs: dueAtMs + 9 }));

      const { changed, ...row } = (await read()) as DebounceRow;
      expect(row).toEqual({ ...scheduledRow, changeCount: 3 });
      expect(changed?.sort()).toEqual(['customer', 'vehicle']);
    });

    test('20 parallel changes are all counted', async () => {
      const { debounceRows } = await newStores();

      await Promise.all(twenty.map(() => debounceRows.recordChange(change())));

      expect((await debounceRows.get(key))?.changeCount).toBe(20);
    });

    test('leaves the lease of a claim as it is', async () => {
      const { debounceRows, read } = await claimed();

      await debounceRows.recordChange(change({ dueAtMs: claimedAtMs + 1 }));

      expect(await read()).toMatchObject({
        dueAtMs,
        changeCount: 2,
        inflight: { leasedUntilMs: leaseEndsAtMs },
      });
    });
  });

  describe('scheduling for the reconciler', () => {
    test('I20 schedules what nothing has scheduled, a transaction without a debounce row too, and leaves the rest alone', async () => {
      const { debounceRows } = await newStores();

      const made = [await debounceRows.schedule(key, 7), await debounceRows.schedule(key, 9)];

      expect(made).toEqual([true, false]);
      expect(await debounceRows.get(key)).toEqual({
        uuid,
        kind: 'NOTIFY',
        revision: 0,
        changeCount: 0,
        dueAtMs: 7,
      });
    });

    test('keeps the notified version', async () => {
      const { debounceRows, read } = await claimed();
      await debounceRows.complete(key, completedSend);

      expect(await debounceRows.schedule(key, 7)).toBe(true);
      expect(await read()).toMatchObject({ dueAtMs: 7, notifiedVersion: 1, revision: 2, changeCount: 1 });
    });
  });

  describe('what is due', () => {
    test('are every scheduled debounce row, marker and delivery whose time has come, earliest first', async () => {
      const stores = await newStores();
      const { debounceRows, deliveryLog } = stores;
      const shard = dueShardOf(uuid);
      const [near = '', far = ''] = many.filter((one) => one !== uuid && dueShardOf(one) === shard);
      await debounceRows.recordChange(change());
      await debounceRows.recordChange(change({ uuid: near, dueAtMs: dueAtMs - 1 }));
      await debounceRows.recordChange(change({ uuid: far, dueAtMs: dueAtMs + 1 }));
      const first = { key: rowOf(near), dueAtMs: dueAtMs - 1 };
      const second = { key, dueAtMs };

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
      const stores = await world();
      const deliveries = many.slice(0, 20).map((eventId) => aDelivery({ eventId, dueAtMs }));
      await stores.deliveryLog.addMissing({ deliveries });

      const again = (await dueIn(stores, [resendShard], dueAtMs)).flat();

      expect(again.map((due) => due.key.kind)).toEqual(Array(20).fill('DELIVERY'));
      expect((await dueIn(stores, shards, dueAtMs)).flat()).toEqual([{ key, dueAtMs }]);
    });

    test('are spread over all parts of the index', async () => {
      const stores = await newStores();
      await Promise.all(many.map((one) => stores.debounceRows.recordChange(change({ uuid: one }))));

      const sizes = (await dueIn(stores, shards, dueAtMs)).map(({ length }) => length);

      expect(sizes.every((size) => size > 0)).toBe(true);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(150);
    });

    test('are none after they are unscheduled or completed', async () => {
      const stores = await claimed();
      const second = uuidOf(2);
      await stores.debounceRows.recordChange(change({ uuid: second }));
      await stores.debounceRows.complete(key, completedSend);
      await stores.debounceRows.unschedule(rowOf(second), { revision: 0, changeCount: 1 });

      expect(await allDue(stores, leaseEndsAtMs)).toEqual([]);
    });
  });

  test('many debounce rows are read at once, and missing ones are absent', async () => {
    const { debounceRows } = await newStores();
    await Promise.all(many.map((one) => debounceRows.recordChange(change({ uuid: one }))));

    const found = await debounceRows.getMany([uuid, ...many, uuidOf(999)]);

    expect([...found.keys()].sort()).toEqual(many);
    expect(found.get(uuidOf(77))).toEqual(await debounceRows.get(rowOf(uuidOf(77))));
    expect(await debounceRows.getMany([])).toEqual(new Map());
  });

  describe('a step of a row that was read', () => {
    const seen = { revision: 0, changeCount: 1 };
    const steps = {
      unscheduling: (rows: DebounceRowStore) => rows.unschedule(key, seen),
      'passing over': (rows: DebounceRowStore) => rows.passOver(key, seen, 3),
      rescheduling: (rows: DebounceRowStore) => rows.reschedule(key, seen, dueAtMs + 1),
    };
    const events = {
      'a change': (rows: DebounceRowStore) => rows.recordChange(change()),
      'a step that left its time': (rows: DebounceRowStore) => rows.reschedule(key, seen, dueAtMs),
      'a claim': (rows: DebounceRowStore) => rows.claim(aClaim({ key })),
    };

    test.each([
      ['unscheduling takes away the schedule and the names', 'unscheduling', {}],
      ['EV-11 passing over lets the next event begin later', 'passing over', { notifiedVersion: 3 }],
      ['rescheduling moves its time', 'rescheduling', { dueAtMs: dueAtMs + 1, changed: ['vehicle'] }],
    ] as const)('%s', async (_, step, left) => {
      const { debounceRows, read } = await world();

      expect(await steps[step](debounceRows)).toBe(true);
      expect(await read()).toEqual({ uuid, kind: 'NOTIFY', revision: 1, changeCount: 1, ...left });
    });

    test.each([
      ['I19 unscheduling', 'unscheduling', 'a change'],
      ['unscheduling', 'unscheduling', 'a step that left its time'],
      ['EV-11 passing over a version', 'passing over', 'a change'],
      ['EV-11 passing over a version', 'passing over', 'a step that left its time'],
      ['rescheduling', 'rescheduling', 'a step that left its time'],
      ['rescheduling', 'rescheduling', 'a claim'],
    ] as const)('%s is refused, and changes nothing: %s after %s', async (_, step, event) => {
      const { debounceRows, read } = await world();
      await events[event](debounceRows);
      const before = await read();

      expect(await steps[step](debounceRows)).toBe(false);
      expect(await read()).toEqual(before);
    });

    test('of a missing row does nothing', async () => {
      const { debounceRows } = await newStores();

      for (const step of Object.values(steps)) expect(await step(debounceRows)).toBe(false);
      expect(await debounceRows.get(key)).toBeUndefined();
    });
  });

  describe('a claim', () => {
    test('I16 I4 takes the row, leaves it in its place until its lease ends, and leaves event, bodies and recipients', async () => {
      const stores = await world();
      const claim = aClaim({ key });

      expect(await stores.debounceRows.claim(claim)).toBe(true);

      const { inflight, event } = claim;
      expect(await stores.read()).toEqual({
        ...key,
        revision: 1,
        changeCount: 1,
        dueAtMs,
        inflight: { ...inflight, leasedUntilMs: leaseEndsAtMs },
      });
      expect(await allDue(stores, dueAtMs)).toEqual([{ key, dueAtMs }]);
      expect(await stores.deliveryLog.event('event-1')).toEqual({
        event,
        bodies: someBodies,
        deliveries: [aPendingDelivery()],
      });
    });

    test.each([
      ['another step was made', { revision: 1 }],
      ['the transaction was changed again', { transactionVersion: 0 }],
      ['there is no such debounce row', { key: rowOf(uuidOf(2)) }],
      ['there is no such transaction', { key: rowOf(uuidOf(3)) }],
    ])('I4 is lost, and leaves nothing, where %s', async (_, differs) => {
      const { debounceRows, deliveryLog, setVersion, read } = await world();
      await setVersion(uuidOf(2), 1);
      await debounceRows.recordChange(change({ uuid: uuidOf(3) }));
      const before = await read();

      expect(await debounceRows.claim(aClaim({ key, ...differs }))).toBe(false);

      expect(await read()).toEqual(before);
      expect(await deliveryLog.event('event-1')).toBeUndefined();
      expect(await deliveryLog.delivery({ eventId: 'event-1', clientId: 'P1' })).toBeUndefined();
    });

    test('I4 is lost while another event is in flight', async () => {
      const { debounceRows, deliveryLog, read } = await claimed();

      const second = aClaim({ key, revision: 1, event: anEvent({ eventId: 'event-2' }) });
      expect(await debounceRows.claim(second)).toBe(false);

      expect((await read())?.inflight?.eventId).toBe('event-1');
      expect(await deliveryLog.event('event-2')).toBeUndefined();
    });

    test('TH-23 has room for two bodies of 60 kB, and a hundred recipients without a status entry', async () => {
      const { debounceRows, deliveryLog } = await world();
      const recipients = Array.from({ length: 100 }, (_, index) => `P${String(index).padStart(3, '0')}`);
      const bodies = { plain: 'p'.repeat(60_000), tokens: 't'.repeat(60_000) };
      const event = anEvent({ recipients });

      expect(await debounceRows.claim(aClaim({ key, event, bodies }))).toBe(true);

      const deliveries = recipients.map((clientId) => aPendingDelivery({ clientId }));
      expect(await deliveryLog.event('event-1')).toEqual({ event, bodies, deliveries });
    });

    test('I4 of twenty parallel claims one wins', async () => {
      const { debounceRows } = await world();

      const claims = await Promise.all(twenty.map(() => debounceRows.claim(aClaim({ key }))));

      expect(claims.filter((isClaimed) => isClaimed)).toHaveLength(1);
    });

    test('I2 against a parallel change: the claim is lost, or the change comes after it', async () => {
      const { debounceRows, setVersion, read } = await world();
      const [isClaimed] = await Promise.all([
        debounceRows.claim(aClaim({ key })),
        setVersion(uuid, 2),
        debounceRows.recordChange(change()),
      ]);

      const after = await read();

      expect(after?.changeCount).toBe(2);
      expect(after?.inflight?.changeCount).toBe(isClaimed ? 1 : undefined);
    });

    test('and unscheduling and rescheduling at once: one of them is made', async () => {
      const { debounceRows } = await world();

      const made = await Promise.all([
        debounceRows.claim(aClaim({ key })),
        debounceRows.unschedule(key, { revision: 0, changeCount: 1 }),
        debounceRows.reschedule(key, { revision: 0 }, dueAtMs + 1),
      ]);

      expect(made.filter((isMade) => isMade)).toHaveLength(1);
    });
  });

  describe('several claims in one request', () => {
    const four = [1, 2, 3, 4].map(uuidOf);
    const crowd = async () => {
      const stores = await newStores();
      for (const one of four) await scheduled(stores, one);
      const inFlight = async () =>
        (await stores.debounceRows.getAll(four.map(rowOf))).filter(({ inflight }) => inflight).length;
      return { ...stores, inFlight };
    };

    test('EV-25 take each debounce row, and store each event with its bodies', async () => {
      const { debounceRows, deliveryLog, inFlight } = await crowd();
      const claims = four.map(claimOf);

      expect(await debounceRows.claimTogether(claims)).toEqual(['claimed', 'claimed', 'claimed', 'claimed']);

      expect(await inFlight()).toBe(4);
      for (const { event } of claims)
        expect(await deliveryLog.event(event.eventId)).toMatchObject({ event, bodies: someBodies });
    });

    test('EV-25 I4 are all undone if one is lost: a changed transaction, or a row of another sender', async () => {
      const { debounceRows, deliveryLog, inFlight, setVersion } = await crowd();
      const claims = four.map(claimOf);
      await setVersion(uuidOf(2), 2);
      await debounceRows.reschedule(rowOf(uuidOf(3)), { revision: 0 }, dueAtMs + 1);

      const outcomes = await debounceRows.claimTogether(claims);

      expect(outcomes).toEqual(['not-at-fault', 'lost', 'lost', 'not-at-fault']);
      expect(await inFlight()).toBe(0);
      for (const { event } of claims) expect(await deliveryLog.event(event.eventId)).toBeUndefined();
    });

    test('EV-25 in parallel with others for the same rows: each row is claimed once', async () => {
      const { debounceRows, inFlight } = await crowd();

      const made = await Promise.all([
        debounceRows.claimTogether(four.map(claimOf)),
        debounceRows.claimTogether(four.toReversed().map(claimOf)),
      ]);

      expect(made.flat().filter((outcome) => outcome === 'claimed')).toHaveLength(4);
      expect(await inFlight()).toBe(4);
    });
  });

  describe('a lease', () => {
    test('is taken over after its end, with the same event', async () => {
      const { debounceRows, read } = await claimed();

      const taken = await debounceRows.renewLease(key, { revision: 1 }, renewed);

      expect(taken).toEqual({
        ...key,
        revision: 2,
        changeCount: 1,
        dueAtMs: leaseEndsAtMs + 20_000,
        inflight: { ...aClaim({ key }).inflight, attempts: 2 },
      });
      expect(await read()).toEqual(taken);
    });

    test.each([
      ['it runs still', { revision: 1 }, { ...renewed, nowMs: leaseEndsAtMs - 1 }],
      ['another flusher took it over', { revision: 0 }, renewed],
    ])('is not taken over when %s', async (_, seen, lease) => {
      const { debounceRows, read } = await claimed();

      expect(await debounceRows.renewLease(key, seen, lease)).toBeUndefined();
      expect(await read()).toMatchObject({ revision: 1, dueAtMs });
    });

    test('I4 a renewed one moves the due time, behind rows that nobody has tried', async () => {
      const { debounceRows } = await claimed();
      await debounceRows.renewLease(key, { revision: 1 }, renewed);
      const renewAt = (nowMs: number) =>
        debounceRows.renewLease(key, { revision: 2 }, { nowMs, dueAtMs: renewed.dueAtMs + 20_000 });

      expect(await debounceRows.due(dueShardOf(uuid), renewed.nowMs, 100)).toEqual([]);
      expect(await renewAt(renewed.dueAtMs - 1)).toBeUndefined();
      expect(await renewAt(renewed.dueAtMs)).toMatchObject({ inflight: { attempts: 3 } });
    });

    test('is absent while nothing is in flight', async () => {
      const { debounceRows } = await world();

      expect(await debounceRows.renewLease(key, { revision: 0 }, renewed)).toBeUndefined();
    });

    test('I4 is taken over by one of twenty', async () => {
      const { debounceRows, read } = await claimed();

      const takers = twenty.map(() => debounceRows.renewLease(key, { revision: 1 }, renewed));

      expect((await Promise.all(takers)).filter((taken) => taken)).toHaveLength(1);
      expect((await read())?.inflight?.attempts).toBe(2);
    });
  });

  describe('completing', () => {
    const completedRow = {
      ...key,
      revision: 2,
      changeCount: 1,
      notifiedVersion: 1,
      lastSentAtMs: claimedAtMs + 500,
    };

    test('I4 moves the row and unschedules it, for the event in flight alone, and once', async () => {
      const { debounceRows, read } = await claimed();
      const before = await read();

      expect(await debounceRows.complete(key, { ...completedSend, eventId: 'event-0' })).toBe(false);
      expect(await read()).toEqual(before);
      expect(await debounceRows.complete(key, completedSend)).toBe(true);
      expect(await debounceRows.complete(key, { ...completedSend, to: 0 })).toBe(false);
      expect(await read()).toEqual(completedRow);
    });

    test('I19 a change during the send schedules the debounce row again, and keeps its names', async () => {
      const { debounceRows, read } = await claimed();
      await debounceRows.recordChange(change({ changed: ['customer'] }));

      expect(await debounceRows.complete(key, completedSend)).toBe(true);
      expect(await read()).toEqual({
        ...completedRow,
        changeCount: 2,
        dueAtMs: claimedAtMs + 120_500,
        changed: ['customer'],
      });
    });

    test.each([
      ['', 2],
      [', also where a change came in meanwhile', 1],
    ])('EV-2 stores when the latest event was sent%s', async (_, changeCount) => {
      const { debounceRows, read } = await claimed();
      await debounceRows.complete(key, completedSend);
      await debounceRows.recordChange(change());
      const event = anEvent({ eventId: 'event-2' });
      await debounceRows.claim(aClaim({ key, revision: 2, event }));

      const second = { ...completedSend, eventId: 'event-2', changeCount, nowMs: claimedAtMs + 200_000 };

      expect(await debounceRows.complete(key, second)).toBe(true);
      expect(await read()).toMatchObject({ lastSentAtMs: claimedAtMs + 200_000 });
    });

    test('after a renewed lease is done for either of the two, once', async () => {
      const { debounceRows } = await claimed();
      await debounceRows.renewLease(key, { revision: 1 }, renewed);

      const completed = await Promise.all([1, 2].map(() => debounceRows.complete(key, completedSend)));

      expect(completed.filter((isCompleted) => isCompleted)).toHaveLength(1);
    });
  });
});

/** 60 kB that can hardly be deflated. */
const largeText = () => randomBytes(45_000).toString('base64');

describe('over DynamoDB', () => {
  /** Stores whose next request meets the fault. */
  const struck = async () => {
    const { next, choose } = faultOfNext();
    const stores = await engineEventStores(engine, choose);
    return { ...(await aWorld(async () => stores)), debounceTable: stores.debounceTable, next };
  };

  test.each<Fault>(['conflict', 'throttle', 'crash-before-send', 'answer-lost', 'duplicate'])(
    'a claim is made once, whatever happens on the way: %s',
    async (fault) => {
      const { debounceRows, deliveryLog, next, read } = await struck();
      next.fault = fault;

      expect(await debounceRows.claim(aClaim({ key }))).toBe(true);

      expect(await read()).toMatchObject({ revision: 1, inflight: { eventId: 'event-1', attempts: 1 } });
      expect((await deliveryLog.event('event-1'))?.deliveries).toHaveLength(1);
    },
  );

  test.each<[Fault, string]>([
    ['throttle', 'claimed'],
    ['crash-before-send', 'claimed'],
    ['answer-lost', 'claimed'],
    ['duplicate', 'claimed'],
    ['conflict', 'failed'],
    ['answer-and-token-lost', 'lost'],
  ])('EV-25 I7 claims together are made once, whatever happens on the way: %s', async (fault, outcome) => {
    const stores = await struck();
    const { debounceRows, deliveryLog, next, read } = stores;
    await scheduled(stores, uuidOf(2));
    next.fault = fault;

    const [first] = await debounceRows.claimTogether([aClaim({ key }), claimOf(uuidOf(2))]);

    expect(first).toBe(outcome);
    const isThere = fault !== 'conflict';
    expect((await read())?.revision).toBe(isThere ? 1 : 0);
    expect((await deliveryLog.event(`event of ${uuidOf(2)}`)) !== undefined).toBe(isThere);
  });

  test('TH-23 twenty claims in one request have room for two bodies of 60 kB each', async () => {
    const stores = await struck();
    const uuids = many.slice(100, 120);
    for (const one of uuids) await scheduled(stores, one);
    const bodies = { plain: largeText(), tokens: largeText() };

    const outcomes = await stores.debounceRows.claimTogether(
      uuids.map((one) => ({ ...claimOf(one), bodies })),
    );

    expect(outcomes).toEqual(Array(20).fill('claimed'));
  });

  test('a claim whose answer was lost finally returns when its lease ends', async () => {
    const { debounceRows, next } = await struck();
    next.fault = 'answer-and-token-lost';

    expect(await debounceRows.claim(aClaim({ key }))).toBe(false);

    expect(await debounceRows.renewLease(key, { revision: 1 }, renewed)).toMatchObject({
      inflight: { attempts: 2 },
    });
  });

  test('a step whose answer was lost is done once, and no sender continues it', async () => {
    const { debounceRows, next, read } = await struck();
    next.fault = 'answer-lost';
    expect(await debounceRows.reschedule(key, { revision: 0 }, dueAtMs + 1)).toBe(false);
    expect(await read()).toMatchObject({ revision: 1, dueAtMs: dueAtMs + 1 });

    await debounceRows.claim(aClaim({ key, revision: 1 }));
    next.fault = 'answer-lost';
    expect(await debounceRows.complete(key, completedSend)).toBe(false);
    expect(await read()).toMatchObject({ revision: 3, notifiedVersion: 1 });
  });

  test('a claimed debounce row has these attributes', async () => {
    const { debounceRows, debounceTable } = await struck();
    await debounceRows.claim(aClaim({ key }));

    const { Item = {} } = await engine.documents.send(
      new GetCommand({ TableName: debounceTable, Key: { pk: `TX#${uuid}`, sk: 'NOTIFY' } }),
    );

    expect(Item).toMatchObject({ revision: 1, changeCount: 1, inflight: { changeCount: 1, attempts: 1 } });
    expect(Object.keys(Item).sort().join(' ')).toBe('changeCount dueAtMs dueShard inflight pk revision sk');
  });

  test('a change whose answer was lost counts twice and schedules once', async () => {
    const { debounceRows, next, read } = await struck();
    next.fault = 'answer-lost';

    await debounceRows.recordChange(change({ dueAtMs: dueAtMs + 1 }));

    expect(await read()).toMatchObject({ changeCount: 3, dueAtMs });
  });
});
