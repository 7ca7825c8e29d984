import { z } from 'zod';
import type { ClosedElementName } from '../../../functions/shared/domain/transaction/shape.ts';
import { type ElementName, elementNames } from '../../../functions/shared/domain/transaction/transaction.ts';
import { elementSchemas } from '../../../functions/shared/schema/elements.ts';
import { storedElement } from '../../../functions/shared/schema/stored.ts';
import { aboutMembers } from './element-members.ts';

/** Descriptions of the elements. */
export const aboutElements: { readonly [Name in ElementName]: string } = {
  vehicle: 'The vehicle that is being bought.',
  ndMeta: 'Who owns the transaction: group, franchise and location.',
  extras: 'What is bought beside the vehicle.',
  deliveryCollection: 'How and when the buyer gets the vehicle: delivery or collection.',
  selectedPaymentMethod: 'How the buyer wants to pay.',
  financeProposal: 'The finance that the buyer asks for.',
  valuation: "What the shop offers for the buyer's own vehicle.",
  customer: 'The person who buys: name, contact, address.',
  payments: 'All payment records of the transaction.',
  financeDefaults: 'What a finance calculation begins with.',
};

/** A closed element with every member, as answers and messages show it (SHAPE-1). */
export const closedElement = <Name extends ClosedElementName>(name: Name) => {
  const about: { readonly [member: string]: string } = aboutMembers[name];
  const { shape } = storedElement(name);
  const described = Object.entries<z.ZodType>(shape).map(([member, schema]) => [
    member,
    schema.describe(about[member] ?? ''),
  ]);
  return z.strictObject(Object.fromEntries(described) as typeof shape).required();
};

/** Other values of an open element, which imports may have stored (RUN-6). Extras may be a list. */
export const importedElement = z.looseObject({});
export const importedExtras = z.union([importedElement, z.array(z.unknown())]);

export const ndMeta = closedElement('ndMeta');
export const deliveryCollection = closedElement('deliveryCollection');
export const payment = closedElement('payments');

/** The elements as answers and messages show them. Open ones mostly have the form in which callers write them. */
const shownElement = (name: ElementName): z.ZodType => {
  if (name === 'ndMeta') return ndMeta;
  if (name === 'deliveryCollection') return deliveryCollection.nullable();
  if (name === 'payments') return z.array(payment);
  return z.union([elementSchemas[name], name === 'extras' ? importedExtras : importedElement]).nullable();
};
export const shownElements = Object.fromEntries(elementNames.map((name) => [name, shownElement(name)])) as {
  readonly [Name in ElementName]: z.ZodType;
};
