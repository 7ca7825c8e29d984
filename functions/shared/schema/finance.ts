import { amount, label, open, wholeNumber } from './fields.ts';

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
