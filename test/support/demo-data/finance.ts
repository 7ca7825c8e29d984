import type { JsonObject } from '../../../functions/shared/domain/transaction/transaction.ts';
import { type Dice, money } from './random.ts';

export type FinancePlan = { product: 'HP' | 'PCP'; element: JsonObject };

const purchaseFee = 10;

/**
 * A hire purchase or personal contract purchase whose figures add up: equal monthly payments at the monthly rate that
 * compounds to the APR; a PCP leaves the guaranteed future value to a final payment.
 */
export const financeOf = (price: number, partExchange: number, dice: Dice): FinancePlan => {
  const product = dice.chance(0.65) ? 'PCP' : 'HP';
  const term = dice.pick([24, 36, 48, 60]);
  const apr = dice.pick([4.9, 6.9, 8.9, 9.9, 11.9]);
  const deposit = Math.round((price * dice.whole(5, 20)) / 100);
  const borrowed = price - deposit - partExchange;
  const futureValue = product === 'PCP' ? Math.round(price * 0.85 ** (term / 12) * 0.8) : 0;
  const final = Math.min(futureValue, Math.round(borrowed * 0.6));
  const monthly = monthlyPayment({ borrowed, final, term, apr });
  const payable = deposit + partExchange + monthly * term + final + purchaseFee;
  return {
    product,
    element: {
      product,
      provider: dice.pick(['Example Motor Finance', 'Sample Bank']),
      status: dice.pick(['quoted', 'submitted', 'accepted', 'accepted', 'referred']),
      cashPrice: money(price),
      deposit: money(deposit),
      partExchange: money(partExchange),
      amountOfCredit: money(borrowed),
      term,
      apr: apr.toFixed(1),
      monthlyPayment: money(monthly),
      ...(product === 'PCP' && {
        finalPayment: money(final),
        annualMileage: dice.pick([6_000, 8_000, 10_000, 12_000]),
        excessMileageCharge: '0.09',
      }),
      optionToPurchaseFee: money(purchaseFee),
      totalPayable: money(payable),
      totalChargeForCredit: money(payable - price),
    },
  };
};

/** The annuity formula, to the penny. */
const monthlyPayment = ({
  borrowed,
  final,
  term,
  apr,
}: Record<'borrowed' | 'final' | 'term' | 'apr', number>) => {
  const rate = (1 + apr / 100) ** (1 / 12) - 1;
  const discount = (1 + rate) ** -term;
  return Math.round((((borrowed - final * discount) * rate) / (1 - discount)) * 100) / 100;
};

export const financeDefaultsOf = (dice: Dice): JsonObject => ({
  product: 'PCP',
  depositPercent: 10,
  term: dice.pick([36, 48]),
  annualMileage: 8_000,
  apr: dice.pick(['8.9', '9.9']),
});

/** What the shop offers for the buyer's own car. */
export const valuationOf = (dice: Dice): { element: JsonObject; partExchange: number } => {
  const offer = dice.whole(8, 70) * 100;
  const owed = dice.chance(0.25) ? Math.round(offer * 0.4) : 0;
  const accepted = dice.chance(0.7);
  const element = {
    registration: `Q${dice.pick(['R', 'S', 'T', 'V'])}${dice.whole(13, 21)} ${dice.pick(['DMO', 'TST', 'SMP'])}`,
    mileage: dice.whole(20, 110) * 1000,
    condition: dice.pick(['good', 'clean', 'average', 'below average']),
    value: money(offer),
    outstandingFinance: money(owed),
    equity: money(offer - owed),
    partExchange: accepted,
  };
  return { element, partExchange: accepted ? offer - owed : 0 };
};
