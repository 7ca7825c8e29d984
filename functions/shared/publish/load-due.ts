import {
  type CompletionMarker,
  type DebounceRow,
  type DueRow,
  type DueRowKey,
  decideDebounceRow,
  type Inflight,
  isDueAt,
} from '../domain/event/debounce-row.ts';
import type { Delivery, DeliveryKey } from '../domain/event/delivery.ts';
import { isDeletedAfter, type SingleType, testEventType } from '../domain/event/event.ts';
import { pendingDeliveries } from '../domain/event/new-delivery.ts';
import type { StoredTransaction } from '../domain/transaction/transaction.ts';
import type { DeliveryLogEvent } from '../store/debounce/delivery-log-store.ts';
import type { ClaimedEvent, EventToClaim } from './claim.ts';
import { fold, planResend } from './fold.ts';
import type { Invocation } from './invocation.ts';
import type { PublishDeps } from './publish-deps.ts';

/**
 * What a due row comes to: an event to claim, or one that was claimed before. Only loaded so far: whoever has no time for
 * it leaves it as it was.
 */
export type DueWork = { toClaim: Omit<EventToClaim, 'partners'> } | EventToResume | undefined;

/** An event that costs as much as so many entries which are still to be sent, and how it is taken over. */
export type EventToResume = {
  waiting: number;
  resume: (invocation: Invocation) => Promise<ClaimedEvent | undefined>;
};

/** What an invocation that publishes lends to whoever loads: its parts, and how it keeps faults apart. */
type Loading = Pick<Invocation, 'deps' | 'apart'>;

/** Loads the work of some due rows as they stand now, strongly consistent: the index may be late. */
export const loadRows = async (keys: readonly DueRowKey[], { deps, apart }: Loading): Promise<DueWork[]> => {
  const found = new Map((await deps.debounceRows.getAll(keys)).map((dueRow) => [textOf(dueRow), dueRow]));
  const inOrder = keys.flatMap((key) => found.get(textOf(key)) ?? []);
  const dueRows = inOrder.filter((dueRow) => isDue(dueRow, deps));
  const free = dueRows.filter(({ inflight }) => !inflight);
  const stored = await deps.transactions.byUuids(free.map(({ uuid }) => uuid));
  return Promise.all(dueRows.map((dueRow) => apart(() => workOf(dueRow, stored.get(dueRow.uuid), deps))));
};

const textOf = ({ uuid, kind }: DueRowKey) => `${uuid}/${kind}`;

const workOf = async (
  dueRow: DueRow,
  stored: StoredTransaction | undefined,
  deps: PublishDeps,
): Promise<DueWork> => {
  const { inflight } = dueRow;
  if (inflight) return recover({ ...dueRow, inflight }, deps);
  return dueRow.kind === 'NOTIFY' ? loadDebounceRow(dueRow, stored, deps) : loadMarker(dueRow, stored, deps);
};

const isDue = (found: DueRow | Delivery, { clock }: PublishDeps) => isDueAt(found, clock().getTime());

/** The clock is read after the transaction: nothing that was written later can look as if it rested. */
const loadDebounceRow = async (
  debounceRow: DebounceRow,
  stored: StoredTransaction | undefined,
  { clock, settings, debounceRows }: PublishDeps,
): Promise<DueWork> => {
  const decision = decideDebounceRow(debounceRow, stored, { nowMs: clock().getTime(), settings });
  if (decision.step === 'unschedule' || !stored) {
    await debounceRows.unschedule(debounceRow, debounceRow);
    return undefined;
  }
  if (decision.step === 'pass-over') {
    await debounceRows.passOver(debounceRow, debounceRow, decision.version);
    return undefined;
  }
  if (decision.step === 'reschedule') {
    await debounceRows.reschedule(debounceRow, debounceRow, decision.dueAtMs);
    return undefined;
  }
  return { toClaim: { dueRow: debounceRow, stored, type: 'TransactionUpdated', range: decision.range } };
};

/** A completion that nobody has claimed yet. */
const loadMarker = async (
  marker: CompletionMarker,
  stored: StoredTransaction | undefined,
  { debounceRows }: PublishDeps,
): Promise<DueWork> => {
  const { kind, version } = marker;
  if (!stored || version === undefined) {
    await debounceRows.unschedule(marker, marker);
    return undefined;
  }
  const range = { from: version - 1, to: version };
  return { toClaim: { dueRow: marker, stored, type: typeOfMarker[kind], range } };
};

