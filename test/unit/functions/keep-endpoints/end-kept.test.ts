import { expect, test } from '@jest/globals';
import { createEndKept } from '../../../../functions/keep-endpoints/end-kept.ts';
import type { Delivery } from '../../../../functions/shared/domain/event/delivery.ts';
import { aDelivery, anEvent } from '../../../support/builders/events.ts';
import { createMemoryDeliveryLog } from '../../../support/memory/delivery-log.ts';

const nowMs = Date.parse('2026-11-21T12:00:00Z');
const clock = () => new Date(nowMs);

test('EV-13 what was kept, or would be tried again, ends with the reason; the rest stays as it is', async () => {
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
