import { expect, test } from '@jest/globals';
import { tallied } from '../../../../functions/publish-dormant/counted-invocation.ts';
import type { BusEntry } from '../../../../functions/shared/outbound/event-bus.ts';
import { aBus, aPublishing, memoryStores } from '../../../support/memory/publishing.ts';

const clock = () => new Date('2026-03-01T12:00:00Z');
const anEntry = (clientId: string, omitted: string[] = []): BusEntry => ({
  ...{ clientId, eventId: 'event-1', type: 'TransactionUpdated', from: 0, to: 1 },
  omitted,
  message: '{}',
});

test('S-70 the latest update of an invocation counts, and each completion has its line', () => {
  const logged: unknown[] = [];
  const log = (...line: unknown[]) => logged.push(line);
  const { publishing, delays } = tallied(aPublishing({ ...memoryStores(clock), clock, log }));

  publishing.onNotified?.('TransactionUpdated', 125_000);
  publishing.onNotified?.('TransactionUpdated', 190_000);
  publishing.onNotified?.('TransactionUpdated', 130_000);
  publishing.onNotified?.('TransactionCompleted', 900);

  expect(delays).toEqual({ updateDelayMs: 190_000 });
  expect(logged).toEqual([['completionNotified', { delayMs: 900 }]]);
});

test('EV-9 entries without large elements are counted beside all accepted ones', async () => {
  const bus = aBus(({ clientId }) => {
    if (clientId === 'refused') return { outcome: 'refused', code: 'X' };
    return clientId === 'unknown' ? { outcome: 'unconfirmed' } : { outcome: 'accepted', busEventId: 'b' };
  });
  const { publishing, tally } = tallied(aPublishing({ ...memoryStores(clock), clock, bus }));

  const answers = await publishing.bus.put([
    anEntry('a', ['vehicle']),
    anEntry('b'),
    anEntry('refused', ['vehicle']),
    anEntry('unknown', ['vehicle']),
  ]);

  expect(answers.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted', 'refused', 'unconfirmed']);
  expect(tally).toEqual({ sent: 2, unconfirmed: 1, oversize: 1, parked: 0 });
});
