import { describe, expect, test } from '@jest/globals';
import {
  decideOwnership,
  type OwnershipClaim,
} from '../../../../functions/shared/domain/ownership/ownership.ts';
import type { Storefront } from '../../../../functions/shared/domain/ownership/storefront.ts';
import { belongsTo, isToBeReissued, sessionRead } from '../../../../functions/shared/domain/session.ts';
import { newTransaction } from '../../../../functions/shared/domain/transaction/new-transaction.ts';
import { aStorefront } from '../../../support/apis/v1-transaction.ts';

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

describe('V1-1 a new transaction', () => {
  const now = new Date('2026-03-04T05:06:07.008Z');

  test('is incomplete, editable and owned by its session and storefront, and notifies no partner', () => {
    const created = newTransaction({ uuid: 'u', owner: north.owner, session: 's', now });

    expect(created).toEqual({
      transaction: {
        uuid: 'u',
        status: 0,
        editable: true,
        isDeleted: 0,
        priceAdjustment: { payment: false, priceRule: false },
        externalRedirect: 0,
        incentive: false,
        document_id: null,
        preselectedPaymentMethod: '',
        referrerUrl: '',
        guestEmail: null,
        ndMeta: {
          group: 'G',
          franchise: 'F1',
          branch: 'Branch north',
          location: 'north',
          groupSoftware: '',
        },
      },
      version: 1,
      elementVersions: {
        vehicle: 0,
        ndMeta: 1,
        extras: 0,
        deliveryCollection: 0,
        selectedPaymentMethod: 0,
        financeProposal: 0,
        valuation: 0,
        customer: 0,
        payments: 0,
        financeDefaults: 0,
        own: 1,
      },
      createdAtMs: 1772600767008,
      updatedAtMs: 1772600767008,
      notifyFromVersion: 2,
      session: 's',
    });
  });
});

describe('V1-2 S-09 what a session may read', () => {
  const own = {
    ...newTransaction({ uuid: 'u', owner: north.owner, session: 's', now: new Date(0) }),
    sequenceNumber: 1,
  };
  const { session: _none, ...imported } = own;

  test.each([
    ['its own', 's', own, true],
    ["another session's", 't', own, false],
    ['one of no session', 's', imported, false],
    ['one of no session, to an empty session', '', imported, false],
    [
      'its own deleted one',
      's',
      { ...own, transaction: { ...own.transaction, isDeleted: 1 as const } },
      false,
    ],
  ])('%s', (_name, session, stored, seen) => {
    expect(belongsTo(session, stored)).toBe(seen);
  });
});

describe('V1-5 when a session token is reissued', () => {
  const session = {
    id: 's',
    beganAt: new Date('2026-01-01T00:00:00Z'),
    issuedAt: new Date('2026-01-01T00:00:00Z'),
    expiresAt: new Date('2026-01-31T00:00:00Z'),
  };

  test.each([
    ['2026-01-01T00:00:00Z', false],
    ['2026-01-15T23:59:59Z', false],
    ['2026-01-16T00:00:00Z', true],
    ['2026-01-30T23:59:59Z', true],
  ])('%s: %s', (now, reissued) => {
    expect(isToBeReissued(session, new Date(now))).toBe(reissued);
  });

  test('the last token of a session is not reissued', () => {
    const last = { ...session, beganAt: new Date('2025-11-02T00:00:00Z') };

    expect(isToBeReissued(last, new Date('2026-01-30T00:00:00Z'))).toBe(false);
  });
});

describe('V1-1 V1-2 V1-3 how a read selects transactions', () => {
  test.each([
    [undefined, { uuid: false, filter: false }, { asks: 'newest-or-new', session: undefined }],
    [undefined, { uuid: false, filter: true }, { asks: 'unauthorised' }],
    [undefined, { uuid: true, filter: false }, { asks: 'not-found' }],
    [undefined, { uuid: true, filter: true }, { asks: 'not-found' }],
    ['s', { uuid: false, filter: false }, { asks: 'newest-or-new', session: 's' }],
    ['s', { uuid: false, filter: true }, { asks: 'list', session: 's' }],
    ['s', { uuid: true, filter: false }, { asks: 'one', session: 's' }],
    ['s', { uuid: true, filter: true }, { asks: 'one', session: 's' }],
  ])('%s session that names %j: %j', (session, names, question) => {
    expect(sessionRead(session, names)).toEqual(question);
  });
});
