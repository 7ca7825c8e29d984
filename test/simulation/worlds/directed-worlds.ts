import type { DeliveryMove } from '../../../functions/shared/store/debounce/ledger-store.ts';
import { evaluate } from '../checks/checks.ts';
import type { Facts, Finding } from '../checks/facts.ts';
import { keptLanes, longestPauseMs, lostClaims, runsAtOnce } from '../checks/invariants/lanes.ts';
import { listeners, manyAtOnce, waitsOf } from './crowd.ts';
import type { PartnerPlan } from './partner-program.ts';
import { hotLife, lifeOf, transactionUuid } from './program.ts';
import { runWorld } from './world.ts';
import type { WorldPlan } from './world-plan.ts';

const minute = 60_000;
const hour = 60 * minute;

/** A world made for one statement, and what must hold of it beside everything else. */
export type DirectedWorld = {
  title: string;
  plan: WorldPlan;
  alsoHolds?: (facts: Facts) => Finding[];
};

const usual = (seed: number, activeMs: number): Omit<WorldPlan, 'acts' | 'partners'> => ({
  ...{ seed, mode: 'none', activeMs, restMs: 14 * minute, isEmbedded: false },
});

/** EV-1: while edits go on nothing is sent, unless the operator bounds the hold. */
const heldAtMost = (maxHoldMs: number) => (facts: Facts) =>
  [...facts.updated].flatMap(([uuid, claims]) =>
    claims.flatMap(({ atMs }, index) => {
      const heldMs = atMs - (claims[index - 1]?.atMs ?? facts.commits.get(uuid)?.[0]?.atMs ?? 0);
      return heldMs <= maxHoldMs + 20_000
        ? []
        : [{ invariant: 'EV-1', uuid, atMs, what: `held for ${heldMs} ms` }];
    }),
  );

/** EV-1: of an edit a second for an hour one event is made, after the last. */
const sentOnce = (facts: Facts): Finding[] =>
  [...facts.updated].flatMap(([uuid, claims]) =>
    claims.length === 1 ? [] : [{ invariant: 'EV-1', uuid, what: `${claims.length} events were made` }],
  );

/** A hot transaction costs one reschedule per dormancy period. */
const reschedulesAreFew = ({ world }: Facts): Finding[] => {
  const reschedules = world.history.notes.filter(({ call }) => call.method === 'reschedule').length;
  const most = Math.ceil(world.plan.activeMs / 120_000) + 2;
  return reschedules <= most
    ? []
    : [{ invariant: 'I21', what: `${reschedules} reschedules, more than ${most}` }];
};

const renamed = (plan: PartnerPlan): PartnerPlan => ({
  ...plan,
  partner: { ...plan.partner, clientId: `OTHER${plan.partner.clientId}`, name: `other-${plan.partner.name}` },
});

/** What the bus refuses five times is DEAD. With faults it may be more: a sender that dies after the fifth is followed by another. */
const deadAfterFive = ({ world }: Facts): Finding[] =>
  world.left.events.flatMap(({ event, deliveries }) =>
    deliveries
      .filter(({ clientId, state }) => world.plan.isNeverTaken?.(clientId, event.eventId) && state === 'DEAD')
      .filter(
        ({ refusals, reason }) =>
          refusals < 5 || (world.plan.mode === 'none' && refusals > 5) || reason !== 'REFUSED_BY_BUS',
      )
      .map(({ refusals, reason }) => ({
        ...{ invariant: 'I16', uuid: event.uuid },
        what: `${event.eventId} is ${reason} after ${refusals} refusals`,
      })),
  );

/** Two partners whose endpoints fail for twenty minutes, of which one is recalled and the other disabled and recalled. */
const recalledPartners = (): PartnerPlan[] =>
  listeners(3).map((plan, index) => {
    const { clientId } = plan.partner;
    // What is gone at the 18th minute would be tried again after the partner is enabled.
    const goneUntilMs = (index === 1 ? 18 : 14) * minute;
    const isGone = { fromMs: 8 * minute, untilMs: goneUntilMs, health: 'gone' } as const;
    const fails = { fromMs: goneUntilMs, untilMs: 28 * minute, health: 'failing' } as const;
    const [measure] = [(['recall', 'disable-and-recall'] as const)[index]];
    if (!measure) return plan;
    const taken = { atMs: 20 * minute, clientId, measure, index: 0 } as const;
    const enabled = { atMs: 24 * minute, clientId, measure: 'enable', index: 1 } as const;
    return { ...plan, spells: [isGone, fails], measures: index === 0 ? [taken] : [taken, enabled] };
  });

