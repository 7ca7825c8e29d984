import { type Facts, type Finding, unless } from '../checks/facts.ts';
import { delaysOf } from '../checks/invariants/timing.ts';
import { listeners, manyAtOnce, waitsOf } from './crowd.ts';
import type { DirectedWorld } from './directed-world.ts';
import type { PartnerPlan, PlannedMeasure } from './partner-program.ts';
import { type Planned, transactionUuid } from './program.ts';
import type { WorldPlan } from './world-plan.ts';

const minute = 60_000;

const quiet = (activeMs: number): Omit<WorldPlan, 'acts' | 'partners'> => ({
  seed: 1,
  mode: 'none',
  activeMs,
  restMs: 20 * minute,
});

type Measured = readonly [atMs: number, measure: PlannedMeasure['measure']];

/** Partners that see group G1; the first one of them is treated so. */
const firstMeasured = (count: number, measures: readonly Measured[]): PartnerPlan[] => {
  const [first, ...others] = listeners(count, 'G1');
  if (!first) throw new Error('The world has no partner');
  const { clientId } = first.partner;
  return [
    {
      ...first,
      measures: measures.map(([atMs, measure], index) => ({ atMs, clientId, measure, index })),
    },
    ...others,
  ];
};

const paid = (atMs: number, uuid: string): Planned => ({
  atMs,
  uuid,
  act: 'pay',
  body: { type: 1, value: '1.00', status: 1 },
});

const twiceSent = ({ sendings }: Facts) =>
  sendings.length - new Set(sendings.map(({ eventId, clientId }) => `${eventId}/${clientId}`)).size;
const backlogIn = ({ world: { left } }: Facts) => left.rows.filter(({ kind }) => kind === 'BACKLOG').length;

/** A partner that was paused for long is resumed with a large backlog, while first events of another fall due. */
const resumedAtMs = 10 * minute;
const resumed = (rows: number): WorldPlan => {
  const first = Array.from({ length: 10 }, (_, index) =>
    manyAtOnce(20, { fromMs: resumedAtMs + 30_000 * index - minute, group: 'G2' }),
  );
  return {
    ...quiet(18 * minute),
    acts: [...manyAtOnce(rows, { fromMs: 2 * minute }), ...first.flat()],
    partners: [
      ...firstMeasured(1, [
        [1_000, 'pause'],
        [resumedAtMs, 'resume'],
      ]),
      ...listeners(2, 'G2').slice(1),
    ],
    updatedWithinMs: 180_000,
    waitMs: waitsOf({ ownMs: 2, wayMs: 8 }),
    pageRows: 100,
  };
};

const othersAreInTime =
  (rows: number, withinMs: number) =>
  (facts: Facts): Finding[] => {
    const first = delaysOf(facts, 'TransactionUpdated').filter(({ clientId }) =>
      clientId.startsWith('LISTENER1'),
    );
    const worst = Math.max(...first.map(({ delayMs }) => delayMs));
    const again = facts.sendings.filter(({ isAgain }) => isAgain).map(({ atMs }) => atMs);
    const tookMs = Math.max(...again) - Math.min(...again);
    return unless(worst <= 140_000 && again.length === rows && tookMs <= withinMs, {
      invariant: 'I21',
      what: `the last first event after ${worst} ms, ${again.length} sent again in ${tookMs} ms`,
    });
  };

/** The bus refuses one partner's entry of one transaction for ever. */
const refusedUuid = transactionUuid(0, 'many 0');
const refused = (): WorldPlan => ({
  ...quiet(10 * minute),
  acts: manyAtOnce(20),
  partners: listeners(3),
  refuses: (clientId, uuid) => clientId.startsWith('LISTENER1') && uuid === refusedUuid,
});

const isGivenUpAlone = (facts: Facts): Finding[] => {
  const refusals = facts.world.history.refused.length;
  const what = `${refusals} refusals, ${backlogIn(facts)} rows left, ${twiceSent(facts)} sent twice`;
  return unless(refusals === 5 && backlogIn(facts) === 1 && twiceSent(facts) === 0, {
    invariant: 'EV-17',
    what,
  });
};

