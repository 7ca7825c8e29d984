import { isJsonObject, type JsonValue, type Transaction } from './transaction.ts';

/** The tables of interface 2.2 to 2.4, in their order. The other elements have none: they are open. */
const tables: { readonly [name: string]: readonly string[] | undefined } = {
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
 * An element as answers, messages and exports show it (SHAPE-1): every member of its table, in the table's order, null
 * where nothing is known, and no other member (SHOW-1). What is stored stays as it is. An open element is shown as it came.
 */
export const completeElement = (name: string, element: JsonValue): JsonValue => {
  const members = tables[name];
  if (!members) return element;
  if (Array.isArray(element)) return element.map((one) => completeElement(name, one));
  if (!isJsonObject(element)) return element;
  return Object.fromEntries(members.map((member) => [member, element[member] ?? unknownValueOf(member)]));
};

/** The interface allows null in each member but this one. */
const unknownValueOf = (member: string) => (member === 'groupSoftware' ? '' : null);

/** A transaction with each of its elements complete; an element that is absent stays absent. */
export const completeTransaction = (transaction: Transaction): Transaction =>
  Object.fromEntries(
    Object.entries(transaction).map(([name, value]) => [name, completeElement(name, value)]),
  ) as Transaction;
