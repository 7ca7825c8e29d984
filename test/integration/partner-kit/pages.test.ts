import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createImportWriter } from '../../../bin/operator/store/transactions/import-writer.ts';
import { createTransactionReader } from '../../../functions/shared/store/transactions/reader.ts';
import type { Expand } from '../../../partner-kit/src/index.ts';
import { aV2Read } from '../../support/apis/v2-read.ts';
import { aPartner } from '../../support/builders/a-partner.ts';
import { propertyRun } from '../../support/builders/property-run.ts';
import { aNewTransaction, anOwner, uuidOf } from '../../support/builders/transactions.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { aClientInProcess } from '../../support/partner-kit/service-in-process.ts';

type Status = 0 | 1;

const engine = useEngine();
const made = { groups: 0, transactions: 0 };

/**
 * The lists of a group without other writers, as the kit's client reads them, and a function that inserts into them.
 */
const aGroup = async () => {
  made.groups += 1;
  const owner = anOwner({ group: `pages-${made.groups}` });
  const deps = {
    documents: engine.documents,
    transactionsTable: 'Transactions',
    listingTable: 'Listing',
    membersOf: async () => [owner],
  };
  const writer = createImportWriter(deps);
  const partner = aPartner({ grants: [{ group: owner.group }] });
  const { get } = await aV2Read({ reader: createTransactionReader(deps), partners: [partner] });
  return {
    client: aClientInProcess({
      ...{ clientId: partner.clientId, ask: get },
      time: { now: () => new Date('2026-03-01T12:00:00Z'), pass: () => {} },
    }),
    insert: async (statuses: readonly Status[]) => {
      const news = statuses.map((status) => {
        made.transactions += 1;
        return { uuid: uuidOf(made.transactions), status, ndMeta: owner, vehicle: { n: status } };
      });
      await writer.createMany(news.map((one) => aNewTransaction(one)));
      return news;
    },
  };
};

const status = fc.constantFrom<Status>(0, 1);
const reading = fc.record({
  there: fc.array(status, { maxLength: 40, size: 'max' }),
  inserted: fc.array(fc.array(status, { maxLength: 3 }), { maxLength: 10, size: 'max' }),
  perPage: fc.integer({ min: 1, max: 8 }),
  filter: fc.option(fc.record({ status }), { nil: undefined }),
  expand: fc.subarray<Expand>(['vehicle', 'customer', 'payments']),
});

test('KIT-1 LINK-5 of random lists with concurrent inserts, nothing is repeated, and nothing skipped that was there', async () => {
  let pagesRead = 0;

  await fc.assert(
    fc.asyncProperty(reading, async ({ there, inserted, perPage, filter, expand }) => {
      const { client, insert } = await aGroup();
      const isAsked = (one: { status: Status }) => filter === undefined || one.status === filter.status;
      const uuidsIn = (some: { uuid: string; status: Status }[]) =>
        some.filter(isAsked).map(({ uuid }) => uuid);
      const before = uuidsIn(await insert(there));
      const later: string[] = [];
      const waiting = [...inserted];
      const seen: string[] = [];

      const query = { perPage, expand, fields: ['uuid', 'status'] as const, ...(filter && { filter }) };
      for await (const { data } of client.transactions.list(query).pages()) {
        pagesRead += 1;
        expect(data.length).toBeLessThanOrEqual(perPage);
        for (const row of data) expect(Object.keys(row)).toEqual(['uuid', 'status', ...expand]);
        seen.push(...data.map(({ uuid }) => String(uuid)));
        later.push(...uuidsIn(await insert(waiting.shift() ?? [])));
      }

      expect(seen.slice(0, before.length)).toEqual(before);
      // What came meanwhile is behind it, in its order; what came behind the last page is not there.
      expect(seen.slice(before.length)).toEqual(later.slice(0, seen.length - before.length));
    }),
    propertyRun('pages of random lists while others insert', 15, 100),
  );

  process.stdout.write(`pages read: ${pagesRead}\n`);
}, 240_000);
