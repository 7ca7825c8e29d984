import { z } from 'zod';
import type { JsonObject, JsonValue } from '../../../functions/shared/domain/transaction/transaction.ts';
import { isTransactionUuid } from '../../../functions/shared/domain/transaction/transaction-uuid.ts';
import {
  nullable,
  opaque,
  storedDeliveryCollection,
  storedNdMeta,
  storedPayment,
} from '../../../functions/shared/schema/stored.ts';

/**
 * A line of an import file: one transaction in API shape (interface 2) with its elements. `uuid`, `status` and `ndMeta`
 * must be there; other own properties have the value of an untouched transaction when left out. The fields of
 * payments, deliveryCollection and ndMeta are known to the interface and a closed list; the other elements are open
 * and kept as they are (WR-4). An element that is `null` is absent.
 */
const flag = z.literal([0, 1]);
const text = z.string();

/** The ids given here go on behind the largest that came, and must not end at 2^53 (ID-2): half of all are left. */
const numericId = z.int().max(2 ** 52, `is larger than ${2 ** 52}`);
const payment = storedPayment.extend({ id: numericId, transaction_id: nullable(numericId) });

const ndMeta = storedNdMeta.extend({ groupSoftware: opaque.nullable().default(null) });

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
  deliveryCollection: storedDeliveryCollection.nullable().optional(),
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
