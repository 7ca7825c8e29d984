import { presentPayment } from '../../../functions/shared/domain/query/projection.ts';
import { addPayment } from '../../../functions/shared/domain/transaction/payment.ts';
import type { JsonValue, Transaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import { complete, incomplete } from './transactions.ts';

/** What a partner sends when a payment was taken. */
const taken = {
  type: 1,
  value: '99.00',
  status: 1 as const,
  reference: '3d0c3c36-9a1e-4bd0-9d0e-7b6f4c1a2b11',
  details: 'Bank transfer',
};

export const newPaymentExample = { transaction: incomplete.uuid, ...taken };

/** The card payment that was tried before. */
const [tried] = complete.payments ?? [];
const { type, value, status, reference, product_identifier, message, token, settings, details, gateway_id } =
  tried ?? {};

export const cardPaymentExample = {
  ...{ transaction: incomplete.uuid, type, value, status, reference, product_identifier, message, token },
  ...{ settings, details, gateway_id, provider_references: tried?.provider_references },
};

/** As a partner is shown it that may see its token. */
export const cardRecordExample = presentPayment(tried ?? {}, { showsPaymentTokens: true });

const paid: { transaction: Transaction; payment: { [name: string]: JsonValue } } = addPayment(
  incomplete,
  taken,
  {
    id: 900_017,
    transactionId: 900_016,
    hash: '3f786850e387550fdab836ed7e6dc881de23001b',
    operation: 'v2/payment/create',
    now: new Date('2026-11-22T09:30:00Z'),
  },
);

/** The transaction that the payment completed. */
export const paidTransaction = paid.transaction;

export const paymentRecordExample = presentPayment(paid.payment, { showsPaymentTokens: false });
