import type { Random } from '../../support/builders/random.ts';
import { anOwner, uuidOf } from '../../support/builders/transactions.ts';
import type { EndpointResponses } from '../../support/stage/webhook-receiver.ts';

/** How a partner's endpoint behaves: most take every message, one often fails, one is slow, one has gone. */
export type Habit = 'takes' | 'fails' | 'slow' | 'gone';
export type CrashPartner = { name: string; group: string; habit: Habit };

const groups = 10;
const groupOf = (index: number) => `G${index % groups}`;
const habits: Habit[] = ['gone', 'slow', 'fails'];

/** Partners in turns over the groups; the last three are the difficult ones, each beside one that takes everything. */
export const crashPartners = (count: number): CrashPartner[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `partner-${String(index).padStart(2, '0')}`,
    group: groupOf(index),
    habit: habits[count - 1 - index] ?? 'takes',
  }));

/** The partner that makes the writes; it has no endpoint and sees every group. */
export const writerGrants = Array.from({ length: groups }, (_, index) => ({ group: groupOf(index) }));

/** The import file: every transaction with its first elements. */
export const crashLines = (count: number): object[] =>
  Array.from({ length: count }, (_, index) => ({
    uuid: uuidOf(index),
    status: 0,
    ndMeta: anOwner({ group: groupOf(index), location: `L${index % groups}` }),
    vehicle: { make: 'Ford', mileage: 0 },
    customer: { firstName: 'Ann', mobile: '07700 900000' },
  }));

/** Refused and late answers of one partner, drawn anew for each request. */
export const answeringOf = (habit: Habit, random: Random): EndpointResponses | undefined => {
  if (habit === 'takes') return undefined;
  if (habit === 'gone') return () => 410;
  if (habit === 'fails') return failing(random);
  // One answer in thirty comes after the sender gave up, so the same message comes again.
  return () => ({ status: 204, afterMs: random.isTrue(1 / 30) ? 6000 : random.integer(100, 1500) });
};

/** At most three failures in a row, so that the last delivery does not wait through many pauses of the bus. */
const failing = (random: Random): EndpointResponses => {
  let inARow = 0;
  return () => {
    inARow = inARow < 3 && random.isTrue(0.4) ? inARow + 1 : 0;
    return inARow > 0 ? random.oneOf([500, 503, 429]) : 204;
  };
};
