import { describe, expect, test } from '@jest/globals';
import {
  createImportWriter,
  type ImportWriter,
} from '../../../bin/operator/store/transactions/import-writer.ts';
import {
  createTransactionWalk,
  type TransactionWalk,
} from '../../../bin/operator/store/transactions/walk.ts';
import { indexedColumns } from '../../../functions/shared/domain/listing/columns.ts';
import type { ListRequest } from '../../../functions/shared/domain/query/list-request.ts';
import { sizeFault } from '../../../functions/shared/domain/transaction/size.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import type { TransactionReader } from '../../../functions/shared/store/transactions/reader.ts';
import { takeAll } from '../../support/builders/take-all.ts';
import {
  aNewTransaction,
  anOwner,
  aTransaction,
  uuidOf,
  withIndexedValues,
} from '../../support/builders/transactions.ts';
import { aWholeDelivery, aWholePayment } from '../../support/builders/whole-elements.ts';
import { newTables } from '../../support/engine/new-tables.ts';
import { readerWithoutDrift } from '../../support/engine/transaction-reader.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { createMemoryTransactions } from '../../support/memory/transactions.ts';

type Store = TransactionReader & ImportWriter & TransactionWalk;

const engine = useEngine();

const realStore = async (): Promise<Store> => {
  const deps = {
    ...(await newTables(engine)),
    membersOf: async () => [
      { franchise: 'franchise-a', location: 'location-a' },
      { franchise: 'franchise-b', location: 'location-a' },
      { franchise: 'franchise-b', location: 'location-b' },
    ],
  };
  return { ...readerWithoutDrift(deps), ...createImportWriter(deps), ...createTransactionWalk(deps) };
};

const list = (more: Partial<ListRequest> = {}): ListRequest => ({
  scope: { kind: 'grants', grants: [{ group: 'group-a' }] },
  filter: {},
  page: 1,
  perPage: 10,
  ...more,
});

const groupB = { kind: 'grants', grants: [{ group: 'group-b' }] } as const;

const numbersOf = (transactions: readonly Pick<StoredTransaction, 'transaction'>[]) =>
  transactions.map(({ transaction }) => Number.parseInt(transaction.uuid.slice(0, 8), 16));
/** The numbers of the transactions of a page, and the total. */
const pageOf = async (store: Store, asked: Partial<ListRequest> = {}) => {
  const { transactions, totalCount } = await store.listWithin(list(asked));
  return [numbersOf(transactions), totalCount];
};

/** 100,000 bytes beside 300,000 of payments, with every element and attribute that there is. */
const theLargest = () => {
  const owner = anOwner({ group: 'g'.repeat(256), franchise: 'f'.repeat(256), branch: 'b'.repeat(256) });
  const payment = aWholePayment({ id: 2 ** 52, status: 1, settings: '' });
  const rest = aTransaction({
    ...{ ndMeta: owner, guestEmail: 'e'.repeat(254), referrerUrl: `https://${'r'.repeat(2_000)}.example` },
    ...{ extras: [], deliveryCollection: aWholeDelivery(), selectedPaymentMethod: {}, financeProposal: {} },
    ...{ valuation: {}, customer: {}, financeDefaults: {}, vehicle: { note: '' } },
  });
  const bytesOf = (value: object) => JSON.stringify(value).length;
  return {
    ...rest,
    vehicle: { note: 'x'.repeat(100_000 - bytesOf(rest)) },
    payments: [{ ...payment, settings: 'x'.repeat(300_000 - bytesOf([payment])) }],
  };
};

const created = async (store: Store, ...parameters: Parameters<typeof aNewTransaction>) => {
  const outcome = await store.create(aNewTransaction(...parameters));
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.value;
};

const changed = (stored: StoredTransaction, values: Partial<StoredTransaction['transaction']>) => ({
  ...stored,
  version: stored.version + 1,
  updatedAtMs: stored.updatedAtMs + 1,
  transaction: { ...stored.transaction, ...values },
});

