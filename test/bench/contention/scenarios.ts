import {
  type ListingSettings,
  productionSettings,
} from '../../../functions/shared/store/listing/settings.ts';
import { configOf } from '../../../lib/config.ts';
import { type Act, type Fate, simulateContention, type Writer } from './model.ts';

/** What the model says of the honest writes of a group: percent that are taken, and taken at the first try. */
export type Share = { writes: number; taken: number; atOnce: number };

export type Numbers = { settings: ListingSettings; creationsPerAddress: number };

export const deployed: Numbers = {
  settings: productionSettings,
  creationsPerAddress: configOf('production').firewall?.creationsPerAddress ?? Number.POSITIVE_INFINITY,
};
/** Before S-79: one counter item for all writes of a rollup, and the rate of all requests to V1. */
export const before: Numbers = {
  settings: { ...productionSettings, shards: { group: 1, franchise: 1, location: 1 } },
  creationsPerAddress: 1_200,
};

/** Ten writes that change the listing: five new transactions, of which some are paid, deleted and moved. */
const honestActs: readonly Act[] = [
  ...(['create', 'create', 'create', 'create', 'create'] as const),
  ...(['complete', 'complete', 'complete', 'delete', 'move'] as const),
];
const honest: Writer = { name: 'honest', perSecond: 5, acts: honestActs };

const addresses = 3;
const strangers = ({ creationsPerAddress }: Numbers, more: Partial<Writer> = {}): Writer => ({
  name: 'strangers',
  perSecond: (addresses * creationsPerAddress) / 60,
  acts: ['create'],
  ...more,
});
/** A partner that moves transactions to and fro: 300 requests a minute. */
const mover: Writer = { name: 'partner', perSecond: 5, acts: ['move'], location: 0 };
const deleter: Writer = { name: 'partner', perSecond: 5, acts: ['delete'], location: 0 };

/** Who writes in a group beside whom. */
export const scenarios = {
  'nobody else': () => [honest],
  'three addresses': (numbers) => [honest, strangers(numbers)],
  'three addresses, at one location': (numbers) => [honest, strangers(numbers, { location: 0 })],
  'three addresses and all others, at one location': (numbers) => [
    { ...honest, location: 0 },
    strangers(numbers, { location: 0 }),
  ],
  'three addresses, all within one second of a minute': (numbers) => [
    honest,
    strangers(numbers, { inBursts: true }),
  ],
  'the same, at one location': (numbers) => [honest, strangers(numbers, { inBursts: true, location: 0 })],
  'the same, and all others there too': (numbers) => [
    { ...honest, location: 0 },
    strangers(numbers, { inBursts: true, location: 0 }),
  ],
  'a partner that moves 5 a second': () => [honest, mover],
  'a partner that deletes 5 a second': () => [honest, deleter],
  'three addresses and that partner': (numbers) => [honest, strangers(numbers), mover],
} as const satisfies Record<string, (numbers: Numbers) => Writer[]>;
export type Scenario = keyof typeof scenarios;

/** How the honest writes fare; the seed decides everything. */
export const shareOf = async (
  name: Scenario,
  numbers: Numbers,
  { seconds = 600, seed = 1 } = {},
): Promise<Share> => {
  const writers = scenarios[name](numbers);
  return shareIn(await simulateContention({ settings: numbers.settings, writers, seconds, seed }));
};

/** The result of writes in a group at this rate, without other writers. */
export const shareAt = async (perSecond: number, { settings }: Numbers): Promise<Share> => {
  const writers = [{ ...honest, perSecond }];
  return shareIn(await simulateContention({ settings, writers, seconds: 200, seed: 1 }));
};

const shareIn = (fates: Map<string, Fate>): Share => {
  const { writes, taken, atOnce } = fates.get(honest.name) ?? { writes: 0, taken: 0, atOnce: 0 };
  const percent = (count: number) => Number(((100 * count) / writes).toFixed(2));
  return { writes, taken: percent(taken), atOnce: percent(atOnce) };
};
