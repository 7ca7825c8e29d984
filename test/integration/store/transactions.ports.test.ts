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
import {
  createTransactionReader,
  type TransactionReader,
} from '../../../functions/shared/store/transactions/reader.ts';
import {
  aNewTransaction,
  anOwner,
  aTransaction,
  uuidOf,
  withIndexedValues,
} from '../../support/builders/transactions.ts';
import { aWholeDelivery, aWholePayment } from '../../support/builders/whole-elements.ts';
import { addTables } from '../../support/engine/engine.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { createMemoryTransactions } from '../../support/memory/transactions.ts';

type Store = TransactionReader & ImportWriter & TransactionWalk;

const engine = useEngine();
let sets = 0;

const realStore = async (): Promise<Store> => {
  sets += 1;
  await addTables(engine.client, `-${sets}`);
  const deps = {
    documents: engine.documents,
    transactionsTable: `Transactions-${sets}`,
    listingTable: `Listing-${sets}`,
    debounceTable: `Debounce-${sets}`,
    membersOf: async () => [
      { franchise: 'franchise-a', location: 'location-a' },
      { franchise: 'franchise-b', location: 'location-a' },
      { franchise: 'franchise-b', location: 'location-b' },
    ],
  };
  return {
    ...createTransactionReader(deps),
    ...createImportWriter(deps),
    ...createTransactionWalk(deps),
  };
};

const list = (more: Partial<ListRequest> = {}): ListRequest => ({
  scope: { kind: 'grants', grants: [{ group: 'group-a' }] },
  filter: {},
  page: 1,
  perPage: 10,
  ...more,
});

const uuidsOf = (transactions: Pick<StoredTransaction, 'transaction'>[]) =>
  transactions.map(({ transaction }) => transaction.uuid);

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

