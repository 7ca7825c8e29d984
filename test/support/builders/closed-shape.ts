import { deliveryMembers, paymentMembers } from './whole-elements.ts';

/** The closed shapes of interface section 2, written out apart from the code that projects (S-14). */
const own =
  'uuid status editable isDeleted priceAdjustment externalRedirect incentive document_id preselectedPaymentMethod referrerUrl guestEmail';
const toOne =
  'vehicle ndMeta extras deliveryCollection selectedPaymentMethod financeProposal valuation customer financeDefaults';
const closed: Record<string, string> = {
  priceAdjustment: 'payment priceRule',
  ndMeta: 'group franchise branch location groupSoftware',
  deliveryCollection: deliveryMembers,
  payments: paymentMembers,
};

/** The names in a transaction's body that the interface does not know. */
export const unknownNames = (body: Record<string, unknown>): string[] => [
  ...beyond(body, `${own} ${toOne} payments`),
  ...Object.entries(closed).flatMap(([name, names]) =>
    [body[name] ?? []].flat().flatMap((member) => beyond(member as object, names)),
  ),
];

const beyond = (value: object, names: string) =>
  Object.keys(value).filter((name) => !names.split(' ').includes(name));
