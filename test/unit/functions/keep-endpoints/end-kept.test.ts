import { expect, test } from '@jest/globals';
import { createEndKept } from '../../../../functions/keep-endpoints/end-kept.ts';
import type { Delivery } from '../../../../functions/shared/domain/event/delivery.ts';
import { aDelivery, anEvent } from '../../../support/builders/events.ts';
import { createMemoryLedger } from '../../../support/memory/ledger.ts';

const nowMs = Date.parse('2026-11-21T12:00:00Z');
const clock = () => new Date(nowMs);

test('EV-13 what was kept, or would be tried again, ends with the reason; the rest stays as it is', async () => {
  const ledger = createMemoryLedger({ clock });
  const deliveries: [string, Partial<Delivery>][] = [
    ['held', { state: 'HELD' }],
    ['again', { state: 'DEAD', reason: 'HTTP_404', dueAtMs: nowMs + 1 }],
    ['dead', { state: 'DEAD', reason: 'HTTP_400' }],
    ['accepted', { state: 'ACCEPTED' }],
    ['due', { state: 'READY', dueAtMs: nowMs }],
  ];
  for (const [eventId, facts] of deliveries)
    await ledger.addMissing({ event: anEvent({ eventId }), deliveries: [aDelivery({ eventId, ...facts })] });
  await ledger.addMissing({
    event: anEvent({ eventId: 'other', recipients: ['P2'] }),
    deliveries: [aDelivery({ eventId: 'other', clientId: 'P2', state: 'HELD' })],
  });

  await createEndKept({ ledger, clock })('P1', 'NO_ENDPOINT');

  const stateOf = async (eventId: string, clientId = 'P1') => {
    const { state, reason, timeline = [] } = (await ledger.delivery({ eventId, clientId })) ?? {};
    return [state, reason, timeline.at(-1)?.note];
  };
  expect(await stateOf('held')).toEqual(['SUPPRESSED', 'NO_ENDPOINT', 'NO_ENDPOINT']);
  expect(await stateOf('again')).toEqual(['SUPPRESSED', 'NO_ENDPOINT', 'NO_ENDPOINT']);
  expect((await ledger.delivery({ eventId: 'again', clientId: 'P1' }))?.dueAtMs).toBeUndefined();
  expect(await stateOf('dead')).toEqual(['DEAD', 'HTTP_400', undefined]);
  expect(await stateOf('accepted')).toEqual(['ACCEPTED', undefined, undefined]);
  expect(await stateOf('due')).toEqual(['READY', undefined, undefined]);
  expect(await stateOf('other', 'P2')).toEqual(['HELD', undefined, undefined]);
});
