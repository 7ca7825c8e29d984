import { evaluate } from '../checks/checks.ts';
import { type Facts, type Finding, unless } from '../checks/facts.ts';
import { delaysOf } from '../checks/invariants/timing.ts';
import { backlogWorlds } from './backlog-worlds.ts';
import { listeners, manyAtOnce, waitsOf } from './crowd.ts';
import type { DirectedWorld } from './directed-world.ts';
import { hotLife, lifeOf, type Planned, transactionUuid } from './program.ts';
import { runWorld } from './world.ts';
import type { WorldPlan } from './world-plan.ts';

const minute = 60_000;
const hour = 60 * minute;

const usual = (seed: number, activeMs: number): Omit<WorldPlan, 'acts' | 'partners'> => ({
  ...{ seed, mode: 'none', activeMs, restMs: 14 * minute },
});

/** EV-1: of an edit a second for an hour one event is made, after the last. */
const sentOnce = ({ sendings }: Facts): Finding[] =>
  unless(sendings.length === 1, { invariant: 'EV-1', what: `${sendings.length} events were made` });

/** A hot transaction costs one reschedule per dormancy period. */
const reschedulesAreFew = ({ world }: Facts): Finding[] => {
  const saves = world.history.notes.filter(({ call }) => call.method === 'save').length;
  const most = Math.ceil(world.plan.activeMs / 120_000) + 4;
  return unless(saves <= most, { invariant: 'I21', what: `${saves} saves, more than ${most}` });
};

/** EV-24: a backlog keeps as many workers busy as there may be, and each row is leased by one. */
const isWorkedOffByFour = ({ world: { history } }: Facts): Finding[] => {
  const workers = history.workers.toSorted((one, other) => one.fromMs - other.fromMs);
  const atOnce = Math.max(
    0,
    ...workers.map(
      ({ fromMs }) => workers.filter((one) => one.fromMs <= fromMs && fromMs < one.untilMs).length,
    ),
  );
  const lost = history.notes.filter(({ call, answer }) => call.method === 'save' && answer === false).length;
  const what = `${atOnce} workers at once, ${lost} of ${history.leases.length} leases are lost`;
  return unless(atOnce === 4 && lost <= history.leases.length / 100, { invariant: 'EV-24', what });
};

/** I18: this many completions are published, each within the time that the checks of every world hold it to. */
const completes =
  (count: number) =>
  ({ sendings }: Facts): Finding[] => {
    const made = new Set(
      sendings.filter(({ detailType }) => detailType === 'TransactionCompleted').map(({ uuid }) => uuid),
    ).size;
    return unless(made === count, { invariant: 'I18', what: `${made} completions` });
  };

/** One payment each for some of the transactions of `manyAtOnce`. */
const paymentsOf = (count: number, fromMs: number, everyMs: number): Planned[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ atMs: fromMs + index * everyMs, uuid: transactionUuid(0, `many ${index}`), act: 'pay' },
    body: { type: 1, value: '1.00', status: 1, reference: `payment ${index}` },
  }));

/** When twenty first events of another partner fall due among what the first is sent again. */
const firstEventsDueAtMs = 17 * minute + 6_000;

/** A thousand events whose endpoint is gone are all sent again within the minute in which twenty others fall due. */
const againBeforeFirstEvents = (): WorldPlan => {
  const gone = { fromMs: 0, untilMs: 10 * minute, health: 'unreachable' } as const;
  const failing = listeners(1, 'G1').map((plan) => ({ ...plan, spells: [gone] }));
  return {
    ...usual(1, 18 * minute),
    acts: [...manyAtOnce(1_000), ...manyAtOnce(20, { fromMs: firstEventsDueAtMs - 2 * minute, group: 'G2' })],
    partners: [...failing, ...listeners(2, 'G2').slice(1)],
    ...{ updatedWithinMs: 180_000, waitMs: waitsOf({ ownMs: 6, wayMs: 8 }) },
  };
};

/** EV-26: an invocation sends every row that it leases, so that none is left for a whole lease. */
const leasesAreUsed = ({ world: { history } }: Facts): Finding[] => {
  const leases = history.leases.filter(({ row }) => row.kind === 'BACKLOG').length;
  const most = 1.01 * (history.commits.length - 20);
  return unless(leases <= most, { invariant: 'EV-26', what: `${leases} leases, more than ${most}` });
};

/** EV-26: however much is sent again, first events wait for less than a poll and what they take themselves. */
const firstEventsComeFirst = (facts: Facts): Finding[] => {
  const delays = delaysOf(facts, 'TransactionUpdated')
    .filter(({ atMs }) => atMs > 15 * minute)
    .map(({ delayMs }) => delayMs - 2 * minute);
  const worstMs = Math.max(...delays);
  const what = `${delays.length} first events, the last ${worstMs} ms after it fell due`;
  return unless(delays.length === 20 && worstMs <= 15_000, { invariant: 'EV-26', what });
};

export const directedWorlds: readonly DirectedWorld[] = [
  ...backlogWorlds,
  {
    title:
      'EV-26 a thousand events that one partner is sent again delay the first events of another by no poll',
    plan: againBeforeFirstEvents(),
    alsoHolds: (facts) => [...firstEventsComeFirst(facts), ...leasesAreUsed(facts)],
  },
  {
    title: 'EV-24 a backlog is worked off by as many workers as there may be, a due shard each',
    plan: {
      ...{ ...usual(1, 5 * minute), acts: manyAtOnce(1_200), partners: listeners(2) },
      ...{ updatedWithinMs: 180_000, light: { rows: 20 } },
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
