import * as z from 'zod/mini';
import {
  amount,
  anything,
  closed,
  day,
  decimal,
  flag,
  hash,
  isLine,
  label,
  line,
  money,
  open,
  orNull,
  text,
  wholeNumber,
  yesOrNo,
} from './fields.ts';

const identifierRefusal = 'The member must be text of at most 512 bytes.';

/** Lists filter by it (FLT-1). */
const listedIdentifier = z
  .string(identifierRefusal)
  .check(z.refine(isShortIdentifier, identifierRefusal))
  .check(z.refine(isLine, 'The member must be one line without control characters.'));

/** Whether it fits the keys of the store. */
export function isShortIdentifier(value: string): boolean {
  return Buffer.byteLength(value) <= 512;
}

/** The vehicle being bought; open. `identifiers.ndstockid` and `identifiers.salesmasterid` feed the lists' filters. */
export const vehicle = open({
  identifiers: open({
    ndstockid: listedIdentifier,
    salesmasterid: listedIdentifier,
    registration: label,
    vin: label,
  }),
  make: label,
  model: label,
  derivative: label,
  body: label,
  fuel: label,
  transmission: label,
  colour: label,
  doors: wholeNumber,
  condition: label,
  mileage: amount,
  price: amount,
  isVatQualifying: yesOrNo,
});

/** The buyer; open. */
export const customer = open({
  title: label,
  firstName: label,
  lastName: label,
  email: text(254),
  mobile: label,
  landline: label,
  address: open({
    line1: label,
    line2: label,
    town: label,
    county: label,
    postcode: label,
    country: label,
  }),
  marketing: open({ email: yesOrNo, sms: yesOrNo, post: yesOrNo }),
});

/**
 * Delivery or collection: the members of interface 2.4 and no other. Each may be null, as an answer shows what is not known:
 * who reads one and puts it back is not refused (SHAPE-1).
 */
export const deliveryCollection = closed(
  orNull({
    is_default: flag,
    is_live: flag,
    lead_time: wholeNumber,
    method: line(200),
    order: wholeNumber,
    price: money,
    hash,
    preferred_date: day,
    delivery_date: day,
    delivery_status: line(200),
    minDate: day,
    maxDate: day,
    type: wholeNumber,
    units: anything,
    originalPrice: decimal,
  }),
);

/** One thing that is bought beside the vehicle; open. */
const extra = open({
  name: label,
  category: label,
  price: amount,
  quantity: wholeNumber,
});

/** What is bought beside the vehicle: a list of extras, or an object of the checkout's own making; open. */
export const extras = z.union([z.array(extra), open({})], {
  error: 'The member must be an object or a list of objects.',
});

/** The finance that the buyer asks for; open. */
export const financeProposal = open({
  product: label,
  provider: label,
  status: label,
  cashPrice: amount,
  deposit: amount,
  partExchange: amount,
  amountOfCredit: amount,
  term: wholeNumber,
  apr: amount,
  monthlyPayment: amount,
  finalPayment: amount,
  annualMileage: amount,
  excessMileageCharge: amount,
  optionToPurchaseFee: amount,
  totalPayable: amount,
  totalChargeForCredit: amount,
});

/** What a finance calculation begins with; open. */
export const financeDefaults = open({
  product: label,
  depositPercent: amount,
  term: wholeNumber,
  annualMileage: amount,
  apr: amount,
});

/** How the buyer wants to pay; open. */
export const selectedPaymentMethod = open({ name: label, label, product: label });

/** What the shop offers for the buyer's own vehicle; open. */
export const valuation = open({
  registration: label,
  mileage: amount,
  condition: label,
  value: amount,
  outstandingFinance: amount,
  equity: amount,
});

const optional = <Schema extends z.core.$ZodType>(schema: Schema) => z.optional(z.nullable(schema));

const numberFromZero = z
  .int('The member must be a whole number from 0.')
  .check(z.gte(0, 'The member must be a whole number from 0.'));

/** What a caller says about a payment (V2-3); the service writes the other members of interface 2.3, so they are refused. */
export const paymentSchema = z.strictObject({
  transaction: line(100),
  type: numberFromZero,
  value: money,
  status: flag,
  reference: optional(text(255)),
  product_identifier: optional(line(200)),
  message: optional(text(2000)),
  token: optional(line(2000)),
  settings: z.optional(anything),
  details: optional(
    z.union([text(2000), z.looseObject({})], { error: 'The member must be an object or text.' }),
  ),
  gateway_id: optional(z.int('The member must be a whole number.')),
  provider_references: z.optional(anything),
});
