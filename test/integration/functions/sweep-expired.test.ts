import { beforeAll, expect, test } from '@jest/globals';
import { createListingAuditor } from '../../../bin/operator/store/listing/audit.ts';
import { toChange } from '../../../functions/shared/domain/transaction/change.ts';
import { newTransaction } from '../../../functions/shared/domain/transaction/new-transaction.ts';
import { withEntries } from '../../../functions/shared/domain/transaction/next-state.ts';
import type {
  StoredTransaction,
  Transaction,
} from '../../../functions/shared/domain/transaction/transaction.ts';
import { raiseMark, readMark } from '../../../functions/shared/store/transactions/marks.ts';
import { createTransactionWriter } from '../../../functions/shared/store/transactions/writer.ts';
import type { handler } from '../../../functions/sweep-expired/index.ts';
import { aNewTransaction, anOwner, uuidOf, withIndexedValues } from '../../support/builders/transactions.ts';
import { templatesOf } from '../../support/engine/templates.ts';
import { readerWithoutDrift } from '../../support/engine/transaction-reader.ts';
import { heldAtMs, useFunctions } from '../../support/functions/use-functions.ts';
import { rightsOf } from '../../support/rights/rights.ts';

const functions = useFunctions();
const day = 86_400_000;
const ago = (days: number) => Date.now() - days * day;

let sweep: typeof handler;

beforeAll(async () => {
  sweep = await functions.start('sweep-expired');
});

const stores = () => {
  const { documents } = functions;
  const tables = { documents, transactionsTable: 'Transactions', listingTable: 'Listing' };
  const deps = { ...tables, membersOf: async () => [anOwner()] };
  const transactions = { ...createTransactionWriter(deps), ...readerWithoutDrift(deps) };
  return { ...transactions, ...createListingAuditor(deps), tables };
};

/** A transaction of a session, last changed this many days ago. */
const left = (
  number: number,
  days: number,
  transaction: Partial<Transaction> = {},
  facts: Partial<StoredTransaction> = {},
) =>
  aNewTransaction(
    { uuid: uuidOf(number), customer: { email: 'ada@b.example' }, ...transaction },
    { session: `session-${number}`, createdAtMs: ago(days), updatedAtMs: ago(days), ...facts },
  );

const run = () => sweep({}, { getRemainingTimeInMillis: () => 300_000 });

const totalOf = async ({ listWithin }: ReturnType<typeof stores>) => {
  const scope = { kind: 'grants' as const, grants: [{ group: 'group-a' }] };
  return (await listWithin({ scope, filter: {}, page: 1, perPage: 10 })).totalCount;
};

/** Its entry has a hash as its key. */
const long = 'n'.repeat(600);

const members = [
  { extras: { mats: 1 } },
  { deliveryCollection: { method: 'delivery' } },
  { selectedPaymentMethod: { name: 'card' } },
  { financeProposal: { term: 48 } },
  { financeDefaults: { term: 12 } },
  { valuation: { mileage: 10 } },
  { vehicle: { make: 'Ford' } },
  { customer: { firstName: 'Ada' } },
  { priceAdjustment: { payment: true, priceRule: false } },
  { externalRedirect: 1 },
  { incentive: true },
  { document_id: '1' },
  { preselectedPaymentMethod: 'card' },
  { referrerUrl: 'https://shop.example/' },
  { guestEmail: 'a@b.example' },
];

test('V1-8 S-60 S-66 S-88 an hourly invocation through its index.ts, with the rights of its role', async () => {
  const store = stores();
  // The other lookup has never run, and begins with the oldest transaction.
  await raiseMark(store.tables, 'retention-erase', { n: ago(32) });
  const opened = (number: number, body: object) =>
    withEntries(
      newTransaction({
        ...{ uuid: uuidOf(number), owner: anOwner(), session: `session-${number}` },
        now: new Date(ago(31)),
      }),
      toChange('replace', body as never),
    );
  const gone = { isDeleted: 1 } as const;
  const expiredAtMs = ago(31);
  const { session: _, ...imported } = left(4, 401, {}, { version: 2, notifyFromVersion: 2 });
  for (const one of [
    left(1, 401, withIndexedValues('short')),
    left(30, 401, withIndexedValues(long)),
    left(2, 399),
    left(3, 401, { status: 1 }),
    imported,
    left(5, 31, gone, { expiredAtMs, updatedAtMs: expiredAtMs }),
    left(6, 31, gone),
    opened(7, { location: 'any' }),
    ...members.map((member, index) => opened(8 + index, member)),
  ])
    await store.create(one);
  const before = await totalOf(store);

  await run();
  await run();

  expect(functions.logged('SWEEP_ENDED')).toMatchObject([
    { service: 'sweep-expired', removed: 1, deleted: 2, erased: 1, isDone: true },
    { removed: 0, deleted: 0, erased: 0, isDone: true },
  ]);
  expect(await store.byUuid(uuidOf(1))).toMatchObject({
    transaction: { isDeleted: 1, customer: { email: 'ada@b.example' } },
    version: 2,
  });
  const erased = await store.byUuid(uuidOf(5));
  expect(erased?.erasedAtMs).toBe(heldAtMs);
  expect(erased?.transaction).not.toHaveProperty('customer');
  expect(erased).not.toHaveProperty('session');
  const kept = [2, 3, 4, 6, ...members.map((_, index) => 8 + index)];
  const versions = await Promise.all(
    kept.map(async (number) => (await store.byUuid(uuidOf(number)))?.version),
  );
  expect(versions).toEqual([1, 1, 2, 1, ...members.map(() => 1)]);
  expect(await store.byUuid(uuidOf(7))).toBeUndefined();

  expect([before, await totalOf(store)]).toEqual([21, 18]);
  const { entryDrift, counterDrift } = await store.audit();
  expect([...entryDrift, ...counterDrift]).toEqual([]);
  const marks = [
    await readMark(store.tables, 'retention-delete'),
    await readMark(store.tables, 'retention-erase'),
  ];
  const daysBack = marks.map((mark) => Math.floor((Date.now() - (mark?.n ?? 0)) / day));
  expect(daysBack).toEqual([400, 30]);

  const granted = rightsOf(templatesOf('production').service, 'sweep-expired');
  // Only a transaction that changed at the same moment is read again.
  const rarely = ['Transactions dynamodb:GetItem'];
  expect([...functions.aws.rightsUsed(), ...rarely].sort()).toEqual(
    granted.filter((right) => right.includes('dynamodb:')),
  );
}, 120_000);
