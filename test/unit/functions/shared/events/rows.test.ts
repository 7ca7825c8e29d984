import { describe, expect, test } from '@jest/globals';
import {
  afterFailure,
  type DeliveryFault,
  reasonOf,
} from '../../../../../functions/shared/events/failures.ts';
import {
  type BacklogRow,
  type CompletionMarker,
  completes,
  completionMarker,
  type DebounceRow,
  type Debt,
  type Decision,
  decide,
  isDue,
  type LogLine,
  merged,
  notesOf,
  type Row,
} from '../../../../../functions/shared/events/rows.ts';
import { aNewTransaction, uuidOf } from '../../../../support/builders/transactions.ts';

const nowMs = Date.parse('2026-03-01T12:00:00Z');
const settings = { dormancyMs: 120_000, leaseMs: 20_000, abandonMs: 12_000 };
const uuid = uuidOf(1);

type Facts = Parameters<typeof aNewTransaction>[1] & {
  isDeleted?: 0 | 1;
  status?: 0 | 1;
  /** The versions of the parts, in place of the transaction's for `own`. */
  parts?: { own?: number; customer?: number };
};
/** At rest since two minutes, unless `updatedAtMs` says otherwise. */
const aStored = ({ isDeleted = 0, status = 0, parts = {}, ...facts }: Facts = {}) => {
  const made = aNewTransaction({ uuid, isDeleted, status }, { updatedAtMs: nowMs - 120_000, ...facts });
  return { ...made, elementVersions: { ...made.elementVersions, ...parts }, sequenceNumber: 1 };
};
const decided = (row: Row, facts: Facts | undefined, debounceRow?: DebounceRow) =>
  decide(row, facts && aStored(facts), debounceRow, { nowMs, settings });

const updated = (from: number, to: number): Decision => ({
  step: 'send',
  view: { type: 'TransactionUpdated', from, to },
});
const wait = (ms: number): Decision => ({ step: 'wait', dueAtMs: nowMs + ms });
const nothing: Decision = { step: 'nothing' };

describe('a debounce row', () => {
  const row = (more: Partial<DebounceRow> = {}): DebounceRow => ({
    kind: 'NOTIFY',
    uuid,
    revision: 1,
    ...more,
  });
  const deleted = { version: 2, isDeleted: 1, session: 'session-1' } as const;

  test.each<[string, DebounceRow, Facts | undefined, Decision]>([
    ['EV-1 after 120 s of rest is sent', row({ notifiedVersion: 3 }), { version: 5 }, updated(3, 5)],
    ['EV-1 before waits', row(), { updatedAtMs: nowMs - 119_999 }, wait(1)],
    ['EV-2 waits for 120 s after the last event', row({ lastSentAtMs: nowMs - 60_000 }), {}, wait(60_000)],
    [
      'I3 waits for 120 s after the lease of a sender that died with another version',
      row({ leasedTo: 4, leasedUntilMs: nowMs - 1_000 }),
      { version: 5 },
      wait(119_000),
    ],
    [
      'I6 that a sender left with this version is sent at once',
      row({ leasedTo: 5, leasedUntilMs: nowMs - 1_000, notifiedVersion: 3 }),
      { version: 5 },
      updated(3, 5),
    ],
    ['I11 with nothing new is not sent', row({ notifiedVersion: 5 }), { version: 5 }, nothing],
    ['I11 of no transaction is not sent', row(), undefined, nothing],
    ['EV-10 of an import is not sent', row(), { version: 7, notifyFromVersion: 8 }, nothing],
    ['EV-10 of its first change is', row(), { version: 8, notifyFromVersion: 8 }, updated(7, 8)],
    [
      'DR-3 whose version a restore raised has nothing new',
      row({ notifiedVersion: 3 }),
      { version: 1_795_262_400_000, parts: { own: 3 } },
      nothing,
    ],
    [
      'EV-11 created and deleted before an event tells nobody',
      row(),
      deleted,
      { step: 'pass-over', version: 2 },
    ],
    [
      'EV-11 deleted after an event tells it',
      row({ lastSentAtMs: 1, notifiedVersion: 1 }),
      deleted,
      updated(1, 2),
    ],
    ['EV-11 of an import, deleted, tells it', row(), { version: 2, isDeleted: 1 }, updated(0, 2)],
    ['EV-11 complete and deleted tells it', row(), { ...deleted, status: 1 }, updated(0, 2)],
    [
      'EV-11 DR-3 deleted after a restore tells it',
      row(),
      { ...deleted, version: 1_795_262_400_000 },
      updated(0, 1_795_262_400_000),
    ],
  ])('%s', (_, one, facts, expected) => {
    expect(decided(one, facts)).toEqual(expected);
  });
});

const completed: Decision = { step: 'send', view: { type: 'TransactionCompleted', from: 3, to: 4 } };
const behind = (debt: Partial<Debt> = { from: 3 }): BacklogRow =>
  ({
    kind: 'BACKLOG',
    clientId: 'P1',
    uuid,
    revision: 1,
    owed: 1,
    reason: 'DNS',
    tries: 1,
    ...debt,
  }) as BacklogRow;

