import type {
  ClosedElementName,
  closedElements,
} from '../../../functions/shared/domain/transaction/shape.ts';
import { elementSchemas } from '../../../functions/shared/schema/elements.ts';
import { describeMembers, type MemberDescriptions } from './named.ts';

/**
 * Descriptions of the members of closed elements. If the interface does not define a value, the description says so.
 */
export const aboutMembers: {
  readonly [Name in ClosedElementName]: { readonly [Member in keyof (typeof closedElements)[Name]]: string };
} = {
  ndMeta: {
    group: 'The dealer group that owns the transaction, as an opaque hash.',
    franchise: 'The franchise within the group, as an opaque hash.',
    branch: 'The name of the branch, for people: `Meridian Bristol`.',
    location: 'The location of the branch, as an opaque hash. A partner may be granted single locations.',
    groupSoftware: 'The software of the group, as an opaque hash; empty if unknown.',
  },
  deliveryCollection: {
    is_default: '1 marks the method that the shop offers by default, 0 any other.',
    is_live: '1 = the shop offers the method, 0 = it does not.',
    lead_time: 'How long the method takes to prepare, as a whole number. The unit is not specified.',
    method: 'How the buyer gets the vehicle, in the words of the shop: `Home delivery`.',
    order: 'Position of the method among those that the shop offers.',
    price: 'Price for the buyer, as decimal text: `"99.00"`.',
    hash: '40 hexadecimal characters. How they are computed is not specified.',
    preferred_date: 'The day that the buyer asked for: `YYYY-MM-DD`.',
    delivery_date: 'The day that the vehicle is handed over: `YYYY-MM-DD`.',
    delivery_status:
      'Progress of the delivery, in the words of the shop: `booked`. There is no fixed list of values.',
    minDate: 'The first day that the buyer may choose: `YYYY-MM-DD`.',
    maxDate: 'The last day that the buyer may choose: `YYYY-MM-DD`.',
    type: 'The kind of delivery, as a whole number. What each number means is not specified.',
    units: 'Unit of distances or amounts: `miles`. Any JSON value; its form is not specified.',
    originalPrice: 'Price before adjustments, as decimal text: `"99.00"`.',
  },
  payments: {
    id: 'Number of this payment. No other payment ever has it.',
    transaction_id:
      'The numeric id of the owning transaction. Addresses and filters take its `uuid` instead.',
    hash: '40 hexadecimal characters, created with the record.',
    token: 'Payment-method token from a card processor. Null if there is none, or if you may not see it.',
    reference: 'The reference of whoever recorded the payment; `No reference given` if there is none.',
    provider_references: 'References of the payment provider. Any JSON value; its form is not specified.',
    type: 'Kind of payment. Values seen: 0, 1, 8. What each of them means is not specified.',
    product_identifier: 'What was paid for. Value seen: `PAY`.',
    value: 'Amount, as decimal text with two decimals: `"99.00"`. The currency is not specified.',
    status:
      'Values seen: 0, 1. A payment that is recorded with 1 completes an incomplete transaction. What else they mean is not specified.',
    message: 'What the payment provider said: `Insufficient funds`. Null if it said nothing.',
    is_selected: '1 marks the selected payment of the transaction.',
    settings: 'Settings of the payment. Any JSON value; its form is not specified.',
    details:
      'For a card payment, an object with `type`, `brand`, `method`, `funding`; for any other, a text: `Bank transfer`.',
    transaction_completed_at:
      'When this payment completed the transaction, in UTC: `YYYY-MM-DD HH:MM:SS`. Null if it did not.',
    created_at: 'When the record was created: Unix timestamp, seconds.',
    created_by:
      'Name of the operation that created the record, as `<version>/<resource>/<action>`: `v2/payment/create`.',
    updated_at: 'When the record was last changed: Unix timestamp, seconds.',
    updated_by: 'Name of the operation that last changed the record, in the format of `created_by`.',
    gateway_id:
      'Number of the payment gateway that was used. Which number stands for which gateway is not specified.',
  },
};

const form = 'A number, or a decimal number as text';

const finance: MemberDescriptions = {
  product: 'The kind of agreement: `PCP`, `HP`.',
  provider: 'The lender that was asked: `Sample Bank`.',
  status: 'Progress of the proposal, in the words of the shop: `quoted`. There is no fixed list of values.',
  cashPrice: `What the vehicle costs without finance. ${form}.`,
  deposit: `What the buyer pays at the start. ${form}.`,
  partExchange: `What is taken off for the buyer's own vehicle. ${form}.`,
  amountOfCredit: `What the buyer borrows: the cash price less deposit and part exchange. ${form}.`,
  term: 'How long the agreement runs, in months.',
  apr: `Annual percentage rate of charge, in per cent. ${form}: \`"6.9"\`.`,
  monthlyPayment: `What the buyer pays each month. ${form}.`,
  finalPayment: `Final payment to keep the vehicle. ${form}.`,
  annualMileage: `How many miles a year the agreement allows. ${form}.`,
  excessMileageCharge: `What each mile above that costs. ${form}.`,
  optionToPurchaseFee: `What it costs to become the owner at the end. ${form}.`,
  totalPayable: `Total that the buyer pays, deposit and fees included. ${form}.`,
  totalChargeForCredit: `What the credit costs: interest and fees. ${form}.`,
};

