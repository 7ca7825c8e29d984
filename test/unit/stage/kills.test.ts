import { describe, expect, test } from '@jest/globals';
import type { Delivery } from '../../../functions/shared/domain/event/delivery.ts';
import type { TransactionEvent } from '../../../functions/shared/domain/event/event.ts';
import { type CrashRecord, checks, type Taken } from '../../stage/kills/findings.ts';
import { aNewTransaction, anOwner } from '../../support/builders/transactions.ts';

const uuid = 'tx-1';
const customer = { firstName: 'Ann' };
const stored = {
  ...aNewTransaction({ uuid, status: 1, ndMeta: anOwner({ group: 'G0' }), customer }),
  version: 3,
  notifyFromVersion: 2,
  elementVersions: { ...aNewTransaction().elementVersions, customer: 2 },
  sequenceNumber: 1,
};
const event = (changes: Partial<TransactionEvent> = {}): TransactionEvent => ({
  ...{ eventId: 'updated', type: 'TransactionUpdated', uuid, from: 1, to: 3, elements: ['customer'] },
  ...{ omitted: [], changedAtMs: 1, claimedAtMs: 2, recipients: ['P'], ...changes },
});
const delivery = (changes: Partial<Delivery> = {}): Delivery => ({
  ...{ eventId: 'updated', clientId: 'P', type: 'TransactionUpdated', uuid, from: 1, to: 3, claimedAtMs: 2 },
  ...{ state: 'DELIVERED', timeline: [], refusals: 0, failures: 0, redrives: 0, ...changes },
});
const message = (changes: Partial<Taken> = {}): Taken => ({
  ...{ partner: 'acme', clientId: 'P', id: 'updated', type: 'TransactionUpdated', uuid, from: 1, to: 3 },
  ...{ detail: { uuid, status: 1, ndMeta: {}, customer }, body: 'updated', ...changes },
});
const completed = { eventId: 'completed', type: 'TransactionCompleted', from: 2 } as const;

/** A run in which everything went as promised. */
const aRun = (): CrashRecord => ({
  store: {
    transactions: [stored],
    dueRows: [{ uuid, kind: 'NOTIFY', notifiedVersion: 3 }],
    events: [event(), event(completed)],
    deliveries: [delivery(), delivery(completed)],
  },
  partners: [{ name: 'acme', group: 'G0', habit: 'takes', clientId: 'P' }],
  taken: [message(), message({ ...completed, id: 'completed', body: 'completed' })],
});

const found = (damage: (run: CrashRecord) => void): string[] => {
  const run = aRun();
  damage(run);
  return checks.filter(([, check]) => check(run).length > 0).map(([title]) => title.split(' ')[0] ?? '');
};

describe('what the comparison after kill -9 finds', () => {
  test('nothing where everything went as promised, copies of a message included', () => {
    expect(found(({ taken }) => taken.push(message()))).toEqual([]);
  });

  test.each<[string, string[], (run: CrashRecord) => void]>([
    [
      'a row that is still scheduled',
      ['I19'],
      ({ store }) => Object.assign(store.dueRows[0] ?? {}, { dueAtMs: 5 }),
    ],
    ['a change that nobody was notified of', ['I19'], ({ store }) => store.dueRows.pop()],
    ['a gap between ranges', ['I1'], ({ store }) => Object.assign(store.events[0] ?? {}, { from: 2 })],
    ['a message that never came', ['I1', 'I16'], ({ taken }) => taken.shift()],
    [
      'a partner that was left out',
      ['I1'],
      ({ partners }) => partners.push({ name: 'other', group: 'G0', habit: 'takes', clientId: 'Q' }),
    ],
    ['a copy with other bytes', ['I6'], ({ taken }) => taken.push(message({ body: 'other' }))],
    [
      'the same range under two ids',
      ['I6'],
      ({ taken }) => taken.push(message({ id: 'another', body: 'another' })),
    ],
    [
      'a completion that nobody was notified of',
      ['I8'],
      ({ store, taken }) => {
        store.events.pop();
        store.deliveries.pop();
        taken.pop();
      },
    ],
    [
      'a message to a partner of another group',
      ['I9'],
      ({ partners }) => Object.assign(partners[0] ?? {}, { group: 'G1' }),
    ],
    [
      'a value that is another in the store',
      ['I14'],
      ({ taken }) => Object.assign(taken[0]?.detail ?? {}, { customer: {} }),
    ],
    ['an element too many', ['I14'], ({ taken }) => Object.assign(taken[0]?.detail ?? {}, { extras: [] })],
    ['a recipient without a delivery', ['I16'], ({ store }) => store.events[0]?.recipients.push('Q')],
    [
      'a delivery that was taken and is recorded as dead',
      ['I16'],
      ({ store }) => Object.assign(store.deliveries[0] ?? {}, { state: 'DEAD' }),
    ],
  ])('%s', (_, titles, damage) => {
    expect(found(damage)).toEqual(titles);
  });
});
