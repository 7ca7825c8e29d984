import { describe, expect, test } from '@jest/globals';
import {
  asksToMove,
  decideMove,
  targetOf,
} from '../../../../../../functions/shared/domain/ownership/move.ts';
import type { Storefront } from '../../../../../../functions/shared/domain/ownership/storefront.ts';
import { applyChange, toChange } from '../../../../../../functions/shared/domain/transaction/change.ts';
import {
  changedParts,
  nextState,
  withEntries,
} from '../../../../../../functions/shared/domain/transaction/next-state.ts';
import type {
  StoredTransaction,
  Transaction,
} from '../../../../../../functions/shared/domain/transaction/transaction.ts';
import { aNewTransaction, anOwner, aTransaction } from '../../../../../support/builders/transactions.ts';
import { aWholeDelivery, aWholePayment } from '../../../../../support/builders/whole-elements.ts';

const now = new Date('2026-03-01T12:00:00.500Z');
const stored = (changes: Partial<Transaction> = {}, version = 4): StoredTransaction => ({
  ...aNewTransaction(changes, { version, notifyFromVersion: 2, updatedAtMs: 1_000 }),
  sequenceNumber: 7,
});

describe('the stored result of a change', () => {
  test.each<[string, Partial<Transaction>, string[]]>([
    ['an element', { vehicle: { make: 'Ford' } }, ['vehicle']],
    ['two elements', { customer: { lastName: 'X' }, extras: [] }, ['extras', 'customer']],
    ['an own property', { guestEmail: 'a@b.example' }, ['own']],
    ['a move', { ndMeta: anOwner({ location: 'location-b' }) }, ['ndMeta']],
    ['a deletion', { isDeleted: 1 }, ['own']],
    [
      'a removal and an own property',
      { deliveryCollection: undefined as never, incentive: true },
      ['deliveryCollection', 'own'],
    ],
  ])('%s raises the version of exactly its parts', (_name, changes, parts) => {
    const before = stored({ deliveryCollection: { order: 1 } });

    const after = nextState(before, { ...before.transaction, ...changes }, now);

    expect(after).toMatchObject({
      version: 5,
      notifyFromVersion: 2,
      sequenceNumber: 7,
      updatedAtMs: now.getTime(),
    });
    const raised = Object.entries(after?.elementVersions ?? {}).filter(([, version]) => version === 5);
    expect(raised.map(([part]) => part)).toEqual(parts);
  });

  test('the time of change increases although the clock stands still or goes back', () => {
    const before = { ...stored(), updatedAtMs: now.getTime() + 5 };

    const after = nextState(before, { ...before.transaction, incentive: true }, now);

    expect(after?.updatedAtMs).toBe(now.getTime() + 6);
  });

  test.each<[string, Partial<Transaction>]>([
    ['the same values', { vehicle: { make: 'Ford', price: 0 } }],
    ['another order of members', { vehicle: { price: 0, make: 'Ford' } }],
    ['a zero with a sign, which is stored without', { vehicle: { make: 'Ford', price: -0 } }],
  ])('WR-3 %s are no change', (_name, changes) => {
    const before = stored({ vehicle: { make: 'Ford', price: 0 } });

    expect(nextState(before, { ...before.transaction, ...changes }, now)).toBeUndefined();
  });

  test.each<[string, Partial<Transaction>]>([
    ['a delivery', { deliveryCollection: aWholeDelivery({ order: 1 }) }],
    ['payments', { payments: [aWholePayment({ id: 7, value: '9.00' })] }],
    ['an owner', { ndMeta: anOwner({ groupSoftware: '' }) }],
  ])('WR-3 SHAPE-1 %s that is put back as an answer shows it is no change', (_name, asShown) => {
    const before = stored({
      deliveryCollection: { order: 1 },
      payments: [{ id: 7, value: '9.00' }],
      ndMeta: anOwner({ groupSoftware: null }),
    });

    expect(nextState(before, { ...before.transaction, ...asShown }, now)).toBeUndefined();
  });

  test('WR-3 another order of a list is a change', () => {
    expect(changedParts(aTransaction({ extras: [1, 2] }), aTransaction({ extras: [2, 1] }))).toEqual([
      'extras',
    ]);
  });
});

