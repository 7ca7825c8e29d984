import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Transaction } from '../../../functions/shared/domain/transaction.ts';
import { aPartner } from '../../support/a-partner.ts';
import { anOwner } from '../../support/a-transaction.ts';
import { unknownNames } from '../../support/closed-shape.ts';
import { propertyRun } from '../../support/property-run.ts';
import { aV2Read, uuidOf } from '../../support/v2-read.ts';

const owners = [
  anOwner(),
  anOwner({ location: 'hidden-location' }),
  anOwner({ group: 'hidden-group' }),
  anOwner({ group: '' }),
];
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

const known = fc.constantFrom(
  'filter[uuid]',
  'filter[status]',
  'filter[identifiers][ndstockid]',
  'filter[identifiers][salesmasterid]',
  'fields',
  'fields[]',
  'expand',
  'expand[]',
  'page',
  'per-page',
  'after',
  'sort',
);
const odd = fc.constantFrom(
  'filter',
  'filter[]',
  'filter[status][]',
  'filter[identifiers]',
  'FILTER[uuid]',
  'filter[uuid',
  '__proto__',
  'constructor[prototype]',
  'a[b][c][d][e]',
  'page[]',
  '%5B%5D',
  '',
);
const fragment = fc.constantFrom(
  ...[
    'uuid',
    'status',
    'payments',
    'payments.details.brand',
    'vehicle.identifiers',
    'customer.*',
    '*',
    '*.x',
  ],
  ...[
    'ndMeta',
    'ndMeta.group',
    '__proto__',
    'constructor.name',
    'version',
    'session',
    'own',
    '.',
    '..',
    'a.b.c',
  ],
  ...[
    '0',
    '1',
    '-1',
    '50',
    '999999999999999999999',
    '1e3',
    '%00',
    '%ff',
    '%',
    '%ED%A0%80',
    '+',
    '%2B',
    '%25',
  ],
  ...world.slice(0, 8).map(({ uuid }) => String(uuid)),
  ...['STOCK-1', 'SM-1', 'SM-4', "' OR 1=1--", '\u202e', '😀', '"', '\\', '\r\n', '<script>'],
);
const text = fc.oneof(
  { weight: 6, arbitrary: fc.array(fragment, { maxLength: 4 }).map((parts) => parts.join(',')) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 20 }) },
);
const name = fc.oneof(
  { weight: 8, arbitrary: known },
  { weight: 1, arbitrary: odd },
  { weight: 1, arbitrary: text },
);
const pair = fc
  .tuple(name, text, fc.boolean())
  .map(([key, value, hasValue]) => (hasValue ? `${key}=${value}` : key));
const query = fc.array(pair, { maxLength: 5 }).map((pairs) => pairs.join('&'));
const path = fc.oneof(
  { weight: 5, arbitrary: fc.constant('/api/v2/transaction') },
  { weight: 1, arbitrary: fc.nat(41).map((n) => `/v2/transaction/${uuidOf(n)}`) },
);

test('S-01 S-14 S-33 no query is a fault, shows a hidden record or an unknown name', async () => {
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
    propertyRun('queries through the whole handler', 20_000),
  );

  process.stdout.write(`answers by status: ${JSON.stringify([...counts].sort())}\n`);
  expect(counts.get(200) ?? 0).toBeGreaterThan(0);
  expect(counts.get(422) ?? 0).toBeGreaterThan(0);
}, 120_000);
