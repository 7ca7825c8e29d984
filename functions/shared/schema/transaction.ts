import * as z from 'zod/mini';
import type { WritableProperty } from '../domain/transaction/change.ts';
import { elementSchemas } from './elements.ts';
import { closed, flag, line, orNull, webAddress, yesOrNo } from './fields.ts';

/** Names are opaque and only compared (OWN-1). */
const place = line(256).check(z.minLength(1, 'The member must not be empty.'));

/** The own properties that callers write, with the types of interface 2.1. */
export const properties = {
  isDeleted: z.literal(1, 'The member may only be set to 1.'),
  priceAdjustment: closed({ payment: yesOrNo, priceRule: yesOrNo }),
  externalRedirect: flag,
  incentive: yesOrNo,
  document_id: z.nullable(line(256)),
  preselectedPaymentMethod: line(100),
  referrerUrl: webAddress,
  guestEmail: z.nullable(line(254)),
} satisfies Record<WritableProperty, z.core.$ZodType>;

/** `null` removes an element. */
const elements = orNull(elementSchemas);

const { isDeleted, ...propertiesOfNew } = properties;

/** What a new transaction may contain (V1-6). */
export const newTransactionSchema = closed({
  location: place,
  franchise: place,
  ...propertiesOfNew,
  ...elements,
});

/** What may be written to an existing transaction: these members and no others (S-13). */
export const transactionSchema = closed({
  location: place,
  franchise: place,
  isDeleted,
  ...propertiesOfNew,
  ...elements,
});