const take = async (all: AsyncIterable<StoredTransaction>) => {
  const uuids: string[] = [];
  for await (const { transaction } of all) uuids.push(transaction.uuid);
  return uuids;
};

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
    expect((await store.listWithin(list())).totalCount).toBe(1);
  });

  test('WR-4 the largest transaction fits one item, created by one request or by an import', async () => {
    const store = await newStore();
    const largest = theLargest();
    expect(sizeFault(largest, { ...largest, payments: [] })).toBeUndefined();

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

  test('a change of an outdated version is refused', async () => {
    const store = await newStore();
    const first = await created(store, { uuid: uuidOf(1) });
    await store.replace(first, changed(first, { guestEmail: 'a' }));

    const late = await store.replace(first, changed(first, { guestEmail: 'b' }));

    expect(late).toEqual({ ok: false, reason: 'changed-meanwhile' });
    expect((await store.byUuid(uuidOf(1)))?.transaction.guestEmail).toBe('a');
  });

  test('a change of an unknown transaction is refused', async () => {
    const store = await newStore();
    const stranger = { ...aNewTransaction({ uuid: uuidOf(5) }), sequenceNumber: 5 };

    expect(await store.replace(stranger, changed(stranger, { status: 1 }))).toEqual({
      ok: false,
      reason: 'not-found',
    });
  });

  test('completing moves a transaction from the incomplete to the complete ones', async () => {
    const store = await newStore();
    const first = await created(store, { uuid: uuidOf(1) });
    await created(store, { uuid: uuidOf(2) });

    await store.replace(first, changed(first, { status: 1 }));

    expect(uuidsOf((await store.listWithin(list({ filter: { status: 1 } }))).transactions)).toEqual([
      uuidOf(1),
    ]);
    expect(uuidsOf((await store.listWithin(list({ filter: { status: 0 } }))).transactions)).toEqual([
      uuidOf(2),
    ]);
    expect((await store.listWithin(list())).totalCount).toBe(2);
  });

  test('a deleted transaction is in no list and keeps its place when it is restored (DEL-1)', async () => {
    const store = await newStore();
    const first = await created(store, { uuid: uuidOf(1) });
    await created(store, { uuid: uuidOf(2) });
    const deleted = changed(first, { isDeleted: 1 });
    await store.replace(first, deleted);

    expect(await store.listWithin(list())).toMatchObject({
      totalCount: 1,
      transactions: [{ sequenceNumber: 2 }],
    });
    expect((await store.byUuid(uuidOf(1)))?.transaction.isDeleted).toBe(1);
    await store.replace(deleted, changed(deleted, { isDeleted: 0 }));

    expect(uuidsOf((await store.listWithin(list())).transactions)).toEqual([uuidOf(1), uuidOf(2)]);
  });

  test('a moved transaction keeps its place under its new owner (OWN-2)', async () => {
    const store = await newStore();
    const first = await created(store, { uuid: uuidOf(1) });
    await created(store, { uuid: uuidOf(2), ndMeta: anOwner({ group: 'group-b' }) });

    await store.replace(first, changed(first, { ndMeta: anOwner({ group: 'group-b', franchise: 'f' }) }));

    const groupB = { kind: 'grants', grants: [{ group: 'group-b' }] } as const;
    expect((await store.listWithin(list())).totalCount).toBe(0);
    expect(uuidsOf((await store.listWithin(list({ scope: groupB }))).transactions)).toEqual([
      uuidOf(1),
      uuidOf(2),
    ]);
  });

  test('a grant of a location without a franchise covers that location of every franchise (GRANT-1)', async () => {
    const store = await newStore();
    await created(store, { uuid: uuidOf(1) });
    await created(store, { uuid: uuidOf(2), ndMeta: anOwner({ franchise: 'franchise-b' }) });
    await created(store, {
      uuid: uuidOf(3),
      ndMeta: anOwner({ franchise: 'franchise-b', location: 'location-b' }),
    });
    const grants = [{ group: 'group-a', location: 'location-a' }];

    const page = await store.listWithin(list({ scope: { kind: 'grants', grants } }));

    expect(uuidsOf(page.transactions)).toEqual([uuidOf(1), uuidOf(2)]);
    expect(page.totalCount).toBe(2);
  });

  test('filters by uuid and by vehicle combine, within the scope (FLT-1)', async () => {
    const store = await newStore();
    const car = (ndstockid: string, salesmasterid: string) => ({ identifiers: { ndstockid, salesmasterid } });
    await created(store, { uuid: uuidOf(1), vehicle: car('stock-1', 'sales-1') });
    await created(store, { uuid: uuidOf(2), vehicle: car('stock-1', 'sales-2'), status: 1 });
    await created(store, {
      uuid: uuidOf(3),
      vehicle: car('stock-1', 'sales-1'),
      ndMeta: anOwner({ group: 'b' }),
    });
    const found = async (filter: ListRequest['filter']) => {
      const { transactions, totalCount } = await store.listWithin(list({ filter }));
      return { uuids: uuidsOf(transactions), totalCount };
    };

    expect(await found({ ndstockid: 'stock-1' })).toEqual({ uuids: [uuidOf(1), uuidOf(2)], totalCount: 2 });
    expect(await found({ ndstockid: 'stock-1', salesmasterid: 'sales-2' })).toEqual({
      uuids: [uuidOf(2)],
      totalCount: 1,
    });
    expect(await found({ ndstockid: 'stock-1', status: 1 })).toEqual({ uuids: [uuidOf(2)], totalCount: 1 });
    expect(await found({ salesmasterid: 'stock-1' })).toEqual({ uuids: [], totalCount: 0 });
    expect(await found({ uuid: uuidOf(1), ndstockid: 'stock-1' })).toEqual({
      uuids: [uuidOf(1)],
      totalCount: 1,
    });
    expect(await found({ uuid: uuidOf(1), status: 1 })).toEqual({ uuids: [], totalCount: 0 });
    expect(await found({ uuid: uuidOf(3) })).toEqual({ uuids: [], totalCount: 0 });
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
      const found = async (value: string) => {
        const { transactions, totalCount } = await store.listWithin(
          list({ filter: { [name]: value }, shown: [] }),
        );
        return { uuids: uuidsOf(transactions), totalCount };
      };

      expect(await found('short')).toEqual({ uuids: [uuidOf(1)], totalCount: 1 });
      expect(await found(long)).toEqual({ uuids: [uuidOf(3)], totalCount: 1 });
    },
  );

  test('FLT-1 the one transaction of a uuid is on page 1, and behind any record before it', async () => {
    const store = await newStore();
    for (let number = 1; number <= 3; number += 1) await created(store, { uuid: uuidOf(number) });
    const filter = { uuid: uuidOf(2) };
    const numbersAt = async (more: Partial<ListRequest>) => {
      const { transactions, totalCount } = await store.listWithin(list({ filter, ...more }));
      return { uuids: uuidsOf(transactions), totalCount };
    };

    expect(await numbersAt({ page: 1 })).toEqual({ uuids: [uuidOf(2)], totalCount: 1 });
    expect(await numbersAt({ page: 2 })).toEqual({ uuids: [], totalCount: 1 });
    expect(await numbersAt({ page: 2, afterUuid: uuidOf(1) })).toEqual({ uuids: [uuidOf(2)], totalCount: 1 });
    expect(await numbersAt({ page: 1, afterUuid: uuidOf(2) })).toEqual({ uuids: [], totalCount: 1 });
    expect(await numbersAt({ page: 1, afterUuid: uuidOf(3) })).toEqual({ uuids: [], totalCount: 1 });
    expect(await numbersAt({ page: 1, afterUuid: uuidOf(9) })).toEqual({ uuids: [uuidOf(2)], totalCount: 1 });
  });

  test('a session sees its own transactions and its newest incomplete one (V1-1, V1-3)', async () => {
    const store = await newStore();
    await created(store, { uuid: uuidOf(1) }, { session: 'session-a' });
    const second = await created(store, { uuid: uuidOf(2) }, { session: 'session-a' });
    const third = await created(store, { uuid: uuidOf(3) }, { session: 'session-a' });
    await created(store, { uuid: uuidOf(4) }, { session: 'session-b' });
    await store.replace(third, changed(third, { isDeleted: 1 }));

    const scope = { kind: 'session', session: 'session-a' } as const;
    expect(uuidsOf((await store.listWithin(list({ scope }))).transactions)).toEqual([uuidOf(1), uuidOf(2)]);
    expect((await store.newestIncomplete('session-a'))?.transaction.uuid).toBe(uuidOf(2));
    await store.replace(second, changed(second, { status: 1 }));
    expect((await store.newestIncomplete('session-a'))?.transaction.uuid).toBe(uuidOf(1));
    expect(await store.newestIncomplete('session-c')).toBeUndefined();
  });

  test('many are created in order, each uuid once (RUN-4)', async () => {
    const store = await newStore();
    await created(store, { uuid: uuidOf(7), ndMeta: anOwner({ group: 'elsewhere' }) });
    const numbers = [...Array.from({ length: 150 }, (_, index) => 200 - index), 7, 200];

    const outcomes = await store.createMany(
      numbers.map((number) => aNewTransaction({ uuid: uuidOf(number) })),
    );

    expect(outcomes.map(({ ok }) => ok)).toEqual([...Array(150).fill(true), false, false]);
    expect(outcomes.at(-1)).toEqual({ ok: false, reason: 'uuid-taken' });
    const page = await store.listWithin(list({ page: 3, perPage: 50 }));
    expect(uuidsOf(page.transactions)).toEqual(numbers.slice(100, 150).map(uuidOf));
    expect(page.totalCount).toBe(150);
    expect(await take(store.inCreationOrder())).toEqual([7, ...numbers.slice(0, 150)].map(uuidOf));
    expect(await take(store.withDeleted())).toEqual([7, ...numbers.slice(0, 150)].map(uuidOf));
  });

  test('without a grant or an owner nothing is shown (GRANT-1)', async () => {
    const store = await newStore();
    const { ndMeta: _, ...orphan } = aNewTransaction({ uuid: uuidOf(1) }).transaction;
    await store.create({ ...aNewTransaction(), transaction: orphan });

    expect((await store.listWithin(list())).totalCount).toBe(0);
    expect((await store.listWithin(list({ scope: { kind: 'grants', grants: [] } }))).totalCount).toBe(0);
    expect((await store.byUuid(uuidOf(1)))?.transaction.uuid).toBe(uuidOf(1));
  });

  test('behind a cursor the list continues by key, whatever was removed before it (LINK-5)', async () => {
    const store = await newStore();
    const all = [];
    for (let number = 1; number <= 30; number += 1) all.push(await created(store, { uuid: uuidOf(number) }));
    const request = list({ page: 2, afterUuid: uuidOf(10) });
    for (const stored of all.slice(2, 5)) await store.replace(stored, changed(stored, { isDeleted: 1 }));

    const behind = await store.listWithin(request);
    const byNumber = await store.listWithin(list({ page: 2 }));

    expect(uuidsOf(behind.transactions)).toEqual(
      all.slice(10, 20).map(({ transaction }) => transaction.uuid),
    );
    expect(behind.totalCount).toBe(27);
    expect(byNumber.transactions[0]?.transaction.uuid).toBe(uuidOf(14));
  });

  test('a cursor whose record left the scope is ignored and the page number counts (LINK-5)', async () => {
    const store = await newStore();
    const anchor = await created(store, { uuid: uuidOf(1) });
    for (let number = 2; number <= 14; number += 1) await created(store, { uuid: uuidOf(number) });
    await store.replace(anchor, changed(anchor, { ndMeta: anOwner({ group: 'group-b' }) }));

    const page = await store.listWithin(list({ page: 2, afterUuid: uuidOf(1) }));

    expect(uuidsOf(page.transactions)).toEqual([uuidOf(12), uuidOf(13), uuidOf(14)]);
    expect(await store.listWithin(list({ page: 2, afterUuid: uuidOf(99) }))).toEqual(page);
  });
});
