import { amount, label, open } from './fields.ts';

/** What the shop offers for the buyer's own vehicle; open. */
export const valuation = open({
  registration: label,
  mileage: amount,
  condition: label,
  value: amount,
  outstandingFinance: amount,
  equity: amount,
});
