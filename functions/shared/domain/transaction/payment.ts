import { type closedElements, completeElement } from './shape.ts';
import type { JsonObject, JsonValue, Transaction } from './transaction.ts';

/** Members of a payment that the service writes. The caller sends the others (V2-3). */
type WrittenByService = keyof GivenMembers | 'is_selected' | 'transaction_completed_at';
type SaidByCaller = Exclude<keyof typeof closedElements.payments, WrittenByService>;

/** The part of a payment that a caller sends (V2-3). The service adds the rest. */
export type PaymentFacts = { type: number; value: string; status: 0 | 1 } & {
  [Member in SaidByCaller]?: JsonValue;
};

/**
 * What makes a payment a record: numbers that are never reused (ID-2), 40 hexadecimal characters, the operation's name.
 */
export type PaymentIdentity = { id: number; transactionId: number; hash: string; operation: string };

/** The reference of a payment without one (interface 2.3). */
const noReference = 'No reference given';
const usualProduct = 'PAY';

/** The first payment with status 1 completes the transaction, and no later one does (V2-4). */
const completes = ({ status }: Transaction, payment: Pick<PaymentFacts, 'status'>): boolean =>
  status === 0 && payment.status === 1;

/** The transaction with the added payment, which may complete it (V2-4). */
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

const paymentRecord = (
  facts: PaymentFacts,
  identity: PaymentIdentity,
  { isCompleting, now }: { isCompleting: boolean; now: Date },
): JsonObject => {
  const completion = {
    is_selected: isCompleting ? 1 : null,
    transaction_completed_at: isCompleting ? timeText(now) : null,
  };
  return completePayment({ ...facts, ...completion }, givenMembers(identity, now));
};

/** Values that the service gives to a record without them, as an imported one may be. */
const givenNames = [
  ...(['id', 'transaction_id', 'hash'] as const),
  ...(['created_at', 'created_by', 'updated_at', 'updated_by'] as const),
];
export type GivenMembers = Record<(typeof givenNames)[number], JsonValue>;

export const givenMembers = (
  { id, transactionId, hash, operation }: PaymentIdentity,
  now: Date,
): GivenMembers => {
  const seconds = Math.floor(now.getTime() / 1000);
  return {
    ...{ id, transaction_id: transactionId, hash },
    ...{ created_at: seconds, created_by: operation, updated_at: seconds, updated_by: operation },
  };
};

/** Values that a stored record has from the service or from its import. */
export const givenTo = (record: JsonObject): Partial<GivenMembers> =>
  Object.fromEntries(givenNames.map((name) => [name, record[name] ?? null]));

/** The whole record of a payment from an API or an import (SHAPE-1). */
export const completePayment = (said: JsonObject, given: Partial<GivenMembers>): JsonObject => {
  const known = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null));
  const reference = said.reference || noReference;
  return completeElement('payments', {
    ...{ product_identifier: usualProduct, ...given, ...known, reference },
  }) as JsonObject;
};

/** `YYYY-MM-DD HH:MM:SS`, in UTC (interface 2.3). */
const timeText = (now: Date) => now.toISOString().slice(0, 19).replace('T', ' ');

/** The numeric transaction id that its payments already have (interface 2.3). The first payment sets it. */
export const numericIdOf = ({ payments = [] }: Transaction): number | undefined => numericIdIn(payments);

export const numericIdIn = (payments: readonly JsonObject[]): number | undefined =>
  payments.map(({ transaction_id }) => transaction_id).find((id) => typeof id === 'number');
