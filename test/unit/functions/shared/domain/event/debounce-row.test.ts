import { describe, expect, test } from '@jest/globals';
import {
  type DebounceRow,
  decideDebounceRow,
  isDueAt,
  mayStillSend,
  waitsForNewerUntilMs,
} from '../../../../../../functions/shared/domain/event/debounce-row.ts';
import { settingsOf } from '../../../../../../functions/shared/domain/event/timing.ts';
import { erasedState } from '../../../../../../functions/shared/domain/transaction/erasure.ts';
import type { StoredTransaction } from '../../../../../../functions/shared/domain/transaction/transaction.ts';
import { aNewTransaction, aTransaction } from '../../../../../support/builders/transactions.ts';

const noon = Date.parse('2026-11-21T12:00:00Z');
const seconds = (count: number) => noon + count * 1000;

const debounceRow = (values: Partial<DebounceRow> = {}): DebounceRow => ({
  uuid: 'u',
  kind: 'NOTIFY',
  revision: 1,
  changeCount: 1,
  dueAtMs: noon,
  ...values,
});
/** Changed last at noon, by version 3. */
const stored = aNewTransaction({}, { version: 3, updatedAtMs: noon });
const settings = settingsOf(120_000);

/** The decision about a row of a transaction, ten minutes after noon or at another time. */
const decide = (
  row: Partial<DebounceRow>,
  nowMs = seconds(600),
  of: Parameters<typeof decideDebounceRow>[1] = stored,
) => decideDebounceRow(debounceRow(row), of, { nowMs, settings });
const unscheduled = { step: 'unschedule' };

test('I4 an event in flight is due when its lease has ended and its due time has come', () => {
  const inFlight = (leasedUntilMs: number) => ({ dueAtMs: noon, inflight: { leasedUntilMs } });

  expect([
    isDueAt(inFlight(seconds(20)), seconds(20) - 1),
    isDueAt(inFlight(seconds(20)), seconds(20)),
  ]).toEqual([false, true]);
  expect([isDueAt({ dueAtMs: noon }, noon - 1), isDueAt({ dueAtMs: noon }, noon)]).toEqual([false, true]);
  expect(isDueAt({ inflight: { leasedUntilMs: noon } }, seconds(20))).toBe(false);
  expect(isDueAt({ dueAtMs: seconds(40), inflight: { leasedUntilMs: noon } }, seconds(20))).toBe(false);
});

describe('the decision about a due debounce row', () => {
  test('EV-1 I2 an event leaves 120 s after its last change, and not a millisecond earlier', () => {
    expect(decide({}, seconds(120) - 1)).toEqual({ step: 'reschedule', dueAtMs: seconds(120) });
    expect(decide({}, seconds(120))).toEqual({ step: 'claim', range: { from: 0, to: 3 } });
  });

  test('EV-2 I3 the next event waits until 120 s after the previous one as well', () => {
    const notified = { notifiedVersion: 2, lastSentAtMs: seconds(30) };

    expect(decide(notified, seconds(150) - 1)).toEqual({ step: 'reschedule', dueAtMs: seconds(150) });
    expect(decide(notified, seconds(150))).toEqual({ step: 'claim', range: { from: 2, to: 3 } });
  });

  test('I11 a debounce row without a pending change or without its transaction is unscheduled', () => {
    const ofUnknown = decideDebounceRow(debounceRow(), undefined, { nowMs: seconds(600), settings });

    expect([decide({ notifiedVersion: 3 }), ofUnknown]).toEqual([unscheduled, unscheduled]);
  });

  test('DR-3 a version that a restore raised is no change: the next event begins behind all sent ones', () => {
    const lifted = { ...stored, version: 1_795_262_400_000 };
    const changed = {
      ...lifted,
      version: lifted.version + 1,
      elementVersions: { ...stored.elementVersions, own: lifted.version + 1 },
    };

    expect(decide({ notifiedVersion: 3 }, seconds(600), lifted)).toEqual(unscheduled);
    expect(decide({ notifiedVersion: 3 }, seconds(600), changed)).toEqual({
      step: 'claim',
      range: { from: 3, to: 1_795_262_400_001 },
    });
  });

  test('EV-11 a transaction that was created and deleted before any event is passed over after the dormancy', () => {
    const gone = { ...stored, transaction: aTransaction({ isDeleted: 1 }), session: 's1' };

    expect(decide({}, seconds(120) - 1, gone)).toEqual({ step: 'reschedule', dueAtMs: seconds(120) });
    expect(decide({}, seconds(120), gone)).toEqual({ step: 'pass-over', version: 3 });
  });

  test('EV-11 S-88 nobody is notified of one that was erased before any event, although it has no session any more', () => {
    const begun = { ...aNewTransaction({}, { version: 2, session: 's1' }), sequenceNumber: 1 };

    expect(decide({}, seconds(600), erasedState(begun, noon))).toEqual({ step: 'pass-over', version: 3 });
  });

  test.each<[string, Partial<DebounceRow>, Partial<StoredTransaction>]>([
    ['that an event covered', { notifiedVersion: 1, lastSentAtMs: seconds(-300) }, {}],
    ['that a completion covered', {}, { transaction: aTransaction({ isDeleted: 1, status: 1 }) }],
    ['that an import brought, which was in lists before', {}, { session: undefined as never }],
    ['that is back', {}, { transaction: aTransaction() }],
    ['of which a restore may have lost what was sent', {}, { version: noon }],
  ])('EV-11 a deletion is sent for one %s', (_, row, more) => {
    const gone = { ...stored, transaction: aTransaction({ isDeleted: 1 }), session: 's1', ...more };

    expect(decide(row, seconds(600), gone).step).toBe('claim');
  });

  test('EV-10 the first event begins behind the versions that notify nobody', () => {
    const from = (notifyFromVersion: number) => decide({}, seconds(600), { ...stored, notifyFromVersion });

    expect(from(3)).toEqual({ step: 'claim', range: { from: 2, to: 3 } });
    expect(from(4)).toEqual(unscheduled);
  });
});

test('I4 nothing is sent later than 12 s after the claim', () => {
  expect([12_000, 12_001].map((ageMs) => mayStillSend(noon, noon + ageMs, settings))).toEqual([true, false]);
});

describe('I2 how long a delivery that is sent again waits for a newer event of its transaction', () => {
  const inflight = {
    ...{ eventId: 'e', from: 2, to: 3, elements: [], changeCount: 1, claimedAtMs: noon, attempts: 1 },
    leasedUntilMs: seconds(20),
  };

  test.each<[string, Partial<DebounceRow>, number, number | undefined]>([
    ['nothing is pending', { notifiedVersion: 3 }, seconds(500), undefined],
    ['a change is far from being sent', { notifiedVersion: 2 }, seconds(10), seconds(140)],
    ['a change is about to be sent', { notifiedVersion: 2 }, seconds(400), seconds(420)],
    ['something is in flight', { notifiedVersion: 2, inflight }, seconds(130), seconds(150)],
    [
      'something is in flight, and nothing pending',
      { notifiedVersion: 3, inflight },
      seconds(5),
      seconds(25),
    ],
  ])('EV-12 %s', (_, values, nowMs, expected) => {
    expect(waitsForNewerUntilMs(debounceRow(values), stored, { nowMs, settings })).toBe(expected);
  });
});
