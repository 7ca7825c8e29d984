import { type Facts, type Finding, factsOf, unless } from '../checks/facts.ts';
import { randomOf } from '../kernel/seeds.ts';
import type { Accepted } from '../service/history.ts';
import { listeners, manyAtOnce, waitsOf } from './crowd.ts';
import { hiddenOwner } from './estate.ts';
import { type PartnerPlan, partnerPlan } from './partner-program.ts';
import { hotLife, lifeOf, type Planned, steadyLife, transactionUuid } from './program.ts';
import { runWorld } from './world.ts';
import type { WorldPlan } from './world-plan.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Two worlds that differ in one thing, and what that thing must not change. */
export type Pair = {
  title: string;
  seeds: readonly number[];
  one: (seed: number) => WorldPlan;
  other: (seed: number) => WorldPlan;
  compare: (one: Facts, other: Facts) => Finding[];
};

/** What is wrong with a pair of one seed. */
export const comparePair = async ({ one, other, compare }: Pair, seed: number): Promise<Finding[]> =>
  compare(factsOf(await runWorld(one(seed))), factsOf(await runWorld(other(seed))));

const count = 10;

/** Lives whose changes come in bursts with long rests between: which events are made does not hang on milliseconds. */
const steadyWorld = (seed: number): WorldPlan => ({
  ...{ seed, mode: 'none', activeMs: hour, restMs: 14 * minute },
  acts: Array.from({ length: count }, (_, index) => steadyLife(seed, `t${index}`, hour)).flat(),
  partners: partnersOf(seed),
});

const partnersOf = (seed: number): PartnerPlan[] =>
  [0, 1, 2].map((index) => partnerPlan(seed, index, { untilMs: hour, isRestless: false, isFrail: false }));

/** More transactions that none of the partners sees, and more partners who see those and the others. */
const withHidden = (seed: number): WorldPlan => {
  const plan = steadyWorld(seed);
  const hidden = Array.from({ length: count }, (_, index) =>
    lifeOf(seed, `hidden ${index}`, hour).map(
      (act): Planned => ('owner' in act ? { ...act, owner: hiddenOwner } : act),
    ),
  );
  const more = partnersOf(seed + 1_000).map(
    ({ partner, ...plan }): PartnerPlan => ({
      ...plan,
      partner: {
        ...{ ...partner, clientId: `OTHER${partner.clientId}`, name: `other-${partner.name}` },
        grants: [...partner.grants, { group: hiddenOwner.group }],
      },
    }),
  );
  return { ...plan, acts: [...plan.acts, ...hidden.flat()], partners: [...plan.partners, ...more] };
};

/** S-54: what each partner of the first world was sent is the same, byte for byte, but for the time of publication. */
const deliveriesAreTheSame = (one: Facts, other: Facts): Finding[] =>
  one.clientIds.flatMap((clientId) => {
    const [alone, beside] = [sentTo(one, clientId), sentTo(other, clientId)];
    const differing = alone.filter((text, index) => text !== beside[index]);
    const what = `${clientId} was sent ${alone.length} messages alone, ${beside.length} beside others; first: ${differing[0]?.slice(0, 300)}`;
    const isSame = alone.length === beside.length && differing.length === 0;
    return unless(isSame, { invariant: 'S-54', what });
  });

const sentTo = ({ world }: Facts, clientId: string): string[] =>
  world.history.arrivals
    .filter((arrival) => arrival.clientId === clientId)
    .map(({ body, headers, url }) => `${url} ${JSON.stringify(headers)} ${withoutTime(body)}`)
    .sort();

const withoutTime = (body: string) => body.replace(/"time":"[^"]*"/, '');

/** I15: the same events with the same deltas, whatever happens to the stream. */
const eventsAreTheSame = (one: Facts, other: Facts): Finding[] => {
  const [tame, wild] = [eventsOf(one), eventsOf(other)];
  const differing = tame.filter((text, index) => text !== wild[index]);
  const what = `${tame.length} events, ${wild.length} of the wild stream; ${differing[0]?.slice(0, 300)}`;
  return unless(tame.length === wild.length && differing.length === 0, { invariant: 'I15', what });
};

const eventsOf = ({ sendings }: Facts): string[] =>
  sendings
    .map(({ clientId, detailType, from, to, message }) =>
      JSON.stringify([clientId, detailType, from, to, withoutTime(message)]),
    )
    .sort();

