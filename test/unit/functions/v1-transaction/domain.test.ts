import { describe, expect, test } from '@jest/globals';
import {
  decideOwnership,
  type OwnershipClaim,
} from '../../../../functions/shared/domain/ownership/ownership.ts';
import type { Storefront } from '../../../../functions/shared/domain/ownership/storefront.ts';
import { belongsTo, hasEnded, isToBeReissued } from '../../../../functions/shared/domain/session.ts';
import { newTransaction } from '../../../../functions/shared/domain/transaction/new-transaction.ts';
import type {
  StoredTransaction,
  Transaction,
} from '../../../../functions/shared/domain/transaction/transaction.ts';
import { aStorefront } from '../../../support/apis/v1-transaction.ts';
import { aNewTransaction, aTransaction } from '../../../support/builders/transactions.ts';

/** A stored transaction of a session, or of none. */
const aStored = (session?: string, changes: Partial<Transaction> = {}): StoredTransaction => ({
  ...aNewTransaction(changes, session === undefined ? {} : { session }),
  sequenceNumber: 1,
});

const north = aStorefront('F1', 'north');
const south = aStorefront('F1', 'south');
const southOfOther = aStorefront('F2', 'south');
const closed = { ...north, retired: true };
const fallback = aStorefront('F9', 'stage');

describe('OWN-1 ownership of a new transaction', () => {
  const shop = [north, south, southOfOther];
  const refused = 'no-storefront';
  const table: [string, OwnershipClaim, readonly Storefront[], Storefront | undefined, string][] = [
    ['no claim: the first storefront of the origin', {}, shop, fallback, 'F1 north'],
    ['a location of the origin', { location: 'north' }, shop, fallback, 'F1 north'],
    ['a location with its franchise', { location: 'south', franchise: 'F2' }, shop, fallback, 'F2 south'],
    ['a franchise alone: its first storefront', { franchise: 'F2' }, shop, fallback, 'F2 south'],
    ['a location of several franchises', { location: 'south' }, shop, fallback, 'several-franchises'],
    ['a location without a storefront', { location: 'west' }, shop, fallback, refused],
    ['the location of another origin', { location: 'stage' }, shop, fallback, refused],
    ['a location and a foreign franchise', { location: 'north', franchise: 'F2' }, shop, fallback, refused],
    ['an empty location', { location: '' }, shop, fallback, refused],
    ['an unknown origin', {}, [], fallback, 'F9 stage'],
    ['an unknown origin naming the default location', { location: 'stage' }, [], fallback, 'F9 stage'],
    ['an unknown origin naming a registered location', { location: 'north' }, [], fallback, refused],
    ['an unknown origin without a stage default', {}, [], undefined, refused],
    ['an origin whose storefronts are retired', {}, [closed], fallback, refused],
    ['a retired origin naming the default location', { location: 'stage' }, [closed], fallback, refused],
    ['an origin of a retired and an open storefront', {}, [closed, south], fallback, 'F1 south'],
    ['an origin that was opened again', {}, [closed, north], fallback, 'F1 north'],
    ['a retired location of an open origin', { location: 'north' }, [closed, south], fallback, refused],
    ['a retired stage default', {}, [], { ...fallback, retired: true }, refused],
  ];

  test.each(table)('%s', (_name, claim, ofOrigin, stageDefault, expected) => {
    const decision = decideOwnership(claim, { ofOrigin, stageDefault });

    const owner = decision.ok && `${decision.value.franchise} ${decision.value.location}`;
    expect(decision.ok ? owner : decision.reason).toBe(expected);
  });

  test('a location that is registered twice with the same franchise is not ambiguous', () => {
    const decision = decideOwnership(
      { location: 'north' },
      { ofOrigin: [north, { ...north, name: 'again' }], stageDefault: undefined },
    );

    expect(decision).toEqual({ ok: true, value: north.owner });
  });
});

test('V1-1 a new transaction is incomplete, editable, of its session and storefront, and notifies no partner', () => {
  const now = new Date('2026-03-04T05:06:07.008Z');
  const { uuid } = aTransaction();

  const created = newTransaction({ uuid, owner: north.owner, session: 's', now });

  const facts = {
    elementVersions: { ...aNewTransaction().elementVersions, ndMeta: 1, own: 1 },
    createdAtMs: 1772600767008,
    updatedAtMs: 1772600767008,
    notifyFromVersion: 2,
    session: 's',
  };
  expect(created).toEqual(aNewTransaction({ uuid, ndMeta: north.owner }, facts));
});

test.each<[string, string, StoredTransaction, boolean]>([
  ['its own', 's', aStored('s'), true],
  ["another session's", 't', aStored('s'), false],
  ['one of no session', 's', aStored(), false],
  ['one of no session, to an empty session', '', aStored(), false],
  ['its own deleted one', 's', aStored('s', { isDeleted: 1 }), false],
])('V1-2 S-09 whether a session sees %s', (_name, session, stored, seen) => {
  expect(belongsTo(session, stored)).toBe(seen);
});

test.each([
  ['1 ms before', '12:00:00.499', true],
  ['in the millisecond of', '12:00:00.500', true],
  ['1 ms after', '12:00:00.501', false],
  ['in the second of, but nobody knows when,', '12:00:00', true],
])(
  'V1-9 whether the token of a user who signed in %s the revocation is ended: %s %s',
  (_name, time, ended) => {
    const end = { endedAtMs: Date.parse('2026-03-01T12:00:00.500Z') };
    const beganAt = new Date(`2026-03-01T${time}Z`);

    expect(hasEnded({ id: 'user-ada', beganAt }, end)).toBe(ended);
    expect(hasEnded({ id: 'anonymous', beganAt }, end)).toBe(true);
  },
);

test.each([
  ['2026-01-01T00:00:00Z', false],
  ['2026-01-15T23:59:59Z', false],
  ['2026-01-16T00:00:00Z', true],
  ['2026-01-30T23:59:59Z', true],
])(
  'V1-5 a token of 30 days is reissued in its last half: %s %s, unless the chain ends with it',
  (now, reissued) => {
    const session = {
      id: 's',
      beganAt: new Date('2026-01-01T00:00:00Z'),
      issuedAt: new Date('2026-01-01T00:00:00Z'),
      expiresAt: new Date('2026-01-31T00:00:00Z'),
    };
    const last = { ...session, beganAt: new Date('2025-11-02T00:00:00Z') };

    expect(isToBeReissued(session, new Date(now))).toBe(reissued);
    expect(isToBeReissued(last, new Date(now))).toBe(false);
  },
);
