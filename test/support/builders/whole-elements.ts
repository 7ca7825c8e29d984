import type { JsonObject } from '../../../functions/shared/domain/transaction/transaction.ts';

/** A payment with the twenty members of interface 2.3, in its order: null where a test names nothing (SHAPE-1). */
export const aWholePayment = (values: JsonObject = {}): JsonObject => ({
  id: null,
  transaction_id: null,
  hash: null,
  token: null,
  reference: null,
  provider_references: null,
  type: null,
  product_identifier: null,
  value: null,
  status: null,
  message: null,
  is_selected: null,
  settings: null,
  details: null,
  transaction_completed_at: null,
  created_at: null,
  created_by: null,
  updated_at: null,
  updated_by: null,
  gateway_id: null,
  ...values,
});

/** A delivery with the fifteen members of interface 2.4, in its order: null where a test names nothing (SHAPE-1). */
export const aWholeDelivery = (values: JsonObject = {}): JsonObject => ({
  is_default: null,
  is_live: null,
  lead_time: null,
  method: null,
  order: null,
  price: null,
  hash: null,
  preferred_date: null,
  delivery_date: null,
  delivery_status: null,
  minDate: null,
  maxDate: null,
  type: null,
  units: null,
  originalPrice: null,
  ...values,
});