describe.each([
  { name: 'stand-in in memory', newStore: async (): Promise<Store> => createMemoryTransactions() },
  { name: 'DynamoDB engine', newStore: realStore },
])('$name', ({ newStore }) => {
  test('a created transaction is read back as it was written, with its sequence number', async () => {
    const store = await newStore();
    const written = aNewTransaction(
      {
        uuid: uuidOf(1),
        vehicle: { price: 12.5, z: 1, a: [null, 'ü', { '10': 1, '2': 2 }] },
        payments: [{ id: 1, value: '10.00' }],
      },
      { session: 'session-a' },
    );

    const outcome = await store.create(written);

    expect(outcome).toEqual({ ok: true, value: { ...written, sequenceNumber: 1 } });
    const found = await store.byUuid(uuidOf(1));
    expect(found).toEqual({ ...written, sequenceNumber: 1 });
    expect(JSON.stringify(found?.transaction.vehicle)).toBe(JSON.stringify(written.transaction.vehicle));
  });

  test('a uuid is created once', async () => {
    const store = await newStore();
    await created(store, { uuid: uuidOf(1), guestEmail: 'first' });

    const again = await store.create(aNewTransaction({ uuid: uuidOf(1), guestEmail: 'second' }));

    expect(again).toEqual({ ok: false, reason: 'uuid-taken' });
    expect((await store.byUuid(uuidOf(1)))?.transaction.guestEmail).toBe('first');
    expect(await pageOf(store)).toEqual([[1], 1]);
  });

  test('WR-4 the largest transaction fits one item, created by one request or by an import', async () => {
    const store = await newStore();
    const largest = theLargest();
    expect(sizeFault(largest, { ...largest, payments: [] }, 'partner')).toBeUndefined();

    const before = await created(store, { ...largest, status: 0 }, { session: 's'.repeat(26) });
    const completed = await store.replace(before, changed(before, { status: 1, editable: false }));
    const many = await store.createMany([2, 3].map((n) => aNewTransaction({ ...largest, uuid: uuidOf(n) })));

    expect([completed.ok, ...many.map(({ ok }) => ok)]).toEqual([true, true, true]);
    expect((await store.byUuid(uuidOf(3)))?.transaction).toEqual({ ...largest, uuid: uuidOf(3) });
  });

  test('an unknown, an empty and an overlong uuid are not found', async () => {
    const store = await newStore();

    expect(await store.byUuid(uuidOf(9))).toBeUndefined();
    expect(await store.byUuid('')).toBeUndefined();
    expect(await store.byUuid('x'.repeat(3000))).toBeUndefined();
  });

  test('a change of a version that is no longer stored, or of what does not exist, is refused', async () => {
    const store = await newStore();
    const first = await created(store, { uuid: uuidOf(1) });
    const stranger = { ...aNewTransaction({ uuid: uuidOf(5) }), sequenceNumber: 5 };
    await store.replace(first, changed(first, { guestEmail: 'a' }));

    const late = await store.replace(first, changed(first, { guestEmail: 'b' }));
    const lost = await store.replace(stranger, changed(stranger, { status: 1 }));

    expect(late).toEqual({ ok: false, reason: 'changed-meanwhile' });
    expect((await store.byUuid(uuidOf(1)))?.transaction.guestEmail).toBe('a');
    expect(lost).toEqual({ ok: false, reason: 'not-found' });
  });

  test('V1-10 a change that was read before a sign-in moved the transaction is refused', async () => {
    const store = await newStore();
    const first = await created(store, { uuid: uuidOf(1) }, { session: 'session-a' });
    await store.replace(first, { ...first, session: 'user-a' });

    const late = await store.replace(first, changed(first, { guestEmail: 'b' }));

    expect(late).toEqual({ ok: false, reason: 'changed-meanwhile' });
    expect((await store.byUuid(uuidOf(1)))?.session).toBe('user-a');
  });

  test('completing moves a transaction from the incomplete to the complete ones', async () => {
    const store = await newStore();
    const first = await created(store, { uuid: uuidOf(1) });
    await created(store, { uuid: uuidOf(2) });

    await store.replace(first, changed(first, { status: 1 }));

    expect(await pageOf(store, { filter: { status: 1 } })).toEqual([[1], 1]);
    expect(await pageOf(store, { filter: { status: 0 } })).toEqual([[2], 1]);
    expect(await pageOf(store)).toEqual([[1, 2], 2]);
  });

  test('DEL-1 a deleted transaction is in no list and keeps its place when it is restored', async () => {
    const store = await newStore();
    const first = await created(store, { uuid: uuidOf(1) });
    await created(store, { uuid: uuidOf(2) });
    const deleted = changed(first, { isDeleted: 1 });
    await store.replace(first, deleted);

    expect(await pageOf(store)).toEqual([[2], 1]);
    expect((await store.byUuid(uuidOf(1)))?.transaction.isDeleted).toBe(1);
    await store.replace(deleted, changed(deleted, { isDeleted: 0 }));

    expect(await pageOf(store)).toEqual([[1, 2], 2]);
  });

  test('OWN-2 a moved transaction keeps its place under its new owner', async () => {
    const store = await newStore();
    const first = await created(store, { uuid: uuidOf(1) });
    await created(store, { uuid: uuidOf(2), ndMeta: anOwner({ group: 'group-b' }) });

    await store.replace(first, changed(first, { ndMeta: anOwner({ group: 'group-b', franchise: 'f' }) }));

    expect(await pageOf(store)).toEqual([[], 0]);
    expect(await pageOf(store, { scope: groupB })).toEqual([[1, 2], 2]);
  });

  test('GRANT-1 a grant of a location without a franchise holds that location of every franchise', async () => {
    const store = await newStore();
    const franchiseB = anOwner({ franchise: 'franchise-b' });
    await created(store, { uuid: uuidOf(1) });
    await created(store, { uuid: uuidOf(2), ndMeta: franchiseB });
    await created(store, { uuid: uuidOf(3), ndMeta: { ...franchiseB, location: 'location-b' } });

    const grants = [{ group: 'group-a', location: 'location-a' }];
    expect(await pageOf(store, { scope: { kind: 'grants', grants } })).toEqual([[1, 2], 2]);
  });

  test('GRANT-1 no grant and no ownership show nothing', async () => {
    const store = await newStore();
    const { ndMeta: _, ...orphan } = aNewTransaction({ uuid: uuidOf(1) }).transaction;
    await store.create({ ...aNewTransaction(), transaction: orphan });

    expect(await pageOf(store)).toEqual([[], 0]);
    expect(await pageOf(store, { scope: { kind: 'grants', grants: [] } })).toEqual([[], 0]);
    expect((await store.byUuid(uuidOf(1)))?.transaction.uuid).toBe(uuidOf(1));
  });

  test('FLT-1 filters by uuid and by vehicle hold together, within the scope', async () => {
    const store = await newStore();
    const car = (ndstockid: string, salesmasterid: string) => ({ identifiers: { ndstockid, salesmasterid } });
    const ndMeta = anOwner({ group: 'b' });
    await created(store, { uuid: uuidOf(1), vehicle: car('stock-1', 'sales-1') });
    await created(store, { uuid: uuidOf(2), vehicle: car('stock-1', 'sales-2'), status: 1 });
    await created(store, { uuid: uuidOf(3), vehicle: car('stock-1', 'sales-1'), ndMeta });
    const found = (filter: ListRequest['filter']) => pageOf(store, { filter });

    expect(await found({ ndstockid: 'stock-1' })).toEqual([[1, 2], 2]);
    expect(await found({ ndstockid: 'stock-1', salesmasterid: 'sales-2' })).toEqual([[2], 1]);
    expect(await found({ ndstockid: 'stock-1', status: 1 })).toEqual([[2], 1]);
    expect(await found({ salesmasterid: 'stock-1' })).toEqual([[], 0]);
    expect(await found({ uuid: uuidOf(1), ndstockid: 'stock-1' })).toEqual([[1], 1]);
    expect(await found({ uuid: uuidOf(1), status: 1 })).toEqual([[], 0]);
    expect(await found({ uuid: uuidOf(3) })).toEqual([[], 0]);
  });

  test.each(Object.keys(indexedColumns))(
    'PAGE-4 FLT-1 %s finds transactions created with a value and changed to it, short or long',
    async (name) => {
      const store = await newStore();
      const long = 'long'.repeat(200);
      await created(store, { uuid: uuidOf(1), ...withIndexedValues('short') });
      await created(store, { uuid: uuidOf(2), ...withIndexedValues('other') });
      const third = await created(store, { uuid: uuidOf(3), ...withIndexedValues('short') });
      await store.replace(third, changed(third, withIndexedValues(long)));

      expect(await pageOf(store, { filter: { [name]: 'short' }, shown: [] })).toEqual([[1], 1]);
      expect(await pageOf(store, { filter: { [name]: long }, shown: [] })).toEqual([[3], 1]);
    },
  );

  test('FLT-1 identifiers that differ only in case, blanks, form or length are found each by itself', async () => {
    const store = await newStore();
    const texts = [
      ...[
        'a',
        'A',
        ' a',
        'a ',
        'a#',
        '#a',
        '\u00a0a',
        '\ufeffa',
        '\u00e9',
        'e\u0301',
        '\u{1f697}',
        '\u{10ffff}',
      ],
      ...[500, 501, 511, 512].map((length) => 'x'.repeat(length)),
    ];
    for (const [index, text] of texts.entries())
      await created(store, { uuid: uuidOf(index + 1), ...withIndexedValues(text) });

    for (const [index, text] of texts.entries())
      for (const name of Object.keys(indexedColumns))
        expect(await pageOf(store, { filter: { [name]: text } })).toEqual([[index + 1], 1]);
  });

  test('FLT-1 the one transaction of a uuid is on page 1, and behind any record before it', async () => {
    const store = await newStore();
    for (const number of [1, 2, 3]) await created(store, { uuid: uuidOf(number) });
    const pageAt = (asked: Partial<ListRequest>) => pageOf(store, { filter: { uuid: uuidOf(2) }, ...asked });

    expect(await pageAt({ page: 1 })).toEqual([[2], 1]);
    expect(await pageAt({ page: 2 })).toEqual([[], 1]);
    expect(await pageAt({ page: 2, afterUuid: uuidOf(1) })).toEqual([[2], 1]);
    expect(await pageAt({ page: 1, afterUuid: uuidOf(2) })).toEqual([[], 1]);
    expect(await pageAt({ page: 1, afterUuid: uuidOf(3) })).toEqual([[], 1]);
    expect(await pageAt({ page: 1, afterUuid: uuidOf(9) })).toEqual([[2], 1]);
  });

  test('V1-1 V1-3 a session sees its own transactions and its newest incomplete one', async () => {
    const store = await newStore();
    const [session, another] = ['session-a', 'session-b'];
    await created(store, { uuid: uuidOf(1) }, { session });
    const second = await created(store, { uuid: uuidOf(2) }, { session });
    const third = await created(store, { uuid: uuidOf(3) }, { session });
    await created(store, { uuid: uuidOf(4) }, { session: another });
    await store.replace(third, changed(third, { isDeleted: 1 }));

    expect(await pageOf(store, { scope: { kind: 'session', session } })).toEqual([[1, 2], 2]);
    expect((await store.newestIncomplete(session))?.transaction.uuid).toBe(uuidOf(2));
    await store.replace(second, changed(second, { status: 1 }));
    expect((await store.newestIncomplete(session))?.transaction.uuid).toBe(uuidOf(1));
    expect(await store.newestIncomplete('session-c')).toBeUndefined();
  });

  test('RUN-4 many are created in order, each uuid once', async () => {
    const store = await newStore();
    await created(store, { uuid: uuidOf(7), ndMeta: anOwner({ group: 'elsewhere' }) });
    const numbers = Array.from({ length: 150 }, (_, index) => 200 - index);

    const outcomes = await store.createMany(
      [...numbers, 7, 200].map((number) => aNewTransaction({ uuid: uuidOf(number) })),
    );

    expect(outcomes.map(({ ok }) => ok)).toEqual([...Array(150).fill(true), false, false]);
    expect(outcomes.at(-1)).toEqual({ ok: false, reason: 'uuid-taken' });
    expect(await pageOf(store, { page: 3, perPage: 50 })).toEqual([numbers.slice(100), 150]);
    expect(numbersOf(await takeAll(store.inCreationOrder()))).toEqual([7, ...numbers]);
    expect(numbersOf(await takeAll(store.withDeleted()))).toEqual([7, ...numbers]);
  });

  test('LINK-5 behind a cursor the list goes on by key, whatever was removed before it', async () => {
    const store = await newStore();
    const all = [];
    for (let number = 1; number <= 30; number += 1) all.push(await created(store, { uuid: uuidOf(number) }));
    for (const stored of all.slice(2, 5)) await store.replace(stored, changed(stored, { isDeleted: 1 }));

    const behind = [11, 12, 13, 14, 15, 16, 17, 18, 19, 20];
    expect(await pageOf(store, { page: 2, afterUuid: uuidOf(10) })).toEqual([behind, 27]);
    expect(await pageOf(store, { page: 2, perPage: 10 })).toEqual([behind.map((number) => number + 3), 27]);
  });

  test('LINK-5 a cursor whose record left the scope is ignored and the number counts', async () => {
    const store = await newStore();
    const anchor = await created(store, { uuid: uuidOf(1) });
    for (let number = 2; number <= 14; number += 1) await created(store, { uuid: uuidOf(number) });
    await store.replace(anchor, changed(anchor, { ndMeta: anOwner({ group: 'group-b' }) }));

    for (const afterUuid of [uuidOf(1), uuidOf(99)])
      expect(await pageOf(store, { page: 2, afterUuid })).toEqual([[12, 13, 14], 13]);
  });
});
