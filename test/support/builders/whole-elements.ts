import type { JsonObject } from '../../../functions/shared/domain/transaction/transaction.ts';

/** The twenty members of a payment (interface 2.3) and the fifteen of a delivery (interface 2.4), in their order. */
export const paymentMembers =
  'id transaction_id hash token reference provider_references type product_identifier value status message is_selected settings details transaction_completed_at created_at created_by updated_at updated_by gateway_id';
export const deliveryMembers =
  'is_default is_live lead_time method order price hash preferred_date delivery_date delivery_status minDate maxDate type units originalPrice';

/** Null where a test names nothing (SHAPE-1). */
const whole =
  (members: string) =>
  (values: JsonObject = {}): JsonObject => ({
    ...Object.fromEntries(members.split(' ').map((name) => [name, null])),
    ...values,
  });

export const aWholePayment = whole(paymentMembers);
export const aWholeDelivery = whole(deliveryMembers);
