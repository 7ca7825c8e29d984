import { expect, test } from '@jest/globals';
import { changedElements, isDeletedAfter } from '../../../../../../functions/shared/domain/event/event.ts';
import { aNewTransaction } from '../../../../../support/builders/transactions.ts';

/** Deleted by its fifth version, and erased since. */
const deleted = {
  ...aNewTransaction({ isDeleted: 1 }, { version: 7 }),
  elementVersions: { ...aNewTransaction().elementVersions, own: 5 },
  sequenceNumber: 1,
};

test.each([
  [4, true],
  [5, false],
  [6, false],
])(
  'DEL-1 an event up to version %s of a transaction deleted by version 5 is withheld: %s',
  (to, isWithheld) => {
    expect(isDeletedAfter({ to }, deleted)).toBe(isWithheld);
  },
);

test('DEL-1 no event of an existing or unknown transaction is withheld', () => {
  const there = { ...deleted, transaction: { ...deleted.transaction, isDeleted: 0 as const } };

  expect([there, undefined].map((stored) => isDeletedAfter({ to: 4 }, stored))).toEqual([false, false]);
});

test('EV-11 of a deleted transaction no element counts as changed', () => {
  const elementVersions = { ...deleted.elementVersions, customer: 4, payments: 5 };
  const back = {
    ...deleted,
    elementVersions,
    transaction: { ...deleted.transaction, isDeleted: 0 as const },
  };

  expect(changedElements({ ...deleted, elementVersions }, 0)).toEqual([]);
  expect(changedElements(back, 0)).toEqual(['customer', 'payments']);
});