const typeOfMarker: Record<CompletionMarker['kind'], SingleType> = { COMPLETED: 'TransactionCompleted' };

/** The claimant died, or was too slow: the flusher that renews its lease sends the stored body again. */
const recover = async (
  dueRow: DueRow & { inflight: Inflight },
  { deliveryLog }: PublishDeps,
): Promise<EventToResume> => {
  const { eventId } = dueRow.inflight;
  const found = await deliveryLog.event(eventId);
  if (!found) throw new Error(`The delivery log has no event ${eventId}, which was claimed`);
  // However long ago that was: a recipient without a status entry is still to be sent.
  const pending = pendingDeliveries(found.event, found.deliveries);
  const all = { ...found, deliveries: [...found.deliveries, ...pending] };
  return {
    waiting: all.deliveries.filter(({ state }) => state === 'READY').length,
    resume: ({ deps }) => takeOver(dueRow, all, deps),
  };
};

/** The delivery log was read before: between two leases it changes for nobody else, and another lease changes the revision. */
const takeOver = async (
  dueRow: DueRow,
  found: DeliveryLogEvent,
  deps: PublishDeps,
): Promise<ClaimedEvent | undefined> => {
  const nowMs = deps.clock().getTime();
  const lease = { nowMs, dueAtMs: nowMs + deps.settings.leaseMs };
  const inflight = (await deps.debounceRows.renewLease(dueRow, dueRow, lease))?.inflight;
  if (!inflight) return undefined;
  const { uuid, kind } = dueRow;
  const again = await asOfNow(found, nowMs, deps);
  return { ...again, dueRow: { uuid, kind, changeCount: inflight.changeCount } };
};

/** As many recipients of a first event cost what planning and sending one delivery again does (EV-26). */
const resendCost = 5;

/** Loads one delivery that is to be sent again. */
export const loadDelivery = async (
  key: DeliveryKey,
  deps: PublishDeps,
): Promise<EventToResume | undefined> => {
  const delivery = await deps.deliveryLog.delivery(key);
  if (!delivery || !isDue(delivery, deps)) return undefined;
  return { waiting: resendCost, resume: ({ deps: running }) => sendAgain(delivery, running) };
};

/**
 * One delivery that is sent again: of a redrive, a replay or a resumed partner. The lease counts from before the plan was
 * made, so that the plan holds for all of it.
 */
const sendAgain = async (delivery: Delivery, deps: PublishDeps): Promise<ClaimedEvent | undefined> => {
  const { deliveryLog, clock, settings } = deps;
  const nowMs = clock().getTime();
  const plan = await planResend(delivery, nowMs, deps);
  if (plan.step === 'wait') {
    await deliveryLog.reschedule(delivery, plan.dueAtMs);
    return undefined;
  }
  const isLeased = await deliveryLog.lease(delivery, { dueAtMs: nowMs + settings.leaseMs });
  if (!isLeased) return undefined;
  const leased: Delivery = { ...delivery, state: 'READY' };
  const found = plan.step === 'fold' ? await fold(leased, plan, deps) : await asStored(leased, nowMs, deps);
  return found && asOfNow(found, nowMs, deps);
};

const asStored = async (
  delivery: Delivery,
  leasedAtMs: number,
  deps: PublishDeps,
): Promise<DeliveryLogEvent | undefined> => {
  const found = await deps.deliveryLog.event(delivery.eventId);
  return found ? { ...found, deliveries: [delivery] } : expire(delivery, leasedAtMs, deps);
};

/** Ends a delivery whose event is not kept any more: else it would be due for ever. */
const expire = async ({ eventId, clientId }: DeliveryKey, atMs: number, { deliveryLog }: PublishDeps) => {
  const entry = { atMs, step: 'suppressed', note: 'EXPIRED' } as const;
  await deliveryLog.move({
    eventId,
    clientId,
    from: ['READY'],
    to: 'SUPPRESSED',
    atMs,
    entry,
    reason: 'EXPIRED',
  });
  return undefined;
};

const asOfNow = async (
  found: DeliveryLogEvent,
  leasedAtMs: number,
  deps: PublishDeps,
): Promise<ClaimedEvent> => {
  const stored = await deps.transactions.byUuid(found.event.uuid);
  return {
    ...found,
    leasedAtMs,
    owner: found.event.type === testEventType ? 'none-needed' : stored?.transaction.ndMeta,
    isDeletedSince: isDeletedAfter(found.event, stored),
  };
};