describe('a completion', () => {
  const marker: CompletionMarker = { kind: 'COMPLETED', uuid, version: 4, revision: 1, dueAtMs: nowMs };

  test.each<[string, Facts | undefined, Decision]>([
    ['I18 waits for no dormancy', { version: 5, status: 1, updatedAtMs: nowMs }, completed],
    ['I8 that a restore undid is not sent', { version: 5 }, nothing],
    ['DEL-1 of a deleted transaction is not sent', { version: 5, status: 1, isDeleted: 1 }, nothing],
    ['I8 of no transaction is not sent', undefined, nothing],
    [
      'I8 that is newer than its transaction, which was read first, is looked at again',
      { version: 3 },
      { step: 'wait', dueAtMs: nowMs + 1_000 },
    ],
  ])('%s', (_, facts, expected) => {
    expect(decided(marker, facts)).toEqual(expected);
    expect(decided(behind({ completed: 4 }), facts)).toEqual(expected);
  });

  test('I7 of which only lines are left to write is not sent again', () => {
    expect(decided({ ...marker, isTold: true }, { version: 4, status: 1 })).toEqual(nothing);
    expect(decided({ ...behind(), isTold: true }, { version: 4 })).toEqual(nothing);
  });
});

describe('a backlog row', () => {
  const told = (notifiedVersion: number): DebounceRow => ({
    kind: 'NOTIFY',
    uuid,
    notifiedVersion,
    revision: 1,
  });

  test.each<[string, BacklogRow, Facts, DebounceRow | undefined, Decision]>([
    ['EV-12 is sent from where the partner is', behind(), { version: 5 }, told(5), updated(3, 5)],
    [
      'EV-12 of a partner that is not behind is not sent',
      behind({ from: 5 }),
      { version: 5 },
      told(5),
      nothing,
    ],
    ['I3 has no dormancy', behind(), { version: 5, updatedAtMs: nowMs }, told(5), updated(3, 5)],
    ['EV-12 waits for a newer event and its lease', behind(), { version: 6 }, told(5), wait(20_000)],
    [
      'EV-12 waits for one that is not at rest',
      behind(),
      { version: 6, updatedAtMs: nowMs - 60_000 },
      told(5),
      wait(80_000),
    ],
    [
      'EV-13 that is removed waits for nothing',
      behind({ from: 3, reason: 'REMOVED' }),
      { version: 6 },
      told(5),
      updated(3, 6),
    ],
  ])('%s', (_, row, facts, debounceRow, expected) => {
    expect(decided(row, facts, debounceRow)).toEqual(expected);
  });
});

describe('two debts', () => {
  const due = (ms: number, more: object = {}): Partial<Debt> => ({
    from: 5,
    dueAtMs: nowMs + ms,
    ...more,
  });
  const expiring = { from: 5, expiresAtMs: nowMs + 9 };

  test.each<[string, BacklogRow | undefined, Partial<Debt>, Partial<Debt>]>([
    ['the first one as it is', undefined, expiring, { ...expiring, reason: 'X', tries: 2 }],
    [
      'the earlier version and time',
      behind(due(7, { from: 3 })),
      due(9),
      due(7, { from: 3, reason: 'X', tries: 2 }),
    ],
    [
      'the later row’s version, if it is earlier',
      behind(due(9)),
      due(7, { from: 1 }),
      due(7, { from: 1, reason: 'X', tries: 2 }),
    ],
    ['I12 no expiry while one is due', behind(due(7)), expiring, due(7, { reason: 'X', tries: 2 })],
    [
      'I12 no expiry while one waits',
      behind({ from: 5, reason: 'PAUSED' }),
      expiring,
      { from: 5, reason: 'PAUSED', tries: 1 },
    ],
    [
      'the reason that is waited for',
      behind({ from: 5, reason: 'NOT_READY' }),
      due(7),
      due(7, { reason: 'NOT_READY', tries: 1 }),
    ],
    [
      'no time, if both wait for a pass',
      behind({ from: 5, reason: 'REPLAY' }),
      due(7, { reason: 'PAUSED' }),
      { from: 5, reason: 'REPLAY', tries: 1 },
    ],
    [
      'EV-26 the place of first tellings',
      behind(due(7, { isFirst: true })),
      due(9),
      due(7, { isFirst: true, reason: 'X', tries: 2 }),
    ],
    [
      'nothing of a row that was told',
      { ...behind(due(7, { from: 1 })), isTold: true },
      due(9),
      due(9, { reason: 'X', tries: 2 }),
    ],
  ])('EV-12 become one: %s', (_, row, debt, expected) => {
    expect(merged(row, { reason: 'X', tries: 2, ...debt } as Debt)).toEqual(expected);
  });
});

