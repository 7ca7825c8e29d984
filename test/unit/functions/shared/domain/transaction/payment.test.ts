import { describe, expect, test } from '@jest/globals';
import { addPayment } from '../../../../../../functions/shared/domain/transaction/payment.ts';
import { paymentSchema } from '../../../../../../functions/shared/schema/elements.ts';
import { schemaErrors } from '../../../../../../functions/shared/schema/validate.ts';
import { aTransaction } from '../../../../../support/builders/transactions.ts';

/** `docs/writes.md` lists what is not checked about a payment. */
describe('V2-4 a payment of 0.00 with status 1', () => {
  const payment = { type: 1, value: '0.00', status: 1 } as const;

  test('is accepted', () => {
    expect(schemaErrors(paymentSchema, { transaction: 'T1', ...payment })).toEqual([]);
  });

  test('completes the transaction', () => {
    const identity = { id: 7, transactionId: 8, hash: 'a'.repeat(40), operation: 'v2/payment/create' };
    const now = new Date('2026-03-01T12:00:00.500Z');

    const paid = addPayment(aTransaction(), payment, { ...identity, now });

    expect(paid.transaction).toMatchObject({ status: 1, editable: false, payments: [{ value: '0.00' }] });
    expect(paid.payment).toMatchObject({ is_selected: 1, transaction_completed_at: '2026-03-01 12:00:00' });
  });
});
