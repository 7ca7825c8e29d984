import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { aV2Partner } from '../../../support/apis/v2-partner.ts';
import { aPartner } from '../../../support/builders/a-partner.ts';
import { propertyRun } from '../../../support/builders/property-run.ts';
import { aNewTransaction, anOwner, uuidOf } from '../../../support/builders/transactions.ts';

const noon = Date.parse('2026-03-01T12:00:00Z');
const idOf = (n: number) => `00000000-0000-5000-8000-${String(n).padStart(12, '0')}`;
const mine = [1, 2, 3].map((n) => aNewTransaction({ uuid: uuidOf(n) }, { version: 9 }));
const partner = aPartner({ webhookUrl: 'https://partner.example/' });

/** What others are sent: of their own transactions, and of those that this partner sees, too. */
const foreign = fc.array(
  fc.record({
    n: fc.integer({ min: 100, max: 999 }),
    transaction: fc.integer({ min: 1, max: 9 }),
    minutes: fc.nat(60),
    state: fc.constantFrom('READY', 'ACCEPTED', 'DEAD'),
  }),
  { maxLength: 12 },
);
const reads = [
  '/api/v2/event?per-page=2',
  '/api/v2/event?filter[state]=sent',
  `/api/v2/event?filter[transaction]=${uuidOf(1)}`,
  `/api/v2/event?filter[transaction]=${uuidOf(7)}`,
  ...[idOf(1), idOf(100), idOf(500)].map((id) => `/api/v2/event/${id}`),
  '/api/v2/partner',
];

const answersAmong = async (others: typeof foreign extends fc.Arbitrary<infer Value> ? Value : never) => {
  const theirs = [4, 5, 6, 7, 8, 9].map((n) =>
    aNewTransaction({ uuid: uuidOf(n), ndMeta: anOwner({ group: 'group-b' }) }, { version: 9 }),
  );
  const { ask, notify } = await aV2Partner({
    partners: [partner],
    transactions: others.length > 0 ? [...mine, ...theirs] : mine,
  });
  for (const n of [1, 2, 3])
    await notify({ eventId: idOf(n), uuid: uuidOf(n), claimedAtMs: noon - n * 60_000, state: 'ACCEPTED' });
  for (const { n, transaction, minutes, state } of others)
    await notify({
      ...{ eventId: idOf(n), clientId: `OTHER-${n}`, uuid: uuidOf(transaction) },
      ...{ claimedAtMs: noon - minutes * 60_000, state: state as 'READY' },
    });
  const body = JSON.stringify({ since: '2026-03-01T00:00:00Z' });
  const headers = { 'Content-Type': 'application/json' };
  return [
    ...(await Promise.all(reads.map((target) => ask(target)))),
    await ask('/api/v2/event/replay', { method: 'POST', headers, body }),
    await ask(`/api/v2/event/${idOf(500)}/replay`, { method: 'POST' }),
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
