import { describe, expect, test } from '@jest/globals';
import type { Cursor, Inflight } from '../../../../../../functions/shared/domain/event/cursor.ts';
import { decideResend } from '../../../../../../functions/shared/domain/event/resend.ts';
import { settingsOf } from '../../../../../../functions/shared/domain/event/timing.ts';
import type { StoredTransaction } from '../../../../../../functions/shared/domain/transaction/transaction.ts';
import { aNewTransaction } from '../../../../../support/builders/transactions.ts';

const noon = Date.parse('2026-11-21T12:00:00Z');
const seconds = (count: number) => noon + count * 1000;

const cursor = (values: Partial<Cursor> = {}): Cursor => ({
  uuid: 'u',
  kind: 'NOTIFY',
  revision: 1,
  changeCount: 1,
  notifiedVersion: 4,
  ...values,
});
const inflight: Inflight = {
  ...{ eventId: 'e', from: 4, to: 5, elements: [], changeCount: 1, claimedAtMs: noon, attempts: 1 },
};

/** The transaction was changed last at noon, by this version. */
const stored = (version: number): StoredTransaction => ({
  ...aNewTransaction({}, { updatedAtMs: noon, version }),
  position: 1,
});

const decide = (to: number, known: { cursor: Cursor; version: number }, nowMs: number) =>
  decideResend(
    { to },
    { cursor: known.cursor, stored: stored(known.version) },
    { nowMs, settings: settingsOf(120_000) },
  );

describe('EV-12 an event that is sent again by itself', () => {
  const rest = { cursor: cursor(), version: 4 };
  const pending = { cursor: cursor(), version: 5 };

  test.each([
    ['nothing is pending: it tells everything up to the last version', 2, rest, seconds(500), 4],
    ['nothing is pending, and it is the newest', 4, rest, seconds(500), 4],
  ])('%s', (_, to, known, nowMs, upTo) => {
    expect(decide(to, known, nowMs)).toEqual({ step: 'together', to: upTo });
  });

  test('something is in flight: it looks again when that lease has ended', () => {
    const busy = { cursor: cursor({ inflight }), version: 5 };

    expect(decide(4, busy, seconds(130))).toEqual({ step: 'wait', dueAtMs: seconds(150) });
  });

  test('something is in flight, and a later change is far from being told: it looks again all the same', () => {
    const busy = { cursor: cursor({ inflight }), version: 6 };

    expect(decide(4, busy, seconds(5))).toEqual({ step: 'wait', dueAtMs: seconds(25) });
  });

  test('a change is pending: an older event waits until that is told', () => {
    expect(decide(2, pending, seconds(10))).toEqual({ step: 'wait', dueAtMs: seconds(140) });
    expect(decide(2, pending, seconds(400))).toEqual({ step: 'wait', dueAtMs: seconds(420) });
  });

  test('a change is pending: the newest event leaves as it is, if its lease ends before that is told', () => {
    expect(decide(4, pending, seconds(100))).toEqual({ step: 'as-is' });
    expect(decide(4, pending, seconds(100) + 1)).toEqual({ step: 'wait', dueAtMs: seconds(140) });
  });
});
