import { describe, expect, test } from '@jest/globals';
import { addPayment } from '../../../../../../functions/shared/domain/transaction/payment.ts';
import type { Transaction } from '../../../../../../functions/shared/domain/transaction/transaction.ts';
import { paymentSchema } from '../../../../../../functions/shared/schema/elements.ts';
import { schemaErrors } from '../../../../../../functions/shared/schema/validate.ts';
import { aTransaction } from '../../../../../support/builders/transactions.ts';

const now = new Date('2026-03-01T12:00:00.500Z');
const identity = { id: 12, transactionId: 3, hash: 'a'.repeat(40), operation: 'v9/thing/made', now };
const pay = (before: Partial<Transaction>, status: 0 | 1, value = '10.00') =>
  addPayment(aTransaction(before), { type: 8, value, status }, identity);

describe('V2-3 V2-4 the record of a payment', () => {
  test('interface 2.3: has all members in order, with their defaults', () => {
    const { payment, transaction } = pay({}, 0);

    expect(Object.entries(payment)).toEqual([
      ['id', 12],
      ['transaction_id', 3],
      ['hash', 'a'.repeat(40)],
      ['token', null],
      ['reference', 'No reference given'],
      ['provider_references', null],
      ['type', 8],
      ['product_identifier', 'PAY'],
      ['value', '10.00'],
      ['status', 0],
      ['message', null],
      ['is_selected', null],
      ['settings', null],
      ['details', null],
      ['transaction_completed_at', null],
      ['created_at', 1772366400],
      ['created_by', 'v9/thing/made'],
      ['updated_at', 1772366400],
      ['updated_by', 'v9/thing/made'],
      ['gateway_id', null],
    ]);
    expect(transaction).toMatchObject({ status: 0, editable: true, payments: [payment] });
  });

  // `docs/writes.md` lists what is not checked about a payment.
  test.each(['10.00', '0.00'])(
    'a payment of %s with status 1 completes an incomplete transaction',
    (value) => {
      const { payment, transaction } = pay({}, 1, value);

      expect(schemaErrors(paymentSchema, { transaction: 'T1', type: 8, value, status: 1 })).toEqual([]);
      expect(payment).toMatchObject({ is_selected: 1, transaction_completed_at: '2026-03-01 12:00:00' });
      expect(transaction).toMatchObject({ status: 1, editable: false, payments: [{ value }] });
    },
  );

  test('a payment of a complete transaction is stored and selects nothing', () => {
    const { payment, transaction } = pay({ status: 1, editable: false, payments: [{ id: 1 }] }, 1);

    expect(payment).toMatchObject({ is_selected: null, transaction_completed_at: null });
    expect(transaction.payments).toEqual([{ id: 1 }, payment]);
  });
});
