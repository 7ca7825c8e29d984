import { expect, test } from '@jest/globals';
import type { StoredTransaction } from '../../../../functions/shared/domain/transaction/transaction.ts';
import type { Mark, MarkName } from '../../../../functions/shared/store/transactions/marks.ts';
import { createRetention, type RetentionDeps } from '../../../../functions/sweep-expired/retention.ts';
import { aNewTransaction, uuidOf } from '../../../support/builders/transactions.ts';
import { createMemoryTransactions } from '../../../support/memory/transactions.ts';

const begins = Date.parse('2026-01-01T00:30:00Z');
const [hour, day] = [3_600_000, 86_400_000];

type Transactions = RetentionDeps['transactions'];

/** Retention over a stage that began a year before the tests' transactions, and what it read of the index. */
const aStage = async (more: Partial<RetentionDeps> = {}) => {
  const time = { ms: begins };
  const transactions = createMemoryTransactions();
  const marks = new Map<MarkName, Mark>();
  const spans: { fromMs: number; toMs: number }[] = [];
  const deps: RetentionDeps = {
    changes: {
      changedBetween: (span) => {
        spans.push(span);
        return transactions.changedBetween(span);
      },
    },
    transactions,
    readMark: async (name) => marks.get(name),
    raiseMark: async (name, mark) => void marks.set(name, mark),
    oldestCreationMs: async () => undefined,
    clock: () => new Date(time.ms),
    incompleteDays: 400,
    ...more,
  };
  const run = (hasTime = () => true, overrides: Partial<RetentionDeps> = {}) =>
    createRetention({ ...deps, ...overrides })(hasTime);
  /** A checkout that its session left at this time. */
  const leave = async (number: number, updatedAtMs: number) =>
    transactions.create(aNewTransaction({ uuid: uuidOf(number) }, { session: 's', updatedAtMs }));
  const states = async (...numbers: number[]) => {
    const found = await Promise.all(numbers.map((number) => transactions.byUuid(uuidOf(number))));
    return found.map((stored) =>
      stored?.erasedAtMs ? 'erased' : stored?.transaction.isDeleted === 1 ? 'deleted' : 'there',
    );
  };
  /** What is done to transactions after they were read. */
  const meanwhile = (
    act: (found: StoredTransaction) => Promise<unknown>,
  ): { transactions: Transactions } => ({
    transactions: {
      ...transactions,
      byUuids: async (uuids) => {
        const found = await transactions.byUuids(uuids);
        for (const one of found.values()) await act(one);
        return found;
      },
    },
  });
  return { transactions, time, marks, spans, run, leave, states, meanwhile };
};

/** A stage whose first run was, with checkouts that were left at these times, so many days later. */
const aStageAfter = async (days: number, leftAtMs: readonly number[], more: Partial<RetentionDeps> = {}) => {
  const stage = await aStage(more);
  await stage.run();
  for (const [index, ms] of leftAtMs.entries()) await stage.leave(index + 1, ms);
  stage.time.ms = begins + days * day;
  stage.spans.length = 0;
  return stage;
};

test('V1-8 the first invocation of a stage reads nothing, and begins a day before it', async () => {
  const stage = await aStage();

  expect(await stage.run()).toEqual({ deleted: 0, erased: 0, isDone: true });

  const mark = { n: Date.parse('2025-12-31T00:00:00Z') };
  expect(Object.fromEntries(stage.marks)).toEqual({ 'retention-delete': mark, 'retention-erase': mark });
  expect(stage.spans).toEqual([]);
});

test('V1-8 a late first invocation begins at the oldest transaction', async () => {
  const stage = await aStage({ oldestCreationMs: async () => begins });
  for (const number of [1, 2, 3]) await stage.leave(number, begins + (number - 1) * day);
  stage.time.ms = begins + 401 * day + hour;

  expect(await stage.run()).toEqual({ deleted: 2, erased: 0, isDone: true });
});

test('V1-8 a stage that is too young to have anything to read searches for its oldest transaction once', async () => {
  let asked = 0;
  const oldestCreationMs = async () => {
    asked += 1;
    return begins - 3 * day;
  };
  const stage = await aStage({ oldestCreationMs });

  await stage.run();
  await stage.run();

  expect([...stage.marks.values()]).toEqual([{ n: begins - 3 * day }, { n: begins - 3 * day }]);
  expect(asked).toBe(2);
});

test('V1-8 each hour is searched once, after the given number of days', async () => {
  const stage = await aStageAfter(399, []);
  await stage.run();
  stage.spans.length = 0;

  for (const _ of [1, 2]) {
    stage.time.ms += hour;
    await stage.run();
  }

  expect(stage.spans.map(({ fromMs, toMs }) => [new Date(fromMs).toISOString(), toMs - fromMs])).toEqual([
    ['2025-12-31T00:00:00.000Z', hour],
    ['2027-01-05T00:00:00.000Z', hour],
    ['2025-12-31T01:00:00.000Z', hour],
    ['2027-01-05T01:00:00.000Z', hour],
  ]);
});

