import { beforeEach, expect, test } from '@jest/globals';
import type { Delivery, DeliveryState } from '../../../../../functions/shared/domain/event/delivery.ts';
import { sendStandalone } from '../../../../../functions/shared/replay/standalone.ts';
import { eventOf } from '../../../../support/builders/sent-events.ts';
import { aNewTransaction, uuidOf } from '../../../../support/builders/transactions.ts';
import { memoryEventStores } from '../../../../support/memory/event-stores.ts';
import { aDeliveryLogWorld } from '../../../../support/operator/delivery-log-world.ts';

const day = 24 * 60 * 60;
const stateAt = (version: number) => ({
  ...aNewTransaction({ uuid: uuidOf(1), vehicle: { make: `${version}` } }, { version }),
  sequenceNumber: 1,
});

let world: ReturnType<typeof aDeliveryLogWorld>;
beforeEach(async () => {
  world = aDeliveryLogWorld(await memoryEventStores(), { stored: [stateAt(9)] });
});

const put = async (to: number, state: DeliveryState, type?: 'TransactionCompleted') => {
  const atMs = world.deps.clock().getTime();
  const one = eventOf(stateAt(to), to - 1, { atMs, ...(type && { type }) });
  await world.put(one, { P: state });
  return (await world.deps.deliveryLog.delivery({ eventId: one.event.eventId, clientId: 'P' })) as Delivery;
};

test.each(['HELD', 'ACCEPTED', 'DELIVERED', 'DEAD', 'SUPPRESSED'] as const)(
  'EV-12 I6 an event that is %s is sent as stored, with its id and bytes, whatever was sent since',
  async (state) => {
    const first = await put(2, state);
    await put(3, 'ACCEPTED');

    expect(await sendStandalone(first, world.deps)).toMatchObject({ outcome: 'scheduled', newerVersion: 3 });

    const { bodies } = (await world.deps.deliveryLog.event(first.eventId)) ?? {};
    expect(await world.flush()).toMatchObject([{ eventId: first.eventId, message: bodies?.plain }]);
    expect(await world.states('P')).toEqual({ '1-2': 'ACCEPTED', '2-3': 'ACCEPTED' });
  },
);

test('I7 an event under way is not sent again', async () => {
  expect(await sendStandalone(await put(2, 'READY'), world.deps)).toMatchObject({ outcome: 'underway' });
});

test.each<[string, number, string, string]>([
  ['is kept for 60 days', 60 * day - 1, 'scheduled', 'READY'],
  ['is not kept any more, stays what it was', 60 * day, 'expired', 'HELD'],
])('V2-9 one whose message %s', async (_, seconds, outcome, state) => {
  const delivery = await put(2, 'HELD');
  world.pass({ seconds });

  expect(await sendStandalone(delivery, world.deps)).toMatchObject({ outcome });
  expect(await world.states('P')).toEqual({ '1-2': state });
});

test('EV-12 newer events are sent ones of a later change: no completion, and none that was withheld or given up', async () => {
  const delivery = await put(2, 'DELIVERED');
  await put(5, 'SUPPRESSED');
  await put(6, 'DEAD');
  await put(7, 'ACCEPTED', 'TransactionCompleted');
  const none = await sendStandalone(delivery, world.deps);
  await put(4, 'DELIVERED');

  expect([none.newerVersion, (await sendStandalone(delivery, world.deps)).newerVersion]).toEqual([null, 4]);
});

test('EV-12 a completion is never older than another event', async () => {
  const completion = await put(2, 'ACCEPTED', 'TransactionCompleted');
  await put(4, 'DELIVERED');

  expect(await sendStandalone(completion, world.deps)).toMatchObject({
    outcome: 'scheduled',
    newerVersion: null,
  });
});
