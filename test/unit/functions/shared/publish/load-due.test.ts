import { expect, test } from '@jest/globals';
import { flushDue } from '../../../../../functions/shared/publish/flush.ts';
import { aPartner } from '../../../../support/builders/a-partner.ts';
import { eventOf } from '../../../../support/builders/sent-events.ts';
import { aNewTransaction, uuidOf } from '../../../../support/builders/transactions.ts';
import { memoryEventStores } from '../../../../support/memory/event-stores.ts';
import { aBus, aPublishing, directoryOf, memoryStores } from '../../../../support/memory/publishing.ts';
import { aDeliveryLogWorld } from '../../../../support/operator/delivery-log-world.ts';

const day = 24 * 60 * 60;

test('I19 a completion ends as EXPIRED after its event expired, and is not due forever', async () => {
  const stored = { ...aNewTransaction({ uuid: uuidOf(1) }), sequenceNumber: 1 };
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

test.each([
  ['whose transaction is gone', { version: 1 }, []],
  ['that a restore left without its version', {}, [aNewTransaction({ uuid: uuidOf(1) })]],
])('I19 a completion %s is sent to nobody, and is not due forever', async (_, facts, there) => {
  const nowMs = Date.parse('2026-11-21T14:00:00Z');
  const clock = () => new Date(nowMs);
  const stores = memoryStores(clock);
  await stores.transactions.createMany(there);
  const marker = { uuid: uuidOf(1), kind: 'COMPLETED' } as const;
  stores.debounceRows.leave({ ...marker, ...facts, revision: 0, changeCount: 0, dueAtMs: nowMs });
  const partners = directoryOf([aPartner({ webhookUrl: 'https://partner.example/' })]);
  const bus = aBus();

  await flushDue(aPublishing({ ...stores, partners, bus, clock }), { beginUntilMs: nowMs + 15_000 });

  expect(bus.taken).toEqual([]);
  expect(await stores.debounceRows.get(marker)).toEqual({ ...marker, ...facts, revision: 1, changeCount: 0 });
});
