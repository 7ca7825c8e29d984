import { presentPayment } from '../../../functions/shared/domain/query/projection.ts';
import { addPayment } from '../../../functions/shared/domain/transaction/payment.ts';
import type { JsonValue, Transaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import { complete, incomplete } from './transactions.ts';

/** The request of a partner that has taken a payment. */
const taken = {
  type: 1,
  value: '99.00',
  status: 1 as const,
  reference: '3d0c3c36-9a1e-4bd0-9d0e-7b6f4c1a2b11',
  details: 'Bank transfer',
};

export const newPaymentExample = { transaction: incomplete.uuid, ...taken };

/** An earlier try with the same card. */
const [tried] = complete.payments ?? [];
const { type, value, status, reference, product_identifier, message, token, settings, details, gateway_id } =
  tried ?? {};

export const cardPaymentExample = {
  ...{ transaction: incomplete.uuid, type, value, status, reference, product_identifier, message, token },
  ...{ settings, details, gateway_id, provider_references: tried?.provider_references },
};

/** The answer to a partner that may see the token. */
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

/** The transaction after its completion by the payment. */
export const paidTransaction = paid.transaction;

export const paymentRecordExample = presentPayment(paid.payment, { showsPaymentTokens: false });
