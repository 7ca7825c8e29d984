import * as z from 'zod/mini';
import { amount, label, open, wholeNumber, yesOrNo } from './fields.ts';

const refusal = 'The member must be text of at most 512 bytes.';

/** Lists filter by it (FLT-1), and it becomes part of a key of the listing, which holds 2,048 bytes. */
const listedIdentifier = z
  .string(refusal)
  .check(z.refine((value: string) => Buffer.byteLength(value) <= 512, refusal));

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
