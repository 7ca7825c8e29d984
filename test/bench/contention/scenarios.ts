import { productionSettings } from '../../../functions/shared/store/listing/settings.ts';
import { limitOf } from '../../support/engine/firewall.ts';
import type { WebRequest } from '../../support/engine/firewall-statement.ts';
import { type Act, type Fate, simulateContention, type Writer } from './model.ts';

/** What the model says of the honest writes of a group: percent that are taken, and taken at the first try. */
export type Share = { writes: number; taken: number; atOnce: number };

/** Ten writes that change the listing: five new transactions, of which some are paid, deleted and moved. */
const honestActs: readonly Act[] = [
  ...(['create', 'create', 'create', 'create', 'create'] as const),
  ...(['complete', 'complete', 'complete', 'delete', 'move'] as const),
];
const honest: Writer = { name: 'honest', perSecond: 5, acts: honestActs };

/** Requests of strangers to V1. */
const create: WebRequest = { method: 'POST', path: '/api/transaction', query: '' };
const createByOverride: WebRequest = {
  ...{ method: 'GET', path: '/api/transaction', query: 'uuid=a' },
  headers: [['X-HTTP-Method-Override', 'POST']],
};
const change: WebRequest = { method: 'PATCH', path: '/api/transaction/a', query: '' };

/** Three addresses at the full rate that production's firewall has for the request. */
const strangers = (request: WebRequest, acts: readonly Act[], more: Partial<Writer> = {}): Writer => ({
  name: 'strangers',
  perSecond: (3 * limitOf(request)) / 60,
  acts,
  ...more,
});
const creators = (more?: Partial<Writer>) => strangers(create, ['create'], more);
const overriders = (more?: Partial<Writer>) => strangers(createByOverride, ['create'], more);
const movers = (more?: Partial<Writer>) => strangers(change, ['move'], more);
const deleters = (more?: Partial<Writer>) => strangers(change, ['delete'], more);
/** As many creations as pass among the writes, and moves. */
const creatorsAndMovers = (more?: Partial<Writer>) =>
  strangers(change, ['create', 'move', 'move', 'move', 'move'], more);
const inBursts = true;

/** A partner that moves transactions to and fro: 300 requests a minute. */
const mover: Writer = { name: 'partner', perSecond: 5, acts: ['move'], location: 0 };
const deleter: Writer = { name: 'partner', perSecond: 5, acts: ['delete'], location: 0 };

/** Who writes in a group beside whom. */
export const scenarios = {
  'nobody else': [honest],
  'three addresses': [honest, creators()],
  'three addresses, at one location': [honest, creators({ location: 0 })],
  'three addresses and all others, at one location': [{ ...honest, location: 0 }, creators({ location: 0 })],
  'three addresses, all within one second of a minute': [honest, creators({ inBursts })],
  'the same, at one location': [honest, creators({ inBursts, location: 0 })],
  'the same, and all others there too': [{ ...honest, location: 0 }, creators({ inBursts, location: 0 })],
  'three addresses with a method override': [honest, overriders()],
  'three addresses with a method override, all within one second of a minute': [
    honest,
    overriders({ inBursts }),
  ],
  'three addresses that move': [honest, movers()],
  'three addresses that move, at one location': [honest, movers({ location: 0 })],
  'three addresses that move and all others, at one location': [
    { ...honest, location: 0 },
    movers({ location: 0 }),
  ],
  'three addresses that move, all within one second of a minute': [honest, movers({ inBursts })],
  'three addresses that move within that second, and all others, at one location': [
    { ...honest, location: 0 },
    movers({ inBursts, location: 0 }),
  ],
  'three addresses that delete': [honest, deleters()],
  'three addresses that delete, at one location': [honest, deleters({ location: 0 })],
  'three addresses that delete, all within one second of a minute': [honest, deleters({ inBursts })],
  'three addresses that create and move': [honest, creatorsAndMovers()],
  'three addresses that create and move, all within one second of a minute': [
    honest,
    creatorsAndMovers({ inBursts }),
  ],
  'a partner that moves 5 a second': [honest, mover],
  'a partner that deletes 5 a second': [honest, deleter],
  'three addresses and that partner': [honest, creators(), mover],
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
