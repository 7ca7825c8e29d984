import * as z from 'zod/mini';
import type { WritableElement } from '../domain/transaction/change.ts';
import type { PaymentFacts } from '../domain/transaction/payment.ts';
import { closedElements } from '../domain/transaction/shape.ts';
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

/** Lists filter by it (FLT-1). An import takes what a write takes, or the text would be shown and found by no filter. */
export const listedIdentifier = z
  .string(identifierRefusal)
  .check(z.refine(isShortIdentifier, identifierRefusal))
  .check(z.refine(isLine, 'The member must be one line without control characters.'));

/** Whether it fits into a key of the store. */
export function isShortIdentifier(value: string): boolean {
  return Buffer.byteLength(value) <= 512;
}

/** An extra that is bought with the vehicle. An open element. */
const extra = open({
  name: label,
  category: label,
  price: amount,
  quantity: wholeNumber,
});

/** What a member of `deliveryCollection` accepts, by its type. */
const deliveryMembers = { flag, wholeNumber, money, decimal, day, hash, anything, shortLine: line(200) };

/**
 * The elements that callers write. All but `deliveryCollection` are open, and this is the only list of their known
 * members: the OpenAPI document and the kit's types are made from it. `identifiers.ndstockid` and
 * `identifiers.salesmasterid` of the vehicle are filters of lists.
 */
export const elementSchemas = {
  vehicle: open({
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
  }),
  /** A list of extras, or an object of the checkout's own form. */
  extras: z.union([z.array(extra), open({})], {
    error: 'The member must be an object or a list of objects.',
  }),
  /**
   * Each member may be null, because answers show unknown values as null, and a caller may send back what it has read
   * (SHAPE-1).
   */
  deliveryCollection: closed(
    orNull(
      Object.fromEntries(
        Object.entries(closedElements.deliveryCollection).map(([name, holds]) => [
          name,
          deliveryMembers[holds],
        ]),
      ),
    ),
  ),
  selectedPaymentMethod: open({ name: label, label, product: label }),
  financeProposal: open({
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
  }),
  valuation: open({
    registration: label,
    mileage: amount,
    condition: label,
    value: amount,
    outstandingFinance: amount,
    equity: amount,
  }),
  customer: open({
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
  }),
  financeDefaults: open({
    product: label,
    depositPercent: amount,
    term: wholeNumber,
    annualMileage: amount,
    apr: amount,
  }),
} satisfies Record<WritableElement, z.core.$ZodType>;

const optional = <Schema extends z.core.$ZodType>(schema: Schema) => z.optional(z.nullable(schema));

const numberRefusal = `The member must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}.`;
const numberFromZero = z.int(numberRefusal).check(z.gte(0, numberRefusal));

/**
 * What a caller sends about a payment (V2-3). The service writes the other members of interface 2.3, so they are
 * refused.
 */
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
  gateway_id: optional(wholeNumber),
  provider_references: z.optional(anything),
} satisfies Record<'transaction' | keyof PaymentFacts, z.core.$ZodType>);
