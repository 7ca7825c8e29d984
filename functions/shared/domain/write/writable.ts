import { type ElementName, elementNames, type OwnPropertyName } from '../transaction/transaction.ts';

/** The own properties that callers write (V1-6); the others follow from what happens to the transaction. */
export const writableProperties = [
  'isDeleted',
  'priceAdjustment',
  'externalRedirect',
  'incentive',
  'document_id',
  'preselectedPaymentMethod',
  'referrerUrl',
  'guestEmail',
] as const satisfies readonly OwnPropertyName[];
export type WritableProperty = (typeof writableProperties)[number];

export type WritableElement = Exclude<ElementName, 'ndMeta' | 'payments'>;

/** The elements that callers write (V1-6): ownership moves by `location`, payments have an operation of their own. */
export const writableElements = elementNames.filter(
  (name): name is WritableElement => name !== 'ndMeta' && name !== 'payments',
);
