import { expect, test } from '@jest/globals';
import { createEndKept } from '../../../../functions/keep-endpoints/end-kept.ts';
import type { Delivery } from '../../../../functions/shared/domain/event/delivery.ts';
import type { DeliveryPageAsked } from '../../../../functions/shared/store/debounce/delivery-log-store.ts';
import { aDelivery, anEvent } from '../../../support/builders/events.ts';
import { createMemoryDeliveryLog } from '../../../support/memory/delivery-log.ts';

const nowMs = Date.parse('2026-11-21T12:00:00Z');
const clock = () => new Date(nowMs);

/** A delivery log with these deliveries, each of an event of its own. */
const aLog = async (deliveries: Record<string, Partial<Delivery>>) => {
  const deliveryLog = createMemoryDeliveryLog({ clock });
  const all = Object.entries(deliveries).map(([eventId, facts]) => aDelivery({ eventId, ...facts }));
  for (const delivery of all) {
    const { eventId, clientId, claimedAtMs } = delivery;
    const event = anEvent({ eventId, claimedAtMs, recipients: [clientId] });
    await deliveryLog.addMissing({ event, deliveries: [delivery] });
  }
  const found = () => Promise.all(all.map((one) => deliveryLog.delivery(one)));
  return { deliveryLog, found, states: async () => (await found()).map((one) => one?.state) };
};

test('EV-13 ends kept and retried events with the reason, and leaves the others as they are', async () => {
  const { deliveryLog, found } = await aLog({
    held: { state: 'HELD' },
    again: { state: 'DEAD', reason: 'HTTP_404', dueAtMs: nowMs + 1 },
    dead: { state: 'DEAD', reason: 'HTTP_400' },
    accepted: { state: 'ACCEPTED' },
    due: { state: 'READY', dueAtMs: nowMs },
    other: { clientId: 'P2', state: 'HELD' },
  });

  await createEndKept({ deliveryLog, clock })('P1', 'NO_ENDPOINT');

  const rows = (await found()).map((one) => [
    one?.state,
    one?.reason,
    one?.timeline.at(-1)?.note,
    one?.dueAtMs,
  ]);
  expect(rows).toEqual([
    ['SUPPRESSED', 'NO_ENDPOINT', 'NO_ENDPOINT', undefined],
    ['SUPPRESSED', 'NO_ENDPOINT', 'NO_ENDPOINT', undefined],
    ['DEAD', 'HTTP_400', undefined, undefined],
    ['ACCEPTED', undefined, undefined, undefined],
    ['READY', undefined, undefined, nowMs],
    ['HELD', undefined, undefined, undefined],
  ]);
});

/** Three deliveries that were kept, one a second, the last of them now. */
const kept = {
  'held-0': { state: 'HELD', claimedAtMs: nowMs - 2_000 },
  'held-1': { state: 'HELD', claimedAtMs: nowMs - 1_000 },
  'held-2': { state: 'HELD', claimedAtMs: nowMs },
} as const;

test('EV-13 a part without time left says where the next one continues', async () => {
  const { deliveryLog, states } = await aLog(kept);
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

  const after = { claimedAtMs: nowMs - 1_000, eventId: 'held-1' };
  expect(next).toEqual({ beganAtMs: nowMs, after });
  expect(await states()).toEqual(['SUPPRESSED', 'SUPPRESSED', 'HELD']);
  expect(await endKept('P1', 'DISABLED', next)).toEqual({});
  expect(await states()).toEqual(['SUPPRESSED', 'SUPPRESSED', 'SUPPRESSED']);
});

test('EV-13 an event that cannot be ended does not stop the others, and is tried again', async () => {
  const { deliveryLog, states } = await aLog(kept);
  const move: typeof deliveryLog.move = async (asked) => {
    if (asked.eventId === 'held-0') throw new Error('poison');
    return deliveryLog.move(asked);
  };

  const { fault } = await createEndKept({ deliveryLog: { ...deliveryLog, move }, clock })('P1', 'DISABLED');

  expect([fault, await states()]).toEqual([new Error('poison'), ['HELD', 'SUPPRESSED', 'SUPPRESSED']]);
});
