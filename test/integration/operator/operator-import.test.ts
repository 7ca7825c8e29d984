import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { type DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, jest, test } from '@jest/globals';
import { type FileLine, linesOf } from '../../../bin/operator/import/import-file.ts';
import { importTransactions } from '../../../bin/operator/import/import-transactions.ts';
import { restoreTransaction, toExportLine } from '../../../bin/operator/import/restore.ts';
import { createListingAuditor } from '../../../bin/operator/store/listing/audit.ts';
import { createStorefrontStore } from '../../../bin/operator/store/storefronts.ts';
import { createImportWriter } from '../../../bin/operator/store/transactions/import-writer.ts';
import { createTransactionWalk } from '../../../bin/operator/store/transactions/walk.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import { createAuditStore } from '../../../functions/shared/store/partners/audit-log.ts';
import { createNumericIds } from '../../../functions/shared/store/transactions/numeric-ids.ts';
import { addTables, clientOf, documentsOf } from '../../support/engine/engine.ts';
import { readerWithoutDrift } from '../../support/engine/transaction-reader.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { memoryDeps } from '../../support/operator/operator.ts';
import { root } from '../../support/repository.ts';

jest.setTimeout(60_000);

const demoFile = join(root, 'localstack/embedded/demo/transactions.ndjson');
const now = () => new Date('2026-11-21T12:00:00Z');

const engine = useEngine();
let sets = 0;

/** Opens the stores over new tables, with any client of the engine. */
const openStage = async () => {
  sets += 1;
  const suffix = `-${sets}`;
  await addTables(engine.client, suffix);
  return (documents: DynamoDBDocumentClient = engine.documents) => {
    const named = { partnersTable: `Partners${suffix}`, auditTable: `Audit${suffix}` };
    const tables = {
      documents,
      transactionsTable: `Transactions${suffix}`,
      listingTable: `Listing${suffix}`,
    };
    const reader = readerWithoutDrift({ ...tables, membersOf: async () => [] });
    return {
      ...{ ...named, now, random: randomBytes, ids: createNumericIds(tables) },
      transactions: { ...reader, ...createImportWriter(tables), ...createTransactionWalk(tables) },
      storefronts: createStorefrontStore({ documents, ...named }),
      listing: createListingAuditor(tables),
    };
  };
};
type Stage = ReturnType<Awaited<ReturnType<typeof openStage>>>;

const demoLines = () => linesOf(createReadStream(demoFile));

/** Enough of them for two batches and ten atomic writes. */
const someLines = async function* () {
  let count = 0;
  for await (const line of demoLines()) {
    count += 1;
    if (count > 110) return;
    yield line;
  }
};

const exportOf = ({ transactions }: Stage) => linesFor(transactions.inCreationOrder());

const exportWithDeleted = ({ transactions }: Stage) => linesFor(transactions.withDeleted());

const linesFor = async (all: AsyncIterable<StoredTransaction>) => {
  const lines: string[] = [];
  for await (const stored of all) lines.push(toExportLine(stored));
  return lines;
};

const collect = async (lines: AsyncIterable<FileLine>) => {
  const texts: string[] = [];
  for await (const line of lines) if (line.ok) texts.push(line.value);
  return texts;
};

const membersOf = (lines: string[]) => lines.map((line) => JSON.parse(line));

test('all demo lines import in order with every member, and a second import changes nothing', async () => {
  const stage = (await openStage())();

  const first = await importTransactions(demoLines(), stage);
  const again = await importTransactions(demoLines(), stage);

  const counts = { read: 320, imported: 320, unchanged: 0, differs: 0, cleared: 0, refused: [] };
  expect(first).toEqual({ ...counts, storefrontsRegistered: 8 });
  expect(again).toEqual({ ...counts, imported: 0, unchanged: 320, storefrontsRegistered: 0 });
  expect(membersOf(await exportOf(stage))).toEqual(membersOf(await collect(demoLines())));
  expect((await stage.storefronts.all()).map(({ origins }) => origins)).toEqual(Array(8).fill([]));
});

test('ID-2 an id that the table has is refused with its line, even that of a deleted transaction', async () => {
  const stage = (await openStage())();
  const lines = membersOf((await collect(someLines())).filter((line) => line.includes('"payments":[{')));
  const [first, second, ...others] = lines.slice(0, 4);
  await importTransactions(linesOf(chunksOf(others.map((line) => JSON.stringify(line)).join('\n'))), stage);
  await deleteIn(stage, others[1].uuid);
  const stolen = others.map(({ payments: [{ id }] }) => ({ id, type: 1, value: '1.00', status: 0 }));
  const text = [first, second].map((line, index) => JSON.stringify({ ...line, payments: [stolen[index]] }));

  const summary = await importTransactions(linesOf(chunksOf(text.join('\n'))), stage);

  expect(summary).toMatchObject({
    imported: 0,
    refused: stolen.map(({ id }, index) => ({
      line: index + 1,
      reason: `the payment id ${id} is that of another transaction`,
    })),
  });
});

