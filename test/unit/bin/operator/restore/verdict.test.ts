import { describe, expect, test } from '@jest/globals';
import type { Notified } from '../../../../../bin/operator/restore/notified.ts';
import {
  lifted,
  notifiedWhole,
  verdictOn,
  type WentBack,
} from '../../../../../bin/operator/restore/verdict.ts';
import type { StoredTransaction } from '../../../../../functions/shared/domain/transaction/transaction.ts';
import { aNewTransaction } from '../../../../support/builders/transactions.ts';

const floor = Date.parse('2026-11-22T12:00:00Z');
const restoredToMs = Date.parse('2026-11-22T11:00:00Z');
const hour = 3_600_000;

/** Changed up to version 5. Version 3 was sent. */
const stored = (facts: Partial<StoredTransaction> = {}): StoredTransaction => ({
  ...aNewTransaction({}, { version: 5, updatedAtMs: restoredToMs, ...facts }),
  sequenceNumber: 1,
});
const notified = (facts: Partial<Notified> = {}): Notified => ({
  upTo: 5,
  notifiedVersion: 5,
  isCompleted: false,
  ...facts,
});

const silent = { notifyFromVersion: 6, session: 's1' };
const daysOld = { ...silent, updatedAtMs: restoredToMs - 25 * hour };
const [erasedBefore, erasedSince] = [-hour, hour].map((ms) => ({ erasedAtMs: restoredToMs + ms }));
const sent = notified();
const sentBeyond = notified({ upTo: 6 });

type Case = [title: string, Notified | undefined, Partial<StoredTransaction> | undefined, string];
const whereTransactionsWent: Case[] = [
  ['DR-3 sent as far as it is, it gets a new version only', sent, {}, 'lift'],
  ['DR-3 never sent, too: an API showed its version', undefined, {}, 'lift'],
  ['DR-4 sent beyond, it is sent anew', sentBeyond, {}, 'notify'],
  [
    'DR-4 erased since, its deletion has the version of another change that was sent',
    sent,
    erasedSince,
    'notify',
  ],
  ['DR-4 erased before, its deletion was sent', sent, erasedBefore, 'lift'],
  ['DR-4 a silent one that was sent beyond, too', sentBeyond, silent, 'notify'],
];
const whereTheLogWent: Case[] = [
  ['DR-4 pending, it is sent again as it is', notified({ notifiedVersion: 4 }), {}, 'leave'],
  ['DR-4 sent beyond what the table knows, too', undefined, {}, 'leave'],
];
const whereBothWent: Case[] = [
  ['DR-4 nobody knows what was sent', sent, {}, 'notify'],
  ['DR-4 nor whether a silent one was', undefined, silent, 'notify'],
  ['DR-4 but nobody goes on with a silent one after a day', undefined, daysOld, 'lift'],
  ['DR-9 done already, it stays', sentBeyond, { version: floor }, 'leave'],
];
describe.each<[string, WentBack, Case[]]>([
  ['the Transactions table', { transactions: true, debounce: false }, whereTransactionsWent],
  ['the Debounce table', { transactions: false, debounce: true }, whereTheLogWent],
  ['both', { transactions: true, debounce: true }, whereBothWent],
  ['neither', { transactions: false, debounce: false }, [['DR-3 it stays', sentBeyond, {}, 'leave']]],
])('what becomes of a transaction where a restore took back %s', (_, wentBack, cases) => {
  test.each(cases)('%s', (_title, known, facts, verdict) => {
    const restorePoint = { wentBack, floor, restoredToMs };

    expect(verdictOn(stored(facts), known, restorePoint)).toBe(verdict);
  });
});

describe('DR-3 a raised transaction', () => {
  test('is the same under another version', () => {
    expect(lifted(stored(), floor)).toEqual({ ...stored(), version: floor });
  });

  test('still notifies nobody', () => {
    expect(lifted(stored(silent), floor)).toMatchObject({ version: floor, notifyFromVersion: floor + 1 });
  });
});

test.each([
  ['retention deleted stays its own', 1_000, floor],
  ['was restored since, and deleted by somebody, stays theirs', 999, 999],
])('DR-4 V1-8 %s if it is sent whole', (_, expiredAtMs, expected) => {
  const before = { ...stored(), updatedAtMs: 1_000, expiredAtMs };

  const anew = notifiedWhole(before, { floor, nowMs: floor });

  expect([anew.updatedAtMs, anew.expiredAtMs]).toEqual([floor, expected]);
});

test('DR-4 a transaction that partners may know and that is lost is sent as deleted', () => {
  const anew = notifiedWhole(stored(), { floor, nowMs: floor });

  expect(anew).toMatchObject({ version: floor, updatedAtMs: floor, notifyFromVersion: 1 });
  expect(new Set(Object.values(anew.elementVersions))).toEqual(new Set([floor]));
  expect(Object.keys(anew.elementVersions)).toHaveLength(11);
});
