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

/** The elements of a transaction under the names that the document has for them. */
const { deliveryCollection: deliveryChange, ...openElements } = elementSchemas;

const aboutOpen: { readonly [Name in keyof typeof openElements]: string } = {
  ...aboutElements,
  vehicle: `${aboutElements.vehicle} \`identifiers.ndstockid\` and \`identifiers.salesmasterid\` feed the filters of lists.`,
  extras: "What is bought beside the vehicle: a list of extras, or an object of the checkout's own making.",
};

for (const name of Object.keys(openElements) as (keyof typeof openElements)[]) {
  const id = name.replace(/^./, (first) => first.toUpperCase());
  const description = `${aboutOpen[name]} Members beyond these are kept as they were written.`;
  named(openElements[name], id, { description, examples: [elementExamples[name]] });
}

named(importedElement, 'ImportedElement', {
  description:
    'An element that another system exported and that was imported unchanged. What this API wrote has the shape beside it.',
});
named(importedExtras, 'ImportedExtras', {
  description: 'Extras that another system exported and that were imported unchanged: an object or a list.',
});
named(deliveryChange, 'DeliveryCollectionChange', {
  description: 'Delivery or collection in a request, with any of its members, each of which may be null.',
  examples: [elementExamples.deliveryCollection],
});
named(deliveryCollection, 'DeliveryCollection', {
  description: 'Delivery or collection, with every member; what is not known is null.',
});
named(ndMeta, 'NdMeta', {
  description: 'Who owns the transaction: one registered storefront of the estate.',
});
named(payment, 'PaymentRecord', {
  description: 'A payment, with every member; what is not known is null.',
});

/** The same records narrowed by `fields`: members that were not asked for are absent. */
export const selectedNdMeta = named(ndMeta.partial(), 'SelectedNdMeta', {
  description: 'ndMeta narrowed by `fields`.',
});
export const selectedDelivery = named(deliveryCollection.partial(), 'SelectedDeliveryCollection', {
  description: 'deliveryCollection narrowed by `fields`.',
});
export const selectedPayment = named(payment.partial(), 'SelectedPaymentRecord', {
  description: 'A payment narrowed by `fields`.',
});
