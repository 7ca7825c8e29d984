import type { JsonObject } from '../../../functions/shared/domain/transaction/transaction.ts';
import { makeTransactionUuid } from '../../../functions/shared/domain/transaction/transaction-uuid.ts';
import { deliveryOf, extrasOf, type Method, paymentOf } from './checkout.ts';
import { customerOf } from './customer.ts';
import { type Place, places } from './estate.ts';
import { financeDefaultsOf, financeOf, valuationOf } from './finance.ts';
import type { Dice } from './random.ts';
import { type Vehicle, vehicleOf } from './vehicle.ts';

/** How far a buyer came; each step has everything of the ones before it. */
const steps = { looked: 0, chose: 1, identified: 2, arranged: 3, paid: 4 } as const;
type Step = (typeof steps)[keyof typeof steps];

/** Lines of an import file, oldest first: checkouts between the two instants. */
export const transactionsBetween = (
  { from, to, count }: { from: Date; to: Date; count: number },
  dice: Dice,
): JsonObject[] => {
  const span = to.getTime() - from.getTime();
  const stock: { place: Place; vehicle: Vehicle }[] = [];
  return Array.from({ length: count }, (_, index) => {
    // One in seven is about a car of an earlier one, so that a stock id finds several.
    const seen = stock.length > 20 && dice.chance(1 / 7) ? stock[dice.whole(0, stock.length - 1)] : undefined;
    const choice = seen ?? freshChoice(index, dice);
    if (!seen) stock.push(choice);
    const slot = span / count;
    const createdAtMs =
      Math.floor((from.getTime() + index * slot + dice.whole(0, Math.floor(slot) - 1)) / 1000) * 1000;
    return transactionOf({ number: index + 1, createdAtMs, ...choice }, dice);
  });
};

const freshChoice = (index: number, dice: Dice) => {
  const place = dice.pick(places);
  return { place, vehicle: vehicleOf(place.make, index + 1, dice) };
};

type Checkout = { number: number; createdAtMs: number; place: Place; vehicle: Vehicle };

const transactionOf = ({ number, createdAtMs, place, vehicle }: Checkout, dice: Dice): JsonObject => {
  const step = dice.pick<Step>([0, 1, 2, 2, 3, 3, 4, 4, 4, 4]);
  const isComplete = step === steps.paid;
  const method = dice.pick<Method>(['finance', 'finance', 'card', 'cash']);
  const customer = customerOf(number, dice);
  const isGuest = step >= steps.identified && dice.chance(0.3);
  const stockPage = `${place.shop}/cars/${vehicle.stockId.toLowerCase()}`;
  return {
    uuid: makeTransactionUuid(dice.bytes(16)),
    status: isComplete ? 1 : 0,
    editable: !isComplete,
    isDeleted: 0,
    priceAdjustment: { payment: dice.chance(0.1), priceRule: dice.chance(0.15) },
    externalRedirect: dice.chance(0.1) ? 1 : 0,
    incentive: dice.chance(0.2),
    document_id: isComplete && method === 'finance' ? `DOC-${String(number).padStart(6, '0')}` : null,
    preselectedPaymentMethod: method,
    referrerUrl: dice.chance(0.8) ? stockPage : `${stockPage}?utm_source=newsletter`,
    guestEmail: isGuest ? (customer.email ?? null) : null,
    ...elementsOf({ number, createdAtMs, place, vehicle, step, method, customer }, dice),
    createdAt: new Date(createdAtMs).toISOString(),
  };
};

type Details = Checkout & { step: Step; method: Method; customer: JsonObject };

/** In the order of the interface, without what the buyer has not entered. */
const elementsOf = (
  { step, method, customer, place, vehicle, ...checkout }: Details,
  dice: Dice,
): JsonObject => {
  const valuation = step >= steps.chose && dice.chance(0.4) ? valuationOf(dice) : undefined;
  const extras = step >= steps.chose ? extrasOf(dice) : undefined;
  const usesFinance = method === 'finance' && step >= steps.chose;
  const plan = usesFinance ? financeOf(vehicle.price, valuation?.partExchange ?? 0, dice) : undefined;
  return {
    vehicle: vehicle.element,
    ndMeta: place.owner,
    ...(extras && { extras }),
    ...(step >= steps.arranged && {
      deliveryCollection: deliveryOf(checkout.createdAtMs, step === steps.paid, dice),
    }),
    ...(step >= steps.chose && { selectedPaymentMethod: selectedMethod(method, plan?.product) }),
    ...(plan && { financeProposal: plan.element }),
    ...(valuation && { valuation: valuation.element }),
    ...(step >= steps.identified && { customer }),
    ...paymentsOf({ ...checkout, step, price: vehicle.price, method }, dice),
    financeDefaults: financeDefaultsOf(dice),
  };
};

const selectedMethod = (method: Method, product: 'HP' | 'PCP' | undefined): JsonObject => {
  if (product)
    return {
      name: 'finance',
      product,
      label: product === 'PCP' ? 'Personal contract purchase' : 'Hire purchase',
    };
  return method === 'card' ? { name: 'card', label: 'Card' } : { name: 'cash', label: 'Cash' };
};

type Till = { number: number; createdAtMs: number; step: Step; price: number; method: Method };

/** Finance is sealed with a holding fee; otherwise the car is paid for, by card up to a limit. Some try twice. */
const paymentsOf = ({ number, createdAtMs, step, price, method }: Till, dice: Dice): JsonObject => {
  const isComplete = step === steps.paid;
  const failed = (isComplete || step === steps.arranged) && dice.chance(0.2);
  const value =
    method === 'finance' ? dice.pick([99, 199, 250]) : method === 'card' ? Math.min(price, 9_995) : price;
  const attempts = [...(failed ? [false] : []), ...(isComplete ? [true] : [])];
  if (attempts.length === 0) return {};
  const payments = attempts.map((isTaken, index) =>
    paymentOf(
      {
        id: 20_000 + number * 10 + index,
        transactionId: 10_000 + number,
        atMs: createdAtMs + (dice.whole(15, 55) + index * 60) * 60_000,
        value,
        method,
        isTaken,
      },
      dice,
    ),
  );
  return { payments };
};
