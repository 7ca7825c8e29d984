import { expect, test } from '@jest/globals';
import { eventOf } from '../../../../support/builders/sent-events.ts';
import { aNewTransaction, uuidOf } from '../../../../support/builders/transactions.ts';
import { memoryEventStores } from '../../../../support/memory/event-stores.ts';
import { aDeliveryLogWorld } from '../../../../support/operator/delivery-log-world.ts';

const day = 24 * 60 * 60;

test('I19 a completion ends as EXPIRED once its event is not kept any more, and is not due for ever', async () => {
  const stored = { ...aNewTransaction({ uuid: uuidOf(1) }), position: 1 };
  const world = aDeliveryLogWorld(await memoryEventStores(), { stored: [stored] });
  const atMs = world.deps.clock().getTime();
  const { event, bodies } = eventOf(stored, 0, { type: 'TransactionCompleted', atMs });
  await world.put({ event, bodies }, { P: 'HELD' });
  const { deliveryLog } = world.deps;
  const key = { eventId: event.eventId, clientId: 'P' };
  const entry = { atMs, step: 'scheduled' } as const;
  await deliveryLog.move({ ...key, from: ['HELD'], to: 'READY', atMs, entry, dueAtMs: atMs });
  world.pass({ seconds: 61 * day });

  expect(await world.flush()).toEqual([]);

  expect(await deliveryLog.delivery(key)).toMatchObject({ state: 'SUPPRESSED', reason: 'EXPIRED' });
  expect(await deliveryLog.delivery(key)).not.toHaveProperty('dueAtMs');
});
