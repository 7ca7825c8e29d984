import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ListRequest } from '../../../functions/shared/domain/query/list-request.ts';
import type {
  StoredTransaction,
  Transaction,
} from '../../../functions/shared/domain/transaction/transaction.ts';
import { noReadHints } from '../../../functions/shared/store/listing/access.ts';
import {
  createTransactionReader,
  type TransactionPage,
} from '../../../functions/shared/store/transactions/reader.ts';
import { createTransactionWriter } from '../../../functions/shared/store/transactions/writer.ts';
import { propertyRun } from '../../support/builders/property-run.ts';
import { aNewTransaction, anOwner, uuidOf } from '../../support/builders/transactions.ts';
import { bulkLoad } from '../../support/engine/bulk-load.ts';
import { addTables } from '../../support/engine/engine.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { pageByForce } from '../../support/memory/transactions.ts';

const engine = useEngine();
let sets = 0;

/** So small that a page is found by its ends, by counters and where it lay before, all with forty transactions. */
const settings = {
  radix: { leafBits: 2, fanBits: 2 },
  shards: { group: 3, franchise: 2, location: 1 },
  fewNodes: 4,
  fewEntries: 1,
  unitEntries: 3,
};

const owner = fc
  .record({ group: fc.constantFrom('a', 'b'), location: fc.constantFrom('1', '2') })
  .map(anOwner);
const state = fc.record({
  ndMeta: owner,
  status: fc.constantFrom<0 | 1>(0, 1),
  isDeleted: fc.constantFrom<0 | 1>(0, 0, 0, 1),
});
const grants = fc.constantFrom(
  [{ group: 'a' }],
  [{ group: 'a', franchise: 'franchise-a', location: '1' }],
  [{ group: 'a', franchise: 'franchise-a', location: '2' }, { group: 'b' }],
);
const asked: fc.Arbitrary<ListRequest> = fc.record({
  scope: fc.oneof(
    { weight: 5, arbitrary: grants.map((some) => ({ kind: 'grants', grants: some }) as const) },
    { weight: 1, arbitrary: fc.constant({ kind: 'session', session: 'session-1' } as const) },
  ),
  filter: fc.constantFrom({}, {}, { status: 0 as const }, { status: 1 as const }),
  page: fc.integer({ min: 1, max: 8 }),
  perPage: fc.constantFrom(2, 3, 10),
});
const step = fc.oneof(
  { weight: 1, arbitrary: fc.record({ number: fc.nat(45), becomes: state }) },
  { weight: 2, arbitrary: fc.record({ request: fc.nat(2), container: fc.nat(1) }) },
);

const created = (number: number, values: Partial<Transaction>) =>
  aNewTransaction({ uuid: uuidOf(number), ...values }, { session: `session-${number % 2}` });

/** A store with these transactions, and two containers that read it, each with what it has seen. */
const aStore = async (first: readonly Partial<Transaction>[]) => {
  sets += 1;
  await addTables(engine.client, `-warm-${sets}`, ['Transactions', 'Listing', 'Debounce']);
  const deps = {
    documents: engine.documents,
    ...{ transactionsTable: `Transactions-warm-${sets}`, listingTable: `Listing-warm-${sets}` },
    ...{ debounceTable: `Debounce-warm-${sets}`, settings },
  };
  const all = first.map(
    (values, number): StoredTransaction => ({
      ...created(number, values),
      position: number + 1,
    }),
  );
  await bulkLoad(deps, all);
  const writer = createTransactionWriter(deps);
  const change = async (number: number, values: Partial<Transaction>) => {
    const before = all[number];
    const written = await (before
      ? writer.replace(before, {
          ...before,
          version: before.version + 1,
          transaction: { ...before.transaction, ...values },
        })
      : writer.create(created(all.length, values)));
    if (!written.ok) throw new Error(written.reason);
    all[before ? number : all.length] = written.value;
  };
  const aContainer = () =>
    createTransactionReader({ ...deps, hints: noReadHints(), membersOf: async () => [] });
  return { all, change, containers: [aContainer(), aContainer()] as const };
};

const shown = ({ transactions, totalCount }: TransactionPage | ReturnType<typeof pageByForce>) => ({
  totalCount,
  transactions: transactions.map(({ transaction: { uuid, status, ndMeta } }) => ({ uuid, status, ndMeta })),
});

test('PAGE-4 GRANT-3 what changes between two requests is in the next page of a container that knows the one before', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(state, { minLength: 30, maxLength: 40, size: 'max' }),
      fc.tuple(asked, asked, asked),
      fc.array(step, { minLength: 20, maxLength: 40, size: 'max' }),
      async (first, requests, steps) => {
        const { all, change, containers } = await aStore(first);
        for (const one of steps) {
          if ('becomes' in one) {
            await change(one.number, one.becomes);
            continue;
          }
          const request = requests[one.request] ?? requests[0];
          const page = await (containers[one.container] ?? containers[0]).listWithin(request);
          expect(shown(page)).toEqual(shown(pageByForce(all, request)));
        }
      },
    ),
    // A shorter program would take as many tables as there are tries.
    { ...propertyRun('lists of warm containers', 10, 300), endOnFailure: true },
  );
}, 300_000);
