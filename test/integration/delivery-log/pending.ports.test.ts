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
import { uuidOf } from '../../support/builders/transactions.ts';
import type { Fault } from '../../support/engine/faults.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { type EventStores, engineEventStores, memoryEventStores } from '../../support/memory/event-stores.ts';

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
  await stores.deliveryLog.addMissing({
    event: anEvent({ recipients: ['P1', 'P2'] }),
    bodies: someBodies,
    deliveries: [],
  });
  return stores;
};

const take = async <Value>(values: AsyncIterable<Value>) => {
  const taken: Value[] = [];
  for await (const value of values) taken.push(value);
  return taken;
};
const stepsOf = (delivery: Delivery | undefined) => delivery?.timeline.map(({ step }) => step);

describe.each([
  { name: 'stand-in in memory', newStores: memoryEventStores },
  { name: 'DynamoDB engine', newStores: (): Promise<EventStores> => engineEventStores(engine) },
])('$name: a recipient without a status entry', ({ newStores }) => {
  const world = () => aWorld(newStores);

  test('I16 is READY by the event that names it, without a row', async () => {
    const { deliveryLog } = await world();

    expect(await deliveryLog.delivery(key)).toEqual(start);
    expect(await deliveryLog.delivery({ ...key, clientId: 'P3' })).toBeUndefined();
    expect((await deliveryLog.event('event-1'))?.deliveries).toEqual([start, { ...start, clientId: 'P2' }]);
    expect(await take(deliveryLog.deliveriesOfTransaction(uuid, {}))).toHaveLength(2);
    expect(await take(deliveryLog.deliveriesOfTransaction(uuid, { clientId: 'P1' }))).toEqual([start]);
    expect(await take(deliveryLog.deliveriesOfTransaction(uuid, { clientId: 'P3' }))).toEqual([]);
    expect(await take(deliveryLog.deliveriesOfPartner('P1', {}))).toEqual([]);
  });

  test('V2-7 is among the partner’s events of the transaction, and of all after a status entry', async () => {
    const { deliveryLog } = await world();
    const page = (asked: { uuid?: string }) =>
      deliveryLog.deliveryPage({ clientId: 'P1', limit: 5, ...asked });

    expect(await page({ uuid })).toEqual({ deliveries: [start] });
    expect(await page({})).toEqual({ deliveries: [] });
    await deliveryLog.move(accepted);
    expect((await page({})).deliveries).toEqual([await deliveryLog.delivery(key)]);
  });

  test.each([
    { what: 'by whoever has it at hand', move: { ...accepted, start } },
    { what: 'by whoever knows its key alone', move: accepted },
  ])('I16 gets its row with its whole timeline by the first status entry: $what', async ({ move }) => {
    const { deliveryLog } = await world();

    expect(await deliveryLog.move(move)).toBe(true);

    const delivery = {
      ...aPendingDelivery({ state: 'ACCEPTED', busEventId: 'bus-1' }),
      timeline: [...start.timeline, accepted.entry],
    };
    expect(await deliveryLog.delivery(key)).toEqual(delivery);
    expect(await take(deliveryLog.deliveriesOfPartner('P1', {}))).toEqual([delivery]);
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
    const { deliveryLog } = await world();

    expect(await deliveryLog.move(move)).toBe(false);

    expect(await take(deliveryLog.deliveriesOfPartner(move.clientId, {}))).toEqual([]);
    expect(await deliveryLog.delivery(key)).toEqual(start);
  });

  test('I16 is DEAD if the dead letter comes first, and the acceptance does not change that', async () => {
    const { deliveryLog } = await world();

    expect(await deliveryLog.move(dead)).toBe(true);
    expect(await deliveryLog.move({ ...accepted, start })).toBe(false);

    const delivery = await deliveryLog.delivery(key);
    expect(delivery).toMatchObject({ state: 'DEAD', reason: 'HTTP_404', failures: 1, dueAtMs: 99 });
    expect(stepsOf(delivery)).toEqual(['changed', 'claimed', 'dead']);
  });

  test('EV-12 has a row that marks a standalone replay', async () => {
    const { deliveryLog } = await world();
    const entry = { atMs, step: 'scheduled' } as const;

    await deliveryLog.move({
      ...key,
      from: ['DEAD'],
      to: 'READY',
      atMs,
      entry,
      dueAtMs: 99,
      isStandalone: true,
      start,
    });

    expect(await deliveryLog.delivery(key)).toMatchObject({
      state: 'READY',
      isStandalone: true,
      dueAtMs: 99,
    });
  });

  test('whose target was removed has used no try', async () => {
    const { deliveryLog } = await world();

    await deliveryLog.move({ ...dead, start, reason: 'TARGET_REMOVED' });

    expect(await deliveryLog.delivery(key)).toMatchObject({ state: 'DEAD', failures: 0 });
  });

  test('I16 is DELIVERED if that is reported first, and the acceptance does not change that', async () => {
    const { deliveryLog } = await world();

    await deliveryLog.recordAttempt(attempt(true));
    expect(await deliveryLog.move({ ...accepted, start })).toBe(false);

    const delivery = await deliveryLog.delivery(key);
    expect([delivery?.state, stepsOf(delivery)]).toEqual(['DELIVERED', ['changed', 'claimed', 'delivered']]);
  });

  test('I16 is ACCEPTED if its first attempt fails before the acceptance is recorded', async () => {
    const { deliveryLog } = await world();

    await deliveryLog.recordAttempt(attempt(false));
    expect((await deliveryLog.delivery(key))?.state).toBe('READY');
    expect(await deliveryLog.move({ ...accepted, start })).toBe(true);

    const delivery = await deliveryLog.delivery(key);
    expect([delivery?.state, stepsOf(delivery)]).toEqual([
      'ACCEPTED',
      ['changed', 'claimed', 'attempted', 'accepted'],
    ]);
  });

  test('counts refusals over crashes, and is sent in the end', async () => {
    const { deliveryLog } = await world();

    expect(await deliveryLog.refused(start, refusal)).toBe(1);
    expect(await deliveryLog.refused(start, refusal)).toBe(2);
    expect(await deliveryLog.refused((await deliveryLog.delivery(key)) as Delivery, refusal)).toBe(3);
    expect(await deliveryLog.move({ ...accepted, start })).toBe(true);

    const delivery = await deliveryLog.delivery(key);
    expect(delivery).toMatchObject({ state: 'ACCEPTED', refusals: 3 });
    expect(stepsOf(delivery)?.slice(2)).toEqual(['refused', 'refused', 'refused', 'accepted']);
  });

  test('gets one of twenty parallel status entries', async () => {
    const { deliveryLog } = await world();

    const notes = Array.from({ length: 20 }, () => deliveryLog.move({ ...accepted, start }));

    expect((await Promise.all(notes)).filter((isMade) => isMade)).toHaveLength(1);
    expect((await deliveryLog.delivery(key))?.timeline).toHaveLength(3);
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
    expect(await take(deliveryLog.deliveriesOfTransaction(uuid, { clientId: 'P2' }))).toEqual([]);
    expect(await deliveryLog.move({ ...accepted, clientId: 'P2' })).toBe(false);
  });
});

