import { expect, test } from '@jest/globals';
import { createHandler, type Deps } from '../../../../functions/publish-dormant/handler.ts';
import { settingsOf } from '../../../../functions/shared/domain/event/timing.ts';
import type { BacklogRow } from '../../../../functions/shared/events/rows.ts';
import { createMemoryDebounceTable } from '../../../support/memory/debounce-table.ts';

const nowMs = Date.parse('2026-03-01T12:00:00Z');
const clock = () => new Date(nowMs);
const context = { awsRequestId: 'one', getRemainingTimeInMillis: () => 15_000 };
const poll = { Records: [{ body: '-', messageId: 'm' }] };

/** The sender over rows whose transactions are gone, and what it reports. */
const aSender = ({ isStopped = false } = {}) => {
  const table = createMemoryDebounceTable(clock);
  const reports: object[] = [];
  const deps = {
    sending: {
      ...{ table, clock, log: () => {}, settings: settingsOf(120_000) },
      isStopped: async () => isStopped,
      transactions: { byUuids: async () => new Map() },
    },
    ticks: { recordPoll: () => {}, areComing: () => false, sendAhead: async () => {} },
    ...{ atMostRows: 100, askForWorkers: async () => {}, sendTick: async () => {} },
    report: (figures: object) => reports.push(figures),
  } as unknown as Deps;
  return { table, reports, call: (event: unknown) => createHandler(deps)(event, context) };
};

const owed = (reason: string, more: Pick<BacklogRow, 'isFirst'>): BacklogRow => ({
  ...{ kind: 'BACKLOG', uuid: 'u', clientId: 'P1', from: 1, reason, tries: 1, owed: 0, revision: 0 },
  dueAtMs: nowMs - 3_600_000,
  ...more,
});

test.each<[string, Pick<BacklogRow, 'isFirst'>, number]>([
  ['PAUSED', {}, 0],
  ['NOT_READY', {}, 0],
  ['HTTP_404', {}, 0],
  ['REPLAY', {}, 0],
  ['REFUSED_BY_BUS', { isFirst: true }, 3_600_000],
  ['UNCONFIRMED', { isFirst: true }, 3_600_000],
])(
  'S-70 of a row that a partner is owed for %s %j the age that is reported is %i ms: only first tellings ring',
  async (reason, more, oldestDueAgeMs) => {
    const { table, reports, call } = aSender();
    await table.save(owed(reason, more));

    await call(poll);

    expect(reports).toEqual([expect.objectContaining({ oldestDueAgeMs })]);
  },
);

test('D-31 a poll that sends nothing reports no delay, and a worker of what is sent again no age', async () => {
  const { reports, call } = aSender();
  const sums = { sent: 0, failed: 0, refused: 0, unconfirmed: 0 };

  await call(poll);
  await call({ Records: [{ body: 'shard 16', messageId: 'm' }] });
  await call({ Records: [{ body: 'completed u', messageId: 'm' }] });

  expect(reports).toEqual([{ ...sums, oldestDueAgeMs: 0 }, sums, sums]);
});

test.each([[poll], [{ every: 'rate(1 minute)' }]])(
  'S-77 S-70 while everything is stopped a call reports that it runs, and rows stay due: %j',
  async (event) => {
    const { table, reports, call } = aSender({ isStopped: true });
    await table.recordChange({ uuid: 'u', changed: [], dueAtMs: nowMs - 3_600_000 });

    await call(event);

    expect(reports).toEqual([{ oldestDueAgeMs: 0 }]);
    expect(table.rowsOf('u')).toMatchObject([{ dueAtMs: nowMs - 3_600_000 }]);
  },
);
