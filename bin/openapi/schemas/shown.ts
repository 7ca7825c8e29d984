import { z } from 'zod';
import type {
  ClosedElementName,
  closedElements,
} from '../../../functions/shared/domain/transaction/shape.ts';
import { type ElementName, elementNames } from '../../../functions/shared/domain/transaction/transaction.ts';
import { elementSchemas } from '../../../functions/shared/schema/elements.ts';
import { storedElement } from '../../../functions/shared/schema/stored.ts';

/** What each element is. */
export const aboutElements: { readonly [Name in ElementName]: string } = {
  vehicle: 'The vehicle being bought.',
  ndMeta: 'Who owns the transaction.',
  extras: 'What is bought beside the vehicle.',
  deliveryCollection: 'Delivery or collection.',
  selectedPaymentMethod: 'How the buyer wants to pay.',
  financeProposal: 'The finance that the buyer asks for.',
  valuation: "What the shop offers for the buyer's own vehicle.",
  customer: 'The buyer.',
  payments: 'All payments of the transaction.',
  financeDefaults: 'What a finance calculation begins with.',
};

/** What members of closed elements are, where the name does not say it. */
const aboutMembers: {
  readonly [Name in ClosedElementName]: { readonly [Member in keyof (typeof closedElements)[Name]]?: string };
} = {
  ndMeta: {
    group: 'Opaque hash.',
    franchise: 'Opaque hash.',
    branch: 'A name.',
    location: 'Opaque hash.',
    groupSoftware: 'Opaque hash; empty where none is known.',
  },
  deliveryCollection: { price: 'Decimal, two decimals.', hash: '40 hexadecimal characters.' },
  payments: {
    transaction_id: 'Numeric id of the owning transaction.',
    hash: '40 hexadecimal characters.',
    token: 'Payment-method token from a card processor, where the partner may see it.',
    reference: 'Free text; a placeholder text when none.',
    type: 'Values seen: 0, 1, 8.',
    product_identifier: 'Value seen: PAY.',
    value: 'Decimal amount with two decimals.',
    status: 'Values seen: 0, 1.',
    is_selected: '1 marks the selected payment.',
    details:
      'For card payments an object with type, brand, method, funding; for other payments a descriptive text.',
    transaction_completed_at: 'Format YYYY-MM-DD HH:MM:SS.',
    created_at: 'Unix timestamp, seconds.',
    created_by: 'Name of the operation that created the record.',
    updated_at: 'Unix timestamp, seconds.',
    updated_by: 'Same shape as created_by.',
  },
};

/** A closed element with every member, as answers and messages show it (SHAPE-1). */
export const closedElement = <Name extends ClosedElementName>(name: Name) => {
  const about: { readonly [member: string]: string | undefined } = aboutMembers[name];
  const { shape } = storedElement(name);
  const described = Object.entries<z.ZodType>(shape).map(([member, schema]) => [
    member,
    about[member] ? schema.describe(about[member]) : schema,
  ]);
  return z.strictObject(Object.fromEntries(described) as typeof shape).required();
};

/** What an import may have brought for an element that the interface leaves open (RUN-6); extras may be a list. */
export const importedElement = z.looseObject({});
const importedExtras = z.union([importedElement, z.array(z.unknown())]);

export const ndMeta = closedElement('ndMeta');
export const deliveryCollection = closedElement('deliveryCollection');
export const payment = closedElement('payments');

/** The elements as answers and messages show them. An open one is mostly as callers write it. */
const shownElement = (name: ElementName): z.ZodType => {
  if (name === 'ndMeta') return ndMeta;
  if (name === 'deliveryCollection') return deliveryCollection.nullable();
  if (name === 'payments') return z.array(payment);
  return z.union([elementSchemas[name], name === 'extras' ? importedExtras : importedElement]).nullable();
};
export const shownElements = Object.fromEntries(elementNames.map((name) => [name, shownElement(name)])) as {
  readonly [Name in ElementName]: z.ZodType;
};
