import { z } from 'zod';
import type { JsonObject, JsonValue } from '../domain/transaction.ts';
import { isTransactionUuid } from '../domain/transaction-uuid.ts';

/**
 * A line of an import file: one transaction in API shape (interface 2) with its elements. `uuid`, `status` and `ndMeta`
 * must be there; other own properties have the value of an untouched transaction when left out. The fields of
 * payments, deliveryCollection and ndMeta are known to the interface and a closed list; the other elements are open
 * and kept as they are (WR-4). An element that is `null` is absent.
 */
const flag = z.literal([0, 1]);
const text = z.string();
const wholeNumber = z.int();
/** The ids given here go on behind the largest that came, and must not end at 2^53 (ID-2): half of all are left. */
const numericId = z.int().max(2 ** 52, `is larger than ${2 ** 52}`);
const money = z.string().regex(/^-?\d{1,15}\.\d{2}$/, 'is not a decimal with two decimals, such as "199.00"');
const decimal = z.string().regex(/^-?\d{1,15}(\.\d{1,10})?$/, 'is not a decimal number in quotes');
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'is not a date of the form YYYY-MM-DD');
const hash = z.string().regex(/^[0-9a-f]{40}$/i, 'is not 40 hexadecimal characters');
const anything = z.custom<JsonValue>(() => true);
const nullable = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().optional();

const opaque = z.string().min(1, 'is empty').max(256, 'is longer than 256 characters');

const ndMeta = z.strictObject({
  group: opaque,
  franchise: opaque,
  branch: opaque,
  location: opaque,
  groupSoftware: opaque.nullable().default(null),
});

const payment = z.strictObject({
  id: numericId,
  transaction_id: nullable(numericId),
  hash: nullable(hash),
  token: nullable(text),
  reference: nullable(text),
  provider_references: anything.optional(),
  type: wholeNumber,
  product_identifier: nullable(text),
  value: money,
  status: flag,
  message: nullable(text),
  is_selected: nullable(wholeNumber),
  settings: anything.optional(),
  details: nullable(z.union([text, z.custom<JsonObject>(isObject, 'is neither an object nor a text')])),
  transaction_completed_at: nullable(
    z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/, 'is not a time of the form YYYY-MM-DD HH:MM:SS'),
  ),
  created_at: nullable(wholeNumber),
  created_by: nullable(text),
  updated_at: nullable(wholeNumber),
  updated_by: nullable(text),
  gateway_id: nullable(wholeNumber),
});

const deliveryCollection = z.strictObject({
  is_default: nullable(flag),
  is_live: nullable(flag),
  lead_time: nullable(wholeNumber),
  method: nullable(text),
  order: nullable(wholeNumber),
  price: nullable(money),
  hash: nullable(hash),
  preferred_date: nullable(day),
  delivery_date: nullable(day),
  delivery_status: nullable(text),
  minDate: nullable(day),
  maxDate: nullable(day),
  type: nullable(wholeNumber),
  units: anything.optional(),
  originalPrice: nullable(decimal),
});

const openElement = z
  .custom<JsonObject | JsonValue[]>(isObjectOrList, 'is neither an object nor a list')
  .nullable()
  .optional();

/** Between 1970 and 9999 in UTC, as an export writes it; a number of milliseconds is too large and is refused. */
const lastSecond = 253_402_300_799;
const unixSeconds = z.int().min(0).max(lastSecond);
const isoTime = z.iso
  .datetime({ offset: true })
  .refine((time) => Date.parse(time) >= 0 && Date.parse(time) < (lastSecond + 1) * 1000);
const isTime = (value: unknown) => unixSeconds.safeParse(value).success || isoTime.safeParse(value).success;

export const lineSchema = z.strictObject({
  uuid: z.string().refine(isTransactionUuid, 'is not of the form <uuid>-<suffix>'),
  status: flag,
  editable: z.boolean().optional(),
  isDeleted: flag.default(0),
  priceAdjustment: z
    .strictObject({ payment: z.boolean(), priceRule: z.boolean() })
    .default({ payment: false, priceRule: false }),
  externalRedirect: flag.default(0),
  incentive: z.boolean().default(false),
  document_id: text.nullable().default(null),
  preselectedPaymentMethod: orNothing(text),
  referrerUrl: orNothing(text.refine(isHttpsUrlOrNothing, 'is not an https address')),
  guestEmail: text.nullable().default(null),
  vehicle: openElement,
  ndMeta,
  extras: openElement,
  deliveryCollection: deliveryCollection.nullable().optional(),
  selectedPaymentMethod: openElement,
  financeProposal: openElement,
  valuation: openElement,
  customer: openElement,
  payments: z.array(payment).nullable().optional(),
  financeDefaults: openElement,
  createdAt: z
    .custom<string | number>(isTime, 'is neither an ISO 8601 time with its zone nor Unix seconds')
    .optional(),
});
export type ImportLine = z.infer<typeof lineSchema>;

function isObject(value: unknown): value is JsonObject {
  return isObjectOrList(value) && !Array.isArray(value);
}

function isObjectOrList(value: unknown): value is JsonObject | JsonValue[] {
  return typeof value === 'object' && value !== null;
}

/** Stored addresses are https only and of bounded length (S-46). */
function isHttpsUrlOrNothing(value: string) {
  if (value === '') return true;
  return value.length <= 2048 && URL.canParse(value) && new URL(value).protocol === 'https:';
}

/** Strings that the interface does not let be null: other systems export null for nothing. */
function orNothing(known: z.ZodString) {
  return known.nullish().transform((value) => value ?? '');
}
