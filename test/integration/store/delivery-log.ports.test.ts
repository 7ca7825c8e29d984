import { describe, expect, test } from '@jest/globals';
import type { Delivery, DeliveryState } from '../../../functions/shared/domain/event/delivery.ts';
import type {
  DeliveryLogSpan,
  DeliveryLogStore,
  DeliveryMove,
} from '../../../functions/shared/store/debounce/delivery-log-store.ts';
import { aDelivery, anEvent, claimedAtMs, someBodies } from '../../support/builders/events.ts';
import { takeAll } from '../../support/builders/take-all.ts';
import { uuidOf } from '../../support/builders/transactions.ts';
import { type Fault, faultOfNext } from '../../support/engine/faults.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { bothEventStores, type EventStores, engineEventStores } from '../../support/memory/event-stores.ts';

const engine = useEngine();

const day = 24 * 60 * 60 * 1000;
const key = { eventId: 'event-1', clientId: 'P1' };
const uuid = uuidOf(1);
const atMs = claimedAtMs + 1000;
const entry = { atMs, step: 'accepted' } as const;
const claimedEntry = { atMs: claimedAtMs, step: 'claimed' } as const;
const twenty = Array.from({ length: 20 });

/** The delivery log with one event on its way to one partner. */
const aWorld = async (newStores: () => Promise<EventStores>, values: Partial<Delivery> = {}) => {
  const stores = await newStores();
  const { deliveryLog } = stores;
  await deliveryLog.addMissing({ event: anEvent(), bodies: someBodies, deliveries: [aDelivery(values)] });
  const read = () => deliveryLog.delivery(key);
  return { ...stores, read, readSeen: async () => (await read()) as Delivery };
};

const accepted: DeliveryMove = { ...key, from: ['READY'], to: 'ACCEPTED', atMs, entry, busEventId: 'bus-1' };
const dead: DeliveryMove = {
  ...key,
  from: ['ACCEPTED'],
  to: 'DEAD',
  atMs,
  entry: { atMs, step: 'dead', note: '404' },
  reason: 'HTTP_404',
};

const partnersOf = (count: number) =>
  Array.from({ length: count }, (_, index) => `P${String(index).padStart(3, '0')}`);

