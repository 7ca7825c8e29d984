import { label, open } from './fields.ts';

/** How the buyer wants to pay; open. */
export const selectedPaymentMethod = open({ name: label, label, product: label });