test('V1-8 a transaction that is 400 days old is deleted, and erased 30 days later; nothing is done twice', async () => {
  const stage = await aStageAfter(0, [begins, begins + 2 * day]);

  const steps = [];
  for (const days of [400, 401, 430, 432, 433]) {
    stage.time.ms = begins + days * day + hour;
    const { deleted, erased, isDone } = await stage.run();
    steps.push([days, deleted, erased, isDone, ...(await stage.states(1, 2))]);
  }

  expect(steps).toEqual([
    [400, 1, 0, true, 'deleted', 'there'],
    [401, 0, 0, true, 'deleted', 'there'],
    [430, 1, 0, true, 'deleted', 'deleted'],
    [432, 0, 1, true, 'erased', 'deleted'],
    [433, 0, 0, true, 'erased', 'deleted'],
  ]);
});

test('V1-8 hours that no invocation searched are searched later', async () => {
  const stage = await aStageAfter(500, [begins + 10 * day, begins + 20 * day, begins + 30 * day]);

  expect(await stage.run()).toEqual({ deleted: 3, erased: 0, isDone: true });
});

test('V1-8 a stage with fewer days, or with a number after never, deletes older transactions at once', async () => {
  const stage = await aStageAfter(300, [begins + day], { incompleteDays: Number.POSITIVE_INFINITY });

  const never = await stage.run();
  const fewer = await stage.run(undefined, { incompleteDays: 200 });

  expect([never.deleted, fewer.deleted]).toEqual([0, 1]);
});

test('V1-8 an invocation without time ends within an hour, and the next one continues there', async () => {
  const stage = await aStageAfter(
    402,
    Array.from({ length: 120 }, (_, index) => begins + (index + 1) * 1_000),
  );
  let left = 4;

  const first = await stage.run(() => left-- > 0);
  const mark = stage.marks.get('retention-delete');
  stage.spans.length = 0;
  const second = await stage.run();

  expect(first).toEqual({ deleted: 100, erased: 0, isDone: false });
  expect(new Date(mark?.n ?? 0).toISOString()).toBe('2026-01-01T00:31:41.000Z');
  expect(stage.spans[0]).toMatchObject({ fromMs: mark?.n });
  expect(second).toEqual({ deleted: 20, erased: 0, isDone: true });
});

test('V1-8 a change at the last moment keeps its transaction', async () => {
  const stage = await aStageAfter(401, [begins]);
  const change = (one: StoredTransaction) =>
    stage.transactions.replace(one, { ...one, version: one.version + 1 });

  const counts = await stage.run(undefined, stage.meanwhile(change));

  expect(counts).toEqual({ deleted: 0, erased: 0, isDone: true });
  expect(await stage.states(1)).toEqual(['there']);
});

test('V1-8 V1-10 a move to a signed-in session at the last moment does not keep it', async () => {
  const stage = await aStageAfter(399, [begins]);
  // Erasures have passed its hour by then, so that only the deletion finds it.
  await stage.run();
  stage.time.ms = begins + 401 * day;
  const move = async (one: StoredTransaction) =>
    one.session === 's' && stage.transactions.replace(one, { ...one, session: 'user-A' });

  const counts = await stage.run(undefined, stage.meanwhile(move));

  expect(counts).toEqual({ deleted: 1, erased: 0, isDone: true });
  expect(await stage.states(1)).toEqual(['deleted']);
});

test('V1-8 two concurrent invocations delete each transaction once', async () => {
  const stage = await aStageAfter(401, [begins, begins, begins]);

  const runs = await Promise.all([stage.run(), stage.run()]);

  expect(runs.reduce((sum, { deleted }) => sum + deleted, 0)).toBe(3);
});

test('V1-8 a failed store leaves the mark, so that the next invocation searches the same hours', async () => {
  const stage = await aStageAfter(401, [begins]);
  const replace = () => Promise.reject(new Error('no store'));
  const failing = { transactions: { ...stage.transactions, replace } };

  await expect(stage.run(undefined, failing)).rejects.toThrow('no store');

  expect(await stage.run()).toMatchObject({ deleted: 1 });
});

test('V1-8 an invocation without time for the deletions is not done, although nothing is left to erase', async () => {
  const stage = await aStageAfter(500, []);
  stage.marks.set('retention-erase', { n: begins - hour / 2 + 470 * day });

  expect(await stage.run(() => false)).toEqual({ deleted: 0, erased: 0, isDone: false });
});
