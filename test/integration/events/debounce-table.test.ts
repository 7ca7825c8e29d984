import { GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import {
  type BacklogRow,
  type CompletionMarker,
  type DebounceRow,
  keyOfRow,
  type LogLine,
  type Pass,
  type Row,
} from '../../../functions/shared/events/rows.ts';
import {
  createDebounceTable,
  type DebounceTable,
  noted,
  noWithhold,
  owe,
  putMarker,
  putPass,
  shardOf,
  shards,
} from '../../../functions/shared/events/table.ts';
import { newTables } from '../../support/engine/new-tables.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { createMemoryDebounceTable } from '../../support/memory/debounce-table.ts';

const engine = useEngine();
const nowMs = Date.parse('2026-03-01T12:00:00Z');

type Place = {
  table: DebounceTable;
  /** Puts a marker or a pass as a part of another write. */
  leave: (row: CompletionMarker | Pass) => Promise<unknown>;
  /** From now on a partition takes no write. */
  throttle: (pk: string) => void;
};

const inMemory = async (): Promise<Place> => {
  let throttled = '';
  const table = createMemoryDebounceTable(
    () => new Date(nowMs),
    (pk) => pk === throttled,
  );
  return {
    table,
    leave: async (row) => table.leave(row),
    throttle: (pk) => {
      throttled = pk;
    },
  };
};

const onEngine = async (): Promise<
  Place & {
    get: (pk: string, sk: string) => Promise<unknown>;
    write: (item: (table: string) => object) => Promise<unknown>;
  }
> => {
  let throttled = '';
  const tables = await newTables(engine, ['Debounce'], (command, input) => {
    const isWrite = /^(Put|Delete|Update|BatchWrite)/.test(command);
    return isWrite && throttled && JSON.stringify(input).includes(throttled) ? 'throttle' : undefined;
  });
  const { documents, debounceTable: TableName } = tables;
  const write = (item: object) => documents.send(new TransactWriteCommand({ TransactItems: [item] }));
  return {
    /** A write with this part. */
    write: (item: (TableName: string) => object) => write(item(TableName)),
    table: createDebounceTable(tables),
    leave: (row) => {
      const Put = row.kind === 'PASS' ? putPass(TableName, row) : putMarker(TableName, row);
      return write({ Put });
    },
    throttle: (pk) => {
      throttled = pk;
    },
    get: async (pk, sk) =>
      (await documents.send(new GetCommand({ TableName, Key: { pk, sk }, ConsistentRead: true }))).Item,
  };
};

const uuid = '11111111-1111-4111-8111-111111111111-abcd';
const notify: DebounceRow = { kind: 'NOTIFY', uuid, revision: 0, dueAtMs: nowMs };
const marker: CompletionMarker = { kind: 'COMPLETED', uuid, version: 2, revision: 0, dueAtMs: nowMs };
const behind: BacklogRow = {
  ...{ kind: 'BACKLOG', clientId: 'P1', uuid, from: 3, reason: 'HTTP_404', tries: 1 },
  ...{ revision: 0, dueAtMs: nowMs, owed: 1 },
};
const { from: _from, ...ofCompletion } = behind;
const unfinished: BacklogRow = { ...ofCompletion, completed: 2 };
const pass: Pass = { kind: 'PASS', clientId: 'P1', id: '1#a', does: 'wake', revision: 0, dueAtMs: nowMs };
const rows = { notify, marker, behind, unfinished };

const only = async (table: DebounceTable, row: Row | Pass) => {
  const found =
    row.kind === 'PASS'
      ? (await table.passesOf(row.clientId)).filter(({ id }) => id === row.id)
      : await table.read([keyOfRow(row)]);
  expect(found).toHaveLength(1);
  return found[0] as Row;
};

const line = (changes: Partial<LogLine> = {}): LogLine => ({
  ...{ clientId: 'P1', atMs: nowMs, eventId: 'event-1', uuid, type: 'TransactionUpdated' },
  ...{ from: 1, to: 2, outcome: 'SENT', busEventId: 'bus-1' },
  ...changes,
});

describe.each([
  ['in memory', inMemory],
  ['on the engine', onEngine],
])('the Debounce table %s', (_, open) => {
  describe.each(Object.entries({ ...rows, pass }))('a row (%s)', (_name, row: Row | Pass) => {
    test('I4 is read as it was written, by one of two writes of a revision', async () => {
      const { table } = await open();

      expect([await table.save(row), await table.save(row)]).toEqual([true, false]);
      const read = await only(table, row);
      expect(read).toEqual({ ...row, revision: expect.any(Number) });
      const lease = { ...read, leasedUntilMs: nowMs + 20_000, leasedTo: 4 };
      expect([await table.save(lease), await table.save(lease)]).toEqual([true, false]);
      expect(await only(table, row)).toEqual({ ...lease, revision: read.revision + 1 });
    });

    test('I4 is not removed by who read it before its last write', async () => {
      const { table } = await open();
      await table.save(row);
      const read = await only(table, row);
      await table.save({ ...read, dueAtMs: nowMs + 1 });

      expect(await table.remove(read)).toBe(false);
      expect(await table.remove(await only(table, row))).toBe(true);
      expect(await table.save({ ...read, revision: read.revision + 2 })).toBe(false);
    });

    test('I8 is neither written nor removed by who read a former row of its key', async () => {
      const { table } = await open();
      await table.save(row);
      const former = await only(table, row);
      await table.remove(former);
      await table.save(row);

      expect([await table.save(former), await table.remove(former)]).toEqual([false, false]);
      expect((await only(table, row)).revision).toBeGreaterThan(0);
    });
  });

  test('I8 I24 a marker and a pass can be parts of another write, where no former reader can change them', async () => {
    const { table, leave } = await open();
    await leave(marker);
    await leave(pass);
    const former = [await only(table, marker), await only(table, pass)];

    await leave(marker);
    await leave(pass);

    for (const row of former)
      expect([await table.save(row), await table.remove(row)]).toEqual([false, false]);
    expect(await only(table, marker)).toEqual({ ...marker, revision: expect.any(Number) });
  });

  test('I2 the first change schedules the row, later ones add what they changed, and no earlier reader can write it', async () => {
    const { table } = await open();
    const change = (changed: string[], dueAtMs: number) => table.recordChange({ uuid, changed, dueAtMs });
    await change(['vehicle'], nowMs);
    const read = await only(table, notify);

    await change(['customer', 'vehicle'], nowMs + 60_000);
    await change([], nowMs + 70_000);

    const { changed, ...row } = (await only(table, notify)) as DebounceRow;
    expect(row).toEqual({ ...notify, revision: read.revision + 2 });
    expect(changed?.toSorted()).toEqual(['customer', 'vehicle']);
    expect(await table.save({ ...read, leasedUntilMs: nowMs })).toBe(false);
  });

  test('I2 a change keeps what a row says of its last event, and begins a new one with a revision of its own', async () => {
    const { table } = await open();
    const told = { notifiedVersion: 4, lastSentAtMs: nowMs - 5 };
    await table.save({ kind: 'NOTIFY', uuid, revision: 0, ...told });
    const former = await only(table, notify);
    await table.recordChange({ uuid, changed: [], dueAtMs: nowMs });
    const present = await only(table, notify);
    await table.remove(present);

    await table.recordChange({ uuid, changed: [], dueAtMs: nowMs });

    expect(present).toEqual({ ...notify, ...told, revision: former.revision + 1 });
    expect([await table.save(former), await table.save(present)]).toEqual([false, false]);
  });

  test('I19 the index names what is due by then, oldest first, as many as are asked for', async () => {
    const { table } = await open();
    const [shard] = shards.again as [number];
    const uuids = Array.from({ length: 60 }, (_one, index) => `uuid-${index}`);
    const mine = uuids.filter((one) => shardOf({ ...behind, uuid: one }) === shard).slice(0, 4);
    for (const [index, one] of mine.entries())
      await table.save({ ...behind, uuid: one, dueAtMs: nowMs - 10 * index });
    const [sleeping] = uuids.filter((one) => !mine.includes(one)) as [string];
    const { dueAtMs: _due, ...asleep } = { ...behind, uuid: sleeping };
    await table.save(asleep);
    const due = async (untilMs: number, limit: number) =>
      (await table.due(shard, untilMs, limit)).map(({ key, dueAtMs }) => [key, dueAtMs - nowMs]);
    const named = (index: number) => [keyOfRow({ ...behind, uuid: mine[index] ?? '' }), -10 * index];

    expect(await due(nowMs - 10, 10)).toEqual([3, 2, 1].map(named));
    expect(await due(nowMs, 2)).toEqual([3, 2].map(named));
    for (const one of mine) await table.remove(await only(table, { ...behind, uuid: one }));
    expect(await due(nowMs, 10)).toEqual([]);
  });

  test('I24 pages of a partner’s backlog have each of its rows once, in order, and end', async () => {
    const { table } = await open();
    for (const one of ['b', 'a', 'd']) await table.save({ ...behind, uuid: one });
    await table.save({ ...unfinished, uuid: 'b' });
    await table.save({ ...behind, clientId: 'P10', uuid: 'e' });

    const pages: string[][] = [];
    let after: string | undefined;
    do {
      const { rows: some, next } = await table.backlogOf('P1', { limit: 2, after });
      pages.push(some.map((row) => `${row.uuid} ${row.completed ?? ''}`.trim()));
      after = next;
    } while (after !== undefined);

    // A full page may be the last one.
    expect(pages).toEqual([['a', 'b'], ['b 2', 'd'], []]);
  });

  test('I16 a line is there once, however often it is written; pages begin at a time and go on at the last line', async () => {
    const { table } = await open();
    const lines = [
      line({ atMs: nowMs - 1 }),
      line(),
      line({ outcome: 'FAILED', reason: 'HTTP_404' }),
      line({ eventId: 'event-2' }),
    ];
    const sending = { uuid, type: 'TransactionUpdated', atMs: nowMs, from: 1, to: 2, id: 'x', outcomes: {} };

    for (let time = 0; time < 2; time += 1)
      expect(await table.write([sending, ...lines, line({ clientId: 'P2' })])).toEqual([]);
    const first = await table.linesSince('P1', nowMs, { limit: 2 });
    const second = await table.linesSince('P1', nowMs, { limit: 2, after: first.next });

    const said = ({ eventId, outcome, atMs }: LogLine) => [eventId, outcome, atMs - nowMs];
    expect(first.lines.map(said)).toEqual([
      ['event-1', 'FAILED', 0],
      ['event-1', 'SENT', 0],
    ]);
    expect(second.lines.map(said)).toEqual([['event-2', 'SENT', 0]]);
    expect(second.next).toBeUndefined();
    expect(first.lines[1]).toMatchObject(line());
  });

  test('I24 passes of a partner are in the order of their ids, and a withhold is one', async () => {
    const { table, leave } = await open();
    for (const id of ['2#b', '1#a', 'withhold', 'withhold']) await leave({ ...pass, id });
    await leave({ ...pass, clientId: 'P10', id: '0#c' });

    expect((await table.passesOf('P1')).map(({ id }) => id)).toEqual(['1#a', '2#b', 'withhold']);
  });

  test('I12 an expiry is of whole seconds, and goes with the write that leaves it out', async () => {
    const { table } = await open();
    const { dueAtMs: _due, ...asleep } = behind;
    await table.save({ ...asleep, expiresAtMs: nowMs + 1_999 });
    const { revision, ...given } = (await only(table, behind)) as BacklogRow;

    await table.save({ ...behind, revision });

    expect(given).toEqual({ ...asleep, revision: undefined, expiresAtMs: nowMs + 1_000 });
    expect(await only(table, behind)).toEqual({ ...behind, revision: revision + 1 });
  });

  test('I1 debts that are owed at once are one, from the earliest, and leave the row to the sender that has it', async () => {
    const { table } = await open();
    await table.save({ ...behind, leasedUntilMs: nowMs + 20_000, leasedTo: 4 });
    const debts = [2, 1, 7].map((from) => ({ uuid, clientId: 'P1', from, reason: 'X', tries: 1 }));

    await Promise.all(debts.map((debt) => owe(table, debt)));
    await owe(table, { uuid, clientId: 'P1', completed: 2, reason: 'X', tries: 1 });

    const lease = { leasedUntilMs: nowMs + 20_000, leasedTo: 4 };
    expect(await only(table, behind)).toMatchObject({ ...lease, from: 1, dueAtMs: nowMs });
    expect(await only(table, unfinished)).not.toHaveProperty('leasedTo');
  });

  test('I24 a debt is paid by who read it, though somebody looked at it meanwhile, but not where more is owed', async () => {
    const { table } = await open();
    const debt = { uuid, clientId: 'P1', from: 3, reason: 'X', tries: 1, dueAtMs: nowMs };
    await owe(table, debt);
    const read = (await only(table, behind)) as BacklogRow;
    await table.save({ ...read, dueAtMs: nowMs + 5 });
    const seen = (await only(table, behind)) as BacklogRow;

    await owe(table, debt);

    expect([read.owed, seen.owed]).toEqual([read.revision, read.revision]);
    expect(await table.pay(seen)).toBe(false);
    const owed = (await only(table, behind)) as BacklogRow;
    await table.save({ ...owed, tries: 2 });
    expect([await table.pay(owed), await table.pay(owed)]).toEqual([true, false]);
    await owe(table, debt);
    expect(await table.pay(owed)).toBe(false);
  });

  test('I24 a pass writes its rows all or none, and none when another worker has it or it has ended', async () => {
    const { table, leave } = await open();
    await leave(pass);
    const read = (await only(table, pass)) as unknown as Pass;
    const other = { ...behind, uuid: 'other' };
    const there = async () => (await table.backlogOf('P1', { limit: 9 })).rows.map((row) => row.uuid);

    expect(await table.saveWithin(read, [behind])).toBe(true);
    expect(await table.saveWithin(read, [other, behind])).toBe(false);
    expect(await there()).toEqual([uuid]);
    await table.save({ ...read, leasedUntilMs: nowMs + 20_000 });
    await expect(table.saveWithin(read, [other])).rejects.toThrow('The pass has ended');
    await table.remove((await only(table, pass)) as unknown as Pass);
    await expect(table.saveWithin(read, [other])).rejects.toThrow('The pass has ended');
    expect(await there()).toEqual([uuid]);
  });

  test('I7 what one partner’s partitions do not take is answered, and the rest is written', async () => {
    const { table, throttle } = await open();
    const debts = ['P1', 'P2'].map((clientId) => ({ clientId, from: 1, reason: 'X', tries: 1 }));

    throttle('LOG#P1');
    expect(await table.write([line()])).toEqual([line()]);
    expect(await table.write([line({ clientId: 'P2' })])).toEqual([]);
    throttle('TO#P1');
    const left = await noted(table, uuid, { notes: [], debts });

    expect(left).toEqual({ notes: [], debts: [debts[0]] });
    expect((await table.linesSince('P2', 0, { limit: 9 })).lines).toHaveLength(1);
    expect((await table.backlogOf('P2', { limit: 9 })).rows).toHaveLength(1);
  });
});

test('I12 a row and a line say in seconds when they expire, and a scheduled one never', async () => {
  const { table, get } = await onEngine();
  const { dueAtMs: _, ...asleep } = behind;
  await table.save({ ...asleep, expiresAtMs: nowMs + 1_999 });
  await table.write([line()]);

  expect(await get('TO#P1', `TX#${uuid}`)).toMatchObject({ expiresAt: nowMs / 1_000 + 1 });
  expect(await get('LOG#P1', '01772366400000#event-1#SENT')).toMatchObject({
    expiresAt: nowMs / 1_000 + 30 * 24 * 60 * 60,
  });
});

test('EV-13 a write that begins to send is refused while a withhold of the partner is open', async () => {
  const { leave, table, write } = await onEngine();
  const begin = (clientId: string) =>
    write((TableName) => ({ ConditionCheck: noWithhold(TableName, clientId) }));
  await leave({ ...pass, id: 'withhold', does: 'withhold' });

  await expect(begin('P1')).rejects.toThrow('ConditionalCheckFailed');
  await begin('P2');
  await table.remove((await only(table, { ...pass, id: 'withhold' })) as unknown as Pass);
  await begin('P1');
});

test('EV-26 first tellings, what is sent again and passes are in parts of the index that nothing else is in', () => {
  const partOf = (row: Row | Pass) =>
    (['first', 'again', 'passes'] as const).filter((part) => shards[part].includes(shardOf(row)));

  const refused = { ...behind, isFirst: true } as const;
  expect([notify, marker, refused, behind, pass].map(partOf)).toEqual([
    ...[['first'], ['first'], ['first']],
    ...[['again'], ['passes']],
  ]);
  expect([shards.first.length, shards.again.length, shards.passes.length]).toEqual([16, 4, 4]);
});
