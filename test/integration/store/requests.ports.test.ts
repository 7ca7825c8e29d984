import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import type {
  IdempotencyRecord,
  RequestStore,
} from '../../../functions/shared/store/requests/request-store.ts';
import { createRequestStore } from '../../../functions/shared/store/requests/requests.ts';
import {
  createTransactionWriter,
  type TransactionWriter,
} from '../../../functions/shared/store/transactions/writer.ts';
import { aNewTransaction, uuidOf } from '../../support/builders/transactions.ts';
import { createMeter } from '../../support/engine/meter.ts';
import { newTables } from '../../support/engine/new-tables.ts';
import { readerWithoutDrift } from '../../support/engine/transaction-reader.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { createMemoryRequests } from '../../support/memory/requests.ts';
import { createMemoryTransactions } from '../../support/memory/transactions.ts';

type Store = TransactionWriter & {
  byUuid: (uuid: string) => Promise<StoredTransaction | undefined>;
  requests: RequestStore;
};

const engine = useEngine();

const realStore = async () => {
  const access = await newTables(engine);
  const { byUuid } = readerWithoutDrift(access);
  return { ...createTransactionWriter(access), byUuid, requests: createRequestStore(access), access };
};

const memoryStore = async (): Promise<Store> => {
  const requests = createMemoryRequests();
  return { ...createMemoryTransactions(requests), requests };
};

const madeAt = new Date('2026-03-01T12:00:00.250Z');
const dayLater = new Date('2026-03-02T12:00:00.250Z');
const justBefore = new Date('2026-03-02T12:00:00.249Z');
const twoDaysLaterMs = Date.parse('2026-03-03T12:00:00.250Z');

const aRecord = (changes: Partial<IdempotencyRecord> = {}): IdempotencyRecord => ({
  id: 'record-a',
  bodyHash: 'body-a',
  uuid: uuidOf(1),
  answer: { status: 201, headers: { Location: '/transaction/ü' }, body: '{"uuid":"ü"}' },
  expiresAtMs: dayLater.getTime(),
  ...changes,
});

const changed = (stored: StoredTransaction, guestEmail: string): StoredTransaction => ({
  ...stored,
  version: stored.version + 1,
  updatedAtMs: stored.updatedAtMs + 1,
  transaction: { ...stored.transaction, guestEmail },
});

const created = async (store: Store, number: number) => {
  const outcome = await store.create(aNewTransaction({ uuid: uuidOf(number) }));
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.value;
};

