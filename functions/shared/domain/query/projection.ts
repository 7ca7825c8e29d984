import {
  type ElementName,
  elementNames,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownPropertyNames,
  type Transaction,
} from '../transaction/transaction.ts';
import { type Narrowing, narrow, type Selection } from './selection.ts';

/** What the reader may see beyond the selection (SHOW-1). */
export type Visibility = { showsPaymentTokens: boolean };

/** The members of the elements that interface 2.2 to 2.4 close; the other elements are open (SHOW-1). */
const closedElements: { readonly [Name in ElementName]?: readonly string[] } = {
  ndMeta: ['group', 'franchise', 'branch', 'location', 'groupSoftware'],
  deliveryCollection: [
    'is_default',
    'is_live',
    'lead_time',
    'method',
    'order',
    'price',
    'hash',
    'preferred_date',
    'delivery_date',
    'delivery_status',
    'minDate',
    'maxDate',
    'type',
    'units',
    'originalPrice',
  ],
  payments: [
    'id',
    'transaction_id',
    'hash',
    'token',
    'reference',
    'provider_references',
    'type',
    'product_identifier',
    'value',
    'status',
    'message',
    'is_selected',
    'settings',
    'details',
    'transaction_completed_at',
    'created_at',
    'created_by',
    'updated_at',
    'updated_by',
    'gateway_id',
  ],
};

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
    ...ownPropertyNames.flatMap((name) => entryOf(name, transaction[name], wantedOf(own, name))),
    ...elementNames.flatMap((name) =>
      entryOf(name, visible(transaction, name, visibleTo), elements.get(name)),
    ),
  ]);

const wantedOf = (own: Narrowing, name: string) => (own === 'everything' ? own : own.get(name));

const entryOf = (name: string, value: JsonValue, wanted: Narrowing | undefined): [string, JsonValue][] =>
  wanted === undefined ? [] : [[name, narrow(value, wanted)]];

/** An absent to-one element is null, an absent to-many one is empty (FLD-4). */
const visible = (transaction: Transaction, name: ElementName, visibleTo: Visibility): JsonValue => {
  if (name === 'payments') {
    return (transaction.payments ?? []).map((payment) => presentPayment(payment, visibleTo));
  }
  const element = transaction[name];
  return element === undefined ? null : onlyDeclared(name, element);
};

/** One payment as the reader may see it (SHOW-1). */
export const presentPayment = (payment: JsonObject, { showsPaymentTokens }: Visibility): JsonValue => {
  const mayShow = showsPaymentTokens || !Object.hasOwn(payment, 'token');
  return onlyDeclared('payments', mayShow ? payment : { ...payment, token: null });
};

const onlyDeclared = (name: ElementName, element: JsonValue): JsonValue => {
  const declared = closedElements[name];
  if (!declared || !isJsonObject(element)) return element;
  return Object.fromEntries(
    declared.flatMap((member): [string, JsonValue][] => {
      const value = Object.hasOwn(element, member) ? element[member] : undefined;
      return value === undefined ? [] : [[member, value]];
    }),
  );
};
