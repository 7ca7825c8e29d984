import { describe, expect, test } from '@jest/globals';
import type { Delivery } from '../../../functions/shared/domain/event/delivery.ts';
import type { DeliveryMove } from '../../../functions/shared/store/debounce/delivery-log-store.ts';
import {
  aDelivery,
  anEvent,
  aPendingDelivery,
  claimedAtMs,
  someBodies,
} from '../../support/builders/events.ts';
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
const start = aPendingDelivery();

const accepted: DeliveryMove = {
  ...{ ...key, from: ['READY'], to: 'ACCEPTED', atMs, busEventId: 'bus-1' },
  entry: { atMs, step: 'accepted', busEventId: 'bus-1' },
};
const dead: DeliveryMove = {
  ...{ ...key, from: ['READY', 'ACCEPTED'], to: 'DEAD', atMs, reason: 'HTTP_404', dueAtMs: 99 },
  entry: { atMs, step: 'dead', note: 'HTTP_404' },
};
const refusal = { atMs, step: 'refused', note: 'ThrottlingException' } as const;
const attempt = (isDelivered: boolean) => ({ ...key, atMs, isDelivered, note: isDelivered ? '204' : '503' });

/** The delivery log with one event for two partners, as a claim leaves it. */
const aWorld = async (newStores: () => Promise<EventStores>) => {
  const stores = await newStores();
  const event = anEvent({ recipients: ['P1', 'P2'] });
  await stores.deliveryLog.addMissing({ event, bodies: someBodies, deliveries: [] });
  return { ...stores, read: () => stores.deliveryLog.delivery(key) };
};

const stepsOf = (delivery: Delivery | undefined) => delivery?.timeline.map(({ step }) => step).join(' ');

