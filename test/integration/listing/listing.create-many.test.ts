import { GetCommand, QueryCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { createListingAuditor } from '../../../bin/operator/store/listing/audit.ts';
import { createImportWriter } from '../../../bin/operator/store/transactions/import-writer.ts';
import { aNewTransaction, anOwner, uuidOf } from '../../support/builders/transactions.ts';
import { clientOf, documentsOf } from '../../support/engine/engine.ts';
import { type Fault, injectFaults } from '../../support/engine/faults.ts';
import { newTables as newTablesOf } from '../../support/engine/new-tables.ts';
import { useEngine } from '../../support/engine/use-engine.ts';

const engine = useEngine();
const newTables = () => newTablesOf(engine, ['Transactions', 'Listing']);
type Tables = { transactionsTable: string; listingTable: string };

/**
 * A writer of these tables that records its atomic writes: the number of items of each, and the groups of concurrent
 * ones.
 */
const openWriter = (tables: Tables, faults: (Fault | 'death' | 'refusal' | undefined)[] = []) => {
  const documents = documentsOf(clientOf(engine.endpoint));
  const underWay: string[] = [];
  const writes: { items: number; group: string; beside: string[] }[] = [];
  let isDead = false;
  documents.middlewareStack.add(
    (next, { commandName }) =>
      async (request) => {
        if (isDead) throw dead();
        if (commandName !== 'TransactWriteItemsCommand') return next(request);
        const { TransactItems = [] } = request.input as TransactWriteCommandInput;
        const group = groupIn(TransactItems);
        writes.push({ items: TransactItems.length, group, beside: [...underWay] });
        underWay.push(group);
        isDead = faults[0] === 'death';
        return next(request).finally(() => underWay.splice(underWay.indexOf(group), 1));
      },
    { step: 'initialize', priority: 'high', name: 'watch' },
  );
  injectFaults(documents, (command) => {
    const fault = command === 'TransactWriteItemsCommand' ? faults.shift() : undefined;
    if (fault === 'death' || fault === 'refusal') throw dead();
    return fault;
  });
  const retryDelays = { random: () => 0.5, sleep: async () => {} };
  return { writer: createImportWriter({ ...tables, documents, retryDelays }), writes, underWay };
};

const dead = () => Object.assign(new Error('killed'), { $metadata: { httpStatusCode: 400 } });

const groupIn = (statements: NonNullable<TransactWriteCommandInput['TransactItems']>) =>
  String(JSON.parse(String(statements[0]?.Put?.Item?.ndMeta)).group);

const auditOf = async (tables: Tables) => {
  const audit = await createListingAuditor({ ...tables, documents: engine.documents }).audit();
  return { transactions: audit.transactions, drift: [...audit.entryDrift, ...audit.counterDrift] };
};

const sequenceNumberIn = async ({ transactionsTable }: Tables, uuid: string) => {
  const { Item } = await engine.documents.send(
    new GetCommand({ TableName: transactionsTable, Key: { uuid }, ConsistentRead: true }),
  );
  return Item?.sequenceNumber;
};

/** The sequence numbers that are kept for lists that are not whole. */
const notesIn = async ({ listingTable }: Tables) => {
  const { Items = [] } = await engine.documents.send(
    new QueryCommand({
      TableName: listingTable,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': 'seq', ':prefix': 'sequenceNumbers#' },
      ConsistentRead: true,
    }),
  );
  return Items;
};

/** So many, of the first group, the second, the first and so on. */
const ofTwoGroups = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    aNewTransaction({ uuid: uuidOf(index), ndMeta: anOwner({ group: `g${index % 2}` }) }),
  );