describe.each(bothEventStores(engine))('$name', ({ newStores }) => {
  const world = (values: Partial<Delivery> = {}) => aWorld(newStores, values);

  describe('an event', () => {
    test.each([
      ['both bodies', { plain: 'ü"\\u00e9 '.repeat(6_000), tokens: 't'.repeat(60_000) }],
      ['one body for everybody', { plain: 'p' }],
      ['none', undefined],
    ])('is read back with %s, byte for byte, and its deliveries', async (_, bodies) => {
      const { deliveryLog } = await newStores();
      const event = anEvent({
        omitted: ['customer'],
        elements: ['vehicle', 'customer'],
        recipients: ['P1', 'P2'],
      });
      const deliveries = [aDelivery(), aDelivery({ clientId: 'P2', state: 'HELD' })];

      await deliveryLog.addMissing({ event, ...(bodies && { bodies }), deliveries });

      expect(await deliveryLog.event('event-1')).toEqual({ event, bodies, deliveries });
    });

    test('that was never claimed is missing, and so are its deliveries', async () => {
      const { deliveryLog } = await newStores();

      expect(await deliveryLog.event('event-1')).toBeUndefined();
      expect(await deliveryLog.delivery(key)).toBeUndefined();
      expect(await takeAll(deliveryLog.deliveriesOfPartner('P1', {}))).toEqual([]);
    });

    test('I6 that exists keeps its bytes', async () => {
      const { deliveryLog } = await world();

      await deliveryLog.addMissing({
        event: anEvent({ elements: [] }),
        bodies: { plain: 'other' },
        deliveries: [aDelivery({ redrives: 7 }), aDelivery({ clientId: 'P2' })],
      });

      expect(await deliveryLog.event('event-1')).toEqual({
        event: anEvent(),
        bodies: someBodies,
        deliveries: [aDelivery(), aDelivery({ clientId: 'P2' })],
      });
    });

    test('TH-23 has a hundred deliveries; existing ones stay as they are', async () => {
      const { deliveryLog } = await newStores();
      const recipients = partnersOf(100);
      const deliveries = recipients.map((clientId) => aDelivery({ clientId }));
      await deliveryLog.addMissing({ event: anEvent({ recipients }), deliveries: deliveries.slice(0, 40) });
      await deliveryLog.move({ ...accepted, clientId: 'P007' });

      await Promise.all([deliveryLog.addMissing({ deliveries }), deliveryLog.addMissing({ deliveries })]);

      const found = await deliveryLog.event('event-1');
      expect(found?.deliveries.map(({ clientId }) => clientId)).toEqual(recipients);
      expect(found?.deliveries.filter(({ state }) => state === 'READY')).toHaveLength(99);
    });
  });

  describe('a move', () => {
    test('V2-9 changes the state, adds a line, and keeps of the timeline what it names', async () => {
      const { deliveryLog, read } = await world();

      expect(await deliveryLog.move(accepted)).toBe(true);

      const timeline = [claimedEntry, entry];
      const after = aDelivery({ state: 'ACCEPTED', busEventId: 'bus-1', timeline });
      expect(await read()).toEqual(after);
      await deliveryLog.move({ ...accepted, from: ['ACCEPTED'], history: [claimedEntry] });
      expect(await read()).toEqual(after);
    });

    test('needs one of the states that it names', async () => {
      const { deliveryLog, read } = await world();

      expect(await deliveryLog.move(dead)).toBe(false);
      expect(await deliveryLog.move({ ...dead, from: ['ACCEPTED', 'DELIVERED', 'HELD'] })).toBe(false);
      expect(await deliveryLog.move({ ...accepted, clientId: 'P2' })).toBe(false);
      expect(await read()).toEqual(aDelivery());
      expect(await deliveryLog.move({ ...dead, from: ['ACCEPTED', 'READY'] })).toBe(true);
    });

    test('I16 of a delivery that was read before its first status entry is refused', async () => {
      const { deliveryLog } = await world();
      const from = ['READY', 'ACCEPTED'] as const;
      const moveFrom = (...timeline: Delivery['timeline']) =>
        deliveryLog.move({ ...dead, from, seen: { timeline } });

      await deliveryLog.move({ ...accepted, from });
      expect(await moveFrom(claimedEntry)).toBe(false);
      await deliveryLog.move({ ...accepted, from });
      expect(await moveFrom(claimedEntry, entry)).toBe(false);
      expect(await moveFrom(claimedEntry, entry, entry)).toBe(true);
    });

    test('EV-12 counts how often the delivery became DEAD, but where the target was taken away', async () => {
      const { deliveryLog, read, readSeen } = await world();
      await deliveryLog.move(accepted);
      await deliveryLog.move({ ...dead, reason: 'TARGET_REMOVED', dueAtMs: 99 });
      expect(await read()).toMatchObject({ state: 'DEAD', failures: 0 });
      await deliveryLog.lease(await readSeen(), { dueAtMs: 120 });

      for (const failures of [1, 2]) {
        await deliveryLog.move({ ...accepted, from: ['READY', 'DEAD'], busEventId: 'bus-2' });
        await deliveryLog.move(dead);
        expect(await read()).toMatchObject({ state: 'DEAD', failures, redrives: 1 });
      }
    });

    test('replaces old reason and schedule, and keeps the id of the bus', async () => {
      const { deliveryLog, readSeen } = await world();
      await deliveryLog.move(accepted);
      await deliveryLog.move({ ...dead, dueAtMs: 99 });
      expect(await readSeen()).toMatchObject({ state: 'DEAD', reason: 'HTTP_404', dueAtMs: 99 });

      await deliveryLog.move({ ...key, from: ['DEAD'], to: 'HELD', atMs, entry: { atMs, step: 'held' } });

      const { timeline, ...held } = await readSeen();
      const { timeline: _, ...before } = aDelivery();
      expect(held).toEqual({ ...before, state: 'HELD', busEventId: 'bus-1', failures: 1 });
      expect(timeline.map(({ step }) => step)).toEqual(['claimed', 'accepted', 'dead', 'held']);
    });

    test('of twenty parallel moves one is done', async () => {
      const { deliveryLog, readSeen } = await world();

      const moves = await Promise.all(twenty.map(() => deliveryLog.move(accepted)));

      expect(moves.filter((isMade) => isMade)).toHaveLength(1);
      expect((await readSeen()).timeline).toHaveLength(2);
    });
  });

  describe('S-60 expiry', () => {
    test.each<DeliveryState>(['READY', 'HELD'])('I12 %s is kept as long as it waits', async (state) => {
      const { time, read } = await world({ state });
      time.nowMs = claimedAtMs + 1000 * day;

      expect((await read())?.state).toBe(state);
    });

    const finalStates: DeliveryState[] = ['ACCEPTED', 'DELIVERED', 'DEAD', 'SUPPRESSED'];
    test.each(finalStates)('%s is gone 30 days after it came to that', async (state) => {
      const { deliveryLog, time, read } = await world();
      await deliveryLog.move({ ...accepted, to: state });

      time.nowMs = atMs + 30 * day - 1000;
      expect((await read())?.state).toBe(state);

      time.nowMs = atMs + 30 * day;
      expect(await read()).toBeUndefined();
      expect((await deliveryLog.event('event-1'))?.deliveries).toEqual([]);
      expect(await takeAll(deliveryLog.deliveriesOfPartner('P1', {}))).toEqual([]);
      expect(await takeAll(deliveryLog.deliveriesOfTransaction(uuid, {}))).toEqual([]);
      expect(await deliveryLog.move({ ...dead, from: [state], atMs: time.nowMs })).toBe(false);
    });

    test.each(finalStates)(
      'I12 %s is kept while it is scheduled, and while it waits again',
      async (state) => {
        const { deliveryLog, time, read } = await world();
        await deliveryLog.move({ ...accepted, to: state });
        await deliveryLog.move({ ...accepted, from: [state], to: state, dueAtMs: 5 });
        time.nowMs += 1000 * day;
        expect((await read())?.state).toBe(state);

        await deliveryLog.move({ ...accepted, from: [state], to: state, atMs: time.nowMs });
        await deliveryLog.move({ ...accepted, from: [state], to: 'READY', dueAtMs: 6, atMs: time.nowMs });
        time.nowMs += 1000 * day;

        expect((await read())?.state).toBe('READY');
      },
    );

    test('an event and its bodies expire 60 days after the claim', async () => {
      const { deliveryLog, time } = await world();

      time.nowMs = claimedAtMs + 60 * day - 1000;
      expect((await deliveryLog.event('event-1'))?.bodies).toEqual(someBodies);
      time.nowMs = claimedAtMs + 60 * day;

      expect(await deliveryLog.event('event-1')).toBeUndefined();
      expect(await takeAll(deliveryLog.eventsOfTransaction(uuid))).toEqual([]);
    });

    test('S-60 an expired row counts as absent from the second in which it expires', async () => {
      const { deliveryLog, time, read } = await world();
      await deliveryLog.move(accepted);
      time.nowMs = atMs + 30 * day;

      await deliveryLog.addMissing({ deliveries: [aDelivery({ claimedAtMs: time.nowMs })] });

      expect((await read())?.state).toBe('READY');
    });

    test('an expired row that still exists is replaced by a new one', async () => {
      const { deliveryLog, time } = await world();
      await deliveryLog.move(accepted);
      time.nowMs = claimedAtMs + 100 * day;
      const anew = {
        event: anEvent({ claimedAtMs: time.nowMs }),
        bodies: { plain: 'new' },
        deliveries: [aDelivery({ claimedAtMs: time.nowMs })],
      };

      await deliveryLog.addMissing(anew);

      expect(await deliveryLog.event('event-1')).toEqual(anew);
    });
  });

  describe('a refusal by the bus', () => {
    test('is counted, and the state stays', async () => {
      const { deliveryLog, read } = await world();
      const refusal = { atMs, step: 'refused', note: 'ThrottlingException' } as const;

      expect(await deliveryLog.refused(aDelivery(), refusal)).toBe(1);
      expect(await deliveryLog.refused(aDelivery(), refusal)).toBe(2);

      expect(await read()).toEqual(aDelivery({ refusals: 2, timeline: [claimedEntry, refusal, refusal] }));
    });

    test('of a missing delivery is a fault', async () => {
      const { deliveryLog } = await newStores();

      const refused = deliveryLog.refused(aDelivery({ state: 'DEAD' }), { atMs, step: 'refused' });

      await expect(refused).rejects.toThrow('has no delivery');
    });
  });

  describe('what is due and was read', () => {
    const scheduled = () => world({ state: 'DEAD', reason: 'HTTP_404', dueAtMs: 5 });
    const lease = { dueAtMs: claimedAtMs + 20_000 };
    const asked = { ...dead, from: ['DEAD'], to: 'READY', dueAtMs: 5, isStandalone: true } as const;
    const ends = { ...dead, from: ['DEAD'], to: 'SUPPRESSED', reason: 'DELETED' } as const;

    test('is ready for one lease, which counts', async () => {
      const { deliveryLog, read, readSeen } = await scheduled();

      expect(await deliveryLog.lease(await readSeen(), lease)).toBe(true);

      expect(await read()).toEqual(aDelivery({ state: 'READY', redrives: 1, dueAtMs: claimedAtMs + 20_000 }));
    });

    test('EV-12 is put off by its time alone: no try is counted', async () => {
      const { deliveryLog, read, readSeen } = await scheduled();

      expect(await deliveryLog.reschedule(await readSeen(), 7)).toBe(true);

      expect(await read()).toEqual(aDelivery({ state: 'DEAD', reason: 'HTTP_404', dueAtMs: 7 }));
    });

    test('is leased by one of twenty', async () => {
      const { deliveryLog, read, readSeen } = await scheduled();
      const seen = await readSeen();

      const taken = await Promise.all(twenty.map(() => deliveryLog.lease(seen, lease)));

      expect(taken.filter((isTaken) => isTaken)).toHaveLength(1);
      expect((await read())?.redrives).toBe(1);
    });

    test.each<[string, (log: DeliveryLogStore, seen: Delivery) => Promise<unknown>]>([
      ['another flusher leased it, though it is due again', (log, seen) => log.lease(seen, { dueAtMs: 5 })],
      ['it was unscheduled', (log) => log.move(ends)],
      ['a person asked for it by itself', (log) => log.move(asked)],
    ])('EV-12 is neither leased nor put off where since then %s', async (_, happens) => {
      const { deliveryLog, read, readSeen } = await scheduled();
      const seen = await readSeen();
      await happens(deliveryLog, seen);
      const before = await read();

      expect(await deliveryLog.lease(seen, lease)).toBe(false);
      expect(await deliveryLog.reschedule(seen, 7)).toBe(false);
      expect(await read()).toEqual(before);
    });

    test('I16 does not end before the bus has it', async () => {
      const { deliveryLog, debounceRows, readSeen } = await scheduled();
      await deliveryLog.lease(await readSeen(), lease);
      const dueAt = async (nowMs: number) => {
        const shards = Array.from({ length: 17 }, (_, shard) => debounceRows.due(shard, nowMs, 100));
        return (await Promise.all(shards)).flat();
      };

      expect(await dueAt(claimedAtMs + 20_000)).toHaveLength(1);
      await deliveryLog.move(accepted);
      expect(await dueAt(claimedAtMs + 1_000_000)).toEqual([]);
    });

    test('EV-12 stays a standalone replay over a lease', async () => {
      const { deliveryLog, read, readSeen } = await scheduled();
      await deliveryLog.move(asked);

      await deliveryLog.lease(await readSeen(), lease);

      expect(await read()).toMatchObject({ state: 'READY', isStandalone: true, redrives: 1 });
    });

    test.each<[string, (log: DeliveryLogStore) => Promise<unknown>]>([
      ['was sent', (log) => log.move(accepted)],
      ['arrived', (log) => log.recordAttempt({ ...key, atMs, isDelivered: true, note: '200' })],
    ])('EV-12 is no standalone replay any more once it %s', async (_, end) => {
      const { deliveryLog, read } = await scheduled();
      await deliveryLog.move(asked);

      await end(deliveryLog);

      expect(await read()).not.toHaveProperty('isStandalone');
    });
  });

  describe('an attempt of the bus', () => {
    const failed = { ...key, atMs, isDelivered: false, note: '503' };
    const succeeded = { ...key, atMs, isDelivered: true, note: '200' };

    test('that failed adds a line', async () => {
      const { deliveryLog, read } = await world({ state: 'ACCEPTED' });

      await deliveryLog.recordAttempt(failed);

      const timeline = [claimedEntry, { atMs, step: 'attempted', note: '503' } as const];
      expect(await read()).toEqual(aDelivery({ state: 'ACCEPTED', timeline }));
    });

    test.each<[DeliveryState, DeliveryState]>([
      ['READY', 'DELIVERED'],
      ['ACCEPTED', 'DELIVERED'],
      ['DELIVERED', 'DELIVERED'],
      ['DEAD', 'DEAD'],
      ['SUPPRESSED', 'SUPPRESSED'],
    ])('that succeeded makes %s %s', async (state, after) => {
      const { deliveryLog, readSeen } = await world({ state });

      await deliveryLog.recordAttempt(succeeded);

      const delivery = await readSeen();
      expect(delivery.state).toBe(after);
      expect(delivery.timeline.slice(1)).toEqual([{ atMs, step: 'delivered', note: '200' }]);
    });

    test('that succeeded ends a lease: nothing is sent again', async () => {
      const { deliveryLog, read } = await world({ dueAtMs: 5 });

      await deliveryLog.recordAttempt(succeeded);

      expect(await read()).not.toHaveProperty('dueAtMs');
    });

    test('of a missing delivery does nothing', async () => {
      const { deliveryLog } = await newStores();

      await deliveryLog.recordAttempt(succeeded);
      await deliveryLog.recordAttempt(failed);

      expect(await deliveryLog.delivery(key)).toBeUndefined();
    });
  });

  describe('the lists', () => {
    /** 250 events of one transaction, one every second, each to one of two partners. */
    const many = async () => {
      const { deliveryLog } = await newStores();
      await Promise.all(
        Array.from({ length: 250 }, (_, number) => {
          const facts = { eventId: `event-${number}`, claimedAtMs: claimedAtMs + number * 1000 };
          const clientId = number % 2 === 0 ? 'P1' : 'P2';
          const event = anEvent({ ...facts, recipients: [clientId] });
          return deliveryLog.addMissing({ event, deliveries: [aDelivery({ ...facts, clientId })] });
        }),
      );
      return deliveryLog;
    };
    const numbersOf = async (found: AsyncIterable<{ eventId: string }>) =>
      (await takeAll(found)).map(({ eventId }) => Number(eventId.slice('event-'.length)));
    const all = Array.from({ length: 250 }, (_, index) => 249 - index);

    test('TH-23 of a transaction, of a partner and of a span of time begin with the newest, and none is missing', async () => {
      const deliveryLog = await many();
      const span = { sinceMs: claimedAtMs + 10_000, untilMs: claimedAtMs + 14_000 };
      const none = { sinceMs: 9, untilMs: 9 };
      const ofTransaction = (asked: DeliveryLogSpan & { clientId?: string }) =>
        numbersOf(deliveryLog.deliveriesOfTransaction(uuid, asked));
      const ofPartner = (clientId: string, asked: DeliveryLogSpan) =>
        numbersOf(deliveryLog.deliveriesOfPartner(clientId, asked));

      expect(await ofTransaction({})).toEqual(all);
      expect(await ofTransaction(span)).toEqual([13, 12, 11, 10]);
      expect(await ofTransaction({ ...span, clientId: 'P1' })).toEqual([12, 10]);
      expect(await ofTransaction(none)).toEqual([]);
      expect(await ofPartner('P2', {})).toEqual(all.filter((number) => number % 2 === 1));
      expect(await ofPartner('P1', span)).toEqual([12, 10]);
      expect(await ofPartner('P1', none)).toEqual([]);
      expect(await ofPartner('P3', {})).toEqual([]);
      expect(await numbersOf(deliveryLog.eventsOfTransaction(uuid))).toEqual(all);
      expect(await numbersOf(deliveryLog.eventsOfTransaction(uuidOf(2)))).toEqual([]);
    });

    test('show each in its present state', async () => {
      const { deliveryLog, read } = await world();
      await deliveryLog.move(accepted);

      const deliveries = await takeAll(deliveryLog.deliveriesOfPartner('P1', {}));

      expect(deliveries).toEqual([await read()]);
      expect(await takeAll(deliveryLog.eventsOfTransaction(uuid))).toEqual([anEvent()]);
    });

    test('show an event without a recipient', async () => {
      const { deliveryLog } = await newStores();
      const event = anEvent({ recipients: [] });
      await deliveryLog.addMissing({ event, deliveries: [] });

      expect(await takeAll(deliveryLog.eventsOfTransaction(uuid))).toEqual([event]);
    });
  });
});

