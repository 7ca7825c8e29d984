import type { NdMeta } from '../../../functions/shared/domain/ownership/owner.ts';
import type { ChangeKind } from '../../../functions/shared/domain/transaction/change.ts';
import type { JsonObject } from '../../../functions/shared/domain/transaction/transaction.ts';
import { makeTransactionUuid } from '../../../functions/shared/domain/transaction/transaction-uuid.ts';
import type { Random } from '../../support/builders/random.ts';
import { bytesOf, randomOf } from '../kernel/seeds.ts';
import { owners } from './estate.ts';

/** One thing that a caller does to a transaction. */
export type Act =
  | { act: 'begin'; how: 'imported' | 'entered' | 'get-or-create'; owner: NdMeta; body: JsonObject }
  | { act: 'change'; kind: ChangeKind; body: JsonObject }
  | { act: 'move'; owner: NdMeta }
  | { act: 'pay'; body: JsonObject }
  | { act: 'restore' };

/** Which caller does what to which transaction, and when. Made before the world begins, so that nothing in it changes the plan. */
export type Planned = { atMs: number; uuid: string } & Act;

const minute = 60_000;

/** How changes follow one another: what borders on dormancy, leases and ticks is where the protocol may go wrong. */
const rhythms = {
  calm: (random: Random) => random.integer(150_000, 900_000),
  flurry: (random: Random) => random.integer(200, 20_000),
  border: (random: Random) => random.integer(105_000, 140_000),
  slow: (random: Random) => random.integer(20_000, 110_000),
  burst: (random: Random) => random.integer(0, 60),
} as const;
type Rhythm = keyof typeof rhythms;

export const transactionUuid = (seed: number, name: string): string =>
  makeTransactionUuid(bytesOf(randomOf(seed, 'uuid', name), 16));

/** The random life of one transaction within `untilMs`. */
export const lifeOf = (seed: number, name: string, untilMs: number): Planned[] => {
  const random = randomOf(seed, 'life', name);
  const uuid = transactionUuid(seed, name);
  const how = random.oneOf(['imported', 'entered', 'entered', 'get-or-create'] as const);
  const beginsAtMs = random.isTrue(0.5)
    ? random.integer(0, 5_000)
    : random.integer(0, Math.floor(untilMs / 2));
  const owner = random.oneOf(owners);
  const begin: Planned = { atMs: beginsAtMs, uuid, act: 'begin', how, owner, body: someElements(random, 0) };
  return [begin, ...changesFrom(beginsAtMs + random.integer(0, minute), { random, uuid, untilMs })];
};

const changesFrom = (
  fromMs: number,
  { random, uuid, untilMs }: { random: Random; uuid: string; untilMs: number },
): Planned[] => {
  const planned: Planned[] = [];
  let atMs = fromMs;
  while (atMs < untilMs) {
    const rhythm = random.oneOf(Object.keys(rhythms) as Rhythm[]);
    for (let left = random.integer(1, 6); left > 0 && atMs < untilMs; left -= 1) {
      for (const act of someActs(random, planned.length)) planned.push({ atMs, uuid, ...act });
      atMs += rhythms[rhythm](random);
    }
    atMs += random.isTrue(0.6) ? random.integer(100_000, 300_000) : random.integer(0, 30_000);
  }
  return planned;
};

/** Mostly one act; now and then two at once, or a change and its way back (A→B→A, EV-3). */
const someActs = (random: Random, count: number): Act[] => {
  const chance = random.next();
  if (chance < 0.06) return [anAct(random, count), anAct(random, count + 1)];
  if (chance < 0.1) return [aPayment(random, count, 1), aPayment(random, count + 1, 1)];
  if (chance < 0.16) {
    const body = { guestEmail: random.oneOf([null, 'canary-mail@example.com']) };
    return [{ act: 'change', kind: 'merge', body }];
  }
  return [anAct(random, count)];
};