describeMembers(elementSchemas.deliveryCollection, aboutMembers.deliveryCollection);

describeMembers(elementSchemas.vehicle, {
  identifiers: [
    'Identifiers of the vehicle, in this system and in others.',
    {
      ndstockid: 'Stock ID of the vehicle. `filter[identifiers][ndstockid]` finds its transactions.',
      salesmasterid:
        'ID of the vehicle in an external system. `filter[identifiers][salesmasterid]` finds its transactions.',
      registration: 'The number plate; null for a vehicle that was never registered.',
      vin: 'Vehicle identification number, as stamped into the chassis.',
    },
  ],
  make: 'Manufacturer of the vehicle: `BMW`.',
  model: 'The model, without its version: `3 Series`.',
  derivative: 'The exact version of the model: `320i M Sport 4dr Step Auto`.',
  body: 'The shape of the vehicle: `Saloon`, `Hatchback`.',
  fuel: 'What it runs on: `Petrol`, `Electric`.',
  transmission: 'How its gears are changed: `Automatic`, `Manual`.',
  colour: 'The name that the manufacturer gives the colour: `Atlantic Blue`.',
  doors: 'Number of doors: `5`.',
  condition: 'Whether it was owned before: `new`, `used`. Other words are possible.',
  mileage: `How many miles it has run. ${form}.`,
  price: `Price in the shop. ${form}: \`"41395.00"\`.`,
  isVatQualifying: 'Whether a business that buys it may reclaim the value added tax.',
});

const [listOfExtras] = elementSchemas.extras._zod.def.options;
describeMembers(listOfExtras._zod.def.element, {
  name: 'What is bought, as the buyer read it: `Paint protection`.',
  category: 'What sort of extra it is, in the words of the shop: `protection`.',
  price: `What one of them costs. ${form}: \`"399.00"\`.`,
  quantity: 'How many of them are bought.',
});

describeMembers(elementSchemas.selectedPaymentMethod, {
  name: 'Name of the payment method that the buyer chose, for programs: `finance`.',
  label: 'The same for people: `Personal contract purchase`.',
  product: 'The finance product, if the method is finance: `PCP`.',
});

describeMembers(elementSchemas.financeProposal, finance);

describeMembers(elementSchemas.financeDefaults, {
  product: 'The kind of agreement that is offered first: `PCP`.',
  depositPercent: `The deposit as a share of the price, in per cent. ${form}.`,
  term: 'How long an agreement runs unless the buyer chooses otherwise, in months.',
  annualMileage: `How many miles a year are assumed. ${form}.`,
  apr: `The annual percentage rate that is assumed, in per cent. ${form}: \`"9.9"\`.`,
});

describeMembers(elementSchemas.valuation, {
  registration: "The number plate of the buyer's own vehicle.",
  mileage: `How many miles that vehicle has run. ${form}.`,
  condition: 'The state of that vehicle, in the words of the shop: `good`.',
  value: `What the shop offers for it. ${form}.`,
  outstandingFinance: `What the buyer still owes on it. ${form}.`,
  equity: `The offer minus what is still owed; negative if more is owed. ${form}.`,
});

describeMembers(elementSchemas.customer, {
  title: 'How the buyer is addressed: `Mx`, `Dr`.',
  firstName: 'The given name of the buyer.',
  lastName: 'The family name of the buyer.',
  email: 'The email address of the buyer, as entered in the checkout.',
  mobile: 'The mobile telephone number of the buyer, as it was entered: `07700 900185`.',
  landline: 'The fixed telephone number of the buyer, as it was entered: `01632 960965`.',
  address: [
    'The postal address of the buyer.',
    {
      line1: 'First line of the address: house and street.',
      line2: 'Second line of the address, if there is one.',
      town: 'Town or city of the address.',
      county: 'County of the address, if one was entered.',
      postcode: 'Postcode of the address: `XX8 4ZZ`.',
      country: 'Country of the address: `GB`.',
    },
  ],
  marketing: [
    'How the buyer agreed to receive advertising.',
    {
      email: 'Whether the buyer agreed to advertising by email.',
      sms: 'Whether the buyer agreed to advertising by text message.',
      post: 'Whether the buyer agreed to advertising by letter.',
    },
  ],
});
