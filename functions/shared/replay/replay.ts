import type { Delivery, DeliveryReason, TimelineEntry } from '../domain/event/delivery.ts';
import { testEventType, type VersionRange } from '../domain/event/event.ts';
import { armedDelivery, isUnnoted } from '../domain/event/new-delivery.ts';
import type { Clock } from '../runtime/clock.ts';
import type { LedgerStore } from '../store/debounce/ledger-store.ts';
import {
  planAlone,
  planTransaction,
  type ReplayDeps,
  type ReplayRequest,
  type ReplayStep,
} from './replay-plan.ts';
import { deliveriesInSpans } from './spans.ts';

/** What a replay did for one event, or would do. */
export type Replayed = VersionRange & {
  step: ReplayStep['step'];
  eventId: string;
  clientId: string;
  uuid: string;
  type: Delivery['type'];
  /** Ids of the events that this one covers. */
  covers: string[];
  /** Versions of the range that no kept event tells of (I1). */
  gaps: VersionRange[];
  /** The version that the partner was sent already, where this event is older than that. */
  newerVersion: number | null;
};

/** `dryRun` plans and changes nothing. */
export type ReplayOptions = { dryRun?: boolean };

/**
 * Sends one event again, to one partner or to all, with its id and its bytes, even if newer ones were sent since: only a
 * person may put older data last, and is told so (EV-12). This only schedules deliveries: the next flush decides about them
 * and sends them.
 */
export const replayOne = async (
  eventId: string,
  clientId: string | 'all',
  deps: ReplayDeps,
  options?: ReplayOptions,
): Promise<Replayed[]> => {
  const found = await deps.ledger.event(eventId);
  const asked = (found?.deliveries ?? []).filter((one) => clientId === 'all' || one.clientId === clientId);
  return replayAlone(asked, deps, options);
};

/** Sends these deliveries again, each by itself. */
export const replayAlone = async (
  asked: readonly Delivery[],
  deps: ReplayDeps,
  options?: ReplayOptions,
): Promise<Replayed[]> => {
  const nowMs = deps.clock().getTime();
  const steps = asked
    .map((delivery) => planAlone(delivery, nowMs))
    .map((one) => (one.step === 'again' ? asAlone(one) : one));
  const replayed = await carryOut(steps, deps, options);
  const newest = await Promise.all(asked.map((delivery) => newestSentTo(delivery, deps)));
  return replayed.map((one, index) => ({ ...one, newerVersion: newest[index] ?? null }));
};

const asAlone = (step: ReplayStep & { step: 'again' }): ReplayStep => ({ ...step, isAlone: true });

/** Five thousand events, the newest first: a newer one is among them. */
const mostPages = 5;

/** The newest version that the partner was sent after this event, if there is one. Completions stand outside the chain. */
const newestSentTo = async (
  { uuid, clientId, type, to }: Delivery,
  { ledger }: ReplayDeps,
): Promise<number | undefined> => {
  let newest = to;
  for await (const other of ledger.deliveriesOfTransaction(uuid, { clientId, atMostPages: mostPages })) {
    const isSent = other.state === 'ACCEPTED' || other.state === 'DELIVERED';
    if (isSent && other.type === 'TransactionUpdated') newest = Math.max(newest, other.to);
  }
  return type === 'TransactionUpdated' && newest > to ? newest : undefined;
};

/** Told after each part of a long replay but the last: what is done up to this time need not be done again. */
export type OnReplayed = (done: { untilMs: number; events: number }) => void;

/** The tables' clock and that of who asks may differ by so much. */
const skewMs = 60_000;

/**
 * Sends again everything since a time that one partner was or should have been told, the oldest part of it first and a
 * thousand rows at a time. What an event of an earlier part tells is not planned again.
 */
export const replaySince = async (
  clientId: string,
  sinceMs: number,
  deps: ReplayDeps,
  { onReplayed = () => {}, ...options }: ReplayOptions & { onReplayed?: OnReplayed } = {},
): Promise<Replayed[]> => {
  const done: Replayed[] = [];
  const told = new Map<string, Replayed>();
  const span = { sinceMs, untilMs: deps.clock().getTime() + skewMs };
  for await (const { rows, untilMs } of deliveriesInSpans(clientId, span, deps.ledger)) {
    const wanted = rows.filter(({ type }) => type !== testEventType);
    const parts = Map.groupBy(wanted, (row) => isToldBy(told.get(row.uuid), row));
    if (!options.dryRun) await endAll(parts.get(true) ?? [], told, deps);
    const replayed = await carryOut(
      planAll(clientId, parts.get(false) ?? [], { repeats: true }, deps),
      deps,
      options,
    );
    for (const one of replayed) if (one.type === 'TransactionUpdated') told.set(one.uuid, one);
    done.push(...replayed);
    if (untilMs < span.untilMs) onReplayed({ untilMs, events: done.length });
  }
  return done;
};

/** Whether an event of an earlier part, one that leaves, tells as much. */
const isToldBy = (told: Replayed | undefined, { type, from, to }: Delivery): boolean =>
  type === 'TransactionUpdated' &&
  told !== undefined &&
  told.step !== 'expired' &&
  told.from <= from &&
  told.to >= to;

const endAll = async (
  covered: readonly Delivery[],
  told: ReadonlyMap<string, Replayed>,
  deps: ReplayDeps,
): Promise<void> => {
  for (const row of covered) {
    const by = told.get(row.uuid)?.eventId;
    if (row.eventId !== by) await end(row, 'COALESCED', `COALESCED: told by ${by}`, deps);
  }
};

