import type { JsonObject } from '../../../functions/shared/domain/transaction/transaction.ts';
import type { Random } from '../../support/builders/random.ts';

/** One request of the writing partner. */
export type PlannedWrite = { method: 'PATCH' | 'POST'; target: string; body: JsonObject };

/** Every transaction is changed once, then some again and again, a tenth of them far more often than the others. */
export const planWrites = (random: Random, uuids: readonly string[], count: number): PlannedWrite[] => {
  const first = shuffled(random, uuids);
  const hot = first.slice(0, Math.ceil(uuids.length / 10));
  const later = Array.from({ length: Math.max(0, count - uuids.length) }, () =>
    random.oneOf(random.isTrue(0.5) ? hot : uuids),
  );
  return [...first, ...later].map((uuid, number) => planWrite(random, uuid, number + 1));
};

const shuffled = <Value>(random: Random, values: readonly Value[]): Value[] =>
  values
    .map((value) => ({ value, order: random.next() }))
    .toSorted((one, other) => one.order - other.order)
    .map(({ value }) => value);

/** The number makes every value different from all others. */
const planWrite = (random: Random, uuid: string, number: number): PlannedWrite => {
  const patch = (body: JsonObject): PlannedWrite => ({
    method: 'PATCH',
    target: `/api/v2/transaction/${uuid}`,
    body,
  });
  const kind = random.next();
  if (kind < 0.4) return patch({ customer: { mobile: `${number}` } });
  if (kind < 0.6) return patch({ extras: [{ id: 1, name: `extra ${number}`, price: '1.00' }] });
  if (kind < 0.7) return patch({ vehicle: { mileage: number }, customer: { lastName: `${number}` } });
  // No event carries this property, and its change is sent all the same (EV-3).
  if (kind < 0.8) return patch({ guestEmail: `buyer-${number}@example.org` });
  // A value that changes back is sent too (EV-3).
  if (kind < 0.85) return patch({ extras: null });
  if (kind < 0.92) return patch({ valuation: { amount: `${number}.00` } });
  const status = random.isTrue(0.5) ? 1 : 0;
  return {
    method: 'POST',
    target: '/api/v2/payment',
    body: { transaction: uuid, type: 1, value: `${number}.00`, status },
  };
};

export type Loaded = { sent: number; accepted: number; refused: string[]; unanswered: number };

/** What the load writes through: undefined while the stage is down. */
export type Send = (write: PlannedWrite) => Promise<number | undefined>;

/**
 * Sends the plan with a few requests at once and a limit a second. A request without an answer is not sent again: the
 * service may have done it, and the store tells.
 */
export const startLoad = (
  plan: readonly PlannedWrite[],
  { send, perSecond }: { send: Send; perSecond: number },
) => {
  const loaded: Loaded = { sent: 0, accepted: 0, refused: [], unanswered: 0 };
  const queue = plan.values();
  const began = performance.now();
  const worker = async () => {
    for (const write of queue) {
      await pause(began + (loaded.sent * 1000) / perSecond - performance.now());
      loaded.sent += 1;
      const status = await send(write);
      if (status === undefined || status >= 500) loaded.unanswered += 1;
      else if (status < 300) loaded.accepted += 1;
      else loaded.refused.push(`${write.method} ${write.target}: ${status}`);
    }
  };
  const done = Promise.all(Array.from({ length: 4 }, worker));
  return { loaded, done };
};

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
