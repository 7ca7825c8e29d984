import type { JsonObject, JsonValue, Transaction } from './transaction.ts';

/** What a caller says about a payment (V2-3); the service adds the rest of the record. */
export type PaymentFacts = {
  type: number;
  value: string;
  status: 0 | 1;
  reference?: string | null;
  product_identifier?: string | null;
  message?: string | null;
  token?: string | null;
  settings?: JsonValue;
  details?: JsonObject | string | null;
  gateway_id?: number | null;
  provider_references?: JsonValue;
};

/** What makes a record of it: numbers that are never reused (ID-2), 40 hexadecimal characters, the operation's name. */
export type PaymentIdentity = { id: number; transactionId: number; hash: string; operation: string };

/** Stands where a payment has no reference (interface 2.3). */
const noReference = 'No reference given';
const usualProduct = 'PAY';

/** A payment with status 1 completes the transaction that is not complete yet; it happens once (V2-4). */
const completes = ({ status }: Transaction, payment: Pick<PaymentFacts, 'status'>): boolean =>
  status === 0 && payment.status === 1;

/** The transaction with one payment more, completed by it or not (V2-4). */
export const addPayment = (
  transaction: Transaction,
  facts: PaymentFacts,
  { now, ...identity }: PaymentIdentity & { now: Date },
): { transaction: Transaction; payment: JsonObject } => {
  const isCompleting = completes(transaction, facts);
  const payment = paymentRecord(facts, identity, { isCompleting, now });
  const payments = [...(transaction.payments ?? []), payment];
  const completion = isCompleting ? { status: 1 as const, editable: false } : {};
  return { transaction: { ...transaction, ...completion, payments }, payment };
};

/** The members of interface 2.3, in its order. */
const paymentRecord = (
  facts: PaymentFacts,
  { id, transactionId, hash, operation }: PaymentIdentity,
  { isCompleting, now }: { isCompleting: boolean; now: Date },
): JsonObject => {
  const seconds = Math.floor(now.getTime() / 1000);
  return {
    id,
    transaction_id: transactionId,
    hash,
    token: facts.token ?? null,
    reference: facts.reference || noReference,
    provider_references: facts.provider_references ?? null,
    type: facts.type,
    product_identifier: facts.product_identifier ?? usualProduct,
    value: facts.value,
    status: facts.status,
    message: facts.message ?? null,
    is_selected: isCompleting ? 1 : null,
    settings: facts.settings ?? null,
    details: facts.details ?? null,
    transaction_completed_at: isCompleting ? timeText(now) : null,
    created_at: seconds,
    created_by: operation,
    updated_at: seconds,
    updated_by: operation,
    gateway_id: facts.gateway_id ?? null,
  };
};

/** `YYYY-MM-DD HH:MM:SS`, in UTC (interface 2.3). */
const timeText = (now: Date) => now.toISOString().slice(0, 19).replace('T', ' ');

/** The numeric id that a transaction's payments carry already (interface 2.3); the first payment brings it. */
export const numericIdOf = ({ payments = [] }: Transaction): number | undefined =>
  payments.map(({ transaction_id }) => transaction_id).find((id) => typeof id === 'number');
