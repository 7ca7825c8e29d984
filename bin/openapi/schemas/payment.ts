import { paymentSchema } from '../../../functions/shared/schema/elements.ts';
import { payment } from '../../../functions/shared/schema/event-message.ts';
import './elements.ts';
import { named } from './named.ts';

export const newPayment = named(paymentSchema, 'NewPayment', {
  description:
    'A payment to record. The service writes the other members of the record; a body that has one of them is refused.',
});

export const paymentRecord = payment;
