import { z } from 'zod';
import { isTransactionUuid } from '../../../functions/shared/domain/transaction/transaction-uuid.ts';
import { elementSchemas, listedIdentifier } from '../../../functions/shared/schema/elements.ts';
import { numericId, storedElement, storedLine } from '../../../functions/shared/schema/stored.ts';
import { properties } from '../../../functions/shared/schema/transaction.ts';

const flag = z.literal([0, 1]);

/** New ids continue after the largest imported one, so half of the range below 2^53 is left for them (ID-2). */
const importedId = numericId.max(2 ** 52, `is larger than ${2 ** 52}`);

/** `type`, `value` and `status` are required; the import completes the rest of the record (SHAPE-1). */
const { type, value, status, ...others } = storedElement('payments').shape;
const payment = z.strictObject({
  ...Object.fromEntries(Object.entries(others).map(([member, schema]) => [member, schema.nullish()])),
  ...{ type, value, status, id: importedId.nullish(), transaction_id: importedId.nullish() },
});

const ndMeta = storedElement('ndMeta').extend({
  groupSoftware: orNothing(storedLine.max(256, 'is longer than 256 characters')),
});

/** Times lie between 1970 and 9999 in UTC. The limit also refuses a time in milliseconds. */
const lastSecond = 253_402_300_799;
const unixSeconds = z.int().min(0).max(lastSecond);
const isoTime = z.iso
  .datetime({ offset: true })
  .refine((time) => Date.parse(time) >= 0 && Date.parse(time) < (lastSecond + 1) * 1000);
const isTime = (value: unknown) => unixSeconds.safeParse(value).success || isoTime.safeParse(value).success;

/**
 * One line: a transaction in the shape of the API (interface 2) with its elements. `uuid`, `status` and `ndMeta` are
 * required; other absent properties get the value of an untouched transaction. payments, deliveryCollection and ndMeta have
 * a closed list of fields. Other elements are kept as given (WR-4), within their outline.
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
  document_id: z.optional(properties.document_id).transform((value) => value ?? null),
  preselectedPaymentMethod: orNothing(properties.preselectedPaymentMethod),
  referrerUrl: orNothing(properties.referrerUrl),
  guestEmail: z.optional(properties.guestEmail).transform((value) => value ?? null),
  ...outlines(elementSchemas),
  ndMeta,
  deliveryCollection: storedElement('deliveryCollection').nullish(),
  payments: z.array(payment).nullish(),
  createdAt: z
    .custom<string | number>(isTime, 'is neither an ISO 8601 time with its zone nor Unix seconds')
    .optional(),
});

/** A valid line. */
export type ImportLine = z.infer<typeof lineSchema>;

/**
 * Reduces a schema of the API to what an import demands (RUN-6): objects, lists of objects, identifiers that lists filter
 * by, and the length of known texts. Other members keep the line's notation.
 */
function outline(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema === listedIdentifier) return schema;
  if (schema instanceof z.core.$ZodOptional || schema instanceof z.core.$ZodNullable)
    return outline(schema._zod.def.innerType);
  if (schema instanceof z.core.$ZodArray) return z.array(outline(schema._zod.def.element));
  if (schema instanceof z.core.$ZodUnion)
    return z.union(schema._zod.def.options.map(outline), 'is neither an object nor a list of objects');
  if (schema instanceof z.core.$ZodString) return textWithin(schema);
  return schema instanceof z.core.$ZodObject ? z.looseObject(outlines(schema._zod.def.shape)) : z.unknown();
}

/** Any value, but of text only what a write takes: the caller could not send back longer text. */
function textWithin(schema: z.core.$ZodType) {
  return z.unknown().superRefine((value, context) => {
    const { error } = typeof value === 'string' ? z.safeParse(schema, value) : {};
    for (const { message } of error?.issues ?? []) context.addIssue({ code: 'custom', message });
  });
}

function outlines<Schemas extends Record<string, z.core.$ZodType>>(schemas: Schemas) {
  const outlined = Object.entries(schemas).map(([name, schema]) => [name, z.nullish(outline(schema))]);
  return Object.fromEntries(outlined) as { [Name in keyof Schemas]: z.ZodType };
}

/** Other systems export null where the interface asks for an empty string. */
function orNothing(known: z.core.$ZodType<string>) {
  return z.nullish(known).transform((value) => value ?? '');
}
