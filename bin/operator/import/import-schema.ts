import { z } from 'zod';
import {
  type ElementName,
  elementNames,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../functions/shared/domain/transaction/transaction.ts';
import { isTransactionUuid } from '../../../functions/shared/domain/transaction/transaction-uuid.ts';
import { isWebAddress } from '../../../functions/shared/schema/fields.ts';
import { storedElement, storedLine } from '../../../functions/shared/schema/stored.ts';

const flag = z.literal([0, 1]);

/** New ids continue after the largest imported one and must stay below 2^53, so half of the range is left (ID-2). */
const numericId = z
  .int()
  .min(1, 'is below 1')
  .max(2 ** 52, `is larger than ${2 ** 52}`);

/** Only what a payment is about has to be said: the import gives the rest of its record (SHAPE-1). */
const { type, value, status, ...others } = storedElement('payments').shape;
const payment = z.strictObject({
  ...Object.fromEntries(Object.entries(others).map(([member, schema]) => [member, schema.nullish()])),
  ...{ type, value, status, id: numericId.nullish(), transaction_id: numericId.nullish() },
});

const ndMeta = storedElement('ndMeta').extend({
  groupSoftware: orNothing(storedLine.max(256, 'is longer than 256 characters')),
});

const openElement = z.custom<JsonObject>(isJsonObject, 'is not an object').nullish();
const extras = z
  .custom<JsonObject | JsonValue[]>(isObjectOrList, 'is neither an object nor a list')
  .nullish();

/** Times lie between 1970 and 9999 in UTC; a number of milliseconds is too large and is refused. */
const lastSecond = 253_402_300_799;
const unixSeconds = z.int().min(0).max(lastSecond);
const isoTime = z.iso
  .datetime({ offset: true })
  .refine((time) => Date.parse(time) >= 0 && Date.parse(time) < (lastSecond + 1) * 1000);
const isTime = (value: unknown) => unixSeconds.safeParse(value).success || isoTime.safeParse(value).success;

/**
 * One line: a transaction in the shape of the API (interface 2) with its elements. `uuid`, `status` and `ndMeta` are
 * required; another own property that is absent has the value of an untouched transaction. Payments,
 * deliveryCollection and ndMeta have a closed list of fields; other elements are kept as they are (WR-4).
 */
export const lineSchema = z.strictObject({
  uuid: z.string().refine(isTransactionUuid, 'is not of the form <uuid>-<suffix>'),
  status: flag,
  editable: z.boolean().optional(),
  isDeleted: flag.default(0),
  priceAdjustment: z
    .strictObject({ payment: z.boolean().default(false), priceRule: z.boolean().default(false) })
    .default({ payment: false, priceRule: false }),
  externalRedirect: flag.default(0),
  incentive: z.boolean().default(false),
  document_id: storedLine.nullable().default(null),
  preselectedPaymentMethod: orNothing(storedLine),
  referrerUrl: orNothing(z.string().refine(isWebAddress, 'is not an http or https address')),
  guestEmail: storedLine.nullable().default(null),
  ...everyElement(openElement),
  extras,
  ndMeta,
  deliveryCollection: storedElement('deliveryCollection').nullish(),
  payments: z.array(payment).nullish(),
  createdAt: z
    .custom<string | number>(isTime, 'is neither an ISO 8601 time with its zone nor Unix seconds')
    .optional(),
});

/** A valid line. */
export type ImportLine = z.infer<typeof lineSchema>;

function isObjectOrList(value: unknown): value is JsonObject | JsonValue[] {
  return typeof value === 'object' && value !== null;
}

function everyElement<Schema>(schema: Schema) {
  return Object.fromEntries(elementNames.map((name) => [name, schema])) as Record<ElementName, Schema>;
}

/** Other systems export null for an empty string, which the interface does not allow. */
function orNothing(known: z.ZodString) {
  return known.nullish().transform((value) => value ?? '');
}