describe.each(bothEventStores(engine))('$name: a recipient without a status entry', ({ newStores }) => {
  const world = () => aWorld(newStores);

  test('I16 is READY by the event that names it, without a row', async () => {
    const { deliveryLog, read } = await world();

    expect(await read()).toEqual(start);
    expect(await deliveryLog.delivery({ ...key, clientId: 'P3' })).toBeUndefined();
    expect((await deliveryLog.event('event-1'))?.deliveries).toEqual([start, { ...start, clientId: 'P2' }]);
    expect(await takeAll(deliveryLog.deliveriesOfTransaction(uuid, {}))).toHaveLength(2);
    expect(await takeAll(deliveryLog.deliveriesOfTransaction(uuid, { clientId: 'P1' }))).toEqual([start]);
    expect(await takeAll(deliveryLog.deliveriesOfTransaction(uuid, { clientId: 'P3' }))).toEqual([]);
    expect(await takeAll(deliveryLog.deliveriesOfPartner('P1', {}))).toEqual([]);
  });

  test('V2-7 is among the partner’s events of the transaction, and of all after a status entry', async () => {
    const { deliveryLog, read } = await world();
    const page = (asked: { uuid?: string }) =>
      deliveryLog.deliveryPage({ clientId: 'P1', limit: 5, ...asked });

    expect(await page({ uuid })).toEqual({ deliveries: [start] });
    expect(await page({})).toEqual({ deliveries: [] });
    await deliveryLog.move(accepted);
    expect((await page({})).deliveries).toEqual([await read()]);
  });

  test.each([
    ['by whoever has it at hand', { ...accepted, start }],
    ['by whoever knows its key alone', accepted],
  ])('I16 gets its row with its whole timeline by the first status entry: %s', async (_, move) => {
    const { deliveryLog, read } = await world();

    expect(await deliveryLog.move(move)).toBe(true);

    const delivery = {
      ...aPendingDelivery({ state: 'ACCEPTED', busEventId: 'bus-1' }),
      timeline: [...start.timeline, accepted.entry],
    };
    expect(await read()).toEqual(delivery);
    expect(await takeAll(deliveryLog.deliveriesOfPartner('P1', {}))).toEqual([delivery]);
    expect((await deliveryLog.event('event-1'))?.deliveries).toEqual([
      delivery,
      { ...start, clientId: 'P2' },
    ]);
    expect(await deliveryLog.move(move)).toBe(false);
  });

  test.each<DeliveryMove>([
    { ...accepted, clientId: 'P3' },
    { ...accepted, eventId: 'event-2' },
    { ...dead, from: ['ACCEPTED'] },
  ])('is moved from READY alone, and is one whom the event names: %#', async (move) => {
    const { deliveryLog, read } = await world();

    expect(await deliveryLog.move(move)).toBe(false);

    expect(await takeAll(deliveryLog.deliveriesOfPartner(move.clientId, {}))).toEqual([]);
    expect(await read()).toEqual(start);
  });

  test('EV-12 has a row that marks a standalone replay', async () => {
    const { deliveryLog, read } = await world();
    const asked = { to: 'READY', dueAtMs: 99, isStandalone: true } as const;

    await deliveryLog.move({
      ...key,
      ...asked,
      from: ['DEAD'],
      atMs,
      entry: { atMs, step: 'scheduled' },
      start,
    });

    expect(await read()).toMatchObject({ state: 'READY', isStandalone: true, dueAtMs: 99 });
  });

  test('whose target was removed has used no try', async () => {
    const { deliveryLog, read } = await world();

    await deliveryLog.move({ ...dead, start, reason: 'TARGET_REMOVED' });

    expect(await read()).toMatchObject({ state: 'DEAD', failures: 0 });
  });

  test.each<
    [string, (log: EventStores['deliveryLog']) => Promise<unknown>, boolean, Partial<Delivery>, string]
  >([
    [
      'whose dead letter comes first is DEAD, and the acceptance undoes nothing',
      (log) => log.move(dead),
      false,
      { state: 'DEAD', reason: 'HTTP_404', failures: 1, dueAtMs: 99 },
      'dead',
    ],
    [
      'whose delivery is reported first is DELIVERED, and the acceptance undoes nothing',
      (log) => log.recordAttempt(attempt(true)),
      false,
      { state: 'DELIVERED' },
      'delivered',
    ],
    [
      'whose first attempt fails before the acceptance is recorded is ACCEPTED then',
      (log) => log.recordAttempt(attempt(false)),
      true,
      { state: 'ACCEPTED' },
      'attempted accepted',
    ],
  ])('I16 %s', async (_, happens, isAccepted, facts, steps) => {
    const { deliveryLog, read } = await world();
    await happens(deliveryLog);

    expect(await deliveryLog.move({ ...accepted, start })).toBe(isAccepted);

    const delivery = await read();
    expect(delivery).toMatchObject(facts);
    expect(stepsOf(delivery)).toBe(`changed claimed ${steps}`);
  });

  test('counts refusals over crashes, and is sent in the end', async () => {
    const { deliveryLog, read } = await world();

    expect(await deliveryLog.refused(start, refusal)).toBe(1);
    expect(await deliveryLog.refused(start, refusal)).toBe(2);
    expect(await deliveryLog.refused((await read()) as Delivery, refusal)).toBe(3);
    expect(await deliveryLog.move({ ...accepted, start })).toBe(true);

    const delivery = await read();
    expect(delivery).toMatchObject({ state: 'ACCEPTED', refusals: 3 });
    expect(stepsOf(delivery)).toBe('changed claimed refused refused refused accepted');
  });

  test('gets one of twenty parallel status entries', async () => {
    const { deliveryLog, read } = await world();

    const notes = Array.from({ length: 20 }, () => deliveryLog.move({ ...accepted, start }));

    expect((await Promise.all(notes)).filter((isMade) => isMade)).toHaveLength(1);
    expect((await read())?.timeline).toHaveLength(3);
  });

  test('I16 is DELIVERED in either order of delivery and acceptance', async () => {
    const recipients = Array.from({ length: 60 }, (_, nth) => `P${nth}`);
    const { deliveryLog } = await newStores();
    const event = anEvent({ recipients });
    await deliveryLog.addMissing({ event, bodies: someBodies, deliveries: [] });

    await Promise.all(
      recipients.flatMap((clientId) => [
        deliveryLog.recordAttempt({ ...attempt(true), clientId }),
        deliveryLog.move({ ...accepted, clientId, start: { ...start, clientId } }),
      ]),
    );

    const recorded = (await deliveryLog.event('event-1'))?.deliveries ?? [];
    expect(recorded.map(({ state }) => state)).toEqual(recipients.map(() => 'DELIVERED'));
  });

  test('S-60 is unknown after thirty days, because its row may have expired', async () => {
    const { deliveryLog, time } = await world();
    await deliveryLog.move(accepted);

    time.nowMs = claimedAtMs + 30 * day - 1000;
    expect((await deliveryLog.event('event-1'))?.deliveries).toHaveLength(2);
    time.nowMs = atMs + 30 * day;

    expect((await deliveryLog.event('event-1'))?.deliveries).toEqual([]);
    expect(await deliveryLog.delivery({ ...key, clientId: 'P2' })).toBeUndefined();
    expect(await takeAll(deliveryLog.deliveriesOfTransaction(uuid, { clientId: 'P2' }))).toEqual([]);
    expect(await deliveryLog.move({ ...accepted, clientId: 'P2' })).toBe(false);
  });
});

describe('over DynamoDB', () => {
  test.each<Fault>(['conflict', 'throttle', 'crash-before-send', 'answer-lost', 'duplicate'])(
    'a first status entry knows that it was made: %s',
    async (fault) => {
      const { next, choose } = faultOfNext();
      const { deliveryLog, read } = await aWorld(() => engineEventStores(engine, choose));
      next.fault = fault;

      expect(await deliveryLog.move({ ...accepted, start })).toBe(true);
      expect((await read())?.timeline).toHaveLength(3);
    },
  );

  const [event, bodies] = [anEvent(), someBodies];

  test('I16 an event that no claim stored comes with its deliveries in one request', async () => {
    const commands: string[] = [];
    const { deliveryLog } = await engineEventStores(engine, (command) => void commands.push(command));

    await deliveryLog.addMissing({ event, bodies, deliveries: [aDelivery({ dueAtMs: 5 })] });

    expect(commands).toEqual(['TransactWriteItemsCommand']);
  });

  test('I16 an expired event is returned beside its delivery, which stays as it is', async () => {
    const { deliveryLog } = await engineEventStores(engine);
    const there = aDelivery({ state: 'ACCEPTED' });
    await deliveryLog.addMissing({ deliveries: [there] });

    await deliveryLog.addMissing({ event, bodies, deliveries: [aDelivery({ dueAtMs: 5 })] });

    expect(await deliveryLog.event('event-1')).toEqual({ event, bodies, deliveries: [there] });
  });
});
