import { type Lane, laneIn } from '../shared/domain/event/lane.ts';
import type { Workload } from '../shared/publish/flush.ts';
import type { PublishDeps } from '../shared/publish/publish-deps.ts';
import type { Report } from '../shared/runtime/metrics.ts';
import { beginRun, type Run, type RunContext } from './counted-run.ts';
import type { HeldLane, Lanes } from './lanes.ts';
import type { Ticks } from './ticks.ts';

/** What the handler works with. */
export type Deps = {
  publishing: PublishDeps;
  ticks: Ticks;
  lanes: Lanes;
  /** What a look publishes by itself; more is a backlog, for which it takes lanes. */
  alone: Workload;
  /** Asks for another run at once. */
  sendTick: () => Promise<void>;
  report: Report;
};

/** One group of rows, for a second or two of a run: looks that overlap contend for no more than that. */
export const lightLoad: Workload = { rows: 100, recipients: 1_000 };

/**
 * Publishes what is due, whenever a tick comes, or what is due in a lane, when a message names one. The schedule's run sends
 * ticks ahead, and leaves the looking to them while they come. When they do not, or cannot be sent, it looks itself, after it
 * has sent them: they take moments, while a flush may take the whole run and would make the next minutes slow as well. Then
 * a run that could not send counts as failed.
 */
export const createHandler =
  (deps: Deps) =>
  async (event: unknown, context: RunContext): Promise<void> => {
    const run = beginRun(deps.publishing, deps.report, context);
    const { lanes, isTick, isSchedule } = askedBy(event);
    for (const lane of lanes) await workOnMessage(lane, run, deps);
    if (isSchedule) await keepTicksComing(run, deps);
    else if (isTick) await lookAround(run, deps);
  };

/**
 * Messages say what they are, whichever queue brings them: those that name no lane are ticks, and say together that it is
 * time to look.
 */
const askedBy = (event: unknown) => {
  if (typeof event !== 'object' || event === null || !('Records' in event))
    return { lanes: [], isTick: false, isSchedule: true };
  const bodies = (event.Records as { body?: string }[]).map(({ body = '' }) => body);
  const lanes = bodies.flatMap((body) => laneIn(body) ?? []);
  return { lanes, isTick: lanes.length === 0 || lanes.length < bodies.length, isSchedule: false };
};

const keepTicksComing = async (run: Run, deps: Deps): Promise<void> => {
  const fault = await faultOf(deps.ticks.sendAhead());
  if (!fault && deps.ticks.areComing()) return;
  await lookAround(run, deps);
  if (fault) throw fault;
};

const faultOf = (work: Promise<void>): Promise<Error | undefined> =>
  work.then(
    () => undefined,
    (fault: unknown) => (fault instanceof Error ? fault : new Error('Unknown fault')),
  );

/** A look publishes what one run can do soon, without asking anybody. A run with no time for that asks for the next. */
const lookAround = async (run: Run, deps: Deps): Promise<void> => {
  const lookedAtMs = deps.publishing.clock().getTime();
  const { backlog, isCutShort } = await run.flush({ atMost: deps.alone });
  deps.ticks.noteLook(lookedAtMs);
  if (backlog.length > 0) await workOff(backlog, run, deps);
  else if (isCutShort) await deps.sendTick();
};

/**
 * A backlog is worked on by lanes, each by one run: this one takes the first that is free, and hands out the others. Lanes
 * that are held have their run. A lane that could not be handed out waits for the next look, and this run counts as failed.
 */
const workOff = async (backlog: readonly number[], run: Run, deps: Deps): Promise<void> => {
  const { free, held } = await deps.lanes.divide(backlog);
  const { own, others } = await takeOne(free, run, deps);
  deps.publishing.log('backlogFound', { handedOut: others.length, held: held.length });
  const fault = others.length === 0 ? undefined : await faultOf(deps.lanes.handOut(others));
  if (own) await workOn(own, run, deps);
  if (fault) throw fault;
};

const takeOne = async (
  [first, ...others]: readonly Lane[],
  run: Run,
  deps: Deps,
): Promise<{ own?: HeldLane; others: Lane[] }> => {
  if (!first) return { others: [] };
  const own = await deps.lanes.take(first, run.endsAtMs);
  return own ? { own, others } : takeOne(others, run, deps);
};

/** A message that comes twice finds its lane held, and one that comes late finds nothing due in it. */
const workOnMessage = async (lane: Lane, run: Run, deps: Deps): Promise<void> => {
  const held = await deps.lanes.take(lane, run.endsAtMs);
  if (held) await workOn(held, run, deps);
};

/** A lane is given back before a run is asked for that goes on with it: that one would find it held. */
const workOn = async ({ shards, giveBack, ...lane }: HeldLane, run: Run, deps: Deps): Promise<void> => {
  const { isCutShort } = await run.flush({ shards }).finally(giveBack);
  if (isCutShort) await deps.lanes.handOut([lane]);
};
