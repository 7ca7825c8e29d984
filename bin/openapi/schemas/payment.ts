import { paymentSchema } from '../../../functions/shared/schema/elements.ts';
import './elements.ts';
import { named, tellOf } from './named.ts';

export const newPayment = named(paymentSchema, 'NewPayment', {
  description:
    'A payment to record. The service writes the other members of the record; a body that has one of them is refused.',
});

tellOf(paymentSchema, {
  transaction: 'The uuid of the transaction that was paid for.',
  type: 'The kind of payment. Values seen: 0, 1, 8. What each of them means is not specified.',
  value: 'The amount, with two decimals: `"199.00"`.',
  status:
    'Values seen: 0, 1. With 1 the payment completes an incomplete transaction, with 0 it does not. What else they mean is not specified.',
  reference: 'Free text by which you find the payment again, usually your own id of it.',
  product_identifier: 'What was paid for. Value seen: `PAY`, which stands if you send none.',
  message: 'Free text: what the payment provider said about it.',
  token: 'Payment-method token from a card processor. It is shown only to partners that may see it.',
  settings: 'Settings of the payment. Any JSON value; its form is not specified.',
  details: 'For card payments an object with `type`, `brand`, `method`, `funding`; for others a text.',
  gateway_id:
    'Number of the payment gateway that was used. Which number stands for which gateway is not specified.',
  provider_references: 'References of the payment provider. Any JSON value; its form is not specified.',
});