describe('EV-13 after a failure', () => {
  const minute = 60_000;
  const hour = 60 * minute;

  test.each<[string, (number | undefined)[]]>([
    ...(['HTTP_403', 'HTTP_404', 'HTTP_408', 'HTTP_410', 'DNS'] as const).map(
      (reason): [string, (number | undefined)[]] => [
        reason,
        [15 * minute, hour, 4 * hour, 12 * hour, 24 * hour, undefined],
      ],
    ),
    ['REFUSED_BY_BUS', [0, 30_000, 30_000, 30_000, undefined]],
    ['UNCONFIRMED', [0, 0, 0, 0, 0, 0]],
    ...(['PAUSED', 'NOT_READY', 'TARGET_REMOVED'] as const).map((reason): [string, number[]] => [
      reason,
      [30_000, 30_000, 30_000, 30_000, 30_000, 30_000],
    ]),
    ...(['HTTP_400', 'HTTP_500', 'HTTP_4040', 'EXHAUSTED', 'TIMEOUT', 'X'] as const).map(
      (reason): [string, undefined[]] => [reason, [undefined]],
    ),
  ])('of the reason %s the pauses are %j, then it expires after 30 days', (reason, pauses) => {
    for (const [index, pauseMs] of pauses.entries())
      expect(afterFailure(reason, index + 1, nowMs)).toEqual({
        ...{ reason, tries: index + 1 },
        ...(pauseMs === undefined ? { expiresAtMs: nowMs + 720 * hour } : { dueAtMs: nowMs + pauseMs }),
      });
  });

  test.each<[Partial<DeliveryFault>, string]>([
    [{ code: 'NO_RESOURCE', isExhausted: true, status: 404 }, 'TARGET_REMOVED'],
    [{ isExhausted: true, status: 503, kind: 'answered' }, 'EXHAUSTED'],
    [{ status: 404, kind: 'answered' }, 'HTTP_404'],
    [{ kind: 'timed-out' }, 'TIMEOUT'],
    [{ kind: 'unreachable' }, 'DNS'],
    [{ code: 'NO_PERMISSIONS' }, 'NO_PERMISSIONS'],
  ])('%j of the bus is the reason %s', (fault, reason) => {
    expect(reasonOf({ code: 'SDK_CLIENT_ERROR', kind: 'other', isExhausted: false, ...fault })).toBe(reason);
  });
});

describe('I16 lines of a sending', () => {
  const line = (clientId: string, more: Partial<LogLine> = {}): LogLine => ({
    ...{ clientId, uuid, atMs: nowMs, eventId: 'event-1', type: 'TransactionUpdated', from: 4, to: 5 },
    ...{ outcome: 'SENT', ...more },
  });

  test('are there by partner, and together by transaction: the outcome, its reason, and a beginning of its own', () => {
    const lines = [
      line('P1'),
      line('P2', { from: 2 }),
      line('P3', { outcome: 'FAILED', reason: 'REFUSED_BY_BUS' }),
      line('P4', { outcome: 'WITHHELD', reason: 'MAY_NOT', from: 1 }),
    ];

    expect(notesOf(lines, () => 'id-1')).toEqual([
      ...lines,
      {
        ...{ uuid, type: 'TransactionUpdated', atMs: nowMs, from: 4, to: 5, id: 'id-1' },
        outcomes: { P1: 'S', P2: 'S from 2', P3: 'F REFUSED_BY_BUS', P4: 'W MAY_NOT from 1' },
      },
    ]);
  });

  test('are a hundred in an item', () => {
    const lines = Array.from({ length: 201 }, (_, index) => line(`P${index}`));
    let ids = 0;

    const together = notesOf(lines, () => `id-${ids++}`).filter((note) => 'outcomes' in note);

    expect(together.map(({ id, outcomes }) => [id, Object.keys(outcomes).length])).toEqual([
      ['id-0', 100],
      ['id-1', 100],
      ['id-2', 1],
    ]);
  });

  test('of nothing are none', () => {
    expect(notesOf([], () => 'id-1')).toEqual([]);
  });
});

test.each<[{ dueAtMs?: number; leasedUntilMs?: number }, boolean]>([
  [{ dueAtMs: nowMs }, true],
  [{ dueAtMs: nowMs + 1 }, false],
  [{}, false],
  [{ dueAtMs: nowMs, leasedUntilMs: nowMs }, true],
  [{ dueAtMs: nowMs, leasedUntilMs: nowMs + 1 }, false],
])('I4 a row with %j is due now: %s', (row, expected) => {
  expect(isDue(row, nowMs)).toBe(expected);
});

test.each([
  [0, 1, true],
  [0, 0, false],
  [1, 1, false],
  [1, 0, false],
] as const)('I8 a change from status %s to %s completes: %s', (before, after, expected) => {
  expect(completes(aStored({ status: before }), aStored({ status: after }))).toBe(expected);
});

test('I8 the marker of a completion is due at the time of its change', () => {
  expect(completionMarker(aStored({ version: 4, status: 1 }))).toEqual({
    ...{ kind: 'COMPLETED', uuid, version: 4, dueAtMs: nowMs - 120_000, revision: 0 },
  });
});
