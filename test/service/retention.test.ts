import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createListingAuditor } from '../../bin/operator/store/listing/audit.ts';
import { toChange } from '../../functions/shared/domain/transaction/change.ts';
import { newTransaction } from '../../functions/shared/domain/transaction/new-transaction.ts';
import { withEntries } from '../../functions/shared/domain/transaction/next-state.ts';
import type {
  StoredTransaction,
  Transaction,
} from '../../functions/shared/domain/transaction/transaction.ts';
import { raiseMark } from '../../functions/shared/store/transactions/marks.ts';
import { createTransactionWriter } from '../../functions/shared/store/transactions/writer.ts';
import { aNewTransaction, anOwner, uuidOf, withIndexedValues } from '../support/builders/transactions.ts';
import { clientOf, documentsOf } from '../support/engine/engine.ts';
import { templatesOf } from '../support/engine/templates.ts';
import { readerWithoutDrift } from '../support/engine/transaction-reader.ts';
import { rightsOf } from '../support/rights/rights.ts';
import { rightsAsked } from '../support/rights/table-rights.ts';
import { endEngineAfterFile, openStage, type ServiceStage } from '../support/stage/open-stage.ts';

const day = 86_400_000;
const ago = (days: number) => Date.now() - days * day;
let stage: ServiceStage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());
endEngineAfterFile();

const stores = () => {
  const { TRANSACTIONS_TABLE: transactionsTable, LISTING_TABLE: listingTable } = stage.variables;
  const documents = documentsOf(clientOf(stage.endpoints.dynamodb));
  const deps = { documents, transactionsTable, listingTable, membersOf: async () => [anOwner()] };
  const { create } = createTransactionWriter(deps);
  return { create, ...readerWithoutDrift(deps), ...createListingAuditor(deps), deps };
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

/** A checkout that began 31 days ago with this body. */
const opened = (number: number, body: object) => {
  const facts = { uuid: uuidOf(number), owner: anOwner(), session: `session-${number}` };
  return withEntries(
    newTransaction({ ...facts, now: new Date(ago(31)) }),
    toChange('replace', body as never),
  );
};

/** Its entry has a hash as its key. */
const long = 'n'.repeat(600);
const gone = { isDeleted: 1 } as const;

test('V1-8 S-60 S-66 S-88 the hourly sweep removes, deletes and erases what is due, by the rights of its role', async () => {
  const { create, byUuid, listWithin, audit, deps } = stores();
  // The other lookup has never run, and begins with the oldest transaction.
  await raiseMark(deps, 'retention-erase', { n: ago(32) });
  const { session: _, ...imported } = left(4, 401, {}, { version: 2, notifyFromVersion: 2 });
  const expired = { expiredAtMs: ago(31), updatedAtMs: ago(31) };
  for (const one of [
    left(1, 401, withIndexedValues('short')),
    left(30, 401, withIndexedValues(long)),
    left(2, 399),
    left(3, 401, { status: 1 }),
    imported,
    left(5, 31, gone, expired),
    left(6, 31, gone),
    opened(7, { location: 'any' }),
    opened(8, { guestEmail: 'a@b.example' }),
  ])
    await create(one);
  const total = async () => {
    const scope = { kind: 'grants' as const, grants: [{ group: 'group-a' }] };
    return (await listWithin({ scope, filter: {}, page: 1, perPage: 10 })).totalCount;
  };
  const before = await total();
  const sweep = await stage.start('sweep-expired', { INCOMPLETE_DAYS: '400' });

  const outcomes = [await sweep({}), await sweep({})];

  expect(outcomes.map(({ ok }) => ok)).toEqual([true, true]);
  expect(stage.logged('SWEEP_ENDED')).toMatchObject([
    { service: 'sweep-expired', removed: 1, deleted: 2, erased: 1, isDone: true },
    { removed: 0, deleted: 0, erased: 0, isDone: true },
  ]);
  const [deleted, erased] = [await byUuid(uuidOf(1)), await byUuid(uuidOf(5))];
  expect(deleted).toMatchObject({
    ...{ version: 2, transaction: { isDeleted: 1, customer: { email: 'ada@b.example' } } },
  });
  expect(erased?.erasedAtMs).toBeGreaterThan(ago(1));
  expect(erased?.transaction).not.toHaveProperty('customer');
  expect(erased).not.toHaveProperty('session');
  const versions = [2, 3, 4, 6, 8].map(async (number) => (await byUuid(uuidOf(number)))?.version);
  expect(await Promise.all(versions)).toEqual([1, 1, 2, 1, 1]);
  expect(await byUuid(uuidOf(7))).toBeUndefined();
  expect([before, await total()]).toEqual([7, 4]);
  const { entryDrift, counterDrift } = await audit();
  expect([...entryDrift, ...counterDrift]).toEqual([]);

  const granted = rightsOf(templatesOf('production').service, 'sweep-expired');
  // Only a transaction that changed at the same moment is read again.
  const rarely = ['Transactions dynamodb:GetItem'];
  const used = new Set(stage.askedBy('sweep-expired').flatMap(rightsAsked));
  expect([...used, ...rarely].sort()).toEqual(granted.filter((right) => right.includes('dynamodb:')));
});
