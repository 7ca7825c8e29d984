import { paymentSchema } from '../../../functions/shared/schema/elements.ts';
import './elements.ts';
import { describeMembers, named } from './named.ts';

export const newPayment = named(paymentSchema, 'NewPayment', {
  description:
    'A payment to record. The service adds the other members of the record, and refuses a body that has one of them.',
});

describeMembers(paymentSchema, {
  transaction: 'The uuid of the transaction that was paid for.',
  type: 'Kind of payment. Values seen: 0, 1, 8. What each of them means is not specified.',
  value: 'The amount, with two decimals and no leading zeros: `"199.00"`, `"0.50"`.',
  status: '1 completes an incomplete transaction, 0 does not. What else they mean is not specified.',
  reference: 'Your own reference for the payment, usually its ID in your system.',
  product_identifier: 'What was paid for. Value seen: `PAY`, which is also the default.',
  message: 'Free text: what the payment provider said about it.',
  token: 'Payment-method token from a card processor. It is shown only to partners that may see it.',
  settings: 'Settings of the payment. Any JSON value; its form is not specified.',
  details: 'For a card payment, an object with `type`, `brand`, `method`, `funding`; for any other, a text.',
  gateway_id:
    'Number of the payment gateway that was used. Which number stands for which gateway is not specified.',
  provider_references: 'References of the payment provider. Any JSON value; its form is not specified.',
});