const anAct = (random: Random, count: number): Act => {
  const chance = random.next();
  if (chance < 0.52)
    return { act: 'change', kind: random.oneOf(['merge', 'replace']), body: someElements(random, count) };
  if (chance < 0.6) return { act: 'change', kind: 'merge', body: { incentive: random.isTrue(0.5) } };
  if (chance < 0.66) return { act: 'change', kind: 'merge', body: aRemoval(random) };
  if (chance < 0.8) return { act: 'move', owner: random.oneOf(owners) };
  if (chance < 0.9) return aPayment(random, count, random.isTrue(0.7) ? 0 : 1);
  if (chance < 0.92) return { act: 'change', kind: 'merge', body: { isDeleted: 1 } };
  if (chance < 0.95) return { act: 'restore' };
  if (chance < 0.954) return { act: 'change', kind: 'merge', body: anOversize(random) };
  return { act: 'change', kind: 'merge', body: {} };
};

const aPayment = (random: Random, count: number, status: 0 | 1): Act => ({
  act: 'pay',
  body: {
    type: random.oneOf([0, 1, 8]),
    value: `${count}.00`,
    status,
    reference: `payment ${count}`,
    ...(random.isTrue(0.3) && { token: `canary-token-${count}` }),
  },
});

/** One to three elements with few different values, so that old ones come back (EV-3). */
const someElements = (random: Random, count: number): JsonObject => {
  const value = random.integer(0, 3);
  const all: JsonObject = {
    vehicle: { make: `make ${value}`, identifiers: { ndstockid: `N${value}` } },
    extras: { [`extra ${value}`]: { price: `${count}.00` } },
    deliveryCollection: { method: random.oneOf(['delivery', 'collection']), lead_time: value },
    selectedPaymentMethod: { name: `method ${value}` },
    financeProposal: { term: value },
    valuation: { mileage: value * 1_000 },
    customer: { firstName: `canary-name-${value}` },
    financeDefaults: { term: 12 + value },
  };
  const names = Object.keys(all);
  const chosen = Array.from({ length: random.integer(1, 3) }, () => random.oneOf(names));
  return Object.fromEntries(chosen.map((name) => [name, all[name] ?? null]));
};

const aRemoval = (random: Random): JsonObject => ({
  [random.oneOf(['vehicle', 'extras', 'customer', 'financeProposal', 'valuation'])]: null,
});

/** Two of these are more than a message holds (EV-9). */
const anOversize = (random: Random): JsonObject => ({
  [random.oneOf(['valuation', 'financeProposal'])]: { note: 'x'.repeat(random.oneOf([31_000, 40_000])) },
});

/** Bursts of a few seconds, and rests that are long enough for sending, whatever the clocks and ticks. */
export const steadyLife = (seed: number, name: string, untilMs: number): Planned[] => {
  const random = randomOf(seed, 'steady', name);
  const uuid = transactionUuid(seed, name);
  const owner = random.oneOf(owners);
  const planned: Planned[] = [
    { atMs: 1_000, uuid, act: 'begin', how: 'entered', owner, body: someElements(random, 0) },
  ];
  for (let atMs = 10_000; atMs < untilMs; atMs += random.integer(240_000, 500_000))
    for (let count = random.integer(1, 5); count > 0; count -= 1)
      planned.push({ atMs: atMs + (5 - count) * 3_000, uuid, ...anAct(random, planned.length) });
  return planned;
};

/** An edit a second from `fromMs` on, and nothing else. */
export const hotLife = (seed: number, name: string, span: { fromMs: number; untilMs: number }): Planned[] => {
  const random = randomOf(seed, 'hot', name);
  const uuid = transactionUuid(seed, name);
  const [owner] = owners;
  if (!owner) throw new Error('There is no owner');
  const edits = Array.from(
    { length: Math.floor((span.untilMs - span.fromMs) / 1_000) },
    (_, second): Planned => ({
      ...{ atMs: span.fromMs + 2_000 + second * 1_000, uuid, act: 'change', kind: 'merge' },
      body: { valuation: { mileage: second }, ...(random.isTrue(0.1) && { incentive: random.isTrue(0.5) }) },
    }),
  );
  return [
    { atMs: span.fromMs, uuid, act: 'begin', how: 'entered', owner, body: { valuation: {} } },
    ...edits,
  ];
};
