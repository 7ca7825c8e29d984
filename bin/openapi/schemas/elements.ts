import { elementSchemas } from '../../../functions/shared/schema/elements.ts';
import { elementExamples } from '../examples/transactions.ts';
import { named } from './named.ts';
import {
  aboutElements,
  deliveryCollection,
  importedElement,
  importedExtras,
  ndMeta,
  payment,
} from './shown.ts';

/** The elements of a transaction, by their names in the document. */
const { deliveryCollection: deliveryChange, ...openElements } = elementSchemas;

const aboutOpen: { readonly [Name in keyof typeof openElements]: string } = {
  ...aboutElements,
  vehicle: `${aboutElements.vehicle} \`identifiers.ndstockid\` and \`identifiers.salesmasterid\` are what the filters of lists compare.`,
  extras: 'What is bought beside the vehicle: a list of extras, or an object that the checkout defines.',
};

for (const name of Object.keys(openElements) as (keyof typeof openElements)[]) {
  const id = name.replace(/^./, (first) => first.toUpperCase());
  const description = `${aboutOpen[name]} Other members are stored as they are sent.`;
  named(openElements[name], id, { description, examples: [elementExamples[name]] });
}

named(importedElement, 'ImportedElement', {
  description:
    'An element that was imported unchanged from another system. Elements written by this API have the other shape.',
});
named(importedExtras, 'ImportedExtras', {
  description: 'Extras that were imported unchanged from another system: an object or a list.',
});
named(deliveryChange, 'DeliveryCollectionChange', {
  description: 'Delivery or collection in a request. Each member can be absent or null.',
  examples: [elementExamples.deliveryCollection],
});
named(deliveryCollection, 'DeliveryCollection', {
  description: 'Delivery or collection, with every member. A member that is not known is null.',
});
named(ndMeta, 'NdMeta', {
  description: 'Owner of the transaction: a registered storefront.',
});
named(payment, 'PaymentRecord', {
  description: 'A payment, with every member. A member that is not known is null.',
});

/** The same records narrowed by `fields`: members that were not selected are absent. */
export const selectedNdMeta = named(ndMeta.partial(), 'SelectedNdMeta', {
  description: 'ndMeta narrowed by `fields`.',
});
export const selectedDelivery = named(deliveryCollection.partial(), 'SelectedDeliveryCollection', {
  description: 'deliveryCollection narrowed by `fields`.',
});
export const selectedPayment = named(payment.partial(), 'SelectedPaymentRecord', {
  description: 'A payment narrowed by `fields`.',
});