describe('V1-6 PATCH and PUT of an element', () => {
  const before = aTransaction({
    vehicle: { make: 'Ford', identifiers: { ndstockid: 'A', vin: 'V' } },
    priceAdjustment: { payment: true, priceRule: true },
  });

  test('PATCH merges, null removes, and other members stay', () => {
    const after = applyChange(
      before,
      toChange('merge', {
        vehicle: { identifiers: { vin: null, ndstockid: 'B' } },
        priceAdjustment: { payment: false },
      }),
    );

    expect(after.vehicle).toEqual({ make: 'Ford', identifiers: { ndstockid: 'B' } });
    expect(after.priceAdjustment).toEqual({ payment: false, priceRule: true });
    expect(after.ndMeta).toEqual(anOwner());
  });

  test('PUT replaces the members that it names and leaves the others', () => {
    const after = applyChange(
      before,
      toChange('replace', { vehicle: { model: 'Focus' }, priceAdjustment: { payment: true } }),
    );

    expect(after.vehicle).toEqual({ model: 'Focus' });
    expect(after.priceAdjustment).toEqual({ payment: true, priceRule: false });
    expect(after.guestEmail).toBeNull();
  });

  test.each(['merge', 'replace'] as const)('null removes an element (%s)', (kind) => {
    expect(applyChange(before, toChange(kind, { vehicle: null }))).not.toHaveProperty('vehicle');
  });
});

describe('V1-6 a new transaction with elements', () => {
  const untouched = aNewTransaction({}, { notifyFromVersion: 2 });

  test('its first version is that of its elements, and partners are notified', () => {
    const made = withEntries(untouched, toChange('replace', { vehicle: { make: 'Ford' } }));

    expect(made).toMatchObject({
      version: 1,
      notifyFromVersion: 1,
      elementVersions: { vehicle: 1, customer: 0 },
    });
  });

  test.each([
    [{}, 2],
    [{ location: 'somewhere', franchise: 'any' }, 2],
    [{ extras: { mats: 1 } }, 1],
    [{ referrerUrl: 'https://shop.example/' }, 1],
    [{ incentive: false, location: 'somewhere' }, 1],
  ])('EV-10 partners are notified of %j from version %d on', (body, notifyFromVersion) => {
    expect(withEntries(untouched, toChange('replace', body)).notifyFromVersion).toBe(notifyFromVersion);
  });
});

describe('OWN-2 moves by partners', () => {
  const at = (group: string, franchise: string, location: string, retired = false): Storefront => ({
    name: `${group} ${franchise} ${location}`,
    owner: anOwner({ group, franchise, location }),
    origins: [],
    retired,
    createdAtMs: 0,
  });
  const storefronts = [
    at('g1', 'f1', 'north'),
    at('g1', 'f1', 'south'),
    at('g1', 'f2', 'south'),
    at('g1', 'f2', 'old', true),
    at('g2', 'f3', 'north'),
    at('g2', 'f3', 'west'),
    at('g3', 'f4', 'east'),
  ];
  const grants = [{ group: 'g1' }, { group: 'g2', location: 'west' }];
  const owner = anOwner({ group: 'g1', franchise: 'f1', location: 'somewhere' });

  test.each([
    ['a location of its group', { location: 'north' }, 'g1 f1 north'],
    ['a location of another granted group', { location: 'west' }, 'g2 f3 west'],
    ['a location with its franchise', { location: 'south', franchise: 'f2' }, 'g1 f2 south'],
    ['a location of several franchises', { location: 'south' }, 'several-franchises'],
    ['a location out of scope', { location: 'east' }, 'no-storefront'],
    ['a location without a storefront', { location: 'nowhere' }, 'no-storefront'],
    ['a retired storefront', { location: 'old' }, 'no-storefront'],
    ['a franchise that has no such location', { location: 'north', franchise: 'f2' }, 'no-storefront'],
  ])('%s', (_name, claim, expected) => {
    const decided = decideMove(claim, { grants, storefronts });

    expect(
      decided.ok
        ? `${decided.value.group} ${decided.value.franchise} ${decided.value.location}`
        : decided.reason,
    ).toBe(expected);
  });

  test.each([
    [{}, false],
    [{ location: 'somewhere' }, false],
    [{ franchise: 'f1' }, false],
    [{ location: 'somewhere', franchise: 'f1' }, false],
    [{ location: 'north' }, true],
    [{ franchise: 'f2' }, true],
  ])('%j moves it: %s', (claim, expected) => {
    expect(asksToMove(claim, owner)).toBe(expected);
  });

  test.each([{ location: 'north' }, { franchise: 'f2' }])(
    '%j moves a transaction without an owner',
    (claim) => {
      expect(asksToMove(claim, undefined)).toBe(true);
    },
  );

  test('a franchise alone names the same location', () => {
    expect(targetOf({ franchise: 'f2' }, owner)).toEqual({ location: 'somewhere', franchise: 'f2' });
  });
});
