import * as z from 'zod/mini';
import { amount, label, open, wholeNumber } from './fields.ts';

const extra = open({
  name: label,
  category: label,
  price: amount,
  quantity: wholeNumber,
});

/** What is bought beside the vehicle: a list of extras, or an object of the checkout's own making; open. */
export const extras = z.union([z.array(extra), open({})], {
  error: 'The member must be an object or a list of objects.',
});
