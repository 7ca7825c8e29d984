import { anything, closed, day, decimal, flag, hash, label, money, wholeNumber } from './fields.ts';

/** Interface 2.4: these members and no other. */
export const deliveryCollection = closed({
  is_default: flag,
  is_live: flag,
  lead_time: wholeNumber,
  method: label,
  order: wholeNumber,
  price: money,
  hash,
  preferred_date: day,
  delivery_date: day,
  delivery_status: label,
  minDate: day,
  maxDate: day,
  type: wholeNumber,
  units: anything,
  originalPrice: decimal,
});