/** EV-13: what was taken back from the disabled partner is not sent again, nor with newer changes; from the other it is. */
const recallsTakeBack = ({ world: { left, history, plan } }: Facts): Finding[] => {
  const [recalled, disabled] = plan.partners.map(({ partner }) => partner.clientId);
  const eventsTaken = (clientId: string | undefined, isMeant: (atMs: number) => boolean) =>
    history.accepted.filter((one) => one.clientId === clientId && isMeant(one.atMs));
  const events = new Map(left.events.map(({ event }) => [event.eventId, event]));
  const before = eventsTaken(disabled, (atMs) => atMs < 20 * minute).flatMap(
    ({ eventId }) => events.get(eventId) ?? [],
  );
  const again = eventsTaken(disabled, (atMs) => atMs > 20 * minute).filter(({ eventId }) => {
    const late = events.get(eventId);
    return before.some(({ uuid, to }) => late && uuid === late.uuid && to > late.from);
  });
  const rows = left.events.flatMap(({ deliveries }) => deliveries);
  const isKept = rows.some(
    ({ clientId, timeline }) => clientId === recalled && timeline.some(({ note }) => note === 'recalled'),
  );
  return [
    ...again.map(({ eventId, atMs }) => ({ invariant: 'EV-13', atMs, what: `${eventId} was sent again` })),
    ...(isKept ? [] : [{ invariant: 'EV-13', what: 'the recall took nothing back' }]),
  ];
};

/** A partner that is disabled and recalled while its endpoint fails, and then replayed to an endpoint that is gone. */
const recalledAndReplayed = (): PartnerPlan[] =>
  listeners(1).map((plan) => {
    const { clientId } = plan.partner;
    const measures = (['disable-and-recall', 'enable', 'replay-since'] as const).map((measure, index) => ({
      ...{ atMs: (5 + 4 * index) * minute, clientId, measure, index },
    }));
    const fails = { fromMs: 0, untilMs: 8 * minute, health: 'failing' } as const;
    const isGone = { fromMs: 8 * minute, untilMs: hour, health: 'gone' } as const;
    return { ...plan, spells: [fails, isGone], measures };
  });

/** The note that the bus has accepted a sending takes 5 s: the letter of an endpoint that is gone overtakes it. */
const acceptedLate: WorldPlan['waitMs'] = ({ call: { port, method, args }, leg }) =>
  leg === 'request' && port === 'ledger' && method === 'move' && (args[0] as DeliveryMove).to === 'ACCEPTED'
    ? 5_000
    : 10;

/** I16: each of the five that were recalled and sent again is DEAD, as its letter says. */
const lettersCount = ({ world: { left } }: Facts): Finding[] => {
  const dead = left.events
    .flatMap(({ deliveries }) => deliveries)
    .filter(({ state, timeline }) => state === 'DEAD' && timeline.some(({ step }) => step === 'recalled'));
  return dead.length === 5 ? [] : [{ invariant: 'I16', what: `${dead.length} of 5 are recalled and DEAD` }];
};

/** EV-24: a backlog keeps as many runs busy as there are lanes, each row is claimed by one, and no lane waits for a look. */
const isDividedAmong =
  (lanes: number) =>
  (facts: Facts): Finding[] => {
    const claims = facts.world.history.claims.length;
    const wrong = [
      ...(runsAtOnce(facts) === lanes ? [] : [`${runsAtOnce(facts)} runs work at once`]),
      ...(longestPauseMs(facts) <= 1_000 ? [] : [`a lane waits for ${longestPauseMs(facts)} ms`]),
      ...(keptLanes(facts) === 0 ? [] : [`${keptLanes(facts)} runs keep their lane after their end`]),
      ...(lostClaims(facts) <= claims / 100 ? [] : [`${lostClaims(facts)} of ${claims} claims are lost`]),
    ];
    return wrong.map((what) => ({ invariant: 'EV-24', what }));
  };

/** So many rows that become due in one second, for runs that work for 12 ms on a request. */
const aBacklog = (seed: number, rows: number): Omit<WorldPlan, 'mode'> => ({
  ...usual(seed, 5 * minute),
  ...{ acts: manyAtOnce(rows), partners: listeners(2), samples: 0, updatedWithinMs: 180_000 },
  ...{ lanes: 4, alone: { rows: 20, recipients: 100 } },
  waitMs: waitsOf({ ownMs: 12, wayMs: 4 }),
});

