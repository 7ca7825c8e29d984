import { z } from 'zod';
import { isLine } from './fields.ts';

/**
 * The elements that the interface closes, as they may be stored: what our writes make of them, and what other systems
 * export (RUN-6), which write null for nothing and have amounts below zero. An import is validated by these, and the
 * messages of events are described by them; the refusals are phrases that follow the path to a member.
 */
const text = z.string();
export const storedLine = text.refine(isLine, 'is not one line without control characters');
const wholeNumber = z.int();
const flag = z.literal([0, 1]);
const money = z.string().regex(/^-?\d{1,15}\.\d{2}$/, 'is not a decimal with two decimals, such as "199.00"');
const decimal = z.string().regex(/^-?\d{1,15}(\.\d{1,10})?$/, 'is not a decimal number in quotes');
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'is not a date of the form YYYY-MM-DD');
const hash = z.string().regex(/^[0-9a-fA-F]{40}$/, 'is not 40 hexadecimal characters');
const time = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/, 'is not a time of the form YYYY-MM-DD HH:MM:SS');
const anything = z.unknown().optional();
export const nullable = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().optional();

const opaque = storedLine.min(1, 'is empty').max(256, 'is longer than 256 characters');

/** Interface 2.2. */
export const storedNdMeta = z.strictObject({
  group: opaque.describe('Opaque hash.'),
  franchise: opaque.describe('Opaque hash.'),
  branch: opaque.describe('A name.'),
  location: opaque.describe('Opaque hash.'),
  groupSoftware: storedLine.describe('Opaque hash; empty where none is known.'),
});

/** Interface 2.3. */
export const storedPayment = z.strictObject({
  id: wholeNumber,
  transaction_id: nullable(wholeNumber).describe('Numeric id of the owning transaction.'),
  hash: nullable(hash).describe('40 hexadecimal characters.'),
  token: nullable(storedLine).describe(
    'Payment-method token from a card processor, where the partner may see it.',
  ),
  reference: nullable(text).describe('Free text; a placeholder text when none.'),
  provider_references: anything,
  type: wholeNumber.describe('Values seen: 0, 1, 8.'),
  product_identifier: nullable(storedLine).describe('Value seen: PAY.'),
  value: money.describe('Decimal amount with two decimals.'),
  status: flag.describe('Values seen: 0, 1.'),
  message: nullable(text),
  is_selected: nullable(wholeNumber).describe('1 marks the selected payment.'),
  settings: anything,
  details: nullable(
    z.union([text, z.looseObject({})], { error: 'is neither an object nor a text' }),
  ).describe(
    'For card payments an object with type, brand, method, funding; for other payments a descriptive text.',
  ),
  transaction_completed_at: nullable(time).describe('Format YYYY-MM-DD HH:MM:SS.'),
  created_at: nullable(wholeNumber).describe('Unix timestamp, seconds.'),
  created_by: nullable(storedLine).describe('Name of the operation that created the record.'),
  updated_at: nullable(wholeNumber).describe('Unix timestamp, seconds.'),
  updated_by: nullable(storedLine).describe('Same shape as created_by.'),
  gateway_id: nullable(wholeNumber),
});

/** Interface 2.4. */
export const storedDeliveryCollection = z.strictObject({
  is_default: nullable(flag),
  is_live: nullable(flag),
  lead_time: nullable(wholeNumber),
  method: nullable(storedLine),
  order: nullable(wholeNumber),
  price: nullable(money).describe('Decimal, two decimals.'),
  hash: nullable(hash).describe('40 hexadecimal characters.'),
  preferred_date: nullable(day),
  delivery_date: nullable(day),
  delivery_status: nullable(storedLine),
  minDate: nullable(day),
  maxDate: nullable(day),
  type: nullable(wholeNumber),
  units: anything,
  originalPrice: nullable(decimal),
});