describe.each([
  { name: 'stand-in in memory', newStore: memoryStore },
  { name: 'DynamoDB engine', newStore: (): Promise<Store> => realStore() },
])('$name', ({ newStore }) => {
  test('WR-1 S-60 a record is found until its time has passed', async () => {
    const { requests } = await newStore();

    expect(await requests.remember(aRecord(), madeAt)).toEqual({ ok: true, value: undefined });

    expect(await requests.find('record-a', madeAt)).toEqual(aRecord());
    expect(await requests.find('record-a', justBefore)).toEqual(aRecord());
    expect(await requests.find('record-a', dayLater)).toBeUndefined();
    expect(await requests.find('record-b', madeAt)).toBeUndefined();
  });

  test('WR-1 S-86 a record of a session holds how the answer showed the transaction', async () => {
    const { requests } = await newStore();
    const selection = { fields: 'uuid,payments.value', expand: '' };
    const record = aRecord({ answer: { status: 201, headers: { Location: '/transaction/ü' }, selection } });

    await requests.remember(record, madeAt);

    expect(await requests.find('record-a', madeAt)).toEqual(record);
  });

  test('WR-4 the response to a write of the largest transaction is stored, with quotes', async () => {
    const store = await newStore();
    const before = await created(store, 1);
    // Nothing but quotes to escape: within JSON once more it would have twice its bytes.
    const body = JSON.stringify({ payments: ['"'.repeat(200_000)] });
    const record = aRecord({ answer: { status: 200, headers: { ETag: '"2.x"' }, body } });

    const outcome = await store.replace(before, changed(before, 'second'), record);

    expect([body.length, outcome.ok]).toEqual([400_017, true]);
    expect(await store.requests.find('record-a', madeAt)).toEqual(record);
  });

  test('WR-1 a key is used once a day', async () => {
    const { requests } = await newStore();
    await requests.remember(aRecord(), madeAt);

    const early = aRecord({ bodyHash: 'early', expiresAtMs: twoDaysLaterMs - 1 });
    const late = aRecord({ bodyHash: 'late', expiresAtMs: twoDaysLaterMs });

    expect(await requests.remember(early, justBefore)).toEqual({ ok: false, reason: 'key-used' });
    expect(await requests.find('record-a', justBefore)).toEqual(aRecord());
    expect(await requests.remember(late, dayLater)).toEqual({ ok: true, value: undefined });
    expect(await requests.find('record-a', dayLater)).toEqual(late);
  });

  test('WR-1 a record goes in with the transaction that it answers for', async () => {
    const store = await newStore();

    const first = await store.create(aNewTransaction({ uuid: uuidOf(1) }), { record: aRecord() });
    const again = await store.create(aNewTransaction({ uuid: uuidOf(2) }), { record: aRecord() });

    expect(first).toMatchObject({ ok: true, value: { transaction: { uuid: uuidOf(1) } } });
    expect(again).toEqual({ ok: false, reason: 'key-used' });
    expect(await store.requests.find('record-a', madeAt)).toEqual(aRecord());
    expect(await store.byUuid(uuidOf(2))).toBeUndefined();
  });

  test('WR-1 a change under a used key is refused, whatever its version, until its day has passed', async () => {
    const store = await newStore();
    const first = await created(store, 1);
    const second = changed(first, 'second');
    expect(await store.replace(first, second, aRecord())).toEqual({ ok: true, value: second });

    const onNewest = await store.replace(second, changed(second, 'third'), aRecord({ bodyHash: 'other' }));
    const onOld = await store.replace(first, changed(first, 'third'), aRecord());

    expect(onNewest).toEqual({ ok: false, reason: 'key-used' });
    expect(onOld).toEqual({ ok: false, reason: 'key-used' });
    expect(await store.byUuid(uuidOf(1))).toEqual(second);
    const [third, later] = [changed(second, 'third'), aRecord({ expiresAtMs: twoDaysLaterMs })];
    const dayAfterOnOld = await store.replace(first, changed(first, 'third'), later);
    expect(dayAfterOnOld).toEqual({ ok: false, reason: 'changed-meanwhile' });
    expect(await store.replace(second, third, later)).toEqual({ ok: true, value: third });
    expect(await store.requests.find('record-a', dayLater)).toEqual(later);
  });

  test('WR-1 a refused change leaves no record behind', async () => {
    const store = await newStore();
    const first = await created(store, 1);
    await store.replace(first, changed(first, 'second'));
    const stranger = { ...first, transaction: { ...first.transaction, uuid: uuidOf(9) } };

    const late = await store.replace(first, changed(first, 'late'), aRecord());
    const lost = await store.replace(stranger, changed(stranger, 'lost'), aRecord());
    const taken = await store.create(aNewTransaction({ uuid: uuidOf(1) }), { record: aRecord() });

    expect(late).toEqual({ ok: false, reason: 'changed-meanwhile' });
    expect(lost).toEqual({ ok: false, reason: 'not-found' });
    expect(taken).toEqual({ ok: false, reason: 'uuid-taken' });
    expect(await store.requests.find('record-a', madeAt)).toBeUndefined();
  });

  test('WR-1 of many that race under one key one goes in', async () => {
    const store = await newStore();
    const first = await created(store, 1);

    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, racer) => store.replace(first, changed(first, `${racer}`), aRecord())),
    );

    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    expect(outcomes.filter((outcome) => !outcome.ok && outcome.reason === 'key-used')).toHaveLength(7);
    expect((await store.byUuid(uuidOf(1)))?.version).toBe(2);
  });
});

test('WR-1 S-60 a record has an expiry, with the response that it holds', async () => {
  const { requests, access } = await realStore();
  await requests.remember(aRecord(), madeAt);

  const Key = { pk: 'IDEM#record-a', sk: '0' };
  const { Item } = await engine.documents.send(new GetCommand({ TableName: access.requestsTable, Key }));

  expect(Item).toMatchObject({ expiresAtMs: 1_772_452_800_250, expiresAt: 1_772_452_801 });
});

test('WR-3 S-86 under a key, a session pays for its transaction and two units, or for a record of one unit', async () => {
  const store = await realStore();
  const measure = createMeter(store.access.documents, store.access.listingTable);
  const first = await created(store, 1);
  const second = {
    ...changed(first, 'second'),
    transaction: { ...first.transaction, extras: { notes: 'x'.repeat(31_000) } },
  };
  const recordOf = (id: string) =>
    aRecord({ id, answer: { status: 200, headers: {}, selection: { fields: '', expand: 'extras' } } });

  const change = await measure(() => store.replace(first, second, recordOf('change')));
  const nothing = await measure(() => store.requests.remember(recordOf('nothing'), madeAt));

  expect([change.records, nothing.records]).toEqual([2 * 32 + 2, 1]);
});

test('WR-3 a save of a partner without effect costs its record: a quarter of a change', async () => {
  const store = await realStore();
  const measure = createMeter(store.access.documents, store.access.listingTable);
  const body = JSON.stringify({ notes: 'x'.repeat(50_000) });
  const first = await created(store, 1);
  const second = {
    ...changed(first, 'second'),
    transaction: { ...first.transaction, extras: JSON.parse(body) },
  };
  const recordOf = (id: string) => aRecord({ id, answer: { status: 200, headers: {}, body } });

  const change = await measure(() => store.replace(first, second, recordOf('change')));
  const nothing = await measure(() => store.requests.remember(recordOf('nothing'), madeAt));

  process.stdout.write(`units: ${JSON.stringify({ change: change.records, nothing: nothing.records })}\n`);
  expect(nothing.records).toBeLessThanOrEqual(52);
  expect(change.records).toBeGreaterThanOrEqual(4 * (nothing.records - 2));
});
