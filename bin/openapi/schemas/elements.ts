import { z } from 'zod';
import {
  customer,
  deliveryCollection as deliveryChange,
  extras,
  financeDefaults,
  financeProposal,
  selectedPaymentMethod,
  valuation,
  vehicle,
} from '../../../functions/shared/schema/elements.ts';
import {
  deliveryCollection,
  importedElement,
  payment,
} from '../../../functions/shared/schema/event-message.ts';
import { storedNdMeta } from '../../../functions/shared/schema/stored.ts';
import { named } from './named.ts';

/** The elements of a transaction under the names that the document has for them. */
const openNote = 'Members beyond these are kept as they were written.';

named(vehicle, 'Vehicle', {
  description: `The vehicle being bought. \`identifiers.ndstockid\` and \`identifiers.salesmasterid\` feed the filters of lists. ${openNote}`,
});
named(customer, 'Customer', { description: `The buyer. ${openNote}` });
named(extras, 'Extras', {
  description: `What is bought beside the vehicle: a list of extras, or an object of the checkout's own making. ${openNote}`,
});
named(financeProposal, 'FinanceProposal', {
  description: `The finance that the buyer asks for. ${openNote}`,
});
named(financeDefaults, 'FinanceDefaults', {
  description: `What a finance calculation begins with. ${openNote}`,
});
named(selectedPaymentMethod, 'SelectedPaymentMethod', {
  description: `How the buyer wants to pay. ${openNote}`,
});
named(valuation, 'Valuation', {
  description: `What the shop offers for the buyer's own vehicle. ${openNote}`,
});
named(importedElement, 'ImportedElement', {
  description:
    'An element that another system exported and that was imported unchanged: an object or a list. What this API wrote has the shape beside it.',
});
named(deliveryChange, 'DeliveryCollectionChange', {
  description: 'Delivery or collection in a request, with any of its members, each of which may be null.',
});
named(deliveryCollection, 'DeliveryCollection', {
  description: 'Delivery or collection, with every member; what is not known is null.',
});
named(storedNdMeta, 'NdMeta', {
  description: 'Who owns the transaction: one registered storefront of the estate.',
});
named(payment, 'PaymentRecord', {
  description: 'A payment, with every member; what is not known is null.',
});

/** The same records narrowed by `fields`: members that were not asked for are absent. */
export const selectedNdMeta = named(storedNdMeta.partial(), 'SelectedNdMeta', {
  description: 'ndMeta narrowed by `fields`.',
});
export const selectedDelivery = named(deliveryCollection.partial(), 'SelectedDeliveryCollection', {
  description: 'deliveryCollection narrowed by `fields`.',
});
export const selectedPayment = named(payment.partial(), 'SelectedPaymentRecord', {
  description: 'A payment narrowed by `fields`.',
});

export const shown = {
  ...{ vehicle, customer, extras, financeProposal, financeDefaults, selectedPaymentMethod, valuation },
  ...{ ndMeta: storedNdMeta, deliveryCollection, payments: z.array(payment) },
};
