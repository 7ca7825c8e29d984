import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createImportWriter } from '../../../bin/operator/store/transactions/import-writer.ts';
import type { NdMeta } from '../../../functions/shared/domain/ownership/owner.ts';
import { aV2Read } from '../../support/apis/v2-read.ts';
import { aPartner } from '../../support/builders/a-partner.ts';
import { propertyRun } from '../../support/builders/property-run.ts';
import { queries } from '../../support/builders/queries.ts';
import { aNewTransaction, anOwner, uuidOf } from '../../support/builders/transactions.ts';
import { readerWithoutDrift } from '../../support/engine/transaction-reader.ts';
import { useEngine } from '../../support/engine/use-engine.ts';

/** Owners are opaque and may hold any character (`docs/listing.md`). */
const owners: NdMeta[] = [
  anOwner({ group: 'G#1', franchise: 'F\n', location: 'L 😀' }),
  anOwner({ group: 'G#1', franchise: 'F\n', location: '#' }),
  anOwner({ group: 'G#1', franchise: '"', location: '#' }),
  anOwner({ group: 'G#2', franchise: 'F\n', location: '#' }),
];

const world = Array.from({ length: 60 }, (_, n) => ({
  uuid: uuidOf(n),
  status: n % 3 === 0 ? (1 as const) : (0 as const),
  ndMeta: owners[n % 4] ?? anOwner(),
  vehicle: { identifiers: { ndstockid: `STOCK-${n % 5}`, salesmasterid: n % 2 ? '#"\n😀' : `SM-${n}` } },
  payments: [{ id: n, value: '1.00', details: { brand: 'visa' } }],
}));
const partners = [
  aPartner({ grants: [{ group: 'G#1', franchise: 'F\n' }, { group: 'G#2' }] }),
  aPartner({ grants: [{ group: 'G#1', location: '#' }] }),
  aPartner({ grants: [{ group: 'G#9' }] }),
];

const engine = useEngine();

const realReader = async () => {
  const deps = {
    documents: engine.documents,
    transactionsTable: 'Transactions',
    listingTable: 'Listing',
    membersOf: async (group: string) => owners.filter((owner) => owner.group === group),
  };
  await createImportWriter(deps).createMany(world.map((changes) => aNewTransaction(changes)));
  return readerWithoutDrift(deps);
};

test('S-33 ERR-4 on the real store any query has the response of brute force, byte for byte', async () => {
  const reader = await realReader();
  const pairs = await Promise.all(
    partners.map(async (partner) => ({
      real: await aV2Read({ reader, partners: [partner] }),
      bruteForce: await aV2Read({ transactions: world, partners: [partner] }),
    })),
  );
  const stored = [
    uuidOf(0),
    uuidOf(3),
    uuidOf(2),
    'STOCK-1',
    'SM-2',
    '%23%22%0A%F0%9F%98%80',
    'x'.repeat(3_000),
  ];
  let found = 0;

  await fc.assert(
    fc.asyncProperty(fc.nat(partners.length - 1), queries(stored), async (partner, query) => {
      const answer = await pairs[partner]?.real.ask(`/api/v2/transaction?${query}`);

      expect(answer).toEqual(await pairs[partner]?.bruteForce.ask(`/api/v2/transaction?${query}`));
      expect(answer?.statusCode).toBeLessThan(500);
      if (answer?.statusCode === 200 && !answer.body.includes('"data":[]')) found += 1;
    }),
    propertyRun('queries over the real store', 200, 1_000),
  );

  process.stdout.write(`answers with records in them: ${found}\n`);
  expect(found).toBeGreaterThan(0);
}, 120_000);