export const directedWorlds: readonly DirectedWorld[] = [
  ...[1, 2].map(
    (seed): DirectedWorld => ({
      title: `EV-24 a backlog is divided among lanes, one run each (${seed})`,
      plan: { ...aBacklog(seed, 1_200), mode: 'none' },
      alsoHolds: isDividedAmong(4),
    }),
  ),
  {
    title: 'EV-24 where all messages that name lanes are lost, each look works on a lane itself',
    plan: { ...aBacklog(3, 200), mode: 'none', lanesAreLost: { fromMs: 0, untilMs: 10 * minute } },
  },
  {
    title: 'EV-24 where these are lost, a row that fails every time keeps no look from the other lanes',
    plan: {
      ...{ ...aBacklog(9, 200), mode: 'none', lanesAreLost: { fromMs: 0, untilMs: 10 * minute } },
      // Until then the first of them cannot be read.
      ...{ unreadable: transactionUuid(0, 'many 0'), activeMs: 170_000 },
    },
  },
  ...[0, 3_000, 20_000].map(
    (lanesComeAgainAfterMs): DirectedWorld => ({
      title: `EV-24 where each message that names a lane comes again after ${lanesComeAgainAfterMs} ms, a lane has one run`,
      plan: { ...aBacklog(8, 600), mode: 'none', lanesComeAgainAfterMs },
      alsoHolds: isDividedAmong(4),
    }),
  ),
  {
    title: 'EV-24 where no further run is allowed, the one that there is publishes a backlog alone',
    plan: { ...aBacklog(7, 500), mode: 'none', lanes: 1 },
    alsoHolds: isDividedAmong(1),
  },
  ...[4, 5, 6].map(
    (seed): DirectedWorld => ({
      title: `EV-24 a backlog, with faults (${seed})`,
      plan: { ...aBacklog(seed, 200), mode: 'many' },
    }),
  ),
  ...[1, 2, 3, 4, 5, 6].map(
    (seed): DirectedWorld => ({
      title: `EV-13 a recall takes back what the bus still tries (${seed})`,
      plan: {
        ...usual(seed, 40 * minute),
        mode: seed % 2 === 0 ? 'many' : 'none',
        acts: [0, 1, 2, 3, 4, 5].flatMap((index) => lifeOf(seed, `t${index}`, 40 * minute)),
        partners: recalledPartners(),
      },
      alsoHolds: recallsTakeBack,
    }),
  ),
  {
    title:
      'I16 the letter of what was recalled and sent again overtakes the note that the bus has accepted it',
    plan: {
      ...usual(3, 20 * minute),
      ...{ acts: manyAtOnce(5), partners: recalledAndReplayed(), waitMs: acceptedLate },
    },
    alsoHolds: lettersCount,
  },
  {
    title: 'I20 a lost stream record is made good within a reconciler period and three minutes',
    plan: {
      ...usual(4, hour / 2),
      acts: [0, 1, 2, 3, 4, 5].flatMap((index) => lifeOf(4, `t${index}`, hour / 2)),
      partners: listeners(2),
      isStreamLost: true,
    },
  },
  {
    title: 'I17 5,000 rows due at once are all sent within 180 s',
    plan: {
      ...usual(1, 2 * minute),
      ...{ acts: manyAtOnce(5_000), partners: listeners(1), samples: 0, restMs: 10 * minute },
      updatedWithinMs: 180_000,
    },
  },
  {
    title:
      'EV-20 while no tick comes, each run by the schedule looks: an update waits for a minute, at most two',
    plan: {
      ...usual(5, hour / 2),
      acts: [0, 1, 2, 3, 4, 5].flatMap((index) => lifeOf(5, `t${index}`, hour / 2)),
      ...{ partners: listeners(2), ticksAreLost: { fromMs: 8 * minute, untilMs: 20 * minute } },
      updatedWithinMs: 250_000,
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
  {
    title: 'EV-1 with a bounded hold an event leaves every five minutes at least',
    plan: {
      ...usual(3, hour),
      ...{ acts: hotLife(3, 'hot', { fromMs: 0, untilMs: hour }), partners: listeners(1) },
      maxHoldMs: 5 * minute,
    },
    alsoHolds: heldAtMost(5 * minute),
  },
  ...[1, 2, 3].map(
    (seed): DirectedWorld => ({
      title: `forty-five partners of each event, with faults (${seed})`,
      plan: {
        ...usual(seed, hour / 2),
        mode: 'many',
        acts: [0, 1, 2, 3].flatMap((index) => lifeOf(seed, `t${index}`, hour / 2)),
        partners: [...listeners(45, 'G1'), ...listeners(3, 'G2').map(renamed)],
      },
    }),
  ),
  ...[1, 2, 3, 4].map(
    (seed): DirectedWorld => ({
      title: `entries that the bus never takes are dead after five refusals and hold nothing (${seed})`,
      plan: {
        ...usual(seed, hour / 2),
        mode: seed % 2 === 0 ? 'many' : 'none',
        acts: [0, 1, 2, 3, 4, 5].flatMap((index) => lifeOf(seed, `t${index}`, hour / 2)),
        partners: listeners(3, 'G1'),
        updatedWithinMs: 180_000,
        isNeverTaken: (clientId, eventId) => clientId.startsWith('LISTENER0') && eventId < '8',
      },
      alsoHolds: deadAfterFive,
    }),
  ),
];

/** What is wrong with a directed world. */
export const evaluateDirected = async ({ plan, alsoHolds }: DirectedWorld): Promise<Finding[]> => {
  const { facts, findings } = evaluate(await runWorld(plan));
  return [...findings, ...(alsoHolds?.(facts) ?? [])];
};
