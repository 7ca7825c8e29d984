import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Transaction } from '../../../../functions/shared/domain/transaction/transaction.ts';
import { aV2Read } from '../../../support/apis/v2-read.ts';
import { aPartner } from '../../../support/builders/a-partner.ts';
import { unknownNames } from '../../../support/builders/closed-shape.ts';
import { propertyRun } from '../../../support/builders/property-run.ts';
import { queries } from '../../../support/builders/queries.ts';
import { anOwner, uuidOf } from '../../../support/builders/transactions.ts';

const owners = [{}, { location: 'hidden-location' }, { group: 'hidden-group' }, { group: '' }].map(anOwner);
/** Everything of a record that the partner may not see says so. */
const world = Array.from({ length: 40 }, (_, n): Partial<Transaction> => {
  const ndMeta = owners[n % 4] ?? anOwner();
  const isSeen = n % 4 === 0 && n % 16 !== 0;
  const mark = isSeen ? 'seen' : 'hidden';
  return {
    uuid: uuidOf(n),
    status: n % 3 === 0 ? 1 : 0,
    isDeleted: n % 16 === 0 ? 1 : 0,
    guestEmail: `${mark}@example.com`,
    referrerUrl: `https://${mark}.example`,
    document_id: mark,
    preselectedPaymentMethod: mark,
    ndMeta: { ...ndMeta, branch: mark },
    vehicle: { mark, identifiers: { ndstockid: `STOCK-${n % 5}`, salesmasterid: `SM-${n}` } },
    customer: { mark },
    payments: [{ id: n, token: mark, reference: mark, details: { brand: mark } }],
  };
});
const seenCount = world.filter(({ document_id }) => document_id === 'seen').length;

const uuids = world.slice(0, 8).map(({ uuid }) => String(uuid));
const query = queries([...uuids, 'STOCK-1', 'STOCK-2', 'SM-1', 'SM-4']);
const path = fc.oneof(
  { weight: 5, arbitrary: fc.constant('/api/v2/transaction') },
  { weight: 1, arbitrary: fc.nat(41).map((n) => `/v2/transaction/${uuidOf(n)}`) },
);

test('S-01 S-14 S-33 TH-04 a random query causes no fault and shows no hidden record or unknown name', async () => {
  const partners = [aPartner({ grants: [{ group: 'group-a', location: 'location-a' }] })];
  const { get } = await aV2Read({ transactions: world, partners });
  const counts = new Map<number, number>();

  await fc.assert(
    fc.asyncProperty(path, query, async (asked, parameters) => {
      const { status, body } = await get(`${asked}?${parameters}`);

      counts.set(status, (counts.get(status) ?? 0) + 1);
      expect([200, 400, 404, 422]).toContain(status);
      if (status !== 200) return;
      const records = asked.includes('-') ? [body] : body.data;
      expect(JSON.stringify(records)).not.toContain('hidden');
      expect(records.flatMap(unknownNames)).toEqual([]);
      expect(body._meta?.totalCount ?? 0).toBeLessThanOrEqual(seenCount);
    }),
    propertyRun('queries through the whole handler', 2_000, 100_000),
  );

  process.stdout.write(`answers by status: ${JSON.stringify([...counts].sort())}\n`);
  expect(counts.get(200) ?? 0).toBeGreaterThan(0);
  expect(counts.get(422) ?? 0).toBeGreaterThan(0);
}, 600_000);