async function* chunksOf(text: string) {
  yield Buffer.from(text);
}

/** A client that stops at the given write; with `lastIsDone` that write still arrives, but its response is lost. */
const diesAt = (writes: number, lastIsDone: boolean) => {
  const documents = documentsOf(clientOf(engine.endpoint));
  let count = 0;
  documents.middlewareStack.add(
    (next, context) => async (request) => {
      if (count < writes && context.commandName === 'TransactWriteItemsCommand') {
        count += 1;
        if (count < writes) return next(request);
        if (lastIsDone) await next(request);
      }
      if (count < writes) return next(request);
      throw Object.assign(new Error('killed'), { $metadata: { httpStatusCode: 400 } });
    },
    { step: 'initialize', priority: 'high', name: 'diesAt' },
  );
  return documents;
};

test.each([
  [1, false],
  [6, true],
  [10, true],
])(
  'an import killed at write %i (sent: %s) and repeated loads every transaction once, in order',
  async (writes, lastIsDone) => {
    const connect = await openStage();
    const killed = importTransactions(someLines(), connect(diesAt(writes, lastIsDone)));
    await expect(killed).rejects.toThrow('killed');
    const stage = connect();
    const left = (await exportOf(stage)).length;

    const summary = await importTransactions(someLines(), stage);

    expect(summary).toMatchObject({ read: 110, imported: 110 - left, unchanged: left, refused: [] });
    expect(membersOf(await exportOf(stage))).toEqual(membersOf(await collect(someLines())));
    expect(await totalOf(stage)).toBe(110);
    const drift = { entryDrift: [], counterDrift: [] };
    expect(await stage.listing.audit()).toMatchObject({ transactions: 110, ...drift });
  },
);

const totalOf = async ({ transactions }: Stage) => {
  const groups = (await collect(demoLines())).map((line) => JSON.parse(line).ndMeta.group);
  const grants = [...new Set(groups)].map((group) => ({ group }));
  const scope = { kind: 'grants', grants } as const;
  return (await transactions.listWithin({ scope, filter: {}, page: 1, perPage: 1 })).totalCount;
};

test('RUN-4 DEL-1 an export with deleted transactions, imported into a new stage, hides them there, and each can be restored to its place', async () => {
  const stage = (await openStage())();
  const lines = (await collect(demoLines())).slice(0, 60);
  await importTransactions(linesOf(chunksOf(lines.join('\n'))), stage);
  const uuids = membersOf(await exportOf(stage)).map(({ uuid }) => uuid);
  for (const place of [0, 20, 59]) await deleteIn(stage, uuids[place]);
  const exported = await exportWithDeleted(stage);
  const other = (await openStage())();

  const summary = await importTransactions(linesOf(chunksOf(exported.join(''))), other);

  expect(membersOf(exported).map(({ uuid }) => uuid)).toEqual(uuids);
  expect(summary).toMatchObject({ imported: 60, refused: [] });
  expect([await totalOf(stage), await totalOf(other)]).toEqual([57, 57]);
  expect(await exportOf(other)).toEqual(await exportOf(stage));
  expect(await exportWithDeleted(other)).toEqual(exported);
  expect((await restoreTransaction(uuids[20], { ...memoryDeps().deps, ...other })).ok).toBe(true);
  expect(membersOf(await exportOf(other)).map(({ uuid }) => uuid)).toEqual(uuids.slice(1, 59));
  expect(await other.listing.audit()).toMatchObject({ transactions: 60, entryDrift: [], counterDrift: [] });
});

const deleteIn = async ({ transactions }: Stage, uuid: string) => {
  const stored = await transactions.byUuid(uuid);
  if (!stored) throw new Error(`${uuid} is not there`);
  await transactions.replace(stored, {
    ...stored,
    transaction: { ...stored.transaction, isDeleted: 1 },
    version: stored.version + 1,
  });
};

test('S-28 no audit record replaces another one of the same moment', async () => {
  const { partnersTable: TableName, auditTable } = (await openStage())();
  const audit = createAuditStore({ documents: engine.documents, partnersTable: TableName, auditTable });
  const record = { who: 'ada', command: 'c', arguments: { name: 'acme' }, atMs: now().getTime() };
  for (const one of [record, record]) await audit.append(one);

  const { Items = [] } = await engine.documents.send(new ScanCommand({ TableName }));
  expect(Items).toMatchObject([
    { pk: 'AUDIT#2026-11', ...record },
    { pk: 'AUDIT#2026-11', ...record },
  ]);
});
