import type { Partner } from '../../../functions/shared/domain/partner.ts';
import { aPartner } from '../../support/builders/a-partner.ts';
import type { Random } from '../../support/builders/random.ts';
import { randomOf } from '../kernel/seeds.ts';
import type { Health, Spell } from '../service/receivers.ts';
import { grants } from './estate.ts';

const measures = [
  ...(['grant', 'grant', 'revoke', 'disable', 'enable', 'pause', 'resume', 'remove-endpoint'] as const),
  ...(['set-endpoint', 'show-tokens', 'hide-tokens', 'replay-since', 'delete'] as const),
];
/** What an operator does about a partner. */
type Measure = (typeof measures)[number] | 'register';
export type PlannedMeasure = {
  atMs: number;
  clientId: string;
  measure: Measure;
  index: number;
  /** How far a replay goes back; up to forty minutes where nothing is said. */
  backMs?: number;
};

/** A partner's first state, its changes, and the condition of its endpoint. */
export type PartnerPlan = { partner: Partner; isThere: boolean; measures: PlannedMeasure[]; spells: Spell[] };

/** The random life of one partner; measures come alone or close together. */
export const partnerPlan = (
  seed: number,
  index: number,
  { untilMs, isRestless, isFrail }: { untilMs: number; isRestless: boolean; isFrail: boolean },
): PartnerPlan => {
  const random = randomOf(seed, 'partner', index);
  const clientId = `PARTNER${String.fromCharCode(65 + index)}`.padEnd(26, 'X');
  const isThere = !isRestless || random.isTrue(0.85);
  const partner = aPartner({
    clientId,
    name: `partner-${index}`,
    grants: [random.oneOf(grants), ...(random.isTrue(0.4) ? [random.oneOf(grants)] : [])],
    showsPaymentTokens: random.isTrue(0.3),
    oauthScopes: randomOf(seed, 'scopes', index).isTrue(0.75) ? ['nop2/read', 'nop2/write'] : ['nop2/write'],
    webhookUrl: `https://hooks.example/${index}`,
  });
  return {
    partner,
    isThere,
    measures: isRestless ? someMeasures(random, { clientId, untilMs, isThere }) : [],
    spells: isFrail ? someSpells(random, untilMs) : [],
  };
};

const someMeasures = (
  random: Random,
  { clientId, untilMs, isThere }: { clientId: string; untilMs: number; isThere: boolean },
): PlannedMeasure[] => {
  const planned: PlannedMeasure[] = [];
  const add = (atMs: number, measure: Measure) =>
    planned.push({ atMs, clientId, measure, index: planned.length });
  if (!isThere) add(random.integer(60_000, untilMs), 'register');
  for (let left = random.integer(0, 6); left > 0; left -= 1) {
    const atMs = random.integer(0, untilMs);
    const measure = random.oneOf(measures);
    if (measure === 'delete' && !random.isTrue(0.3)) continue;
    add(atMs, measure);
    if (measure === 'pause') add(atMs + random.integer(1_000, 900_000), 'resume');
    if (measure === 'disable') add(atMs + random.integer(1_000, 600_000), 'enable');
  }
  return planned.filter(({ atMs }) => atMs < untilMs).sort((one, other) => one.atMs - other.atMs);
};

const someSpells = (random: Random, untilMs: number): Spell[] => {
  if (random.isTrue(0.5)) return [];
  const healths: readonly Health[] = ['slow', 'hanging', 'failing', 'gone', 'unreachable'];
  return Array.from({ length: random.integer(1, 3) }, () => {
    const fromMs = random.integer(0, untilMs);
    const health = random.oneOf(healths);
    return { fromMs, untilMs: Math.min(untilMs, fromMs + random.integer(30_000, 1_200_000)), health };
  });
};

/** After these the tool has `keep-endpoints` look at the partner. */
export const isOfEndpoint = (measure: Measure): boolean =>
  ['register', 'disable', 'enable', 'pause', 'resume', 'remove-endpoint', 'set-endpoint'].includes(measure);

/** The partner's record after a measure; of a deletion, until nothing is left of its endpoint. */
export const measured = (
  partner: Partner,
  { measure, index, atMs }: PlannedMeasure,
  { random, epochMs }: { random: Random; epochMs: number },
): Partner => {
  const webhookChange = { by: 'operator', atMs: epochMs + atMs } as const;
  const { webhookPaused: _paused, ...awake } = { ...partner, webhookChange };
  const { webhookUrl: _url, ...withoutEndpoint } = awake;
  switch (measure) {
    case 'register':
      return partner;
    case 'grant':
      return { ...partner, grants: [...partner.grants, random.oneOf(grants)] };
    case 'revoke':
      return { ...partner, grants: partner.grants.slice(1) };
    case 'disable':
      return { ...partner, enabled: false };
    case 'enable':
      return { ...partner, enabled: true };
    case 'pause':
      return { ...awake, webhookPaused: 'operator' };
    case 'resume':
      return awake;
    case 'remove-endpoint':
      return withoutEndpoint;
    case 'set-endpoint':
      return { ...partner, webhookUrl: `https://hooks.example/${partner.name}/${index}` };
    case 'show-tokens':
      return { ...partner, showsPaymentTokens: true };
    case 'hide-tokens':
      return { ...partner, showsPaymentTokens: false };
    case 'replay-since':
      return partner;
    case 'delete':
      return { ...withoutEndpoint, enabled: false };
    default:
      return measure satisfies never;
  }
};
