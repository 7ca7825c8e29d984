import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { scanTable } from '../../../bin/operator/store/scan.ts';
import type { Delivery, DeliveryState } from '../../../functions/shared/domain/event/delivery.ts';
import type { DeliveryMove } from '../../../functions/shared/store/debounce/delivery-log-store.ts';
import { aDelivery, anEvent, claimedAtMs, someBodies } from '../../support/builders/events.ts';
import { uuidOf } from '../../support/builders/transactions.ts';
import type { Fault } from '../../support/engine/faults.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { type EventStores, engineEventStores, memoryEventStores } from '../../support/memory/event-stores.ts';

const engine = useEngine();

const day = 24 * 60 * 60 * 1000;
const key = { eventId: 'event-1', clientId: 'P1' };
const uuid = uuidOf(1);
const atMs = claimedAtMs + 1000;
const entry = { atMs, step: 'accepted' } as const;

/** The delivery log with one event on its way to one partner. */
const aWorld = async (newStores: () => Promise<EventStores>, delivery: Partial<Delivery> = {}) => {
  const stores = await newStores();
  await stores.deliveryLog.addMissing({
    event: anEvent(),
    bodies: someBodies,
    deliveries: [aDelivery(delivery)],
  });
  return stores;
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

const take = async <Value>(values: AsyncIterable<Value>) => {
  const taken: Value[] = [];
  for await (const value of values) taken.push(value);
  return taken;
};

const partnersOf = (count: number) =>
  Array.from({ length: count }, (_, index) => `P${String(index).padStart(3, '0')}`);

describe.each([
  { name: 'stand-in in memory', newStores: memoryEventStores },
  { name: 'DynamoDB engine', newStores: (): Promise<EventStores> => engineEventStores(engine) },
])('$name', ({ newStores }) => {
  const world = (delivery: Partial<Delivery> = {}) => aWorld(newStores, delivery);

  describe('an event', () => {
    test('is read back with its bodies, byte for byte, and its deliveries', async () => {
      const { deliveryLog } = await newStores();
      const event = anEvent({
        omitted: ['customer'],
        elements: ['vehicle', 'customer'],
        recipients: ['P1', 'P2'],
      });
      const bodies = { plain: 'ü"\\u00e9 '.repeat(6_000), tokens: 't'.repeat(60_000) };
      const deliveries = [aDelivery(), aDelivery({ clientId: 'P2', state: 'HELD' })];

      await deliveryLog.addMissing({ event, bodies, deliveries });

      expect(await deliveryLog.event('event-1')).toEqual({ event, bodies, deliveries });
    });

    test.each([
      { what: 'one body for everybody', bodies: { plain: 'p' } },
      { what: 'none, for nobody', bodies: undefined },
    ])('has $what', async ({ bodies }) => {
      const { deliveryLog } = await newStores();

      const event = anEvent({ recipients: [] });

      await deliveryLog.addMissing({ event, ...(bodies && { bodies }), deliveries: [] });

      expect(await deliveryLog.event('event-1')).toEqual({ event, bodies, deliveries: [] });
    });

    test('that was never claimed is missing, and so are its deliveries', async () => {
      const { deliveryLog } = await newStores();

      expect(await deliveryLog.event('event-1')).toBeUndefined();
      expect(await deliveryLog.delivery(key)).toBeUndefined();
      expect(await take(deliveryLog.deliveriesOfPartner('P1', {}))).toEqual([]);
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
    test('V2-9 keeps only the named part of the timeline', async () => {
      const { deliveryLog } = await world();
      const first = { atMs: claimedAtMs, step: 'claimed' } as const;
      await deliveryLog.move(accepted);

      await deliveryLog.move({ ...accepted, from: ['ACCEPTED'], history: [first] });

      expect((await deliveryLog.delivery(key))?.timeline).toEqual([first, entry]);
    });

    test('changes the state and adds a line', async () => {
      const { deliveryLog } = await world();

      expect(await deliveryLog.move(accepted)).toBe(true);

      expect(await deliveryLog.delivery(key)).toEqual(
        aDelivery({
          state: 'ACCEPTED',
          busEventId: 'bus-1',
          timeline: [{ atMs: claimedAtMs, step: 'claimed' }, entry],
        }),
      );
    });

    test('needs one of the states that it names', async () => {
      const { deliveryLog } = await world();

      expect(await deliveryLog.move(dead)).toBe(false);
      expect(await deliveryLog.move({ ...dead, from: ['ACCEPTED', 'DELIVERED', 'HELD'] })).toBe(false);
      expect(await deliveryLog.move({ ...accepted, clientId: 'P2' })).toBe(false);
      expect(await deliveryLog.delivery(key)).toEqual(aDelivery());
      expect(await deliveryLog.move({ ...dead, from: ['ACCEPTED', 'READY'] })).toBe(true);
    });

    test('I16 of a delivery that was read before its first status entry is refused', async () => {
      const { deliveryLog } = await world();
      const from = ['READY', 'ACCEPTED'] as const;
      const { timeline } = aDelivery();

      await deliveryLog.move({ ...accepted, from });
      expect(await deliveryLog.move({ ...dead, from, seen: { timeline } })).toBe(false);
      const seen = { timeline: [...timeline, accepted.entry] };
      await deliveryLog.move({ ...accepted, from });
      expect(await deliveryLog.move({ ...dead, from, seen })).toBe(false);
      expect(
        await deliveryLog.move({ ...dead, from, seen: { timeline: [...seen.timeline, accepted.entry] } }),
      ).toBe(true);
    });

    test('counts how often the delivery became DEAD, and nothing else', async () => {
      const { deliveryLog } = await world();
      await deliveryLog.move(accepted);
      await deliveryLog.move({ ...dead, dueAtMs: 99 });
      const seen = await deliveryLog.delivery(key);
      if (seen) await deliveryLog.lease(seen, { dueAtMs: 120 });
      expect(await deliveryLog.delivery(key)).toMatchObject({ failures: 1, redrives: 1 });

      await deliveryLog.move({ ...accepted, busEventId: 'bus-2' });
      await deliveryLog.move(dead);

      expect(await deliveryLog.delivery(key)).toMatchObject({ state: 'DEAD', failures: 2, redrives: 1 });
    });

    test('EV-12 counts no failure if the target was removed', async () => {
      const { deliveryLog } = await world();
      await deliveryLog.move(accepted);
      await deliveryLog.move({ ...dead, reason: 'TARGET_REMOVED' });

      expect(await deliveryLog.delivery(key)).toMatchObject({ state: 'DEAD', failures: 0 });
    });

    test('replaces old reason and schedule, and keeps the id of the bus', async () => {
      const { deliveryLog } = await world();
      await deliveryLog.move(accepted);
      await deliveryLog.move({ ...dead, dueAtMs: 99 });
      expect(await deliveryLog.delivery(key)).toMatchObject({
        state: 'DEAD',
        reason: 'HTTP_404',
        dueAtMs: 99,
      });

      await deliveryLog.move({ ...key, from: ['DEAD'], to: 'HELD', atMs, entry: { atMs, step: 'held' } });

      const held = await deliveryLog.delivery(key);
      expect(held).toMatchObject({ state: 'HELD', busEventId: 'bus-1' });
      expect(held).not.toHaveProperty('reason');
      expect(held).not.toHaveProperty('dueAtMs');
      expect(held?.timeline.map(({ step }) => step)).toEqual(['claimed', 'accepted', 'dead', 'held']);
    });

    test('of twenty parallel moves one is done', async () => {
      const { deliveryLog } = await world();

      const moves = await Promise.all(Array.from({ length: 20 }, () => deliveryLog.move(accepted)));

      expect(moves.filter((isMade) => isMade)).toHaveLength(1);
      expect((await deliveryLog.delivery(key))?.timeline).toHaveLength(2);
    });
  });

  describe('S-60 expiry', () => {
    test.each<{ state: DeliveryState }>([{ state: 'READY' }, { state: 'HELD' }])(
      'I12 $state is kept as long as it waits',
      async ({ state }) => {
        const { deliveryLog, time } = await world({ state });
        time.nowMs = claimedAtMs + 1000 * day;

        expect((await deliveryLog.delivery(key))?.state).toBe(state);
      },
    );

    test.each<{ state: DeliveryState }>([
      { state: 'ACCEPTED' },
      { state: 'DELIVERED' },
      { state: 'DEAD' },
      { state: 'SUPPRESSED' },
    ])('$state is gone 30 days after it came to that', async ({ state }) => {
      const { deliveryLog, time } = await world();
      await deliveryLog.move({ ...accepted, to: state });

      time.nowMs = atMs + 30 * day - 1000;
      expect((await deliveryLog.delivery(key))?.state).toBe(state);

      time.nowMs = atMs + 30 * day;
      expect(await deliveryLog.delivery(key)).toBeUndefined();
      expect((await deliveryLog.event('event-1'))?.deliveries).toEqual([]);
      expect(await take(deliveryLog.deliveriesOfPartner('P1', {}))).toEqual([]);
      expect(await take(deliveryLog.deliveriesOfTransaction(uuid, {}))).toEqual([]);
      expect(await deliveryLog.move({ ...dead, from: [state], atMs: time.nowMs })).toBe(false);
    });

    test('I12 scheduled deliveries are kept, and rescheduled ones as well', async () => {
      const { deliveryLog, time } = await world();
      await deliveryLog.move({ ...dead, from: ['READY'], dueAtMs: 5 });
      time.nowMs = claimedAtMs + 1000 * day;
      expect((await deliveryLog.delivery(key))?.state).toBe('DEAD');

      await deliveryLog.move({ ...dead, from: ['DEAD'], atMs: time.nowMs });
      await deliveryLog.move({ ...accepted, from: ['DEAD'], to: 'READY', dueAtMs: 6, atMs: time.nowMs });
      time.nowMs += 1000 * day;

      expect((await deliveryLog.delivery(key))?.state).toBe('READY');
    });

    test('an event and its bodies expire 60 days after the claim', async () => {
      const { deliveryLog, time } = await world();

      time.nowMs = claimedAtMs + 60 * day - 1000;
      expect((await deliveryLog.event('event-1'))?.bodies).toEqual(someBodies);
      time.nowMs = claimedAtMs + 60 * day;

      expect(await deliveryLog.event('event-1')).toBeUndefined();
      expect(await take(deliveryLog.eventsOfTransaction(uuid))).toEqual([]);
    });

    test('S-60 an expired row counts as absent from the second in which it expires', async () => {
      const { deliveryLog, time } = await world();
      await deliveryLog.move(accepted);
      time.nowMs = atMs + 30 * day;

      await deliveryLog.addMissing({ deliveries: [aDelivery({ claimedAtMs: time.nowMs })] });

      expect((await deliveryLog.delivery(key))?.state).toBe('READY');
    });

    test('an expired row that still exists is replaced by a new one', async () => {
      const { deliveryLog, time } = await world();
      await deliveryLog.move(accepted);
      time.nowMs = claimedAtMs + 100 * day;
      const event = anEvent({ claimedAtMs: time.nowMs });
      const delivery = aDelivery({ claimedAtMs: time.nowMs });

      await deliveryLog.addMissing({ event, bodies: { plain: 'new' }, deliveries: [delivery] });

      expect(await deliveryLog.event('event-1')).toEqual({
        event,
        bodies: { plain: 'new' },
        deliveries: [delivery],
      });
    });
  });

  describe('a refusal by the bus', () => {
    test('is counted, and the state stays', async () => {
      const { deliveryLog } = await world();
      const refusal = { atMs, step: 'refused', note: 'ThrottlingException' } as const;

      expect(await deliveryLog.refused(aDelivery(), refusal)).toBe(1);
      expect(await deliveryLog.refused(aDelivery(), refusal)).toBe(2);

      expect(await deliveryLog.delivery(key)).toEqual(
        aDelivery({
          refusals: 2,
          timeline: [{ atMs: claimedAtMs, step: 'claimed' }, refusal, refusal],
        }),
      );
    });

    test('of a missing delivery is a fault', async () => {
      const { deliveryLog } = await newStores();

      const delivery = aDelivery({ state: 'DEAD' });

      await expect(deliveryLog.refused(delivery, { atMs, step: 'refused' })).rejects.toThrow(
        'has no delivery',
      );
    });
  });

  describe('leasing what is due', () => {
    const scheduled = () => world({ state: 'DEAD', reason: 'HTTP_404', dueAtMs: 5 });
    const lease = { dueAtMs: claimedAtMs + 20_000 };

    test('makes it ready for one lease, and counts', async () => {
      const { deliveryLog } = await scheduled();

      expect(await deliveryLog.lease((await deliveryLog.delivery(key)) as Delivery, lease)).toBe(true);

      expect(await deliveryLog.delivery(key)).toEqual(
        aDelivery({ state: 'READY', redrives: 1, dueAtMs: claimedAtMs + 20_000 }),
      );
    });

    test('EV-12 leaves a standalone replay what it is', async () => {
      const { deliveryLog } = await world({ state: 'READY', isStandalone: true, dueAtMs: 5 });
      await deliveryLog.lease((await deliveryLog.delivery(key)) as Delivery, lease);

      expect(await deliveryLog.delivery(key)).toMatchObject({ isStandalone: true, redrives: 1 });
    });

    test('is for one of twenty', async () => {
      const { deliveryLog } = await scheduled();
      const seen = (await deliveryLog.delivery(key)) as Delivery;

      const taken = await Promise.all(Array.from({ length: 20 }, () => deliveryLog.lease(seen, lease)));

      expect(taken.filter((isTaken) => isTaken)).toHaveLength(1);
      expect((await deliveryLog.delivery(key))?.redrives).toBe(1);
    });

    test('is refused if another sender leased it since, even if it is due again', async () => {
      const { deliveryLog } = await scheduled();
      const seen = (await deliveryLog.delivery(key)) as Delivery;
      await deliveryLog.lease(seen, { dueAtMs: 5 });

      expect(await deliveryLog.lease(seen, lease)).toBe(false);
    });

    test('is refused if it was unscheduled since', async () => {
      const { deliveryLog } = await scheduled();
      const seen = (await deliveryLog.delivery(key)) as Delivery;
      await deliveryLog.move({ ...dead, from: ['DEAD'], to: 'SUPPRESSED', reason: 'DELETED' });

      expect(await deliveryLog.lease(seen, lease)).toBe(false);
      expect((await deliveryLog.delivery(key))?.state).toBe('SUPPRESSED');
    });

    test('I16 does not end before the bus has it', async () => {
      const { deliveryLog, debounceRows } = await scheduled();
      await deliveryLog.lease((await deliveryLog.delivery(key)) as Delivery, lease);
      const dueAt = async (nowMs: number) => {
        const shards = Array.from({ length: 17 }, (_, shard) => debounceRows.due(shard, nowMs, 100));
        return (await Promise.all(shards)).flat();
      };

      expect(await dueAt(claimedAtMs + 20_000)).toHaveLength(1);
      await deliveryLog.move(accepted);
      expect(await dueAt(claimedAtMs + 1_000_000)).toEqual([]);
    });
  });

  describe('EV-12 deferring a due delivery', () => {
    const scheduled = () => world({ state: 'DEAD', reason: 'HTTP_404', dueAtMs: 5 });

    test('moves the time and nothing else: no try is counted', async () => {
      const { deliveryLog } = await scheduled();

      expect(await deliveryLog.reschedule((await deliveryLog.delivery(key)) as Delivery, 7)).toBe(true);

      expect(await deliveryLog.delivery(key)).toEqual(
        aDelivery({ state: 'DEAD', reason: 'HTTP_404', dueAtMs: 7 }),
      );
    });

    test('is refused if it was leased since', async () => {
      const { deliveryLog } = await scheduled();
      const seen = (await deliveryLog.delivery(key)) as Delivery;
      await deliveryLog.lease(seen, { dueAtMs: 6 });

      expect(await deliveryLog.reschedule(seen, 7)).toBe(false);
      expect(await deliveryLog.delivery(key)).toMatchObject({ dueAtMs: 6 });
    });

    test('is refused if it was unscheduled since', async () => {
      const { deliveryLog } = await scheduled();
      const seen = (await deliveryLog.delivery(key)) as Delivery;
      await deliveryLog.move({ ...dead, from: ['DEAD'], to: 'SUPPRESSED', reason: 'DELETED' });

      expect(await deliveryLog.reschedule(seen, 7)).toBe(false);
      expect(await deliveryLog.delivery(key)).not.toHaveProperty('dueAtMs');
    });
  });

  describe('EV-12 a standalone replay', () => {
    const asked = { ...dead, from: ['ACCEPTED'], to: 'READY', dueAtMs: 5, isStandalone: true } as const;

    test('is neither leased nor deferred by a sender that has read it before', async () => {
      const { deliveryLog } = await world({ state: 'DEAD', reason: 'HTTP_404', dueAtMs: 5 });
      const seen = (await deliveryLog.delivery(key)) as Delivery;
      await deliveryLog.move({ ...asked, from: ['DEAD'] });

      expect(await deliveryLog.lease(seen, { dueAtMs: 6 })).toBe(false);
      expect(await deliveryLog.reschedule(seen, 7)).toBe(false);
      expect(await deliveryLog.delivery(key)).toMatchObject({ isStandalone: true, dueAtMs: 5, redrives: 0 });
    });

    test('stays so over a lease', async () => {
      const { deliveryLog } = await world({ state: 'ACCEPTED' });
      await deliveryLog.move(asked);

      await deliveryLog.lease((await deliveryLog.delivery(key)) as Delivery, { dueAtMs: 6 });

      expect(await deliveryLog.delivery(key)).toMatchObject({ state: 'READY', isStandalone: true });
    });

    test.each<[string, (deliveryLog: EventStores['deliveryLog']) => Promise<unknown>]>([
      ['was sent', (deliveryLog) => deliveryLog.move(accepted)],
      [
        'arrived',
        (deliveryLog) => deliveryLog.recordAttempt({ ...key, atMs, isDelivered: true, note: '200' }),
      ],
    ])('does not outlast that it %s: the next try is one like any other', async (_, end) => {
      const { deliveryLog } = await world({ state: 'ACCEPTED' });
      await deliveryLog.move(asked);

      await end(deliveryLog);

      expect(await deliveryLog.delivery(key)).not.toHaveProperty('isStandalone');
    });
  });

  describe('an attempt of the bus', () => {
    const attempt = (isDelivered: boolean) => ({
      ...key,
      atMs,
      isDelivered,
      note: isDelivered ? '200' : '503',
    });

    test('that failed adds a line', async () => {
      const { deliveryLog } = await world({ state: 'ACCEPTED' });

      await deliveryLog.recordAttempt(attempt(false));

      expect(await deliveryLog.delivery(key)).toEqual(
        aDelivery({
          state: 'ACCEPTED',
          timeline: [
            { atMs: claimedAtMs, step: 'claimed' },
            { atMs, step: 'attempted', note: '503' },
          ],
        }),
      );
    });

    test.each<{ state: DeliveryState; after: DeliveryState }>([
      { state: 'READY', after: 'DELIVERED' },
      { state: 'ACCEPTED', after: 'DELIVERED' },
      { state: 'DELIVERED', after: 'DELIVERED' },
      { state: 'DEAD', after: 'DEAD' },
      { state: 'SUPPRESSED', after: 'SUPPRESSED' },
    ])('that succeeded makes $state $after', async ({ state, after }) => {
      const { deliveryLog } = await world({ state });

      await deliveryLog.recordAttempt(attempt(true));

      const delivery = await deliveryLog.delivery(key);
      expect(delivery?.state).toBe(after);
      expect(delivery?.timeline.slice(1)).toEqual([{ atMs, step: 'delivered', note: '200' }]);
    });

    test('that succeeded ends a lease: nothing is sent again', async () => {
      const { deliveryLog } = await world({ dueAtMs: 5 });

      await deliveryLog.recordAttempt(attempt(true));

      expect(await deliveryLog.delivery(key)).not.toHaveProperty('dueAtMs');
    });

    test('of a missing delivery does nothing', async () => {
      const { deliveryLog } = await newStores();

      await deliveryLog.recordAttempt(attempt(true));
      await deliveryLog.recordAttempt(attempt(false));

      expect(await deliveryLog.delivery(key)).toBeUndefined();
    });
  });

  describe('the lists', () => {
    /** 130 events of one transaction, one every second, each to one of two partners. */
    const many = async () => {
      const { deliveryLog } = await newStores();
      const numbers = Array.from({ length: 130 }, (_, index) => index);
      await Promise.all(
        numbers.map((number) => {
          const notified = { eventId: `event-${number}`, claimedAtMs: claimedAtMs + number * 1000 };
          const clientId = number % 2 === 0 ? 'P1' : 'P2';
          const event = anEvent({ ...notified, recipients: [clientId] });
          return deliveryLog.addMissing({ event, deliveries: [aDelivery({ ...notified, clientId })] });
        }),
      );
      return deliveryLog;
    };
    const numbersOf = (found: readonly { eventId: string }[]) =>
      found.map(({ eventId }) => Number(eventId.slice('event-'.length)));
    const all = Array.from({ length: 130 }, (_, index) => 129 - index);

    test('of a transaction, of a partner and of a time span begin with the newest', async () => {
      const deliveryLog = await many();
      const span = { sinceMs: claimedAtMs + 10_000, untilMs: claimedAtMs + 14_000 };

      expect(numbersOf(await take(deliveryLog.deliveriesOfTransaction(uuid, {})))).toEqual(all);
      expect(numbersOf(await take(deliveryLog.deliveriesOfPartner('P2', {})))).toEqual(
        all.filter((number) => number % 2 === 1),
      );
      expect(numbersOf(await take(deliveryLog.deliveriesOfTransaction(uuid, span)))).toEqual([
        13, 12, 11, 10,
      ]);
      expect(
        numbersOf(await take(deliveryLog.deliveriesOfTransaction(uuid, { ...span, clientId: 'P1' }))),
      ).toEqual([12, 10]);
      expect(numbersOf(await take(deliveryLog.deliveriesOfPartner('P1', span)))).toEqual([12, 10]);
      expect(await take(deliveryLog.deliveriesOfPartner('P1', { sinceMs: 9, untilMs: 9 }))).toEqual([]);
      expect(await take(deliveryLog.deliveriesOfTransaction(uuidOf(1), { sinceMs: 9, untilMs: 9 }))).toEqual(
        [],
      );
      expect(await take(deliveryLog.deliveriesOfPartner('P3', {}))).toEqual([]);
      expect(numbersOf(await take(deliveryLog.eventsOfTransaction(uuid)))).toEqual(all);
      expect(await take(deliveryLog.eventsOfTransaction(uuidOf(2)))).toEqual([]);
    });

    test('show each in its present state', async () => {
      const { deliveryLog } = await world();
      await deliveryLog.move(accepted);

      const [delivery] = await take(deliveryLog.deliveriesOfPartner('P1', {}));

      expect(delivery).toEqual(await deliveryLog.delivery(key));
      expect(await take(deliveryLog.eventsOfTransaction(uuid))).toEqual([anEvent()]);
    });

    test('TH-23 of 250 events none is missing', async () => {
      const { deliveryLog } = await newStores();
      const numbers = Array.from({ length: 250 }, (_, index) => index);
      await Promise.all(
        numbers.map((number) => {
          const notified = { eventId: `event-${number}`, claimedAtMs: claimedAtMs + number };
          return deliveryLog.addMissing({ event: anEvent(notified), deliveries: [aDelivery(notified)] });
        }),
      );
      const newestFirst = numbers.toReversed().map((number) => `event-${number}`);

      const ofPartner = await take(deliveryLog.deliveriesOfPartner('P1', {}));
      const ofTransaction = await take(deliveryLog.eventsOfTransaction(uuid));

      expect(ofPartner.map(({ eventId }) => eventId)).toEqual(newestFirst);
      expect(ofTransaction.map(({ eventId }) => eventId)).toEqual(newestFirst);
    });

    test('show an event without a recipient', async () => {
      const { deliveryLog } = await newStores();
      const event = anEvent({ recipients: [] });
      await deliveryLog.addMissing({ event, deliveries: [] });

      expect(await take(deliveryLog.eventsOfTransaction(uuid))).toEqual([event]);
    });
  });

  test('returned values are copies', async () => {
    const { deliveryLog } = await world();
    const read = (await deliveryLog.delivery(key)) as Delivery;
    read.timeline.push(entry);
    (await deliveryLog.event('event-1'))?.event.recipients.push('P9');

    expect(await deliveryLog.delivery(key)).toEqual(aDelivery());
    expect((await deliveryLog.event('event-1'))?.event.recipients).toEqual(['P1']);
  });
});

describe('over DynamoDB', () => {
  const struck = async (delivery: Partial<Delivery> = {}) => {
    const next: { fault: Fault | undefined } = { fault: undefined };
    const newStores = () =>
      engineEventStores(engine, () => {
        const { fault } = next;
        next.fault = undefined;
        return fault;
      });
    return { ...(await aWorld(newStores, delivery)), next };
  };

  test.each<{ fault: Fault }>([
    { fault: 'conflict' },
    { fault: 'throttle' },
    { fault: 'crash-before-send' },
    { fault: 'answer-lost' },
    { fault: 'duplicate' },
  ])('a move knows that it was made: $fault', async ({ fault }) => {
    const { deliveryLog, next } = await struck();
    next.fault = fault;

    expect(await deliveryLog.move(accepted)).toBe(true);
    expect((await deliveryLog.delivery(key))?.timeline).toHaveLength(2);
  });

  test('a move whose answer was lost is not confused with the move of another', async () => {
    const { deliveryLog, next } = await struck();
    const other = { atMs, step: 'accepted', note: 'another' } as const;
    await deliveryLog.move({ ...accepted, entry: other });
    next.fault = 'crash-before-send';

    expect(await deliveryLog.move(accepted)).toBe(false);
    expect((await deliveryLog.delivery(key))?.timeline.at(-1)).toEqual(other);
  });

  test('a delivery that was leased without an answer is due again when its lease ends', async () => {
    const { deliveryLog, next } = await struck({ dueAtMs: 5 });
    const seen = (await deliveryLog.delivery(key)) as Delivery;
    next.fault = 'answer-lost';

    expect(await deliveryLog.lease(seen, { dueAtMs: 99 })).toBe(false);
    expect(await deliveryLog.delivery(key)).toMatchObject({ redrives: 1, dueAtMs: 99 });
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
    const note = 'n'.repeat(300_000);
    const deliveries = recipients.map((clientId) =>
      aDelivery({ clientId, eventId: 'event-2', timeline: [{ atMs, step: 'refused', note }] }),
    );

    await deliveryLog.addMissing({ event: anEvent({ eventId: 'event-2', recipients }), deliveries });

    const found = await deliveryLog.event('event-2');
    expect(found?.deliveries.map(({ clientId }) => clientId)).toEqual(recipients);
    // Without its row, each would be there as one without a status entry.
    expect(found?.deliveries.map(({ timeline }) => timeline[0]?.step)).toEqual(
      recipients.map(() => 'refused'),
    );
  });

  test('S-60 an expiry is stored in seconds', async () => {
    const stores = await engineEventStores(engine);
    await stores.deliveryLog.addMissing({
      event: anEvent({ claimedAtMs: 1_000_999 }),
      deliveries: [aDelivery()],
    });
    await stores.deliveryLog.move({ ...accepted, atMs: 2_000_999 });

    const expiryOf = async (sk: string) => {
      const Key = { pk: 'EV#event-1', sk };
      const request = new GetCommand({ TableName: stores.debounceTable, Key });
      return (await engine.documents.send(request)).Item?.expiresAt;
    };

    // 60 and 30 days are 5,184,000 and 2,592,000 seconds.
    expect(await expiryOf('EVENT')).toBe(5_185_000);
    expect(await expiryOf('PARTNER#P1')).toBe(2_594_000);
  });

  test('I12 a scheduled row has no expiry', async () => {
    const stores = await engineEventStores(engine);
    await stores.setVersion(uuid, 1);
    const states = ['READY', 'HELD', 'ACCEPTED', 'DELIVERED', 'DEAD', 'SUPPRESSED'] as const;
    const move = (state: DeliveryState, more: Partial<DeliveryMove>) =>
      stores.deliveryLog.move({ ...accepted, clientId: `${state}`, from: states, to: state, ...more });
    for (const state of states) {
      await stores.deliveryLog.addMissing({ deliveries: [aDelivery({ clientId: state })] });
      await move(state, {});
      await move(state, { dueAtMs: 5 });
    }

    const scheduled: Record<string, unknown>[] = [];
    const place = { documents: engine.documents, retryDelays: { random: () => 0, sleep: async () => {} } };
    for await (const items of scanTable(place, stores.debounceTable)) scheduled.push(...items);

    expect(scheduled).toHaveLength(6);
    expect(scheduled.filter(({ dueAtMs }) => dueAtMs === 5)).toHaveLength(6);
    expect(scheduled.filter(({ expiresAt }) => expiresAt !== undefined)).toEqual([]);
  });
});
