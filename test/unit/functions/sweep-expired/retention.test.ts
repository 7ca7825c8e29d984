import { expect, test } from '@jest/globals';
import type { Mark, MarkName } from '../../../../functions/shared/store/transactions/marks.ts';
import { createRetention, type RetentionDeps } from '../../../../functions/sweep-expired/retention.ts';
import { aNewTransaction, uuidOf } from '../../../support/builders/transactions.ts';
import { createMemoryTransactions } from '../../../support/memory/transactions.ts';

const begins = Date.parse('2026-01-01T00:30:00Z');
const [hour, day] = [3_600_000, 86_400_000];

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
  return { transactions, time, marks, spans, run, leave, states };
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
  let checked = 0;
  const oldestCreationMs = async () => {
    checked += 1;
    return begins - 3 * day;
  };
  const stage = await aStage({ oldestCreationMs });

  await stage.run();
  await stage.run();

  expect([...stage.marks.values()]).toEqual([{ n: begins - 3 * day }, { n: begins - 3 * day }]);
  expect(checked).toBe(2);
});

test('V1-8 each hour is searched once, after the given number of days', async () => {
  const stage = await aStage();
  await stage.run();
  stage.time.ms = begins + 399 * day;
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
  const stage = await aStage();
  await stage.run();
  await stage.leave(1, begins);
  await stage.leave(2, begins + 2 * day);

  const steps = [];
  for (const days of [400, 401, 430, 432, 433]) {
    stage.time.ms = begins + days * day + hour;
    steps.push([days, await stage.run(), await stage.states(1, 2)]);
  }

  const did = (deleted: number, erased: number) => ({ deleted, erased, isDone: true });
  expect(steps).toEqual([
    [400, did(1, 0), ['deleted', 'there']],
    [401, did(0, 0), ['deleted', 'there']],
    [430, did(1, 0), ['deleted', 'deleted']],
    [432, did(0, 1), ['erased', 'deleted']],
    [433, did(0, 0), ['erased', 'deleted']],
  ]);
});

test('V1-8 hours that no invocation searched are searched later', async () => {
  const stage = await aStage();
  await stage.run();
  for (const number of [1, 2, 3]) await stage.leave(number, begins + number * 10 * day);
  stage.time.ms = begins + 500 * day;

  expect(await stage.run()).toEqual({ deleted: 3, erased: 0, isDone: true });
});

test('V1-8 a stage with fewer days, or with a number after never, deletes older transactions at once', async () => {
  const stage = await aStage({ incompleteDays: Number.POSITIVE_INFINITY });
  await stage.run();
  await stage.leave(1, begins + day);
  stage.time.ms = begins + 300 * day;

  const never = await stage.run();
  const fewer = await stage.run(undefined, { incompleteDays: 200 });

  expect([never.deleted, fewer.deleted]).toEqual([0, 1]);
});

test('V1-8 an invocation without time ends within an hour, and the next one continues there', async () => {
  const stage = await aStage();
  await stage.run();
  for (let number = 1; number <= 120; number += 1) await stage.leave(number, begins + number * 1_000);
  stage.time.ms = begins + 402 * day;
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
  const stage = await aStage();
  await stage.run();
  await stage.leave(1, begins);
  stage.time.ms = begins + 401 * day;
  const { transactions } = stage;
  const byUuids: typeof transactions.byUuids = async (uuids) => {
    const found = await transactions.byUuids(uuids);
    for (const one of found.values()) await transactions.replace(one, { ...one, version: one.version + 1 });
    return found;
  };

  const counts = await stage.run(undefined, { transactions: { ...transactions, byUuids } });

  expect(counts).toEqual({ deleted: 0, erased: 0, isDone: true });
  expect(await stage.states(1)).toEqual(['there']);
});

test('V1-8 V1-10 a move to a signed-in session at the last moment does not keep it', async () => {
  const stage = await aStage();
  await stage.run();
  await stage.leave(1, begins);
  // Erasures have passed its hour by then, so that only the deletion finds it.
  stage.time.ms = begins + 399 * day;
  await stage.run();
  stage.time.ms = begins + 401 * day;
  const { transactions } = stage;
  let isMoved = false;
  const byUuids: typeof transactions.byUuids = async (uuids) => {
    const found = await transactions.byUuids(uuids);
    for (const one of isMoved ? [] : found.values())
      await transactions.replace(one, { ...one, session: 'user-A' });
    isMoved = true;
    return found;
  };

  const counts = await stage.run(undefined, { transactions: { ...transactions, byUuids } });

  expect(counts).toEqual({ deleted: 1, erased: 0, isDone: true });
  expect(await stage.states(1)).toEqual(['deleted']);
});

test('V1-8 two concurrent invocations delete each transaction once', async () => {
  const stage = await aStage();
  await stage.run();
  for (const number of [1, 2, 3]) await stage.leave(number, begins);
  stage.time.ms = begins + 401 * day;

  const runs = await Promise.all([stage.run(), stage.run()]);

  expect(runs.reduce((sum, { deleted }) => sum + deleted, 0)).toBe(3);
});

test('V1-8 a failed store leaves the mark, so that the next invocation searches the same hours', async () => {
  const stage = await aStage();
  await stage.run();
  await stage.leave(1, begins);
  stage.time.ms = begins + 401 * day;
  const replace = () => Promise.reject(new Error('no store'));

  await expect(stage.run(undefined, { transactions: { ...stage.transactions, replace } })).rejects.toThrow(
    'no store',
  );

  expect(await stage.run()).toMatchObject({ deleted: 1 });
});
