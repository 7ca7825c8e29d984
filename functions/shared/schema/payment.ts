import * as z from 'zod/mini';
import { anything, flag, label, money, text } from './fields.ts';

const optional = <Schema extends z.core.$ZodType>(schema: Schema) => z.optional(z.nullable(schema));

const numberFromZero = z
  .int('The member must be a whole number from 0.')
  .check(z.gte(0, 'The member must be a whole number from 0.'));

/** What a caller says about a payment (V2-3); the rest of interface 2.3 is ours and refused here (S-13). */
export const paymentSchema = z.strictObject({
  transaction: text(100),
  type: numberFromZero,
  value: money,
  status: flag,
  reference: optional(text(255)),
  product_identifier: optional(label),
  message: optional(text(2000)),
  token: optional(text(2000)),
  settings: z.optional(anything),
  details: optional(
    z.union([text(2000), z.looseObject({})], { error: 'The member must be an object or text.' }),
  ),
  gateway_id: optional(z.int('The member must be a whole number.')),
  provider_references: z.optional(anything),
});