const sequenceNumbersOf = (created: { ok: boolean; value?: { sequenceNumber: number } }[]) =>
  created.map(({ value }) => value?.sequenceNumber);

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('shared atomic writes', () => {
  const car = { identifiers: { ndstockid: 'stock-1', salesmasterid: 'sales-1' } };
  const withAll = (uuid: string) => aNewTransaction({ uuid, vehicle: car }, { session: 'session-a' });
  const large = { extras: [{ note: 'x'.repeat(349_000) }] };
  const ownedBy = (uuid: string, owner: { franchise?: string; location: string }) =>
    aNewTransaction({ uuid, ndMeta: anOwner(owner) });

  test.each<[string, number, (uuid: string, index: number) => ReturnType<typeof aNewTransaction>, number[]]>([
    // 8 items each (itself, 3 runs, the run of all, 2 look-ups, session) and 9 counters that all share.
    ['eleven neighbours of one location share a write of 97 items', 20, withAll, [97, 81]],
    // 5 items each, 11 of them at a location, which has 3 counters beside the 6 of group and franchise.
    [
      'those of one owner share a write',
      44,
      (uuid, index) => ownedBy(uuid, { location: `l${index % 4}` }),
      [97, 100, 59],
    ],
    // 9 of 8 items and 4 of 5, beside 9 counters, would be 101.
    [
      'a write has at most a hundred items',
      13,
      (uuid, index) => (index < 9 ? withAll(uuid) : aNewTransaction({ uuid })),
      [96, 14],
    ],
    // Ten of 349 kB and a little; 11 of 5 items would fit into 100.
    ['large ones share a write up to 3.5 MB', 11, (uuid) => aNewTransaction({ uuid, ...large }), [59, 14]],
    // 5 items each beside 6 counters and 3 a location: 17, 17 and 6 of them.
    [
      'those of a franchise are neighbours, and share its counters',
      40,
      (uuid, index) => ownedBy(uuid, { franchise: `f${index % 2}`, location: `l${index % 4}` }),
      [97, 98, 44],
    ],
  ])('STO-8 %s, and all keep the order of the list', async (_, count, make, items) => {
    const tables = await newTables();
    const { writer, writes } = openWriter(tables);

    const created = await writer.createMany(upTo(count).map((number) => make(uuidOf(number), number - 1)));

    expect(writes.map((write) => write.items)).toEqual(items);
    expect(sequenceNumbersOf(created)).toEqual(upTo(count));
    expect(await auditOf(tables)).toEqual({ transactions: count, drift: [] });
  });

  test('STO-8 writes of two groups run at the same time, and those of one group never', async () => {
    const tables = await newTables();
    const { writer, writes } = openWriter(tables);

    await writer.createMany(ofTwoGroups(80));

    expect(writes.map(({ group }) => group).toSorted()).toEqual(['g0', 'g0', 'g0', 'g1', 'g1', 'g1']);
    expect(writes.filter(({ beside }) => beside.length > 0).length).toBeGreaterThan(0);
    expect(writes.filter(({ group, beside }) => beside.includes(group))).toEqual([]);
  });

  test('STO-8 at most four groups are written at once', async () => {
    const { writer, writes } = openWriter(await newTables());
    const many = Array.from({ length: 12 }, (_, index) =>
      aNewTransaction({ uuid: uuidOf(index), ndMeta: anOwner({ group: `g${index}` }) }),
    );

    await writer.createMany(many);

    expect(Math.max(...writes.map(({ beside }) => beside.length + 1))).toBe(4);
  });
});

