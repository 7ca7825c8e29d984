import { describe, expect, test } from '@jest/globals';
import { createHandler } from '../../../../functions/reconcile/handler.ts';
import type { DebounceRowKey } from '../../../../functions/shared/domain/event/debounce-row.ts';
import type { Changed, ChangeSpan } from '../../../../functions/shared/store/transactions/changed-index.ts';
import { aClock } from '../../../support/builders/manual-clock.ts';
import { uuidOf } from '../../../support/builders/transactions.ts';
import { memoryStores } from '../../../support/memory/publishing.ts';

const clock = aClock('2026-03-01T12:00:00Z');
const nowMs = clock.now().getTime();
const fiveMinutesAgo = nowMs - 300_000;

const aChange = (number: number, facts: Partial<Changed> = {}): Changed => ({
  uuid: uuidOf(number),
  version: 3,
  notifyFromVersion: 1,
  updatedAtMs: fiveMinutesAgo,
  ...facts,
});

/** A run over these changes. */
const aRun = async ({
  changes = [],
  event = {},
  prepare = async () => {},
  isScheduled = true,
}: {
  changes?: Changed[];
  event?: unknown;
  prepare?: (debounceRows: ReturnType<typeof memoryStores>['debounceRows']) => Promise<void>;
  /** False where another process is faster every time. */
  isScheduled?: boolean;
} = {}) => {
  const { debounceRows } = memoryStores(clock.now);
  await prepare(debounceRows);
  const spans: ChangeSpan[] = [];
  const asked: number[] = [];
  const scheduled: string[] = [];
  const logged: unknown[] = [];
  const reported: unknown[] = [];
  const handler = createHandler({
    changes: {
      async *changedBetween(span) {
        spans.push(span);
        yield* changes;
      },
    },
    debounceRows: {
      schedule: async (key, dueAtMs) => {
        scheduled.push(key.uuid);
        return isScheduled && debounceRows.schedule(key, dueAtMs);
      },
      getMany: (uuids) => {
        asked.push(uuids.length);
        return debounceRows.getMany(uuids);
      },
    },
    clock: clock.now,
    log: (name, facts) => logged.push([name, facts]),
    report: (figures) => reported.push(figures),
    dormancyMs: 120_000,
  });
  await handler(event);
  const debounceRowOf = (number: number) => debounceRows.get(debounceRowKey(number));
  return { spans, asked, scheduled, logged, reported, debounceRowOf };
};

const debounceRowKey = (number: number): DebounceRowKey => ({ uuid: uuidOf(number), kind: 'NOTIFY' });

describe('a change that the stream lost', () => {
  test('I20 is scheduled, due 120 s after it, logged and counted', async () => {
    const { debounceRowOf, logged, reported } = await aRun({ changes: [aChange(1)] });

    expect(await debounceRowOf(1)).toMatchObject({ dueAtMs: fiveMinutesAgo + 120_000 });
    expect(logged).toContainEqual(['debounceRowRepaired', { repaired: 1 }]);
    expect(reported).toEqual([{ repaired: 1, lookedBackMinutes: 30 }]);
  });

  test('I20 is scheduled beside an earlier event, whose row is due no more', async () => {
    const { debounceRowOf, reported } = await aRun({
      changes: [aChange(1)],
      prepare: async (debounceRows) => {
        await debounceRows.recordChange({ uuid: uuidOf(1), changed: [], dueAtMs: 1 });
        const row = await debounceRows.get(debounceRowKey(1));
        if (row) await debounceRows.unschedule(row, row);
      },
    });

    expect(await debounceRowOf(1)).toMatchObject({ dueAtMs: fiveMinutesAgo + 120_000 });
    expect(reported).toEqual([{ repaired: 1, lookedBackMinutes: 30 }]);
  });

  test('is left alone if it is scheduled', async () => {
    const { debounceRowOf, scheduled, logged, reported } = await aRun({
      changes: [aChange(1)],
      prepare: (debounceRows) =>
        debounceRows.recordChange({ uuid: uuidOf(1), changed: [], dueAtMs: nowMs + 7 }),
    });

    expect(await debounceRowOf(1)).toMatchObject({ dueAtMs: nowMs + 7 });
    expect(scheduled).toEqual([]);
    expect(reported).toContainEqual({ repaired: 0, lookedBackMinutes: 30 });
    expect(logged).not.toContainEqual(['debounceRowRepaired', expect.anything()]);
  });

  test('is no repair if it was scheduled meanwhile', async () => {
    const { scheduled, reported, logged } = await aRun({ changes: [aChange(1)], isScheduled: false });

    expect(scheduled).toEqual([uuidOf(1)]);
    expect(logged).toEqual([['reconcileEnded', { checked: 1, repaired: 0 }]]);
    expect(reported).toContainEqual({ repaired: 0, lookedBackMinutes: 30 });
  });

  test('EV-10 is left alone if nothing is pending', async () => {
    const { debounceRowOf } = await aRun({ changes: [aChange(1, { version: 7, notifyFromVersion: 8 })] });

    expect(await debounceRowOf(1)).toBeUndefined();
  });

  test('is ignored for 60 s, in which its record may still come', async () => {
    const { spans } = await aRun();

    expect(spans).toEqual([{ fromMs: nowMs - 30 * 60_000, toMs: nowMs - 60_000 }]);
  });
});

describe('a run', () => {
  test('S-70 is searched for as far back as the schedule says, which the metric shows', async () => {
    const { spans, reported } = await aRun({ event: { lookBackMinutes: 2880 } });

    expect(spans).toMatchObject([{ fromMs: nowMs - 48 * 3_600_000 }]);
    expect(reported).toContainEqual({ repaired: 0, lookedBackMinutes: 2880 });
  });

  test.each([{}, null, undefined, { lookBackMinutes: '5' }])(
    'is searched for half an hour back by an invocation with %j',
    async (event) => {
      const { spans } = await aRun({ event });

      expect(spans).toMatchObject([{ fromMs: nowMs - 30 * 60_000 }]);
    },
  );

  test('is found in batches of a hundred debounce rows', async () => {
    const changes = Array.from({ length: 250 }, (_, number) => aChange(number));

    const { asked, reported } = await aRun({ changes });

    expect(asked).toEqual([100, 100, 50]);
    expect(reported).toContainEqual({ repaired: 250, lookedBackMinutes: 30 });
  });

  test('that needs no repair is only in the closing line', async () => {
    const { logged } = await aRun();

    expect(logged).toEqual([['reconcileEnded', { checked: 0, repaired: 0 }]]);
  });
});
