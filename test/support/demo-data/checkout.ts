import type { JsonObject } from '../../../functions/shared/domain/transaction/transaction.ts';
import { type Dice, money } from './random.ts';

const day = 86_400_000;
const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const seconds = (ms: number) => Math.floor(ms / 1000);

const offeredExtras = [
  { name: 'Paint protection', category: 'protection', price: 399 },
  { name: 'Extended warranty, 24 months', category: 'warranty', price: 549 },
  { name: 'Tyre and alloy insurance', category: 'insurance', price: 329 },
  { name: 'Rubber mats', category: 'accessory', price: 65 },
  { name: 'Dash camera, fitted', category: 'accessory', price: 279 },
  { name: 'Service plan, 3 services', category: 'servicing', price: 599 },
] as const;

export const extrasOf = (dice: Dice): JsonObject[] =>
  offeredExtras
    .filter(() => dice.chance(0.3))
    .map((extra, index) => ({
      id: index + 1,
      ...extra,
      price: money(extra.price),
      quantity: 1,
      hash: dice.hash(),
    }));

/** Interface 2.4. */
export const deliveryOf = (createdAtMs: number, isComplete: boolean, dice: Dice): JsonObject => {
  const isDelivery = dice.chance(0.55);
  const leadTime = dice.whole(3, 14);
  const minMs = createdAtMs + leadTime * day;
  const preferredMs = minMs + dice.whole(0, 10) * day;
  const original = isDelivery ? dice.pick([99, 149, 199]) : 0;
  return {
    is_default: isDelivery ? 0 : 1,
    is_live: 1,
    lead_time: leadTime,
    method: isDelivery ? 'Home delivery' : 'Collect from the branch',
    order: isDelivery ? 2 : 1,
    price: money(dice.chance(0.2) ? 0 : original),
    hash: dice.hash(),
    preferred_date: dateOf(preferredMs),
    delivery_date: dateOf(preferredMs + (isComplete && dice.chance(0.2) ? day : 0)),
    delivery_status: isComplete ? dice.pick(['booked', 'delivered']) : 'requested',
    minDate: dateOf(minMs),
    maxDate: dateOf(minMs + 30 * day),
    type: isDelivery ? 1 : 2,
    units: isDelivery ? 'miles' : null,
    originalPrice: money(original),
  };
};

/** Types 0, 1 and 8 of interface 2.3; here 0 is cash at the branch, 1 a card, 8 a bank transfer. */
const typesOf = { card: [1], cash: [0, 8], finance: [1, 1, 1, 8, 0] } as const;
export type Method = keyof typeof typesOf;

export type PaymentFacts = {
  id: number;
  transactionId: number;
  atMs: number;
  value: number;
  method: Method;
  isTaken: boolean;
};

/** Interface 2.3: a card brings an object of details, every other way a text. */
export const paymentOf = (
  { id, transactionId, atMs, value, method, isTaken }: PaymentFacts,
  dice: Dice,
): JsonObject => {
  const type = dice.pick<0 | 1 | 8>(typesOf[method]);
  const isCard = type === 1;
  return {
    id,
    transaction_id: transactionId,
    hash: dice.hash(),
    token: isCard ? `tok_demo_${dice.hash().slice(0, 24)}` : null,
    reference: isCard ? uuidText(dice) : 'No reference given',
    provider_references: isCard
      ? { acquirer: 'Example Acquirer', authorisation: String(dice.whole(100_000, 999_999)) }
      : null,
    type,
    product_identifier: 'PAY',
    value: money(value),
    status: isTaken ? 1 : 0,
    message: isTaken
      ? null
      : isCard
        ? dice.pick(['Card declined', 'Insufficient funds'])
        : 'Cancelled by the buyer',
    is_selected: isTaken ? 1 : null,
    settings: null,
    details: detailsOf(type, dice),
    transaction_completed_at: isTaken ? new Date(atMs).toISOString().slice(0, 19).replace('T', ' ') : null,
    created_at: seconds(atMs),
    created_by: 'v2/payment/create',
    updated_at: seconds(atMs),
    updated_by: 'v2/payment/create',
    gateway_id: isCard ? dice.whole(1, 4) : null,
  };
};

const detailsOf = (type: 0 | 1 | 8, dice: Dice) => {
  if (type === 0) return 'Cash at the branch';
  if (type === 8) return 'Bank transfer';
  return {
    type: 'card',
    brand: dice.pick(['visa', 'mastercard', 'amex']),
    method: dice.pick(['online', 'apple_pay', 'google_pay']),
    funding: dice.pick(['debit', 'debit', 'credit']),
  };
};

/** Shaped as a UUID of version 4. */
const uuidText = (dice: Dice) =>
  dice.hash().replace(/^(.{8})(.{4})(.{3})(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
