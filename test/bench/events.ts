import type { WaitMs } from '../simulation/kernel/process.ts';
import { listeners, manyAtOnce, waitsOf } from '../simulation/worlds/crowd.ts';
import type { PartnerPlan } from '../simulation/worlds/partner-program.ts';
import { runWorld } from '../simulation/worlds/world.ts';
import type { WorldPlan } from '../simulation/worlds/world-plan.ts';
import { openPlace } from './events-units.ts';
import { judged, onEngine, print } from './measuring.ts';

/** What events cost and how fast they are told: units on the engine, times on the simulation's virtual clock. */
export const run = async ({ rows, kept, seed }: { rows: number; kept: number; seed: number }) => {
  await printUnits();
  await printWorkers(rows, seed);
  await printResume(kept, seed);
};

const printUnits = () =>
  onEngine(async ({ endpoint }) => {
    const place = await openPlace(endpoint);
    const lines = [];
    let known = 0;
    for (const [recipients, writes, reads] of [
      [1, 7, 16],
      [5, 11, 28],
      [20, 26, 74],
    ] as const) {
      for (; known < recipients; known += 1) await place.register(known, 'group-b');
      const { recorded, sent, events } = await place.tell(recipients, 'group-b');
      const write = recorded.write + sent.write;
      const isReached = write <= writes && sent.read <= reads && events === recipients;
      lines.push([recipients, write, sent.read, judged(isReached, `≤ ${writes}, ≤ ${reads}`)]);
    }
    print(['recipients of an event', 'WCU with the wake-up', 'RCU without the poll', 'goal'], lines);
  });

const minute = 60_000;
/** A request takes a run half a millisecond itself, one after the other; then it is on its way, eight milliseconds to a table and back, fifty to the bus, many at once. */
const waits = (): WaitMs => {
  const wait = waitsOf({ ownMs: 0.5, wayMs: 4 });
  return (way) => wait(way) + (way.call.method === 'putEvents' ? 21 : 0);
};
const quiet = (seed: number, activeMs: number): Omit<WorldPlan, 'acts' | 'partners'> => ({
  ...{ seed, mode: 'none', activeMs, restMs: 10 * minute },
});

/** So many events due in one second. */
const drained = async (seed: number, workers: number, rows: number) => {
  const plan = { ...quiet(seed, 10 * minute), acts: manyAtOnce(rows), partners: listeners(1), workers };
  const { history } = await runWorld({ ...plan, waitMs: waits() });
  const fromMs = Math.min(...history.leases.map(({ atMs }) => atMs));
  const untilMs = history.completedSends.reduce((latest, { atMs }) => Math.max(latest, atMs), 0);
  const lost = history.notes.filter(({ call, answer }) => {
    const [row] = call.args as [{ leasedUntilMs?: number }];
    return call.method === 'save' && answer === false && row.leasedUntilMs !== undefined;
  }).length;
  const events = history.completedSends.length;
  return { events, lost, perSecond: (events * 1_000) / (untilMs - fromMs) };
};

const printWorkers = async (rows: number, seed: number) => {
  const one = await drained(seed, 1, rows);
  const eight = await drained(seed, 8, 8 * rows);
  const lines = (
    [
      ['1 worker', one],
      ['8 workers at once', eight],
    ] as const
  ).map(([name, { events, lost, perSecond }]) => {
    const ratio = perSecond / one.perSecond;
    const isReached = lost <= events / 100 && (name === '1 worker' || ratio >= 7);
    const goal = judged(isReached, name === '1 worker' ? '≤ 1 % lost' : '≥ 7 ×, ≤ 1 % lost');
    const share = `${lost} (${((100 * lost) / events).toFixed(1)} %)`;
    return [name, events, perSecond.toFixed(0), `${ratio.toFixed(1)} ×`, share, goal];
  });
  print(['due in one second', 'events', 'a second', 'of one', 'lost leases', 'goal'], lines);
};

const resumedAtMs = 10 * minute;
/** A partner that was paused is resumed with a backlog, while first events of another one fall due, 20 every half a minute. */
const resumed = async (seed: number, kept: number) => {
  const [behind] = listeners(1, 'G1') as [PartnerPlan];
  const [, other] = listeners(2, 'G2') as [PartnerPlan, PartnerPlan];
  const { clientId } = behind.partner;
  const measures: PartnerPlan['measures'] = [
    { atMs: 1_000, clientId, measure: 'pause', index: 0 },
    { atMs: resumedAtMs, clientId, measure: 'resume', index: 1 },
  ];
  const first = Array.from({ length: 10 }, (_, index) =>
    manyAtOnce(20, { fromMs: resumedAtMs + 30_000 * index - minute, group: 'G2' }),
  ).flat();
  const { history } = await runWorld({
    ...quiet(seed, 18 * minute),
    acts: [...manyAtOnce(kept, { fromMs: 2 * minute }), ...first],
    partners: [{ ...behind, measures }, other],
    ...{ waitMs: waits(), pageRows: 100, workers: 8 },
  });
  const changedAtMs = new Map(history.commits.map(({ atMs, after }) => [after.transaction.uuid, atMs]));
  const told = history.accepted.map(({ atMs, clientId: to, message }) => {
    const { uuid } = JSON.parse(message).detail as { uuid: string };
    return { isKept: to === clientId, atMs, delayMs: atMs - (changedAtMs.get(uuid) ?? 0) };
  });
  const again = told.filter(({ isKept }) => isKept);
  // Since it is served again.
  const servedAtMs = history.partnerStates.findLast((one) => one.clientId === clientId)?.atMs ?? 0;
  return {
    again: again.length,
    secondsOfResume: (again.reduce((latest, { atMs }) => Math.max(latest, atMs), 0) - servedAtMs) / 1_000,
    firsts: told.length - again.length,
    worstSeconds: Math.max(0, ...told.flatMap(({ isKept, delayMs }) => (isKept ? [] : delayMs))) / 1_000,
  };
};

const printResume = async (kept: number, seed: number) => {
  const [none, all] = [await resumed(seed, 0), await resumed(seed, kept)];
  const isReached =
    all.again === kept && all.secondsOfResume <= 75 && all.worstSeconds <= none.worstSeconds + 10;
  print(
    ['rows resumed', 'all sent after', 'first events beside them', 'latest of them', 'goal'],
    [none, all].map(({ again, secondsOfResume, firsts, worstSeconds }) => [
      ...[again, again > 0 ? `${secondsOfResume.toFixed(0)} s` : '', firsts, `${worstSeconds.toFixed(1)} s`],
      again > 0 ? judged(isReached, `≤ 75 s, no first event later by more than a poll`) : '',
    ]),
  );
};
