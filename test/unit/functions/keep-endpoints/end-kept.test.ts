import { expect, test } from '@jest/globals';
import { createEndKept } from '../../../../functions/keep-endpoints/end-kept.ts';
import type { Delivery } from '../../../../functions/shared/domain/event/delivery.ts';
import type { DeliveryPageAsked } from '../../../../functions/shared/store/debounce/delivery-log-store.ts';
import { aDelivery, anEvent } from '../../../support/builders/events.ts';
import { createMemoryDeliveryLog } from '../../../support/memory/delivery-log.ts';

const nowMs = Date.parse('2026-11-21T12:00:00Z');
const clock = () => new Date(nowMs);

test('EV-13 ends kept and retried events with the reason, and leaves the others as they are', async () => {
  const deliveryLog = createMemoryDeliveryLog({ clock });
  const deliveries: [string, Partial<Delivery>][] = [
    ['held', { state: 'HELD' }],
    ['again', { state: 'DEAD', reason: 'HTTP_404', dueAtMs: nowMs + 1 }],
    ['dead', { state: 'DEAD', reason: 'HTTP_400' }],
    ['accepted', { state: 'ACCEPTED' }],
    ['due', { state: 'READY', dueAtMs: nowMs }],
  ];
  for (const [eventId, facts] of deliveries)
    await deliveryLog.addMissing({
      event: anEvent({ eventId }),
      deliveries: [aDelivery({ eventId, ...facts })],
    });
  await deliveryLog.addMissing({
    event: anEvent({ eventId: 'other', recipients: ['P2'] }),
    deliveries: [aDelivery({ eventId: 'other', clientId: 'P2', state: 'HELD' })],
  });

  await createEndKept({ deliveryLog, clock })('P1', 'NO_ENDPOINT');

  const stateOf = async (eventId: string, clientId = 'P1') => {
    const { state, reason, timeline = [] } = (await deliveryLog.delivery({ eventId, clientId })) ?? {};
    return [state, reason, timeline.at(-1)?.note];
  };
  expect(await stateOf('held')).toEqual(['SUPPRESSED', 'NO_ENDPOINT', 'NO_ENDPOINT']);
  expect(await stateOf('again')).toEqual(['SUPPRESSED', 'NO_ENDPOINT', 'NO_ENDPOINT']);
  expect((await deliveryLog.delivery({ eventId: 'again', clientId: 'P1' }))?.dueAtMs).toBeUndefined();
  expect(await stateOf('dead')).toEqual(['DEAD', 'HTTP_400', undefined]);
  expect(await stateOf('accepted')).toEqual(['ACCEPTED', undefined, undefined]);
  expect(await stateOf('due')).toEqual(['READY', undefined, undefined]);
  expect(await stateOf('other', 'P2')).toEqual(['HELD', undefined, undefined]);
});

/** Three deliveries that were kept, one a second, the last of them now. */
const keptLog = async () => {
  const deliveryLog = createMemoryDeliveryLog({ clock });
  for (let n = 0; n < 3; n += 1) {
    const facts = { eventId: `held-${n}`, claimedAtMs: nowMs - (2 - n) * 1_000 };
    await deliveryLog.addMissing({
      event: anEvent(facts),
      deliveries: [aDelivery({ ...facts, state: 'HELD' })],
    });
  }
  const states = () =>
    Promise.all(
      [0, 1, 2].map(
        async (n) => (await deliveryLog.delivery({ eventId: `held-${n}`, clientId: 'P1' }))?.state,
      ),
    );
  return { deliveryLog, states };
};

test('EV-13 a part without time left says where the next one continues', async () => {
  const { deliveryLog, states } = await keptLog();
  let atMs = nowMs;
  const slow = {
    move: deliveryLog.move,
    deliveryPage: async (asked: DeliveryPageAsked) => {
      atMs += 60_000;
      return deliveryLog.deliveryPage({ ...asked, limit: 2 });
    },
  };
  const endKept = createEndKept({ deliveryLog: slow, clock: () => new Date(atMs) });

  const { next } = await endKept('P1', 'DISABLED');
  const first = await states();
  const rest = await endKept('P1', 'DISABLED', next);

  expect(next).toEqual({
    beganAtMs: nowMs,
    after: { claimedAtMs: nowMs - 1_000, eventId: 'held-1' },
  });
  expect(first).toEqual(['SUPPRESSED', 'SUPPRESSED', 'HELD']);
  expect([rest, await states()]).toEqual([{}, ['SUPPRESSED', 'SUPPRESSED', 'SUPPRESSED']]);
});

test('EV-13 an event that cannot be ended does not stop the others, and is tried again', async () => {
  const { deliveryLog, states } = await keptLog();
  const move: typeof deliveryLog.move = async (asked) => {
    if (asked.eventId === 'held-0') throw new Error('poison');
    return deliveryLog.move(asked);
  };

  const { fault } = await createEndKept({ deliveryLog: { ...deliveryLog, move }, clock })('P1', 'DISABLED');

  expect([fault, await states()]).toEqual([new Error('poison'), ['HELD', 'SUPPRESSED', 'SUPPRESSED']]);
});
