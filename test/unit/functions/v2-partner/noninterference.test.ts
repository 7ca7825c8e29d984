import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Delivery } from '../../../../functions/shared/domain/event/delivery.ts';
import { aV2Partner } from '../../../support/apis/v2-partner.ts';
import { aPartner } from '../../../support/builders/a-partner.ts';
import { anEventId } from '../../../support/builders/events.ts';
import { propertyRun } from '../../../support/builders/property-run.ts';
import { aNewTransaction, anOwner, uuidOf } from '../../../support/builders/transactions.ts';

const noon = Date.parse('2026-03-01T12:00:00Z');
const since = '2026-03-01T00:00:00Z';
const partners = [aPartner({ webhookUrl: 'https://partner.example/' })];
const mine = [1, 2, 3].map((n) => aNewTransaction({ uuid: uuidOf(n) }, { version: 9 }));
const theirs = [4, 5, 6, 7, 8, 9].map((n) =>
  aNewTransaction({ uuid: uuidOf(n), ndMeta: anOwner({ group: 'group-b' }) }, { version: 9 }),
);

/** Deliveries to others: of their own transactions, and of those that this partner sees, too. */
const foreign = fc.array(
  fc
    .record({
      n: fc.integer({ min: 100, max: 999 }),
      transaction: fc.integer({ min: 1, max: 9 }),
      minutes: fc.nat(60),
      state: fc.constantFrom('READY' as const, 'ACCEPTED' as const, 'DEAD' as const),
    })
    .map(
      ({ n, transaction, minutes, state }): Partial<Delivery> => ({
        ...{ eventId: anEventId(n), clientId: `OTHER-${n}`, uuid: uuidOf(transaction) },
        ...{ claimedAtMs: noon - minutes * 60_000, state },
      }),
    ),
  { maxLength: 12 },
);
const reads = [
  '/api/v2/event?per-page=2',
  '/api/v2/event?filter[state]=sent',
  `/api/v2/event?filter[transaction]=${uuidOf(1)}`,
  `/api/v2/event?filter[transaction]=${uuidOf(7)}`,
  ...[1, 100, 500].map((n) => `/api/v2/event/${anEventId(n)}`),
  '/api/v2/partner',
];

const answersAmong = async (others: Partial<Delivery>[]) => {
  const transactions = others.length > 0 ? [...mine, ...theirs] : mine;
  const { ask, notify } = await aV2Partner({ partners, transactions });
  for (const n of [1, 2, 3])
    await notify({
      eventId: anEventId(n),
      uuid: uuidOf(n),
      claimedAtMs: noon - n * 60_000,
      state: 'ACCEPTED',
    });
  for (const delivery of others) await notify(delivery);
  return [
    ...(await Promise.all(reads.map((target) => ask(target)))),
    await ask('/api/v2/event/replay', { json: { since } }),
    await ask(`/api/v2/event/${anEventId(500)}/replay`, { method: 'POST' }),
  ];
};

test('GRANT-3 V2-7 V2-10 events of other partners change no byte of a partner’s answers', async () => {
  const alone = await answersAmong([]);

  await fc.assert(
    fc.asyncProperty(foreign, async (others) => {
      expect(await answersAmong(others)).toEqual(alone);
    }),
    propertyRun('others who are notified', 40, 500),
  );

  expect(alone.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 404, 404, 200, 202, 404]);
}, 120_000);
