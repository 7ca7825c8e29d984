import { paymentSchema } from '../../../functions/shared/schema/elements.ts';
import './elements.ts';
import { named, tellOf } from './named.ts';

export const newPayment = named(paymentSchema, 'NewPayment', {
  description:
    'A payment to record. The service writes the other members of the record; a body that has one of them is refused.',
});

tellOf(paymentSchema, {
  transaction: 'The uuid of the transaction.',
  type: 'The kind of payment: 0, 1 and 8 are in use.',
  value: 'The amount, with two decimals: `"199.00"`.',
  status: '1 = made: on an incomplete transaction it completes it. 0 = not made.',
  reference: 'Free text.',
  product_identifier: 'What is paid for: `PAY` is in use.',
  message: 'Free text.',
  token: 'Payment-method token from a card processor. It is shown only to partners that may see it.',
  details: 'For card payments an object with `type`, `brand`, `method`, `funding`; for others a text.',
});