describe('over DynamoDB', () => {
  const struck = async (values: Partial<Delivery> = {}) => {
    const { next, choose } = faultOfNext();
    return { ...(await aWorld(() => engineEventStores(engine, choose), values)), next };
  };

  test.each<Fault>(['conflict', 'throttle', 'crash-before-send', 'answer-lost', 'duplicate'])(
    'a move knows that it was made: %s',
    async (fault) => {
      const { deliveryLog, next, readSeen } = await struck();
      next.fault = fault;

      expect(await deliveryLog.move(accepted)).toBe(true);
      expect((await readSeen()).timeline).toHaveLength(2);
    },
  );

  test('a move whose answer was lost is not confused with the move of another', async () => {
    const { deliveryLog, next, readSeen } = await struck();
    const other = { atMs, step: 'accepted', note: 'another' } as const;
    await deliveryLog.move({ ...accepted, entry: other });
    next.fault = 'crash-before-send';

    expect(await deliveryLog.move(accepted)).toBe(false);
    expect((await readSeen()).timeline.at(-1)).toEqual(other);
  });

  test('a delivery that was leased without an answer is due again when its lease ends', async () => {
    const { deliveryLog, next, read, readSeen } = await struck({ dueAtMs: 5 });
    const seen = await readSeen();
    next.fault = 'answer-lost';

    expect(await deliveryLog.lease(seen, { dueAtMs: 99 })).toBe(false);
    expect(await read()).toMatchObject({ redrives: 1, dueAtMs: 99 });
  });

  test('an event that comes twice after a lost answer is stored once, in its first form', async () => {
    const { deliveryLog, next } = await struck();
    const event = anEvent({ eventId: 'event-2', recipients: [] });
    next.fault = 'answer-and-token-lost';

    await deliveryLog.addMissing({ event, bodies: someBodies, deliveries: [] });

    expect(await deliveryLog.event('event-2')).toEqual({ event, bodies: someBodies, deliveries: [] });
  });

  test('TH-23 an event beyond a page of 1 MB is read with all its deliveries', async () => {
    const { deliveryLog } = await struck();
    const recipients = partnersOf(5);
    // Without its row, each would be there as one without a status entry.
    const timeline = [{ atMs, step: 'refused', note: 'n'.repeat(300_000) } as const];
    const deliveries = recipients.map((clientId) => aDelivery({ clientId, eventId: 'event-2', timeline }));

    await deliveryLog.addMissing({ event: anEvent({ eventId: 'event-2', recipients }), deliveries });

    expect((await deliveryLog.event('event-2'))?.deliveries).toEqual(deliveries);
  });
});