/**
 * Sends what was kept while a partner was paused, as one event per transaction. A flush that decided "hold" right before
 * the partner was resumed may write HELD a moment later: call this once more after a lease.
 */
export const resumeHeld = async (
  clientId: string,
  deps: ReplayDeps,
  options?: ReplayOptions,
): Promise<Replayed[]> => {
  const held: Delivery[] = [];
  for await (const delivery of deps.ledger.deliveriesOfPartner(clientId, {})) {
    if (delivery.state === 'HELD') held.push(delivery);
  }
  return carryOut(planAll(clientId, held, { repeats: false }, deps), deps, options);
};

/** Plans transactions one by one, the longest waiting first, so that only one transaction's bodies are in memory. */
async function* planAll(
  clientId: string,
  newestFirst: readonly Delivery[],
  { repeats }: Pick<ReplayRequest, 'repeats'>,
  deps: ReplayDeps,
): AsyncGenerator<ReplayStep> {
  const byTransaction = Map.groupBy(newestFirst.toReversed(), ({ uuid }) => uuid);
  for (const [uuid, deliveries] of byTransaction) {
    yield* await planTransaction({ clientId, uuid, deliveries, repeats }, deps);
  }
}

const carryOut = async (
  steps: AsyncIterable<ReplayStep> | Iterable<ReplayStep>,
  deps: ReplayDeps,
  { dryRun = false }: ReplayOptions = {},
): Promise<Replayed[]> => {
  const done: Replayed[] = [];
  for await (const step of steps) {
    if (!dryRun) await carryOutStep(step, deps);
    done.push(toReplayed(step));
  }
  return done;
};

/** What a step was, as whoever asked for it is told. */
export const toReplayed = (step: ReplayStep): Replayed => {
  const told = step.step === 'together' ? { ...step.event, clientId: step.clientId } : step.delivery;
  const { eventId, clientId, uuid, type, from, to } = told;
  const covers = step.step === 'expired' ? [] : step.covers.map((delivery) => delivery.eventId);
  const gaps = step.step === 'together' ? step.gaps : [];
  return { step: step.step, eventId, clientId, uuid, type, from, to, covers, gaps, newerVersion: null };
};

/** Schedules the new event before it ends those that it covers: a run that dies in between loses nothing. */
const carryOutStep = async (step: ReplayStep, deps: ReplayDeps): Promise<void> => {
  if (step.step === 'expired') return end(step.delivery, 'EXPIRED', 'EXPIRED', deps);
  if (step.step === 'again') await armAgain(step.delivery, deps, step);
  if (step.step === 'together') await scheduleTogether(step, deps);
  const by = step.step === 'together' ? step.event.eventId : step.delivery.eventId;
  for (const covered of step.covers) await end(covered, 'COALESCED', `COALESCED: told by ${by}`, deps);
};

/** Has a delivery sent once more, one without a row too; answers false where it is on its way, and goes on as it is. */
export const armAgain = async (
  delivery: Delivery,
  deps: { ledger: Pick<LedgerStore, 'move'>; clock: Clock },
  { isAlone }: { isAlone?: true } = {},
): Promise<boolean> => {
  const atMs = deps.clock().getTime();
  const { eventId, clientId, timeline } = delivery;
  return deps.ledger.move({
    ...{ eventId, clientId, atMs, ...shortened(timeline) },
    from: ['HELD', 'ACCEPTED', 'DELIVERED', 'DEAD', 'SUPPRESSED'],
    to: 'READY',
    entry: { atMs, step: 'armed' },
    dueAtMs: atMs,
    ...(isAlone && { isAlone }),
    ...(isUnnoted(delivery) && { start: delivery }),
  });
};

/**
 * An item holds 400 kB at most, and who may have an event sent again may do so a hundred thousand times: of a long timeline
 * its beginning and its latest steps stay.
 */
const shortened = ([first, ...later]: readonly TimelineEntry[]): { history?: readonly TimelineEntry[] } =>
  first === undefined || later.length < mostEntries - 1
    ? {}
    : { history: [first, ...later.slice(2 - mostEntries)] };

const mostEntries = 100;

/** An earlier run may have stored the event: then its bytes stay, and it is scheduled again unless it is on its way. */
const scheduleTogether = async (step: ReplayStep & { step: 'together' }, deps: ReplayDeps): Promise<void> => {
  const { event, bodies, clientId } = step;
  const key = { eventId: event.eventId, clientId };
  const present = await deps.ledger.delivery(key);
  if (present) return void (await armAgain(present, deps));
  const scheduled = armedDelivery(event, clientId, { atMs: deps.clock().getTime(), note: noteOf(step) });
  await deps.ledger.addMissing({ event, bodies, deliveries: [scheduled] });
};

const noteOf = ({ covers, gaps }: ReplayStep & { step: 'together' }) =>
  [
    `for ${covers.length} events`,
    ...gaps.map(({ from, to }) => `nothing is kept of what came after version ${from} up to ${to}`),
  ].join('; ');

/** Ends a delivery. One that was accepted or delivered keeps its state, since the ledger records what happened (TH-23). */
const end = async (
  { eventId, clientId }: Delivery,
  reason: DeliveryReason,
  note: string,
  { ledger, clock }: ReplayDeps,
) => {
  const atMs = clock().getTime();
  const entry: TimelineEntry = { atMs, step: 'suppressed', note };
  await ledger.move({ eventId, clientId, from: ['HELD', 'DEAD'], to: 'SUPPRESSED', atMs, entry, reason });
};