/** One partner's partitions take no write for four minutes, while everybody's first events fall due. */
const throttled = (): WorldPlan => {
  const partners = firstMeasured(5, [
    [30_000, 'pause'],
    [9 * minute, 'resume'],
  ]);
  const clientId = partners[0]?.partner.clientId ?? '';
  return {
    ...quiet(14 * minute),
    acts: [...manyAtOnce(30), ...manyAtOnce(5, { fromMs: minute })],
    partners,
    isThrottled: (pk, atMs) =>
      [`TO#${clientId}`, `LOG#${clientId}`].includes(pk) && atMs > 2 * minute && atMs < 6 * minute,
  };
};

const allAreSentOnce = (facts: Facts): Finding[] => {
  const unwritten = facts.world.history.writes.filter(
    ({ row }) => row.kind !== 'PASS' && row.unwritten !== undefined,
  ).length;
  const what = `${facts.sendings.length} sendings, ${twiceSent(facts)} twice, ${unwritten} rows with something unwritten`;
  return unless(twiceSent(facts) === 0 && facts.sendings.length === 35 * 5 && unwritten > 0, {
    invariant: 'I7',
    what,
  });
};

/** The bus refuses a completion once, beside the resume of a large backlog. */
const refusedBeside = (rows: number): WorldPlan => {
  const uuid = transactionUuid(resumedAtMs + 20_000, 'many 0');
  const refusals = { left: 1 };
  return {
    ...resumed(0),
    acts: [
      ...manyAtOnce(rows, { fromMs: 2 * minute }),
      ...manyAtOnce(1, { fromMs: resumedAtMs + 20_000, group: 'G2' }),
      paid(resumedAtMs + 35_000, uuid),
    ],
    refuses: (clientId, refused) =>
      clientId.startsWith('LISTENER1') && refused === uuid && refusals.left-- > 0,
    // The refusal is a fault.
    completedWithinMs: 30_000,
  };
};

const isCompletedInTime = ({ sendings, world: { history } }: Facts): Finding[] => {
  const first = sendings.find(({ detailType }) => detailType === 'TransactionCompleted');
  const paidAt = history.commits.find(({ after }) => after.transaction.status === 1);
  const delayMs = (first?.atMs ?? Number.POSITIVE_INFINITY) - (paidAt?.atMs ?? 0);
  return unless(delayMs <= 30_000 && history.refused.length === 1, {
    invariant: 'I18',
    what: `${history.refused.length} refusals, told after ${delayMs} ms`,
  });
};

/** An endpoint answers 404 to a completion, and an update of the same transaction waits; their rows are apart. */
const refusedCompletion = (): WorldPlan => {
  const gone = { fromMs: 3 * minute, untilMs: 12 * minute, health: 'gone' } as const;
  const [first] = listeners(1);
  if (!first) throw new Error('The world has no partner');
  const uuid = transactionUuid(0, 'many 0');
  const edits = Array.from(
    { length: 14 },
    (_, index): Planned => ({
      atMs: 4 * minute + index * minute,
      uuid,
      act: 'change',
      kind: 'merge',
      body: { vehicle: { make: `later ${index}` } },
    }),
  );
  return {
    ...quiet(18 * minute),
    // The endpoint answers the completion with 404.
    seed: 3,
    restMs: 60 * minute,
    acts: [...manyAtOnce(1), paid(3.5 * minute, uuid), ...edits],
    partners: [{ ...first, spells: [gone] }],
    updatedWithinMs: 30 * minute,
  };
};

const isTriedAsOftenAsPlanned = ({ sendings }: Facts): Finding[] => {
  const completions = sendings.filter(({ detailType }) => detailType === 'TransactionCompleted').length;
  return unless(completions === 2, {
    invariant: 'EV-12',
    what: `the completion is sent ${completions} times`,
  });
};

