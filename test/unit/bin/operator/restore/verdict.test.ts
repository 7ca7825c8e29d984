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
const deliveryLogToMs = restoredToMs;
const hour = 3_600_000;

/** Changed up to version 5. Version 3 was sent. */
const stored = (facts: Partial<StoredTransaction> = {}): StoredTransaction => ({
  ...aNewTransaction({}, { version: 5, updatedAtMs: restoredToMs, ...facts }),
  sequenceNumber: 1,
});
const notified = (facts: Partial<Notified> = {}): Notified => ({
  ...{
    upTo: 5,
    notifiedVersion: 5,
    isOpen: false,
    acceptedAtMs: 0,
    completions: [],
    isCompletionNotified: false,
  },
  ...facts,
});
const marker = { uuid: 'u', kind: 'COMPLETED', revision: 0, changeCount: 0 } as const;
const transactionsAlone: WentBack = { transactions: true, deliveryLog: false };
const deliveryLogAlone: WentBack = { transactions: false, deliveryLog: true };
const both: WentBack = { transactions: true, deliveryLog: true };
const neither: WentBack = { transactions: false, deliveryLog: false };

const silent = { notifyFromVersion: 6, session: 's1' };

describe('the decision about a transaction', () => {
  test.each<[string, WentBack, Notified | undefined, Partial<StoredTransaction>, string]>([
    ['DR-3 sent as far as it is, it gets a new version only', transactionsAlone, notified(), {}, 'lift'],
    ['DR-3 never sent, too: an API showed its version', transactionsAlone, undefined, {}, 'lift'],
    ['DR-4 sent beyond, it is sent anew', transactionsAlone, notified({ upTo: 6 }), {}, 'notify'],
    [
      'DR-4 erased since, its deletion has the version of another change that was sent',
      ...([transactionsAlone, notified(), { erasedAtMs: restoredToMs + hour }, 'notify'] as const),
    ],
    [
      'DR-4 erased before, its deletion was sent',
      ...([transactionsAlone, notified(), { erasedAtMs: restoredToMs - hour }, 'lift'] as const),
    ],
    [
      'DR-4 a silent one that was sent beyond, too',
      transactionsAlone,
      notified({ upTo: 6 }),
      silent,
      'notify',
    ],
    ['DR-4 with the delivery log gone nobody knows what was sent', both, notified(), {}, 'notify'],
    ['DR-4 nor whether a silent one was', both, undefined, silent, 'notify'],
    [
      'DR-4 but nobody goes on with a silent one after a day',
      both,
      undefined,
      { ...silent, updatedAtMs: restoredToMs - 25 * hour },
      'lift',
    ],
    [
      'DR-4 pending for the delivery log, its next event has an id of its own',
      deliveryLogAlone,
      notified({ notifiedVersion: 4 }),
      {},
      'lift',
    ],
    ['DR-4 sent as far as the delivery log knows, it stays', deliveryLogAlone, notified(), {}, 'leave'],
    [
      'DR-4 what is to be sent again may have been sent',
      deliveryLogAlone,
      notified({ isOpen: true }),
      {},
      'lift',
    ],
    [
      'DR-4 a completion that is still to be sent may have been sent',
      deliveryLogAlone,
      notified({ completion: { ...marker, dueAtMs: 1 } }),
      {},
      'lift',
    ],
    ['DR-4 one that was sent stays', deliveryLogAlone, notified({ completion: marker }), {}, 'leave'],
    [
      'DR-11 what the bus had, it may have given up since',
      deliveryLogAlone,
      notified({ acceptedAtMs: deliveryLogToMs - 24 * hour }),
      {},
      'lift',
    ],
    [
      'DR-11 of what it had taken a day before, everything was known',
      deliveryLogAlone,
      notified({ acceptedAtMs: deliveryLogToMs - 26 * hour }),
      {},
      'leave',
    ],
    ['DR-3 where other tables went back, it stays', neither, notified({ upTo: 6 }), {}, 'leave'],
    ['DR-9 done already, it stays', both, notified({ upTo: 6 }), { version: floor }, 'leave'],
  ])('%s', (_, wentBack, known, facts, verdict) => {
    const restorePoint = { wentBack, floor, restoredToMs, deliveryLogToMs };

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