describe('over DynamoDB', () => {
  test.each<{ fault: Fault }>([
    { fault: 'conflict' },
    { fault: 'throttle' },
    { fault: 'crash-before-send' },
    { fault: 'answer-lost' },
    { fault: 'duplicate' },
  ])('a first status entry knows that it was made: $fault', async ({ fault }) => {
    const next: { fault: Fault | undefined } = { fault: undefined };
    const { deliveryLog } = await aWorld(() =>
      engineEventStores(engine, () => {
        const { fault: now } = next;
        next.fault = undefined;
        return now;
      }),
    );
    next.fault = fault;

    expect(await deliveryLog.move({ ...accepted, start })).toBe(true);
    expect((await deliveryLog.delivery(key))?.timeline).toHaveLength(3);
  });

  test('I16 an event that no claim stored comes with its deliveries in one request', async () => {
    const commands: string[] = [];
    const { deliveryLog } = await engineEventStores(engine, (command) => {
      commands.push(command);
      return undefined;
    });

    await deliveryLog.addMissing({
      event: anEvent(),
      bodies: someBodies,
      deliveries: [aDelivery({ dueAtMs: 5 })],
    });

    expect(commands).toEqual(['TransactWriteItemsCommand']);
  });

  test('I16 an expired event is returned beside its delivery, which stays as it is', async () => {
    const { deliveryLog } = await engineEventStores(engine);
    const there = aDelivery({ state: 'ACCEPTED' });
    await deliveryLog.addMissing({ deliveries: [there] });

    await deliveryLog.addMissing({
      event: anEvent(),
      bodies: someBodies,
      deliveries: [aDelivery({ dueAtMs: 5 })],
    });

    const [event, bodies] = [anEvent(), someBodies];
    expect(await deliveryLog.event('event-1')).toEqual({ event, bodies, deliveries: [there] });
  });
});
