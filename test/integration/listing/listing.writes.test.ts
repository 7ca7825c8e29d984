import {
  DeleteCommand,
  PutCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { createListingAuditor } from '../../../bin/operator/store/listing/audit.ts';
import { createImportWriter } from '../../../bin/operator/store/transactions/import-writer.ts';
import { rollupsOfOwner } from '../../../functions/shared/domain/ownership/rollup.ts';
import type {
  StoredTransaction,
  Transaction,
} from '../../../functions/shared/domain/transaction/transaction.ts';
import { runPartition } from '../../../functions/shared/store/listing/keys.ts';
import { aNewTransaction, anOwner, uuidOf } from '../../support/builders/transactions.ts';
import { clientOf, documentsOf } from '../../support/engine/engine.ts';
import type { Fault } from '../../support/engine/faults.ts';
import { newTables } from '../../support/engine/new-tables.ts';
import { useEngine } from '../../support/engine/use-engine.ts';

const engine = useEngine();
type ListingTables = { transactionsTable: string; listingTable: string };

/** A writer over tables of its own, which notes what it sends and meets the given faults, one a write request. */
const newStore = async (faults: (Fault | undefined)[] = []) => {
  const requests: (number | 'put')[] = [];
  const waits: number[] = [];
  const access = await newTables(engine, ['Transactions', 'Listing', 'Debounce'], (command, input) => {
    if (!['TransactWriteItemsCommand', 'PutItemCommand'].includes(command)) return undefined;
    requests.push((input as { TransactItems?: [] }).TransactItems?.length ?? 'put');
    return faults.shift();
  });
  const tables = { ...access, documents: engine.documents };
  const retryDelays = { random: () => 0.5, sleep: async (milliseconds: number) => waits.push(milliseconds) };
  return {
    writer: createImportWriter({ ...access, retryDelays }),
    auditor: createListingAuditor(tables),
    tables,
    requests,
    waits,
  };
};

const car = { identifiers: { ndstockid: 'stock-1', salesmasterid: 'sales-1' } };
const full = aNewTransaction({ uuid: uuidOf(1), vehicle: car }, { session: 'session-a' });
const bare = aNewTransaction({ uuid: uuidOf(1) });

type Store = Awaited<ReturnType<typeof newStore>>;

const changed = (stored: StoredTransaction, values: Partial<Transaction>): StoredTransaction => ({
  ...stored,
  version: stored.version + 1,
  updatedAtMs: stored.updatedAtMs + 1,
  transaction: { ...stored.transaction, ...values },
});

const noDrift = { entryDrift: [], counterDrift: [] };

describe('items that a write touches', () => {
  test.each([
    { what: 'create with two identifiers and a session', stored: full, change: undefined, items: 17 },
    { what: 'create without them', stored: bare, change: undefined, items: 14 },
    { what: 'complete, and leave the marker', stored: full, change: { status: 1 as const }, items: 18 },
    {
      what: 'complete without look-ups and session, and leave the marker',
      stored: bare,
      change: { status: 1 as const },
      items: 15,
    },
    { what: 'delete', stored: full, change: { isDeleted: 1 as const }, items: 17 },
    {
      what: 'move to another location',
      stored: full,
      change: { ndMeta: anOwner({ location: 'l2' }) },
      items: 12,
    },
    { what: 'move to another group', stored: full, change: { ndMeta: anOwner({ group: 'g2' }) }, items: 30 },
    {
      what: 'other identifiers',
      stored: full,
      change: { vehicle: { identifiers: { ndstockid: 'x' } } },
      items: 4,
    },
    {
      what: 'any other update, not in a transaction',
      stored: full,
      change: { guestEmail: 'a' },
      items: 'put',
    },
  ])('$what: $items', async ({ stored, change, items }) => {
    const { writer, auditor, requests } = await newStore();
    const created = await writer.create(stored);
    if (created.ok && change) await writer.replace(created.value, changed(created.value, change));

    expect(requests.at(-1)).toBe(items);
    expect(await auditor.audit()).toMatchObject(noDrift);
  });
});

describe('faults during shared writes', () => {
  test('a conflict is retried after a wait with full jitter, 25 ms doubling to 400', async () => {
    const { writer, auditor, waits } = await newStore(Array(7).fill('conflict'));

    expect(await writer.create(full)).toMatchObject({ ok: true });
    expect(waits).toEqual([12.5, 25, 50, 100, 200, 200, 200]);
    expect(await auditor.audit()).toMatchObject({ ...noDrift, transactions: 1 });
  });

  test('after ten conflicts the write is given up and nothing is written', async () => {
    const { writer, auditor, requests } = await newStore(Array(10).fill('conflict'));

    await expect(writer.create(full)).rejects.toMatchObject({ name: 'TransactionCanceledException' });
    expect(requests).toHaveLength(10);
    expect(await auditor.audit()).toMatchObject({ ...noDrift, transactions: 0, entries: 0 });
  });

  test.each(['answer-lost', 'answer-and-token-lost', 'duplicate', 'crash-before-send', 'throttle'] as const)(
    'a create that meets "%s" is acknowledged once and counted once',
    async (fault) => {
      const { writer, auditor } = await newStore([fault]);

      expect(await writer.create(full)).toEqual({ ok: true, value: { ...full, sequenceNumber: 1 } });
      expect(await auditor.audit()).toMatchObject({ ...noDrift, transactions: 1, entries: 7 });
    },
  );

  test.each(['answer-lost', 'answer-and-token-lost', 'duplicate', 'crash-before-send', 'conflict'] as const)(
    'a completion and a plain update that meet "%s" are acknowledged',
    async (fault) => {
      const { writer, auditor } = await newStore([undefined, fault, undefined, fault]);
      const created = await writer.create(full);
      if (!created.ok) throw new Error(created.reason);
      const completed = changed(created.value, { status: 1 });
      const renamed = changed(completed, { guestEmail: 'a@example.com' });

      expect(await writer.replace(created.value, completed)).toEqual({ ok: true, value: completed });
      expect(await writer.replace(completed, renamed)).toEqual({ ok: true, value: renamed });
      expect(await auditor.audit()).toMatchObject(noDrift);
    },
  );

  test('a uuid of another writer is refused even after a lost answer', async () => {
    const { writer } = await newStore([undefined, 'crash-before-send']);
    await writer.create(bare);

    expect(await writer.create(full)).toEqual({ ok: false, reason: 'uuid-taken' });
  });
});

describe('audit and repair (RUN-4)', () => {
  const aDamagedStore = async () => {
    const store = await newStore();
    await store.writer.createMany([1, 2, 3].map((number) => aNewTransaction({ uuid: uuidOf(number) })));
    const { listingTable: TableName } = store.tables;
    const [group, franchise] = rollupsOfOwner(anOwner());
    const inGroup = runPartition(group?.id ?? '');
    await engine.documents.send(new DeleteCommand({ TableName, Key: { pk: inGroup, sk: '000000001' } }));
    await engine.documents.send(
      new PutCommand({ TableName, Item: { pk: inGroup, sk: '00000000z', u: uuidOf(9), s: 0 } }),
    );
    await engine.documents.send(
      new PutCommand({
        TableName,
        Item: { pk: runPartition(franchise?.id ?? ''), sk: '000000002', u: 'x', s: 1 },
      }),
    );
    await engine.documents.send(
      new UpdateCommand({
        TableName,
        Key: { pk: `c#${group?.id}`, sk: `rg#${group?.id}#0` },
        UpdateExpression: 'ADD n :two',
        ExpressionAttributeValues: { ':two': 2 },
      }),
    );
    return { ...store, group: group?.id, franchise: franchise?.id };
  };

  test('an audit names each entry and counter that differs and changes nothing; a repair corrects these', async () => {
    const { auditor, group, franchise } = await aDamagedStore();
    const drift = (entries: { key: string; found: string }[]) =>
      entries.toSorted((a, b) => (a.found < b.found ? -1 : 1));

    for (const act of [auditor.audit, auditor.repair]) {
      const { entryDrift, counterDrift } = await act();
      expect(drift(entryDrift)).toEqual([
        { key: `e#${franchise} 000000002`, found: 'different' },
        { key: `e#${group} 000000001`, found: 'missing' },
        { key: `e#${group} 00000000z`, found: 'orphan' },
      ]);
      expect(counterDrift).toEqual([{ key: `c#${group} rg#${group}#0`, attribute: 'n', difference: -2 }]);
    }
    expect(await auditor.audit()).toMatchObject(noDrift);
    expect(await auditor.repair()).toMatchObject(noDrift);
  });

  /** An auditor before whose requests of a kind, counted from 1, something else is done. */
  const interrupted = (tables: ListingTables, kind: string, acts: Record<number, () => Promise<unknown>>) => {
    const documents = documentsOf(clientOf(engine.endpoint));
    let requests = 0;
    documents.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          if (commandName === kind) {
            requests += 1;
            await acts[requests]?.();
          }
          return next(args);
        },
      { step: 'initialize' },
    );
    return createListingAuditor({ ...tables, documents });
  };

  const runOfGroup = runPartition(rollupsOfOwner(anOwner())[0]?.id ?? '');
  const withoutEntry = ({ listingTable: TableName }: ListingTables) =>
    engine.documents.send(new DeleteCommand({ TableName, Key: { pk: runOfGroup, sk: '000000001' } }));
  const withEntry = ({ listingTable: TableName }: ListingTables) =>
    engine.documents.send(
      new PutCommand({ TableName, Item: { pk: runOfGroup, sk: '000000001', u: uuidOf(1), s: 0 } }),
    );

  test.each([
    ['completed', { isDeleted: 0 }, withoutEntry, { status: 1 }],
    ['deleted', { isDeleted: 0 }, withoutEntry, { isDeleted: 1 }],
    ['restored', { isDeleted: 1 }, withEntry, { isDeleted: 0 }],
  ] as const)('STO-6 a repair skips what was %s since it was counted', async (_, stored, damage, values) => {
    const { writer, tables, auditor } = await newStore();
    const created = await writer.create(aNewTransaction({ uuid: uuidOf(1), ...stored }));
    if (!created.ok) throw new Error(created.reason);
    await damage(tables);
    const change = () => writer.replace(created.value, changed(created.value, values));

    const mended = await interrupted(tables, 'TransactWriteItemsCommand', { 1: change }).repair();

    expect(mended).toMatchObject(noDrift);
    expect(await auditor.audit()).toMatchObject(noDrift);
  });

  test('STO-6 a repair corrects what both of its counts found, and no write in between', async () => {
    const { writer, tables, auditor } = await newStore();
    const created = await writer.create(bare);
    if (!created.ok) throw new Error(created.reason);
    await withoutEntry(tables);
    // Each count reads the transactions, the listing, and both again: the second one meets a write in its middle.
    const create = () => writer.create(aNewTransaction({ uuid: uuidOf(2) }));
    const mended = await interrupted(tables, 'ScanCommand', { 6: create }).repair();

    expect(mended.entryDrift).toEqual([{ key: `${runOfGroup} 000000001`, found: 'missing' }]);
    expect(mended).toMatchObject({ counterDrift: [], countersLeft: 0 });
    expect(await auditor.audit()).toMatchObject(noDrift);
  });

  /** Makes both audits of a repair count a write that their reading of the transactions came too early for. */
  const meetingWrites = async (between: (store: Store, first: StoredTransaction) => Promise<unknown>) => {
    const store = await newStore();
    const created = await store.writer.create(bare);
    if (!created.ok) throw new Error(created.reason);
    const create = (number: number) => () => store.writer.create(aNewTransaction({ uuid: uuidOf(number) }));
    const acts = { 2: create(2), 5: () => between(store, created.value), 6: create(3) };
    return { ...store, repairing: interrupted(store.tables, 'ScanCommand', acts) };
  };

  test.each([
    ['a create in each of its audits', async () => {}],
    [
      'creates that leave both sums alike, for another is deleted',
      ({ writer }: Store, first: StoredTransaction) =>
        writer.replace(first, changed(first, { isDeleted: 1 })),
    ],
  ])('STO-6 a repair adds nothing to a correct total that met %s', async (_, between) => {
    const { repairing, auditor } = await meetingWrites(between);

    const mended = await repairing.repair();

    expect(mended.counterDrift).toEqual([]);
    expect(mended.countersLeft).toBeGreaterThan(0);
    expect(await auditor.audit()).toMatchObject(noDrift);
  });

  test('an empty listing is built again', async () => {
    const { auditor, writer, tables } = await newStore();
    await writer.create(full);
    const { Items = [] } = await engine.documents.send(
      new ScanCommand({ TableName: tables.listingTable, ConsistentRead: true }),
    );
    await engine.documents.send(
      new TransactWriteCommand({
        TransactItems: Items.map(({ pk, sk }) => ({
          Delete: { TableName: tables.listingTable, Key: { pk, sk } },
        })),
      }),
    );

    await auditor.repair();

    expect(await auditor.audit()).toMatchObject({ ...noDrift, transactions: 1, entries: 7, counters: 10 });
  });

  test('progress says how far both tables are read', async () => {
    const { auditor, writer } = await newStore();
    await writer.create(bare);
    const progress: unknown[] = [];

    await auditor.audit((step) => progress.push(step));

    // 4 entries, 9 counters and the sequence.
    expect(progress).toEqual([
      { phase: 'transactions', done: 1 },
      { phase: 'listing', done: 14 },
    ]);
  });
});
