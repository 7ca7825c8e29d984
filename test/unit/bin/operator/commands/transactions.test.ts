import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { aNewTransaction, anOwner, uuidOf } from '../../../../support/builders/transactions.ts';
import type { createMemorySessions } from '../../../../support/memory/sessions.ts';
import { memoryDeps } from '../../../../support/operator/operator.ts';
import { begin, run, stage, useTool, workspace } from '../../../../support/operator/tool.ts';

useTool();

beforeEach(async () => {
  await stage.deps.transactions.createMany([
    aNewTransaction({ uuid: uuidOf(1) }),
    aNewTransaction({ uuid: uuidOf(2), isDeleted: 1 }),
    aNewTransaction({ uuid: uuidOf(3) }),
  ]);
});

const savedIn = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ uuid, isDeleted }) => [uuid, isDeleted]);

test('RUN-4 S-28 an export has deleted transactions only with --with-deleted, each at its place, and its record says so', async () => {
  const usual = await run('transactions export');
  const whole = await run('transactions export --with-deleted');

  const [first, deleted, last] = [
    [uuidOf(1), 0],
    [uuidOf(2), 1],
    [uuidOf(3), 0],
  ];
  expect([savedIn(usual.printed), savedIn(whole.printed)]).toEqual([
    [first, last],
    [first, deleted, last],
  ]);
  expect([usual.noted, whole.noted]).toEqual([
    '2 transactions exported.\n',
    '3 transactions (1 deleted) exported.\n',
  ]);
  expect(stage.records.at(-1)?.arguments).toEqual({ file: null, withDeleted: true });
});

test('RUN-4 an export into a file says how many of its transactions are deleted', async () => {
  const file = join(workspace.folder, 'all.ndjson');

  const { printed } = await run(`transactions export ${file} --with-deleted --json`);

  expect(JSON.parse(printed)).toEqual({ exported: 3, deleted: 1, file });
  expect(savedIn(readFileSync(file, 'utf8'))).toHaveLength(3);
});

test('RUN-6 an import says how many zero dates it cleared, and which line has an identifier that is no text', async () => {
  const file = join(workspace.folder, 'old.ndjson');
  const line = (number: number, more: object) =>
    JSON.stringify({ uuid: uuidOf(number), status: 0, ndMeta: anOwner(), ...more });
  const identifiers = { ndstockid: 123456 };
  const dates = { preferred_date: '0000-00-00', minDate: '0000-00-00 00:00:00' };
  writeFileSync(
    file,
    [line(8, { deliveryCollection: dates }), line(9, { vehicle: { identifiers } })].join('\n'),
  );

  const first = await run(`transactions import ${file}`);
  const again = await run(`transactions import ${file} --json`);

  const reason = 'vehicle.identifiers.ndstockid is not a string';
  expect(first.printed).toContain('2 lines read: 1 imported, 0 unchanged, 0 differ, 1 refused.\n');
  expect(first.printed).toContain('2 zero dates cleared: they are null.\n');
  expect(first.printed).toContain(reason);
  expect(JSON.parse(again.printed)).toEqual({
    ...{ read: 2, imported: 0, unchanged: 1, differs: 0, cleared: 2 },
    ...{ refused: [{ line: 2, reason }], storefrontsRegistered: 0 },
  });
});

test('RUN-4 an export with deleted transactions reports its progress', async () => {
  const { transactions } = memoryDeps().deps;
  begin({
    transactions: {
      ...transactions,
      async *withDeleted(onFound = () => {}) {
        for (let page = 1; page <= 45; page += 1) onFound(page * 250);
      },
    },
  });

  const { noted } = await run('transactions export --with-deleted');

  expect(noted).toBe(
    '5000 transactions found\n10000 transactions found\n0 transactions (0 deleted) exported.\n',
  );
});

test('DEL-1 V1-10 a restored transaction belongs to the user who has continued its session since', async () => {
  const { transactions, sessions, now } = stage.deps;
  await transactions.createMany([
    aNewTransaction({ uuid: uuidOf(4), isDeleted: 1 }, { session: 'anonymous' }),
    aNewTransaction({ uuid: uuidOf(5), isDeleted: 1 }, { session: 'revoked' }),
  ]);
  await (sessions as ReturnType<typeof createMemorySessions>).endBySignIn('anonymous', 'user-A', now());
  await sessions.revoke('revoked', now());

  for (const number of [4, 5]) await run(['transactions', 'restore', uuidOf(number)]);

  expect((await transactions.byUuid(uuidOf(4)))?.session).toBe('user-A');
  expect((await transactions.byUuid(uuidOf(5)))?.session).toBe('revoked');
});
