import { productionSettings } from '../../../functions/shared/store/listing/settings.ts';
import { configOf } from '../../../lib/config.ts';
import { type Act, type Fate, simulateContention, type Writer } from './model.ts';

/** What the model says of the honest writes of a group: percent that are taken, and taken at the first try. */
export type Share = { writes: number; taken: number; atOnce: number };

const perAddress = configOf('production').firewall?.creationsPerAddress ?? Number.POSITIVE_INFINITY;

/** Ten writes that change the listing: five new transactions, of which some are paid, deleted and moved. */
const honestActs: readonly Act[] = [
  ...(['create', 'create', 'create', 'create', 'create'] as const),
  ...(['complete', 'complete', 'complete', 'delete', 'move'] as const),
];
const honest: Writer = { name: 'honest', perSecond: 5, acts: honestActs };

const addresses = 3;
const strangers = (more: Partial<Writer> = {}): Writer => ({
  name: 'strangers',
  perSecond: (addresses * perAddress) / 60,
  acts: ['create'],
  ...more,
});
/** A partner that moves transactions to and fro: 300 requests a minute. */
const mover: Writer = { name: 'partner', perSecond: 5, acts: ['move'], location: 0 };
const deleter: Writer = { name: 'partner', perSecond: 5, acts: ['delete'], location: 0 };

/** Who writes in a group beside whom. */
export const scenarios = {
  'nobody else': [honest],
  'three addresses': [honest, strangers()],
  'three addresses, at one location': [honest, strangers({ location: 0 })],
  'three addresses and all others, at one location': [{ ...honest, location: 0 }, strangers({ location: 0 })],
  'three addresses, all within one second of a minute': [honest, strangers({ inBursts: true })],
  'the same, at one location': [honest, strangers({ inBursts: true, location: 0 })],
  'the same, and all others there too': [
    { ...honest, location: 0 },
    strangers({ inBursts: true, location: 0 }),
  ],
  'a partner that moves 5 a second': [honest, mover],
  'a partner that deletes 5 a second': [honest, deleter],
  'three addresses and that partner': [honest, strangers(), mover],
} as const satisfies Record<string, readonly Writer[]>;
export type Scenario = keyof typeof scenarios;

const settings = productionSettings;

/** How the honest writes fare; the seed decides everything. */
export const shareOf = async (name: Scenario): Promise<Share> =>
  shareIn(await simulateContention({ settings, writers: scenarios[name], seconds: 600, seed: 1 }));

/** The result of writes in a group at this rate, without other writers. */
export const shareAt = async (perSecond: number): Promise<Share> =>
  shareIn(await simulateContention({ settings, writers: [{ ...honest, perSecond }], seconds: 200, seed: 1 }));

const shareIn = (fates: Map<string, Fate>): Share => {
  const { writes, taken, atOnce } = fates.get(honest.name) ?? { writes: 0, taken: 0, atOnce: 0 };
  const percent = (count: number) => Number(((100 * count) / writes).toFixed(2));
  return { writes, taken: percent(taken), atOnce: percent(atOnce) };
};
