import { describe, expect, test } from '@jest/globals';
import { sizeFault } from '../../../../../../functions/shared/domain/transaction/size.ts';
import type {
  JsonObject,
  Transaction,
} from '../../../../../../functions/shared/domain/transaction/transaction.ts';
import { aTransaction } from '../../../../../support/builders/transactions.ts';
import { aWholePayment } from '../../../../../support/builders/whole-elements.ts';

/** The refusal of what a partner writes. */
const said = (after: Transaction, before?: Transaction) => sizeFault(after, before, 'partner')?.detail;

/** The refusal of what a session writes. */
const saidToSession = (after: Transaction, before?: Transaction) =>
  sizeFault(after, before, 'session')?.detail;

const bytesOf = (value: object) => JSON.stringify(value).length;

/** A transaction with this many bytes beside its payments. */
const ofBytes = (total: number) => {
  const empty = bytesOf(aTransaction({ vehicle: { note: '' } }));
  return aTransaction({ vehicle: { note: 'x'.repeat(total - empty) } });
};

/** A payment that, alone in the list, has this many bytes. */
const paymentOf = (total: number, status: 0 | 1): JsonObject => {
  const empty = bytesOf([aWholePayment({ status, settings: '' })]);
  return aWholePayment({ status, settings: 'x'.repeat(total - empty) });
};

/** The refusal when one payment makes the list grow from the first size to the second. */
const adding = (status: 0 | 1, { from, to }: { from: number; to: number }) => {
  const known = paymentOf(from, 1);
  const before = { ...ofBytes(100_000), payments: [known] };
  // A second member of the list costs a comma, and no second pair of brackets.
  const payments = [known, paymentOf(to - from + 1, status)];
  return said({ ...before, payments }, before);
};

describe('WR-4 a transaction beside its payments', () => {
  test('WR-4 has at most 100 kB as JSON', () => {
    expect(said(ofBytes(100_000))).toBeUndefined();
    expect(said(ofBytes(100_001))).toBe(
      'A transaction may have at most 100,000 bytes of JSON beside its payments.',
    );
  });

  test('WR-4 is measured without its payments', () => {
    const payments = [paymentOf(290_000, 1)];

    expect(said({ ...ofBytes(100_000), payments }, aTransaction({ payments }))).toBeUndefined();
  });

  test('WR-4 may become smaller if it was too large before, but not larger', () => {
    expect(said(ofBytes(100_001), ofBytes(100_002))).toBeUndefined();
    expect(said(ofBytes(100_002), ofBytes(100_001))).toContain('100,000');
  });

  test('WR-4 SHAPE-1 is measured as it is shown: a delivery without members has fifteen', () => {
    const room = 100_000 - bytesOf(aTransaction({ deliveryCollection: {}, vehicle: { note: '' } }));
    const withNote = (bytes: number) =>
      aTransaction({ vehicle: { note: 'x'.repeat(bytes) }, deliveryCollection: {} });

    expect(said(withNote(room))).toContain('100,000');
    expect(said(withNote(room - 300))).toBeUndefined();
  });
});

describe('WR-4 S-86 a transaction beside its payments, written by a session', () => {
  const ofSession =
    'A checkout may bring its transaction to at most 32,000 bytes of JSON beside its payments.';
  const ofAll = 'A transaction may have at most 100,000 bytes of JSON beside its payments.';
  test.each<[number | undefined, number, string | undefined]>([
    [undefined, 32_000, undefined],
    [undefined, 32_001, ofSession],
    [undefined, 100_001, ofSession],
    [31_000, 32_000, undefined],
    [32_000, 32_001, ofSession],
    // A partner made it larger, so its buyer may go on.
    [32_001, 32_002, undefined],
    [32_001, 100_000, undefined],
    [32_001, 100_001, ofAll],
    [100_002, 100_001, undefined],
    [100_001, 100_002, ofAll],
    // A change that makes it smaller is never refused.
    [50_000, 32_001, undefined],
    [50_000, 31_000, undefined],
  ])('WR-4 S-86 from %p to %i bytes: %s', (from, to, expected) => {
    expect(saidToSession(ofBytes(to), from === undefined ? undefined : ofBytes(from))).toBe(expected);
  });

  test('WR-4 S-86 payments of a partner take no room from its session', () => {
    const payments = [paymentOf(90_000, 0)];

    expect(saidToSession({ ...ofBytes(32_000), payments }, aTransaction({ payments }))).toBeUndefined();
  });
});

describe('WR-4 a payment', () => {
  test('WR-4 a failed payment may use half of 200 kB', () => {
    expect(adding(0, { from: 50_000, to: 100_000 })).toBeUndefined();
    expect(adding(0, { from: 50_000, to: 100_001 })).toBe(
      "A payment with status 0 may not bring a transaction's payments over 100,000 bytes of JSON.",
    );
  });

  test('WR-4 a completed payment is accepted beyond that, as far as one item holds it', () => {
    expect(adding(1, { from: 99_000, to: 100_001 })).toBeUndefined();
    expect(adding(1, { from: 199_000, to: 299_000 })).toBeUndefined();
    expect(adding(1, { from: 250_000, to: 300_000 })).toBeUndefined();
    expect(adding(1, { from: 250_000, to: 300_001 })).toBe(
      'The payments of a transaction may have at most 300,000 bytes of JSON.',
    );
  });

  test('WR-4 a payment is not refused because "false" is longer than "true"', () => {
    const before = ofBytes(100_000);
    const after: Transaction = { ...before, status: 1, editable: false, payments: [paymentOf(500, 1)] };

    expect(bytesOf({ ...after, payments: undefined })).toBe(100_001);
    expect(said(after, before)).toBeUndefined();
  });

  test('WR-4 a completed payment of usual size fits 400 times behind 200 failed ones', () => {
    const usual = aWholePayment({
      ...{ id: 1_000_000, transaction_id: 1_000_000, hash: 'a'.repeat(40) },
      ...{ reference: '5f3c1a52-9f0a-4f6e-8a39-0a4d3a7f2b11', type: 1, product_identifier: 'PAY' },
      ...{ value: '24999.00', created_at: 1_795_262_400, created_by: 'v2/payment/create' },
      ...{ updated_at: 1_795_262_400, updated_by: 'v2/payment/create' },
    });
    const many = (count: number, status: 0 | 1) =>
      Array.from({ length: count }, () => ({ ...usual, status }));
    const faultOf = (payments: JsonObject[]) =>
      said(aTransaction({ payments }), aTransaction({ payments: payments.slice(1) }));

    expect(faultOf(many(200, 0))).toBeUndefined();
    expect(faultOf([...many(200, 0), ...many(400, 1)])).toBeUndefined();
  });
});
