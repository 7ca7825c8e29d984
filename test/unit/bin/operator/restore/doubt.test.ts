import { describe, expect, test } from '@jest/globals';
import { lifted, toldWhole, verdictOn, type WentBack } from '../../../../../bin/operator/restore/doubt.ts';
import type { Told } from '../../../../../bin/operator/restore/told.ts';
import type { StoredTransaction } from '../../../../../functions/shared/domain/transaction/transaction.ts';
import { aNewTransaction } from '../../../../support/builders/transactions.ts';

const floor = Date.parse('2026-11-22T12:00:00Z');
const restoredToMs = Date.parse('2026-11-22T11:00:00Z');
const ledgerToMs = restoredToMs;
const hour = 3_600_000;

/** Changed up to version 5, of which 3 is known. */
const stored = (facts: Partial<StoredTransaction> = {}): StoredTransaction => ({
  ...aNewTransaction({}, { version: 5, updatedAtMs: restoredToMs, ...facts }),
  position: 1,
});
const told = (facts: Partial<Told> = {}): Told => ({
  ...{
    upTo: 5,
    notifiedVersion: 5,
    isOpen: false,
    acceptedAtMs: 0,
    completions: [],
    isCompletionTold: false,
  },
  ...facts,
});
const marker = { uuid: 'u', kind: 'COMPLETED', revision: 0, changeCount: 0 } as const;
const transactionsAlone: WentBack = { transactions: true, ledger: false };
const ledgerAlone: WentBack = { transactions: false, ledger: true };
const both: WentBack = { transactions: true, ledger: true };
const neither: WentBack = { transactions: false, ledger: false };

const silent = { notifyFromVersion: 6, session: 's1' };

describe('what becomes of a transaction', () => {
  test.each<[string, WentBack, Told | undefined, Partial<StoredTransaction>, string]>([
    ['DR-3 told as far as it is, it gets a new version only', transactionsAlone, told(), {}, 'lift'],
    ['DR-3 never told, too: an API showed its version', transactionsAlone, undefined, {}, 'lift'],
    ['DR-4 told beyond, it is told anew', transactionsAlone, told({ upTo: 6 }), {}, 'tell'],
    [
      'DR-4 erased since, its deletion has the version of another change that was told',
      ...([transactionsAlone, told(), { erasedAtMs: restoredToMs + hour }, 'tell'] as const),
    ],
    [
      'DR-4 erased before, its deletion was told',
      ...([transactionsAlone, told(), { erasedAtMs: restoredToMs - hour }, 'lift'] as const),
    ],
    ['DR-4 a silent one that was told beyond, too', transactionsAlone, told({ upTo: 6 }), silent, 'tell'],
    ['DR-4 with the ledger gone nobody knows what was told', both, told(), {}, 'tell'],
    ['DR-4 nor whether a silent one was', both, undefined, silent, 'tell'],
    [
      'DR-4 but nobody goes on with a silent one after a day',
      both,
      undefined,
      { ...silent, updatedAtMs: restoredToMs - 25 * hour },
      'lift',
    ],
    [
      'DR-4 pending for the ledger, its next event has an id of its own',
      ledgerAlone,
      told({ notifiedVersion: 4 }),
      {},
      'lift',
    ],
    ['DR-4 told as far as the ledger knows, it stays', ledgerAlone, told(), {}, 'leave'],
    ['DR-4 what is to be sent again may have been sent', ledgerAlone, told({ isOpen: true }), {}, 'lift'],
    [
      'DR-4 a completion that is still to be told may have been told',
      ledgerAlone,
      told({ completion: { ...marker, dueAtMs: 1 } }),
      {},
      'lift',
    ],
    ['DR-4 one that was told stays', ledgerAlone, told({ completion: marker }), {}, 'leave'],
    [
      'DR-11 what the bus had, it may have given up since',
      ledgerAlone,
      told({ acceptedAtMs: ledgerToMs - 24 * hour }),
      {},
      'lift',
    ],
    [
      'DR-11 of what it had taken a day before, everything was known',
      ledgerAlone,
      told({ acceptedAtMs: ledgerToMs - 26 * hour }),
      {},
      'leave',
    ],
    ['DR-3 where other tables went back, it stays', neither, told({ upTo: 6 }), {}, 'leave'],
    ['DR-9 done already, it stays', both, told({ upTo: 6 }), { version: floor }, 'leave'],
  ])('%s', (_, wentBack, known, facts, verdict) => {
    const doubt = { wentBack, floor, restoredToMs, ledgerToMs };

    expect(verdictOn(stored(facts), known, doubt)).toBe(verdict);
  });
});

describe('DR-3 a lifted transaction', () => {
  test('is the same under another version', () => {
    expect(lifted(stored(), floor)).toEqual({ ...stored(), version: floor });
  });

  test('stays silent', () => {
    expect(lifted(stored(silent), floor)).toMatchObject({ version: floor, notifyFromVersion: floor + 1 });
  });
});

test.each([
  ['retention deleted stays its own', 1_000, floor],
  ['was restored since, and deleted by somebody, stays theirs', 999, 999],
])('DR-4 V1-8 what %s when it is told whole', (_, expiredAtMs, expected) => {
  const before = { ...stored(), updatedAtMs: 1_000, expiredAtMs };

  const anew = toldWhole(before, { floor, nowMs: floor });

  expect([anew.updatedAtMs, anew.expiredAtMs]).toEqual([floor, expected]);
});

test('DR-4 one that is told anew is told whole, and what a partner may know of and is not there as removed', () => {
  const anew = toldWhole(stored(), { floor, nowMs: floor });

  expect(anew).toMatchObject({ version: floor, updatedAtMs: floor, notifyFromVersion: 1 });
  expect(new Set(Object.values(anew.elementVersions))).toEqual(new Set([floor]));
  expect(Object.keys(anew.elementVersions)).toHaveLength(11);
});