/** Everything is stopped for some minutes, while events fall due and a payment completes. */
const stopAtMs = 2 * minute + 5_020;
const startAtMs = 8 * minute;
const stopped = (): WorldPlan => ({
  ...quiet(16 * minute),
  acts: [
    ...manyAtOnce(40),
    ...manyAtOnce(40, { fromMs: 3 * minute }),
    paid(4 * minute, transactionUuid(0, 'many 1')),
  ],
  partners: listeners(3),
  stops: [{ fromMs: stopAtMs, untilMs: startAtMs }],
  updatedWithinMs: 30 * minute,
});

const isSilentWhileStopped = (facts: Facts): Finding[] => {
  const { sendings, world } = facts;
  const during = sendings.filter(({ atMs }) => atMs > stopAtMs + 1_000 && atMs < startAtMs).length;
  // A poll that reads the switch ends before it looks at a row.
  const looks = world.history.leases.filter(
    ({ atMs }) => atMs > stopAtMs + 15_000 && atMs < startAtMs,
  ).length;
  const owed = world.history.writes.filter(({ row }) => row.kind === 'BACKLOG').length;
  const what = `${during} sent and ${looks} rows leased while stopped, ${twiceSent(facts)} twice, ${sendings.length} in all, ${owed} owed`;
  return unless(
    during === 0 && looks === 0 && twiceSent(facts) === 0 && sendings.length === 3 * 82 && owed === 0,
    { invariant: 'S-77', what },
  );
};

/** Paused and resumed once more while the first resume is at work. */
const resumedTwice = (): WorldPlan => ({
  ...quiet(16 * minute),
  acts: manyAtOnce(1_000, { fromMs: 2 * minute }),
  partners: firstMeasured(1, [
    [1_000, 'pause'],
    [10 * minute, 'resume'],
    [11 * minute + 12_000, 'pause'],
    [11 * minute + 17_000, 'resume'],
  ]),
  updatedWithinMs: 180_000,
  waitMs: waitsOf({ ownMs: 2, wayMs: 8 }),
  pageRows: 100,
});

const nothingIsLeftAsleep = (facts: Facts): Finding[] =>
  unless(backlogIn(facts) === 0, { invariant: 'I24', what: `${backlogIn(facts)} rows are left` });

/** Removed while its first events are being sent and its backlog is, and another address as soon as one is taken. */
const removedAtMs = 4 * minute + 12_500;
const removedWhileSending = (): WorldPlan => ({
  ...quiet(12 * minute),
  acts: [
    ...manyAtOnce(300),
    ...manyAtOnce(300, { fromMs: 15_000 }),
    // One of its backlog is edited all the time.
    ...Array.from(
      { length: 40 },
      (_, index): Planned => ({
        atMs: 3.5 * minute + index * 10_000,
        uuid: transactionUuid(0, 'many 0'),
        act: 'change',
        kind: 'merge',
        body: { vehicle: { make: `later ${index}` } },
      }),
    ),
  ],
  partners: firstMeasured(2, [
    [30_000, 'pause'],
    [removedAtMs - 12_500, 'resume'],
    [removedAtMs, 'remove-endpoint'],
    [removedAtMs + 500, 'set-endpoint'],
  ]),
});

const nothingIsForTheNewAddress = ({ world: { history, left } }: Facts): Finding[] => {
  const put = history.partnerStates.find(({ partner }) => partner?.webhookUrl?.endsWith('/3'));
  // The one that is edited all the time is told once more when it rests.
  const late = history.accepted.filter(
    ({ clientId, atMs, message }) =>
      clientId.startsWith('LISTENER0') && put && atMs >= put.atMs && !message.includes(refusedUuid),
  ).length;
  const withheld = left.lines.filter(({ outcome }) => outcome === 'WITHHELD').length;
  // 20 s for senders at work, and two walks.
  const isInTime = put !== undefined && put.atMs < removedAtMs + minute;
  return unless(isInTime && late === 0 && withheld > 0, {
    invariant: 'EV-13',
    what: `the new address is set at ${put?.atMs}, ${late} are sent to it, ${withheld} were withheld`,
  });
};

