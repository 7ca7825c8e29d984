import * as z from 'zod/mini';
import type { WritableElement, WritableProperty } from '../domain/transaction/change.ts';
import {
  customer,
  deliveryCollection,
  extras,
  financeDefaults,
  financeProposal,
  selectedPaymentMethod,
  valuation,
  vehicle,
} from './elements.ts';
import { closed, flag, line, webAddress, yesOrNo } from './fields.ts';

/** Names are opaque; they are compared and nothing else (OWN-1). */
const place = line(256).check(z.minLength(1, 'The member must not be empty.'));

/** The own properties that callers write, with the types of interface 2.1. */
const properties = {
  isDeleted: z.literal(1, 'The member may only be set to 1.'),
  priceAdjustment: closed({ payment: yesOrNo, priceRule: yesOrNo }),
  externalRedirect: flag,
  incentive: yesOrNo,
  document_id: z.nullable(line(256)),
  preselectedPaymentMethod: line(100),
  referrerUrl: webAddress,
  guestEmail: z.nullable(line(254)),
} satisfies Record<WritableProperty, z.core.$ZodType>;

/** The elements that callers write; `null` removes one. */
const elements = {
  vehicle: z.nullable(vehicle),
  extras: z.nullable(extras),
  deliveryCollection: z.nullable(deliveryCollection),
  selectedPaymentMethod: z.nullable(selectedPaymentMethod),
  financeProposal: z.nullable(financeProposal),
  valuation: z.nullable(valuation),
  customer: z.nullable(customer),
  financeDefaults: z.nullable(financeDefaults),
} satisfies Record<WritableElement, z.core.$ZodType>;

const { isDeleted, ...propertiesOfNew } = properties;

/** What a new transaction may be given (V1-6). */
export const newTransactionSchema = closed({
  location: place,
  franchise: place,
  ...propertiesOfNew,
  ...elements,
});

/** What may be written to a transaction that exists: this list and nothing else (S-13). */
export const transactionSchema = closed({
  location: place,
  franchise: place,
  isDeleted,
  ...propertiesOfNew,
  ...elements,
});
