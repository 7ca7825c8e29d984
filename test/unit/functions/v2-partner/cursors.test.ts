import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { aV2Partner } from '../../../support/apis/v2-partner.ts';
import { aPartner } from '../../../support/builders/a-partner.ts';
import { propertyRun } from '../../../support/builders/property-run.ts';
import { aNewTransaction, anOwner, uuidOf } from '../../../support/builders/transactions.ts';

const noon = Date.parse('2026-03-01T12:00:00Z');
const idOf = (n: number) => `00000000-0000-5000-8000-${String(n).padStart(12, '0')}`;
const partner = aPartner({ webhookUrl: 'https://partner.example/' });
const transactions = [
  aNewTransaction({ uuid: uuidOf(1) }, { version: 9 }),
  aNewTransaction({ uuid: uuidOf(2), ndMeta: anOwner({ group: 'group-b' }) }, { version: 9 }),
];

type Hidden = { n: number; ms: number };
/** Rows of the partner's own, of a transaction that has left its grants since. */
const hidden: fc.Arbitrary<Hidden> = fc.record({
  n: fc.integer({ min: 1_000, max: 9_999 }),
  ms: fc.integer({ min: 1, max: 999 }),
});

/** The first page of each, which ends at a row that is not shown: 250 of them behind the one that is. */
const firstPages = async ({ n, ms }: Hidden) => {
  const { ask, notify } = await aV2Partner({ partners: [partner], transactions });
  await notify({ eventId: idOf(1), claimedAtMs: noon, state: 'ACCEPTED' });
  for (let row = 0; row < 250; row += 1) {
    const claimedAtMs = noon - 1_000 * (row + 1) - ms;
    await notify({ eventId: idOf(n * 1_000 + row), uuid: uuidOf(2), state: 'ACCEPTED', claimedAtMs });
  }
  const body = JSON.stringify({ since: '2026-03-01T00:00:00Z' });
  const headers = { 'Content-Type': 'application/json' };
  const list = await ask('/api/v2/event?filter[state]=sent');
  const replay = await ask('/api/v2/event/replay', { method: 'POST', headers, body });
  const cursors = [
    new URL(list.body._links.next.href).searchParams.get('after') ?? '',
    String(replay.body.next.after),
  ];
  const masked = [list, replay].map(({ status, text }) => [
    status,
    cursors.reduce((left, cursor) => left.replaceAll(cursor, '<cursor>'), text),
  ]);
  return { cursors, masked };
};

test('GRANT-2 GRANT-3 V2-7 V2-10 hidden rows change nothing but the content of a cursor', async () => {
  const usual = await firstPages({ n: 1_000, ms: 0 });

  await fc.assert(
    fc.asyncProperty(hidden, async (rows) => {
      const { cursors, masked } = await firstPages(rows);

      expect(masked).toEqual(usual.masked);
      expect(cursors.map(({ length }) => length)).toEqual(usual.cursors.map(({ length }) => length));
      for (const cursor of cursors) {
        const bytes = Buffer.from(cursor, 'base64url').toString('latin1');
        expect(bytes).not.toContain(idOf(rows.n * 1_000).slice(0, 26));
        expect(bytes).not.toContain(String(noon).slice(0, 6));
      }
    }),
    propertyRun('rows that are not shown', 8, 100),
  );
}, 120_000);