/** A sub-tick, and a request that takes long. */
const mostLaterMs = 12_000;

/** I21: each event of the others comes at most a sub-tick later than without the trouble. */
const othersAreInTime =
  (isTrouble: (seed: number, accepted: Accepted) => boolean) =>
  (one: Facts, other: Facts): Finding[] => {
    const { seed } = one.world.plan;
    const first = (facts: Facts) =>
      new Map(
        facts.world.history.accepted
          .filter((accepted) => !isTrouble(seed, accepted))
          .toReversed()
          .map((accepted) => [nameOf(accepted), accepted.atMs]),
      );
    const beside = first(other);
    return [...first(one)].flatMap(([name, atMs]) => {
      const laterMs = (beside.get(name) ?? Number.POSITIVE_INFINITY) - atMs;
      return unless(laterMs <= mostLaterMs, {
        invariant: 'I21',
        atMs,
        what: `${name} comes ${laterMs} ms later`,
      });
    });
  };

/** Not by its id: who was behind is told from further back. */
const nameOf = ({ clientId, detailType, to, message }: Accepted) =>
  `${clientId}/${detailType}/${/"uuid":"([^"]+)"/.exec(message)?.[1]}/${to}`;

/** One transaction that changes every second, beside the others. */
const withHot = (seed: number): WorldPlan => {
  const plan = steadyWorld(seed);
  return { ...plan, acts: [...plan.acts, ...hotLife(seed, 'hot', { fromMs: 0, untilMs: hour })] };
};

/** The first partner's endpoint fails all the time. */
const withFailing = (seed: number): WorldPlan => {
  const plan = steadyWorld(seed);
  const [first, ...others] = plan.partners;
  if (!first) throw new Error('The world has no partner');
  const health = randomOf(seed, 'failing').oneOf(['hanging', 'failing', 'gone', 'unreachable'] as const);
  return { ...plan, partners: [{ ...first, spells: [{ fromMs: 0, untilMs: hour, health }] }, ...others] };
};

const isOf =
  (name: string) =>
  (seed: number, { message }: Accepted) =>
    message.includes(transactionUuid(seed, name));

/** First events that fall due at once, worked off by so many workers. */
const drainedBy =
  (workers: number) =>
  (seed: number): WorldPlan => ({
    seed,
    mode: 'none',
    activeMs: 5 * minute,
    restMs: 14 * minute,
    acts: manyAtOnce(1_600),
    partners: listeners(1),
    workers,
    updatedWithinMs: hour,
    waitMs: waitsOf({ ownMs: 12, wayMs: 4 }),
    light: { rows: 20 },
  });

const isSevenTimesAsFast = (one: Facts, other: Facts): Finding[] => {
  const tookMs = ({ sendings }: Facts) => {
    const times = sendings.map(({ atMs }) => atMs);
    return Math.max(...times) - Math.min(...times);
  };
  const ratio = tookMs(one) / tookMs(other);
  const what = `${tookMs(one)} ms with one, ${tookMs(other)} ms with eight: ${ratio.toFixed(1)} times`;
  return unless(ratio >= 7, { invariant: 'EV-24', what });
};

export const pairs: readonly Pair[] = [
  {
    title: 'EV-24 eight workers send a backlog seven times as fast as one',
    seeds: [1],
    one: drainedBy(1),
    other: drainedBy(8),
    compare: isSevenTimesAsFast,
  },
  {
    title: 'S-54 hidden transactions and other partners change no byte of what a partner is sent',
    seeds: [1, 2, 3, 4],
    one: steadyWorld,
    other: withHidden,
    compare: deliveriesAreTheSame,
  },
  {
    title: 'I15 any order and number of stream records gives the same events',
    seeds: [1, 2, 3, 4, 5, 6],
    one: steadyWorld,
    other: (seed) => ({ ...steadyWorld(seed), isStreamWild: true }),
    compare: eventsAreTheSame,
  },
  {
    title: 'I21 a hot transaction delays no other by more than a sub-tick',
    seeds: [1, 2],
    one: steadyWorld,
    other: withHot,
    compare: othersAreInTime(isOf('hot')),
  },
  {
    title: 'I21 a partner whose endpoint fails delays no other by more than a sub-tick',
    seeds: [1, 2, 3, 4],
    one: steadyWorld,
    other: withFailing,
    compare: othersAreInTime(() => false),
  },
];
