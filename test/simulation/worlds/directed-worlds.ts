import { evaluate } from '../checks/checks.ts';
import { type Facts, type Finding, unless } from '../checks/facts.ts';
import { lostClaims, workersAtOnce } from '../checks/invariants/shards.ts';
import { delaysOf } from '../checks/invariants/timing.ts';
import { listeners, manyAtOnce, waitsOf } from './crowd.ts';
import type { Measure, PartnerPlan, PlannedMeasure } from './partner-program.ts';
import { hotLife, lifeOf, type Planned, transactionUuid } from './program.ts';
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

/** So many random lives. */
const lives = (count: number, seed: number, untilMs: number): Planned[] =>
  Array.from({ length: count }, (_, index) => lifeOf(seed, `t${index}`, untilMs)).flat();

/** A world for each seed, which ends its title. */
const ofSeeds = (seeds: readonly number[], worldOf: (seed: number) => DirectedWorld): DirectedWorld[] =>
  seeds.map((seed) => {
    const world = worldOf(seed);
    return { ...world, title: `${world.title} (${seed})` };
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

/** One of two partners is paused, resumed and replayed to again and again, while its transactions change. */
const sentAgainAndAgain = (): PartnerPlan[] =>
  listeners(2).map((plan, index) =>
    index === 0 ? { ...plan, measures: measuresOf(plan, againAndAgain) } : plan,
  );

/** `<minute> <measure>, …` */
const measuresOf = ({ partner: { clientId } }: PartnerPlan, planned: string): PlannedMeasure[] =>
  planned.split(', ').map((text, index) => {
    const [atMinute, measure] = text.split(' ');
    return { atMs: Number(atMinute) * minute, clientId, measure: measure as Measure, index };
  });

const againAndAgain =
  '4 pause, 9 resume, 9.5 replay-since, 12 replay-since, 14 pause, 16 replay-since, 20 resume, 22 replay-since, 22.1 replay-since, 27 pause, 33 resume, 34 replay-since, 36 replay-since';

/** A pause of one partner, and one of another that ends a minute later, while the messages about partners are lost. */
const unheardPauses = (): PartnerPlan[] => {
  const [first, second] = listeners(2) as [PartnerPlan, PartnerPlan];
  return [
    { ...first, measures: measuresOf(first, '6 pause, 31 resume') },
    { ...second, measures: measuresOf(second, '6 pause, 7 resume') },
  ];
};

/** The address of the first of two partners is disabled, taken away, set and paused for hours. */
const restlessEndpoint = (hours: number): PartnerPlan[] => {
  const [first, second] = listeners(2) as [PartnerPlan, PartnerPlan];
  const inTurn = [
    ...['disable', 'enable', 'remove-endpoint', 'set-endpoint', 'set-endpoint', 'pause', 'resume'],
  ];
  const measures = Array.from(
    { length: (hours * 60) / 15 },
    (_, index) => `${5 + 15 * index} ${inTurn[index % inTurn.length]}`,
  );
  return [{ ...first, measures: measuresOf(first, measures.join(', ')) }, second];
};

/** What `keep-endpoints` calls (the bus, the probe and the records), each as a run dies before and after it. */
const deathsOfKeeper = [
  ...['CreateConnection', 'CreateApiDestination', 'PutRule', 'PutTargets', 'UpdateApiDestination'],
  ...['RemoveTargets', 'DeleteRule', 'DeleteApiDestination', 'DeleteConnection'],
  ...['DescribeConnection', 'DescribeApiDestination', 'DescribeRule', 'ListTargetsByRule', 'ListConnections'],
]
  .map((method) => `rules.${method}`)
  .concat('probe.invoke', 'endpoints.read', 'endpoints.write')
  .flatMap((call) => [`killed-before at ${call}`, `killed-after at ${call}`]);

/** At most every quarter of an hour a run of `keep-endpoints` dies, in each way once. */
const diesAtEveryCall = (): NonNullable<WorldPlan['dies']> => {
  const left = new Set(deathsOfKeeper);
  let lastMs = 0;
  return ({ kind }, { port, method }, nowMs) => {
    if (kind !== 'keep-endpoints' || nowMs < lastMs + 14 * minute) return undefined;
    const strike = (['killed-before', 'killed-after'] as const).find((one) =>
      left.delete(`${one} at ${port}.${method}`),
    );
    if (strike) lastMs = nowMs;
    return strike;
  };
};

const diedAtEveryCall = ({ world: { history } }: Facts): Finding[] => {
  const struck = new Set(history.struck.map(({ what }) => what));
  return deathsOfKeeper
    .filter((what) => !struck.has(what))
    .map((what) => ({ invariant: 'D-09', what: `no run was ${what}` }));
};

/** EV-12, I2: an endpoint that is well gets no version after a later one, and none before its transaction has rested. */
const nothingOlderArrives = ({ world: { history }, commits }: Facts): Finding[] => {
  const newest = new Map<string, number>();
  const updates = history.arrivals.filter(({ body }) => body.includes('"TransactionUpdated"'));
  return updates.flatMap(({ clientId, body, headers, atMs }) => {
    const uuid = String(JSON.parse(body).detail.uuid);
    const to = Number(headers['X-Transaction-Version']);
    const known = newest.get(`${clientId} ${uuid}`) ?? 0;
    newest.set(`${clientId} ${uuid}`, Math.max(known, to));
    const changed = commits.get(uuid)?.find(({ after }) => after.version === to);
    const restMs = atMs - (changed?.atMs ?? 0);
    return [
      ...unless(to >= known, { invariant: 'EV-12', uuid, atMs, what: `version ${to} comes after ${known}` }),
      ...unless(restMs >= 119_000, { invariant: 'I2', uuid, atMs, what: `${to} is sent after ${restMs} ms` }),
    ];
  });
};

/** EV-24: a backlog keeps as many workers busy as there may be, and each row is claimed by one. */
const isWorkedOffBy =
  (workers: number) =>
  (facts: Facts): Finding[] => {
    const claims = facts.world.history.claims.length;
    const [atOnce, lost] = [workersAtOnce(facts), lostClaims(facts)];
    const what = `${atOnce} workers at once, ${lost} of ${claims} claims are lost`;
    return unless(atOnce === workers && lost <= claims / 100, { invariant: 'EV-24', what });
  };

/** So many rows that become due in one second, for workers that need 12 ms for a request. */
const aBacklog = (seed: number, rows: number): WorldPlan => ({
  ...usual(seed, 5 * minute),
  ...{ acts: manyAtOnce(rows), partners: listeners(2), samples: 0, updatedWithinMs: 180_000 },
  ...{ workers: 4, light: { rows: 20, recipients: 100 } },
  waitMs: waitsOf({ ownMs: 12, wayMs: 4 }),
});

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

/** Ten transactions, paid one after the other. */
const tenPayments = (): WorldPlan => ({
  ...{ ...usual(1, 5 * minute), acts: [...manyAtOnce(10), ...paymentsOf(10, 3 * minute, 1_700)] },
  ...{ partners: listeners(2), samples: 0 },
});

/** The bus does not answer the first request for each completion. */
const silentOnce = (): NonNullable<WorldPlan['isBroken']> => {
  const asked = new Set<string>();
  return ({ method, args }) => {
    if (method !== 'putEvents') return false;
    const [entries] = args as [{ DetailType: string; Detail: string }[]];
    const completions = entries.filter(({ DetailType }) => DetailType === 'TransactionCompleted');
    const fresh = completions.filter(({ Detail }) => !asked.has(Detail));
    for (const { Detail } of fresh) asked.add(Detail);
    return fresh.length > 0;
  };
};

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
    ...{ samples: 0, updatedWithinMs: 180_000, workers: 2, waitMs: waitsOf({ ownMs: 6, wayMs: 8 }) },
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
  ...ofSeeds([1, 2], (seed) => ({
    title: 'EV-24 a backlog is worked off by as many workers as there may be, a due shard each',
    plan: aBacklog(seed, 1_200),
    alsoHolds: isWorkedOffBy(4),
  })),
  {
    title: 'EV-24 where all messages to workers of twenty seconds are lost, the next polls send them again',
    plan: { ...aBacklog(3, 200), shardsAreLost: { fromMs: 2 * minute, untilMs: 140_000 } },
  },
  {
    title: 'EV-24 a row that fails every time keeps no worker from the other rows of its shard',
    // Until then the first of them cannot be read.
    plan: { ...aBacklog(9, 200), unreadable: transactionUuid(0, 'many 0'), activeMs: 170_000 },
  },
  ...[0, 3_000, 20_000].map(
    (shardsComeAgainAfterMs): DirectedWorld => ({
      title: `EV-24 where each message to a worker comes again after ${shardsComeAgainAfterMs} ms, a shard has one worker`,
      plan: { ...aBacklog(8, 600), shardsComeAgainAfterMs },
      alsoHolds: isWorkedOffBy(4),
    }),
  ),
  {
    title: 'EV-24 two workers, the least that there are, publish a backlog',
    plan: { ...aBacklog(7, 500), workers: 2 },
    alsoHolds: isWorkedOffBy(2),
  },
  ...ofSeeds([4, 5, 6], (seed) => ({
    title: 'EV-24 a backlog, with faults',
    plan: { ...aBacklog(seed, 200), mode: 'many' },
  })),
  ...ofSeeds([1, 2, 3, 4, 5, 6], (seed) => ({
    title: 'EV-12 whatever is resumed and replayed, nothing older arrives after newer',
    plan: {
      ...{ ...usual(seed, 40 * minute), mode: seed % 2 === 0 ? 'one' : 'none' },
      ...{ acts: lives(6, seed, 40 * minute), partners: sentAgainAndAgain() },
    },
    alsoHolds: nothingOlderArrives,
  })),
  ...ofSeeds([1, 2, 3], (seed) => ({
    title:
      'D-09 pauses whose messages are lost are found by the schedule, one that is over as well, and no event is lost',
    plan: {
      ...{ ...usual(seed, 45 * minute), acts: lives(6, seed, 45 * minute), partners: unheardPauses() },
      endpointMessagesAreLost: { fromMs: 5 * minute, untilMs: 8 * minute },
      // One turn of the schedule, and the lease of a sender.
      endpointsWithinMs: 13 * minute,
    },
  })),
  {
    title:
      'D-09 keep-endpoints dies before and after each of its calls, and the bus is as the records want it',
    plan: {
      ...{ ...usual(1, 12 * hour), acts: lives(4, 1, 12 * hour), partners: restlessEndpoint(12) },
      dies: diesAtEveryCall(),
      // One turn of the schedule, and the lease of a sender.
      endpointsWithinMs: 13 * minute,
    },
    alsoHolds: diedAtEveryCall,
  },
  {
    title: 'I18 a completion whose message to the sender is lost is published by the next poll',
    plan: {
      ...tenPayments(),
      ...{ completionsAreLost: { fromMs: 0, untilMs: 5 * minute }, completedWithinMs: 12_000 },
    },
    alsoHolds: completes(10),
  },
  {
    title:
      'I18 a completion to which the bus does not answer comes again by its message when its lease has ended',
    plan: { ...tenPayments(), isBroken: silentOnce(), completedWithinMs: 26_000 },
    alsoHolds: completes(10),
  },
  {
    title: 'I20 a lost stream record is made good within a reconciler period and three minutes',
    plan: {
      ...{ ...usual(4, hour / 2), acts: lives(6, 4, hour / 2), partners: listeners(2) },
      isStreamLost: true,
    },
  },
  {
    title: 'I17 I18 5,000 rows due at once are sent within 180 s, and completions beside them within 2 s',
    plan: {
      ...usual(1, 3 * minute),
      // The first of them are paid while all the others are due.
      acts: [...manyAtOnce(5_000), ...paymentsOf(40, 2 * minute, 200)],
      ...{ partners: listeners(1), samples: 0, restMs: 10 * minute, updatedWithinMs: 180_000 },
    },
    alsoHolds: completes(40),
  },
  {
    title:
      'EV-20 while no tick comes, each run by the schedule polls: an update waits for a minute, at most two',
    plan: {
      ...{ ...usual(5, hour / 2), acts: lives(6, 5, hour / 2), partners: listeners(2) },
      ...{ ticksAreLost: { fromMs: 8 * minute, untilMs: 20 * minute }, updatedWithinMs: 250_000 },
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
  ...ofSeeds([1, 2, 3], (seed) => ({
    title: 'forty-five partners of each event, with faults',
    plan: {
      ...{ ...usual(seed, hour / 2), mode: 'many', acts: lives(4, seed, hour / 2) },
      partners: [...listeners(45, 'G1'), ...listeners(3, 'G2').map(renamed)],
    },
  })),
  ...ofSeeds([1, 2, 3, 4], (seed) => ({
    title: 'entries that the bus never takes are dead after five refusals and hold nothing',
    plan: {
      ...{ ...usual(seed, hour / 2), mode: seed % 2 === 0 ? 'many' : 'none' },
      ...{ acts: lives(6, seed, hour / 2), partners: listeners(3, 'G1'), updatedWithinMs: 180_000 },
      isNeverTaken: (clientId, eventId) => clientId.startsWith('LISTENER0') && eventId < '8',
    },
    alsoHolds: deadAfterFive,
  })),
];

/** What is wrong with a directed world. */
export const evaluateDirected = async ({ plan, alsoHolds }: DirectedWorld): Promise<Finding[]> => {
  const { facts, findings } = evaluate(await runWorld(plan));
  return [...findings, ...(alsoHolds?.(facts) ?? [])];
};
