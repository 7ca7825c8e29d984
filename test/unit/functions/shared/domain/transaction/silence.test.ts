import { describe, expect, test } from '@jest/globals';
import {
  isSilent,
  saysSomething,
  silenceAfter,
} from '../../../../../../functions/shared/domain/transaction/silence.ts';
import type { Transaction } from '../../../../../../functions/shared/domain/transaction/transaction.ts';
import { aNewTransaction } from '../../../../../support/builders/transactions.ts';

/** The table of docs/rules.md. */
const table: [Partial<Transaction>, boolean][] = [
  [{ vehicle: { make: 'Ford' } }, true],
  [{ valuation: { mileage: 10 } }, true],
  [{ customer: { firstName: 'Ada' } }, true],
  [{ financeProposal: { term: 48 } }, true],
  [{ payments: [{ id: 1 }] }, true],
  [{ guestEmail: 'a@b.example' }, true],
  [{}, false],
  [{ vehicle: {}, customer: {}, payments: [] }, false],
  [{ guestEmail: '' }, false],
  [{ extras: { mats: 1 } }, false],
  [{ deliveryCollection: { method: 'delivery' } }, false],
  [{ selectedPaymentMethod: { name: 'card' } }, false],
  [{ financeDefaults: { term: 12 } }, false],
  [{ preselectedPaymentMethod: 'card', referrerUrl: 'https://shop.example', document_id: '1' }, false],
  [{ externalRedirect: 1, incentive: true, priceAdjustment: { payment: true, priceRule: true } }, false],
  [{ isDeleted: 1 }, false],
];

describe('EV-10 a checkout says something', () => {
  test.each(table)('with %j: %s', (members, says) => {
    expect(saysSomething(aNewTransaction(members).transaction)).toBe(says);
  });
});

describe('EV-10 a checkout is silent', () => {
  const of = (session: string | undefined, version: number, silentUpToVersion: number) => ({
    ...(session !== undefined && { session }),
    ...{ version, silentUpToVersion },
  });

  test.each([
    ['as it began', of('s', 1, 1), true],
    ['after changes that say nothing', of('s', 4, 4), true],
    ['no more after one that does', of('s', 2, 1), false],
    ['never when it began with something', of('s', 1, 0), false],
    ['never when it was imported', of(undefined, 1, 1), false],
  ])('%s', (_, stored, expected) => {
    expect(isSilent(stored)).toBe(expected);
  });
});

describe('EV-10 up to which version nobody is told', () => {
  const silent = { session: 's', version: 3, silentUpToVersion: 3 };
  const at = (
    version: number,
    members: Partial<Transaction>,
    elementVersions: Record<string, number> = {},
  ) => {
    const made = aNewTransaction(members);
    return { ...made, version, elementVersions: { ...made.elementVersions, ...elementVersions } };
  };
  const ofSession = { isOfSession: true };

  test('its session says nothing: up to this one', () => {
    expect(silenceAfter(silent, at(4, { extras: { mats: 1 } }), ofSession)).toBe(4);
  });

  test('its session says something: what was entered in silence is told with it', () => {
    expect(
      silenceAfter(silent, at(4, { vehicle: { make: 'Ford' } }, { vehicle: 4, extras: 2 }), ofSession),
    ).toBe(1);
  });

  test('what its creation entered in silence, too', () => {
    expect(
      silenceAfter(silent, at(4, { vehicle: { make: 'Ford' } }, { vehicle: 4, extras: 1 }), ofSession),
    ).toBe(0);
  });

  test('a partner changes it: that is told, whatever it is', () => {
    expect(silenceAfter(silent, at(4, { extras: { mats: 1 } }, { extras: 4 }), { isOfSession: false })).toBe(
      1,
    );
  });

  test('it was told of before: as it was, also when all of it is taken back', () => {
    const told = { session: 's', version: 3, silentUpToVersion: 1 };
    expect(silenceAfter(told, at(4, {}), ofSession)).toBe(1);
  });

  test('an import that is changed is told, whatever is changed', () => {
    expect(
      silenceAfter({ version: 1, silentUpToVersion: 1 }, at(2, { extras: {} }), { isOfSession: false }),
    ).toBe(1);
  });
});
