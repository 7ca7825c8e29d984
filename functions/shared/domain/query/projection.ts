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
 * Makes the body of a transaction, for the API and for `detail` of events; nothing else does. It is built from an allow
 * list in declaration order, so no internal value can appear (TH-08).
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

/** Elements that are not selected may not have been read, so they are not accessed. */
const entryOf = (
  name: string,
  wanted: Narrowing | undefined,
  value: () => JsonValue,
): [string, JsonValue][] => (wanted === undefined ? [] : [[name, narrow(value(), wanted)]]);

/**
 * An absent to-one element is null, and an absent to-many one is empty (FLD-4). Present elements are complete
 * (SHAPE-1).
 */
const visible = (transaction: Transaction, name: ElementName, visibleTo: Visibility): JsonValue => {
  if (name === 'payments') {
    return (transaction.payments ?? []).map((payment) => presentPayment(payment, visibleTo));
  }
  return completeElement(name, transaction[name] ?? null);
};

/** A payment with the members that the reader may see (SHOW-1). */
export const presentPayment = (payment: JsonObject, { showsPaymentTokens }: Visibility): JsonValue =>
  completeElement('payments', showsPaymentTokens ? payment : { ...payment, token: null });