/** The pass of a resume is lost, as by a fault of ours: the daily look finds what waits for it. */
const forgotten = (): WorldPlan => ({
  ...quiet(10 * minute),
  acts: manyAtOnce(30, { fromMs: 2 * minute }),
  partners: firstMeasured(1, [
    [1_000, 'pause'],
    [8 * minute, 'resume'],
  ]),
  forgets: true,
  updatedWithinMs: 30 * minute,
});

const isFound = (facts: Facts): Finding[] => {
  const passes = facts.world.history.writes.filter(
    ({ row }) => row.kind === 'PASS' && row.only === 'WAITING',
  );
  const what = `${passes.length} writes of passes, ${facts.sendings.length} sent, ${backlogIn(facts)} rows left`;
  return unless(passes.length > 0 && facts.sendings.length === 30 && backlogIn(facts) === 0, {
    invariant: 'I24',
    what,
  });
};

/** More lines than a turn of a pass owes: the next turn goes on where it stopped. */
const replayedRows = 700;
const replayed = (): WorldPlan => {
  const [partner] = firstMeasured(1, [[6 * minute, 'replay-since']]);
  if (!partner) throw new Error('The world has no partner');
  const measures = partner.measures.map((one) => ({ ...one, backMs: 30 * minute }));
  return {
    ...quiet(10 * minute),
    acts: manyAtOnce(replayedRows),
    partners: [{ ...partner, measures }],
    updatedWithinMs: 180_000,
  };
};

const allAreSentOnceMore = ({ sendings, world: { history } }: Facts): Finding[] => {
  const again = sendings.filter(({ isAgain }) => isAgain);
  const owed = history.writes.filter(
    ({ row }) => row.kind === 'BACKLOG' && row.reason === 'REPLAY' && row.dueAtMs === undefined,
  );
  const what = `${again.length} sent again, ${owed.length} owed`;
  return unless(again.length === replayedRows && owed.length === replayedRows, { invariant: 'I24', what });
};

const largeBacklog = 5_000;

export const backlogWorlds: readonly DirectedWorld[] = [
  {
    title: 'I24 a replay of 700 events owes each once and sends each once more',
    plan: replayed(),
    alsoHolds: allAreSentOnceMore,
  },
  {
    title: 'I21 a resume of 5,000 rows takes 75 s and delays no first event',
    plan: resumed(largeBacklog),
    alsoHolds: othersAreInTime(largeBacklog, 75_000),
  },
  {
    title: 'EV-17 an entry that is refused for ever is given up after five tries, alone',
    plan: refused(),
    alsoHolds: isGivenUpAlone,
  },
  {
    title: 'I7 a throttled partition of one partner sends nobody anything twice',
    plan: throttled(),
    alsoHolds: allAreSentOnce,
  },
  {
    title: 'I18 a completion that the bus refuses once is in time beside a resume',
    plan: refusedBeside(1_500),
    alsoHolds: isCompletedInTime,
  },
  {
    title: 'EV-12 a completion that got 404 keeps its pauses while updates of its transaction go on',
    plan: refusedCompletion(),
    alsoHolds: isTriedAsOftenAsPlanned,
  },
  {
    title: 'I24 a resume over a resume leaves nothing asleep',
    plan: resumedTwice(),
    alsoHolds: nothingIsLeftAsleep,
  },
  {
    title: 'S-77 nothing is sent, leased or owed while everything is stopped',
    plan: stopped(),
    alsoHolds: isSilentWhileStopped,
  },
  {
    title: 'EV-13 what an address had is withheld before another one is set',
    plan: removedWhileSending(),
    alsoHolds: nothingIsForTheNewAddress,
  },
  {
    title: 'I24 what waits for a pass that was lost is sent within a day',
    plan: forgotten(),
    alsoHolds: isFound,
  },
];
