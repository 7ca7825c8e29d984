import type { NdMeta } from '../ownership/owner.ts';
import { isJsonObject, type JsonValue, type Transaction } from './transaction.ts';

/** The type of a member of a closed element. With `!` a stored member is never null. */
export type Holds = Kind | `${Kind}!`;
/** `recordedMoney` is that of a record that nobody writes again: an old one may have leading zeros. */
export type Kind =
  | ('flag' | 'wholeNumber' | 'numericId' | 'money' | 'recordedMoney' | 'decimal' | 'day' | 'time')
  | ('opaque' | 'line' | 'shortLine' | 'text' | 'hash' | 'details' | 'anything');

/**
 * The closed elements: the tables of interface 2.2 to 2.4, in their order. Answers, writes of a delivery, imports,
 * messages and the OpenAPI document are made from them. The other elements are open: `schema/elements.ts` lists their
 * known members.
 */
export const closedElements = {
  ndMeta: {
    group: 'opaque!',
    franchise: 'opaque!',
    branch: 'opaque!',
    location: 'opaque!',
    groupSoftware: 'line!',
  } satisfies Record<keyof NdMeta, Holds>,
  deliveryCollection: {
    is_default: 'flag',
    is_live: 'flag',
    lead_time: 'wholeNumber',
    method: 'shortLine',
    order: 'wholeNumber',
    price: 'money',
    hash: 'hash',
    preferred_date: 'day',
    delivery_date: 'day',
    delivery_status: 'shortLine',
    minDate: 'day',
    maxDate: 'day',
    type: 'wholeNumber',
    units: 'anything',
    originalPrice: 'decimal',
  },
  payments: {
    id: 'numericId!',
    transaction_id: 'numericId!',
    hash: 'hash!',
    token: 'line',
    reference: 'text!',
    provider_references: 'anything',
    type: 'wholeNumber!',
    product_identifier: 'line!',
    value: 'recordedMoney!',
    status: 'flag!',
    message: 'text',
    is_selected: 'wholeNumber',
    settings: 'anything',
    details: 'details',
    transaction_completed_at: 'time',
    created_at: 'wholeNumber!',
    created_by: 'line!',
    updated_at: 'wholeNumber!',
    updated_by: 'line!',
    gateway_id: 'wholeNumber',
  },
} as const satisfies Record<string, Record<string, Holds>>;
export type ClosedElementName = keyof typeof closedElements;

/**
 * An element as answers, messages and exports show it (SHAPE-1): every member of its table, in the table's order, null
 * if unknown, and no other member (SHOW-1). The stored element does not change. An open element is shown as it was
 * sent.
 */
export const completeElement = (name: string, element: JsonValue): JsonValue => {
  if (!isClosed(name)) return element;
  if (Array.isArray(element)) return element.map((one) => completeElement(name, one));
  if (!isJsonObject(element)) return element;
  const members = Object.keys(closedElements[name]);
  return Object.fromEntries(members.map((member) => [member, element[member] ?? unknownValueOf(member)]));
};

const isClosed = (name: string): name is ClosedElementName => Object.hasOwn(closedElements, name);

/** The interface allows null in every member except this one. */
const unknownValueOf = (member: string) => (member === 'groupSoftware' ? '' : null);

/** A transaction with each present element complete. An absent element stays absent. */
export const completeTransaction = (transaction: Transaction): Transaction =>
  Object.fromEntries(
    Object.entries(transaction).map(([name, value]) => [name, completeElement(name, value)]),
  ) as Transaction;