describe('faults during shared writes', () => {
  test.each([
    'conflict',
    'throttle',
    'crash-before-send',
    'answer-lost',
    'answer-and-token-lost',
    'duplicate',
  ] as const)('a list with "%s" in every write is created once and counted once', async (fault) => {
    const tables = await newTables();
    const { writer } = openWriter(tables, [fault, undefined, fault, fault, undefined, fault]);

    const created = await writer.createMany(ofTwoGroups(80));

    expect(sequenceNumbersOf(created)).toEqual(upTo(80));
    expect(await auditOf(tables)).toEqual({ transactions: 80, drift: [] });
  });

  test.each([0, 1, 2, 4, 5])(
    'RUN-4 a list that was killed after %i writes and is repeated gets its own sequence numbers',
    async (writes) => {
      const tables = await newTables();
      const dying = openWriter(tables, [...Array(writes).fill(undefined), 'death']);
      await expect(dying.writer.createMany(ofTwoGroups(80))).rejects.toThrow('killed');
      await openWriter(tables).writer.createMany([aNewTransaction({ uuid: uuidOf(999) })]);

      await openWriter(tables).writer.createMany(ofTwoGroups(80));

      const all = await Promise.all(
        ofTwoGroups(80).map(({ transaction }) => sequenceNumberIn(tables, transaction.uuid)),
      );
      expect(all).toEqual(upTo(80));
      expect(await sequenceNumberIn(tables, uuidOf(999))).toBe(81);
      expect(await auditOf(tables)).toEqual({ transactions: 81, drift: [] });
      expect(await notesIn(tables)).toEqual([]);
    },
  );

  test('STO-2 a list whose requests are each declined once is created like any other', async () => {
    const tables = await newTables();
    const documents = documentsOf(clientOf(engine.endpoint));
    const declined = new Set<string>();
    injectFaults(documents, (command, { ClientRequestToken: _, ...input }) => {
      const request = `${command} ${JSON.stringify(input)}`;
      if (declined.has(request)) return undefined;
      declined.add(request);
      return 'throttle';
    });
    const writer = createImportWriter({ ...tables, documents });

    const created = await writer.createMany(ofTwoGroups(4));

    expect(sequenceNumbersOf(created)).toEqual(upTo(4));
    expect(await auditOf(tables)).toEqual({ transactions: 4, drift: [] });
    expect(await notesIn(tables)).toEqual([]);
  });

  test('STO-8 if one group is refused, the others are written before it is reported', async () => {
    const tables = await newTables();
    const { writer, writes, underWay } = openWriter(tables, ['refusal']);

    await expect(writer.createMany(ofTwoGroups(80))).rejects.toThrow('killed');

    expect(underWay).toEqual([]);
    expect(writes.map(({ group }) => group).toSorted()).toEqual(['g0', 'g1', 'g1', 'g1']);
    expect(await auditOf(tables)).toEqual({ transactions: 40, drift: [] });
  });

  test('RUN-4 a complete list that is repeated takes no sequence number and leaves no note', async () => {
    const tables = await newTables();
    await openWriter(tables).writer.createMany(ofTwoGroups(80));

    const again = await openWriter(tables).writer.createMany(ofTwoGroups(80));
    const next = await openWriter(tables).writer.create(aNewTransaction({ uuid: uuidOf(999) }));

    expect(again.filter(({ ok }) => ok)).toEqual([]);
    expect(next).toMatchObject({ ok: true, value: { sequenceNumber: 81 } });
    expect(await notesIn(tables)).toEqual([]);
  });

  test('RUN-4 unused sequence numbers of a list, some of which existed before, are given to nobody', async () => {
    const tables = await newTables();
    const { writer } = openWriter(tables);
    const all = ofTwoGroups(4);
    await writer.createMany(all.slice(0, 2));

    const created = await writer.createMany(all);

    expect(sequenceNumbersOf(created)).toEqual([undefined, undefined, 5, 6]);
    expect(await writer.create(aNewTransaction({ uuid: uuidOf(999) }))).toMatchObject({
      value: { sequenceNumber: 7 },
    });
  });

  test('two parallel creates of the same list double no transaction and no count', async () => {
    const tables = await newTables();
    const [one, other] = [openWriter(tables), openWriter(tables)];

    const created = await Promise.all([one, other].map(({ writer }) => writer.createMany(ofTwoGroups(80))));

    // Both answer with a transaction where the second finds the sequence numbers that the first has noted.
    const answered = created.flat().flatMap((outcome) => (outcome.ok ? [outcome.value] : []));
    const uuids = answered.map(({ transaction }) => transaction.uuid);
    expect(new Set(uuids).size).toBe(80);
    expect(await Promise.all(uuids.map((uuid) => sequenceNumberIn(tables, uuid)))).toEqual(
      answered.map(({ sequenceNumber }) => sequenceNumber),
    );
    expect(await auditOf(tables)).toEqual({ transactions: 80, drift: [] });
  });
});
