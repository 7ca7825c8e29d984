import {
  type CompletionMarker,
  type DebounceRow,
  type DueRow,
  type DueRowKey,
  decideDebounceRow,
  type Inflight,
  isDueAt,
} from '../domain/event/debounce-row.ts';
import type { SingleType } from '../domain/event/event.ts';
import { pendingDeliveries } from '../domain/event/new-delivery.ts';
import type { StoredTransaction } from '../domain/transaction/transaction.ts';
import type { DeliveryLogEvent } from '../store/debounce/delivery-log-store.ts';
import { asOfNow, type ClaimedEvent, type EventToClaim } from './claim.ts';
import type { Invocation } from './invocation.ts';
import type { PublishDeps } from './publish-deps.ts';

/** What a due row requires: an event to claim, or one that was claimed before. Nothing is written yet. */
export type DueWork = { toClaim: Omit<EventToClaim, 'partners'> } | EventToResume | undefined;

/** An event that was claimed before, and the number of recipients that it counts as. */
export type EventToResume = {
  recipients: number;
  /** Takes its lease; undefined if another flusher was faster, or nothing is to be sent. */
  resume: () => Promise<ClaimedEvent | undefined>;
};

/** Loads due rows with strong consistency, because the index may be late. */
export const loadRows = async (
  keys: readonly DueRowKey[],
  { deps, apart }: Invocation,
): Promise<DueWork[]> => {
  const found = new Map((await deps.debounceRows.getAll(keys)).map((dueRow) => [textOf(dueRow), dueRow]));
  const inOrder = keys.flatMap((key) => found.get(textOf(key)) ?? []);
  const dueRows = inOrder.filter((dueRow) => isDueAt(dueRow, deps.clock().getTime()));
  const stored = await deps.transactions.byUuids(dueRows.map(({ uuid }) => uuid));
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

/**
 * A debounce row without a claim. A transaction that is not dormant is due later; one without recipients is done. The clock
 * is read after the transaction, so that a later write never looks dormant (I2).
 */
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

/** A completion without a claim. It is not sent if its transaction is gone, or a restore gave it no version. */
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

/** The lease has ended: the claimant died or was too slow. The event is sent again with the same ID and bytes (I6). */
const recover = async (
  dueRow: DueRow & { inflight: Inflight },
  deps: PublishDeps,
): Promise<EventToResume> => {
  const { eventId } = dueRow.inflight;
  const found = await deps.deliveryLog.event(eventId);
  if (!found) throw new Error(`The delivery log has no event ${eventId}, which was claimed`);
  // A recipient without a status entry is pending, however old the event is.
  const pending = pendingDeliveries(found.event, found.deliveries);
  const all = { ...found, deliveries: [...found.deliveries, ...pending] };
  return {
    recipients: all.deliveries.filter(({ state }) => state === 'READY').length,
    resume: () => renewLease(dueRow, all, deps),
  };
};

/**
 * Only one flusher renews an ended lease (I4). The delivery log that it read still holds: a lease in between would have
 * changed the revision.
 */
const renewLease = async (
  dueRow: DueRow,
  found: DeliveryLogEvent,
  deps: PublishDeps,
): Promise<ClaimedEvent | undefined> => {
  const nowMs = deps.clock().getTime();
  const lease = { nowMs, dueAtMs: nowMs + deps.settings.leaseMs };
  const inflight = (await deps.debounceRows.renewLease(dueRow, dueRow, lease))?.inflight;
  if (!inflight) return undefined;
  const { uuid, kind } = dueRow;
  const { changeCount } = inflight;
  return { ...(await asOfNow(found, nowMs, deps)), dueRow: { uuid, kind, changeCount } };
};
