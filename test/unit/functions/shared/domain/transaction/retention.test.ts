import { describe, expect, test } from '@jest/globals';
import {
  afterRetention,
  readIncompleteDays,
} from '../../../../../../functions/shared/domain/transaction/retention.ts';
import type {
  StoredTransaction,
  Transaction,
} from '../../../../../../functions/shared/domain/transaction/transaction.ts';
import { aNewTransaction, anOwner, uuidOf } from '../../../../../support/builders/transactions.ts';

const nowMs = Date.parse('2026-11-21T12:00:00Z');
const day = 86_400_000;
const second = 1_000;
const never = Number.POSITIVE_INFINITY;

/** A checkout of a session, this many milliseconds after its last change. */
const left = (
  agoMs: number,
  transaction: Partial<Transaction> = {},
  facts: Partial<StoredTransaction> = {},
): StoredTransaction => ({
  ...aNewTransaction(
    { uuid: uuidOf(1), vehicle: { make: 'Ford' }, ...transaction },
    { session: 's', version: 3, updatedAtMs: nowMs - agoMs },
  ),
  sequenceNumber: 1,
  ...facts,
});

const stepAfter = (stored: StoredTransaction, incompleteDays = 400) => {
  const after = afterRetention(stored, { nowMs, incompleteDays });
  if (!after) return 'stays';
  return after.erasedAtMs === undefined ? 'deleted' : 'erased';
};

const deleted = { isDeleted: 1 } as const;
const ofRetention = (agoMs: number) => left(agoMs, deleted, { expiredAtMs: nowMs - agoMs });

describe('V1-8 S-60 retention', () => {
  test.each([
    ['unchanged for 400 days', left(400 * day), 'deleted'],
    ['a second younger', left(400 * day - second), 'stays'],
    ['complete', left(900 * day, { status: 1 }), 'stays'],
    ['complete and deleted', left(900 * day, { status: 1, ...deleted }), 'stays'],
    ['deleted by retention 30 days ago', ofRetention(30 * day), 'erased'],
    ['deleted by retention a second later', ofRetention(30 * day - second), 'stays'],
    ['deleted by somebody else 399 days ago', left(399 * day, deleted), 'stays'],
    ['deleted by somebody else 400 days ago', left(400 * day, deleted), 'erased'],
    [
      'restored, and deleted again by somebody else',
      left(40 * day, deleted, { expiredAtMs: nowMs - 90 * day }),
      'stays',
    ],
    ['erased', left(900 * day, deleted, { erasedAtMs: nowMs - 900 * day }), 'stays'],
  ])('of a transaction that is %s', (_, stored, expected) => {
    expect(stepAfter(stored)).toBe(expected);
  });

  test('S-88 erases the session with the contents', () => {
    const after = afterRetention(ofRetention(30 * day), { nowMs, incompleteDays: 400 });

    expect([after?.erasedAtMs, after?.session]).toEqual([nowMs, undefined]);
  });

  test('leaves a transaction without a session, because an import belongs to its importer', () => {
    const { session: _, ...imported } = left(900 * day);

    expect(stepAfter(imported)).toBe('stays');
  });

  test.each([
    ['of seven days deletes after seven', 7, left(7 * day), 'deleted'],
    ['of seven days keeps what was deleted for 30', 7, left(29 * day, deleted), 'stays'],
    ['of seven days erases it then', 7, left(30 * day, deleted), 'erased'],
    ['that is never deletes nothing', never, left(9_000 * day), 'stays'],
    ['that is never erases what it deleted before', never, ofRetention(30 * day), 'erased'],
    ['that is never keeps what others deleted', never, left(9_000 * day, deleted), 'stays'],
  ])('%s', (_, incompleteDays, stored, expected) => {
    expect(stepAfter(stored, incompleteDays)).toBe(expected);
  });

  test('DEL-1 deletes like a caller: as a change of own properties, at its time', () => {
    expect(afterRetention(left(400 * day), { nowMs, incompleteDays: 400 })).toMatchObject({
      transaction: { isDeleted: 1, vehicle: { make: 'Ford' } },
      version: 4,
      elementVersions: { own: 4, vehicle: 0 },
      updatedAtMs: nowMs,
      expiredAtMs: nowMs,
    });
  });

  test('S-61 erases like an erasure: no content stays, and nobody is notified again', () => {
    const after = afterRetention(ofRetention(30 * day), { nowMs, incompleteDays: 400 });

    expect(after).toMatchObject({
      transaction: { isDeleted: 1, ndMeta: anOwner() },
      version: 4,
      elementVersions: { own: 3 },
      erasedAtMs: nowMs,
    });
    expect(after?.transaction).not.toHaveProperty('vehicle');
  });
});

describe('V1-8 INCOMPLETE_DAYS', () => {
  test.each([
    ['400', 400],
    ['1', 1],
    ['never', never],
  ])('%s', (text, days) => {
    expect(readIncompleteDays(text)).toBe(days);
  });

  test.each(['', '0', '-1', '1.5', 'Never', 'Infinity', '4e2', ' 400', '100000'])('%j is refused', (text) => {
    expect(() => readIncompleteDays(text)).toThrow(`"${text}" is neither a number of days nor "never".`);
  });
});
