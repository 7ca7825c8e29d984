import { evaluate } from '../checks/checks.ts';
import { type Facts, type Finding, unless } from '../checks/facts.ts';
import { lostClaims, workersAtOnce } from '../checks/invariants/shards.ts';
import { delaysOf } from '../checks/invariants/timing.ts';
import { listeners, manyAtOnce, waitsOf } from './crowd.ts';
import { hotLife, lifeOf, type Planned, transactionUuid } from './program.ts';
import { runWorld } from './world.ts';
import type { WorldPlan } from './world-plan.ts';

const minute = 60_000;
const hour = 60 * minute;

/** A world for one statement that random worlds do not come to, and what must hold of it beside everything else. */
export type DirectedWorld = { title: string; plan: WorldPlan; alsoHolds?: (facts: Facts) => Finding[] };

const usual = (seed: number, activeMs: number): Omit<WorldPlan, 'acts' | 'partners'> => ({
  ...{ seed, mode: 'none', activeMs, restMs: 14 * minute, isEmbedded: false },
});

/** EV-1: of an edit a second for an hour one event is made, after the last. */
const sentOnce = (facts: Facts): Finding[] =>
  [...facts.updated].flatMap(([uuid, { length }]) =>
    unless(length === 1, { invariant: 'EV-1', uuid, what: `${length} events were made` }),
  );

/** A hot transaction costs one reschedule per dormancy period. */
const reschedulesAreFew = ({ world }: Facts): Finding[] => {
  const reschedules = world.history.notes.filter(({ call }) => call.method === 'reschedule').length;
  const most = Math.ceil(world.plan.activeMs / 120_000) + 2;
  const what = `${reschedules} reschedules, more than ${most}`;
  return unless(reschedules <= most, { invariant: 'I21', what });
};

/** EV-24: a backlog keeps as many workers busy as there may be, and each row is claimed by one. */
const isWorkedOffByFour = (facts: Facts): Finding[] => {
  const claims = facts.world.history.claims.length;
  const [atOnce, lost] = [workersAtOnce(facts), lostClaims(facts)];
  const what = `${atOnce} workers at once, ${lost} of ${claims} claims are lost`;
  return unless(atOnce === 4 && lost <= claims / 100, { invariant: 'EV-24', what });
};

/** I18: this many completions are published, each within the time that the checks of every world hold it to. */
const completes =
  (count: number) =>
  ({ completed }: Facts): Finding[] =>
    unless(completed.size === count, { invariant: 'I18', what: `${completed.size} completions` });

/** One payment each for some of the transactions of `manyAtOnce`. */
const paymentsOf = (count: number, fromMs: number, everyMs: number): Planned[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ atMs: fromMs + index * everyMs, uuid: transactionUuid(0, `many ${index}`), act: 'pay' },
    body: { type: 1, value: '1.00', status: 1, reference: `payment ${index}` },
  }));

/** When twenty first events of another partner fall due among the redrives of the first. */
const firstEventsDueAtMs = 17 * minute + 6_000;

/** A thousand events whose endpoint is gone are all sent again within the minute in which twenty others fall due. */
const redrivesBeforeFirstEvents = (): WorldPlan => {
  const gone = { fromMs: 0, untilMs: 10 * minute, health: 'unreachable' } as const;
  const failing = listeners(1, 'G1').map((plan) => ({ ...plan, spells: [gone] }));
  return {
    ...usual(1, 18 * minute),
    acts: [...manyAtOnce(1_000), ...manyAtOnce(20, { fromMs: firstEventsDueAtMs - 2 * minute, group: 'G2' })],
    partners: [...failing, ...listeners(2, 'G2').slice(1)],
    ...{ updatedWithinMs: 180_000, waitMs: waitsOf({ ownMs: 6, wayMs: 8 }) },
  };
};

/** EV-26: an invocation sends every redrive that it leases, so that none is left for a whole lease. */
const leasesAreUsed = ({ world: { history } }: Facts): Finding[] => {
  const leases = history.notes.filter(
    ({ call, answer }) => call.method === 'lease' && answer === true,
  ).length;
  const most = 1.01 * (history.commits.length - 20);
  return unless(leases <= most, { invariant: 'EV-26', what: `${leases} leases, more than ${most}` });
};

/** EV-26: however much is sent again, first events wait for less than a poll and what they take themselves. */
const firstEventsComeFirst = (facts: Facts): Finding[] => {
  const claims = new Map(
    [...facts.updated].map(([uuid, made]) => [uuid, made.filter(({ atMs }) => atMs > 15 * minute)]),
  );
  const delays = delaysOf(facts, claims).map(({ delayMs }) => delayMs - 2 * minute);
  const worstMs = Math.max(...delays);
  const what = `${delays.length} first events, the last ${worstMs} ms after it fell due`;
  return unless(delays.length === 20 && worstMs <= 15_000, { invariant: 'EV-26', what });
};

export const directedWorlds: readonly DirectedWorld[] = [
  {
    title: 'EV-26 a thousand redrives of one partner delay the first events of another by no poll',
    plan: redrivesBeforeFirstEvents(),
    alsoHolds: (facts) => [...firstEventsComeFirst(facts), ...leasesAreUsed(facts)],
  },
  {
    title: 'EV-24 a backlog is worked off by as many workers as there may be, a due shard each',
    plan: {
      ...{ ...usual(1, 5 * minute), acts: manyAtOnce(1_200), partners: listeners(2) },
      ...{ updatedWithinMs: 180_000, light: { rows: 20, recipients: 100 } },
      waitMs: waitsOf({ ownMs: 12, wayMs: 4 }),
    },
    alsoHolds: isWorkedOffByFour,
  },
  {
    title: 'I17 I18 5,000 rows due at once are sent within 180 s, and completions beside them within 2 s',
    plan: {
      ...usual(1, 3 * minute),
      // The first of them are paid while all the others are due.
      acts: [...manyAtOnce(5_000), ...paymentsOf(40, 2 * minute, 200)],
      ...{ partners: listeners(1), restMs: 10 * minute, updatedWithinMs: 180_000 },
    },
    alsoHolds: completes(40),
  },
  {
    title: 'I20 a lost stream record is made good within a reconciler period and three minutes',
    plan: {
      ...{ ...usual(4, hour / 2), isStreamLost: true, partners: listeners(2) },
      acts: ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((name) => lifeOf(4, name, hour / 2)),
    },
  },
  {
    title: 'EV-1 an edit a second for an hour is one event, and one reschedule per dormancy period',
    plan: {
      ...usual(2, hour),
      ...{ acts: hotLife(2, 'hot', { fromMs: 0, untilMs: hour }), partners: listeners(1) },
    },
    alsoHolds: (facts) => [...sentOnce(facts), ...reschedulesAreFew(facts)],
  },
];

/** What is wrong with a directed world. */
export const evaluateDirected = async ({ plan, alsoHolds }: DirectedWorld): Promise<Finding[]> => {
  const { facts, findings } = evaluate(await runWorld(plan));
  return [...findings, ...(alsoHolds?.(facts) ?? [])];
};
