import { completeElement } from '../transaction/shape.ts';
import {
  type ElementName,
  elementNames,
  type JsonObject,
  type JsonValue,
  ownPropertyNames,
  type Transaction,
} from '../transaction/transaction.ts';
import { type Narrowing, narrow, type Selection } from './selection.ts';

/** What the reader may see beyond the selection (SHOW-1). */
export type Visibility = { showsPaymentTokens: boolean };

/**
 * The one place where a transaction becomes a body, in the API and in the `detail` of events. It is built from an allow
 * list in declaration order, so that no inner fact can appear (TH-08).
 */
export const presentTransaction = (
  transaction: Transaction,
  { own, elements }: Selection,
  visibleTo: Visibility,
): JsonObject =>
  Object.fromEntries([
    ...ownPropertyNames.flatMap((name) => entryOf(name, wantedOf(own, name), () => transaction[name])),
    ...elementNames.flatMap((name) =>
      entryOf(name, elements.get(name), () => visible(transaction, name, visibleTo)),
    ),
  ]);

const wantedOf = (own: Narrowing, name: string) => (own === 'everything' ? own : own.get(name));

/** What is not wanted is not looked at: it may not even have been read. */
const entryOf = (
  name: string,
  wanted: Narrowing | undefined,
  value: () => JsonValue,
): [string, JsonValue][] => (wanted === undefined ? [] : [[name, narrow(value(), wanted)]]);

/** An absent to-one element is null, an absent to-many one is empty (FLD-4); what is there is complete (SHAPE-1). */
const visible = (transaction: Transaction, name: ElementName, visibleTo: Visibility): JsonValue => {
  if (name === 'payments') {
    return (transaction.payments ?? []).map((payment) => presentPayment(payment, visibleTo));
  }
  return completeElement(name, transaction[name] ?? null);
};

/** One payment as the reader may see it (SHOW-1). */
export const presentPayment = (payment: JsonObject, { showsPaymentTokens }: Visibility): JsonValue =>
  completeElement('payments', showsPaymentTokens ? payment : { ...payment, token: null });
