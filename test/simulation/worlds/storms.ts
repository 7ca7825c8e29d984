import type { FaultMode } from '../kernel/faults.ts';
import { randomOf } from '../kernel/seeds.ts';
import { owners } from './estate.ts';
import { type PartnerPlan, type PlannedMeasure, partnerPlan } from './partner-program.ts';
import { lifeOf, type Planned, transactionUuid } from './program.ts';
import type { WorldPlan } from './world-plan.ts';

const minute = 60_000;
const transactionsInStorm = 12;

/**
 * Partners are paused, resumed, disabled, granted, revoked, moved and sent again to all the time, transactions move between
 * them, and now and then everything is stopped. Random worlds seldom do two of these at once.
 */
export const stormyWorld = (seed: number, mode: FaultMode): WorldPlan => {
  const random = randomOf(seed, 'storm');
  const activeMs = 40 * minute;
  const names = Array.from({ length: transactionsInStorm }, (_, index) => `s${index}`);
  const stopsAtMs = random.integer(5, 15) * minute;
  return {
    seed,
    mode,
    activeMs,
    restMs: 20 * minute,
    acts: names.flatMap((name) => [...lifeOf(seed, name, activeMs), ...movesOf(seed, name, activeMs)]),
    partners: Array.from({ length: 4 }, (_, index) => stormyPartner(seed, index, { activeMs, mode })),
    ...(random.isTrue(0.5) && { light: { rows: 1 } }),
    ...(mode !== 'none' && {
      stops: [{ fromMs: stopsAtMs, untilMs: random.integer(16, 18) * minute }],
    }),
  };
};

const movesOf = (seed: number, name: string, untilMs: number): Planned[] => {
  const random = randomOf(seed, 'moves', name);
  const uuid = transactionUuid(seed, name);
  const moves: Planned[] = [];
  let atMs = random.integer(3 * minute, 25 * minute);
  for (; atMs < untilMs; atMs += random.integer(30_000, 10 * minute))
    moves.push({ atMs, uuid, act: 'move', owner: random.oneOf(owners) });
  return moves;
};

const stormyMeasures = [
  'pause',
  'pause',
  'resume',
  'disable',
  'grant',
  'revoke',
  'replay-since',
  'replay-since',
  'remove-endpoint',
  'show-tokens',
  'hide-tokens',
] as const;

const stormyPartner = (
  seed: number,
  index: number,
  { activeMs, mode }: { activeMs: number; mode: FaultMode },
): PartnerPlan => {
  const random = randomOf(seed, 'stormy', index);
  const isFrail = mode !== 'none' && random.isTrue(0.5);
  const plan = partnerPlan(seed, index, { untilMs: activeMs, isRestless: false, isFrail });
  const partner: PartnerPlan['partner'] = {
    ...plan.partner,
    oauthScopes: ['nop2/read'],
    grants: [{ group: 'G1' }, { group: random.oneOf(['G1', 'G2']) }],
  };
  const measures: PlannedMeasure[] = [];
  const add = (atMs: number, measure: PlannedMeasure['measure']) =>
    measures.push({ atMs, clientId: partner.clientId, measure, index: measures.length });
  let atMs = random.integer(10_000, 5 * minute);
  for (; atMs < activeMs - 3 * minute; atMs += random.integer(5_000, 5 * minute)) {
    const measure = random.oneOf(stormyMeasures);
    add(atMs, measure);
    if (measure === 'pause') add(atMs + random.integer(500, 4 * minute), 'resume');
    if (measure === 'disable') add(atMs + random.integer(500, 2 * minute), 'enable');
    if (measure === 'remove-endpoint') add(atMs + random.integer(500, 2 * minute), 'set-endpoint');
  }
  for (const last of ['enable', 'set-endpoint', 'resume'] as const) add(activeMs - minute, last);
  return { ...plan, partner, isThere: true, measures: measures.sort((one, other) => one.atMs - other.atMs) };
};
