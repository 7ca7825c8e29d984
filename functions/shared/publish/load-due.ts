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

/**
 * What a due row comes to: an event to claim, or one that was claimed before. Only loaded so far: whoever has no time for
 * it leaves it as it was.
 */
export type DueWork = { toClaim: Omit<EventToClaim, 'partners'> } | EventToResume | undefined;

/** An event that was claimed before; an invocation counts it as so many recipients when it reckons what it can finish. */
export type EventToResume = {
  recipients: number;
  /** Takes its lease; undefined where another flusher was faster, or nothing is to be sent. */
  resume: () => Promise<ClaimedEvent | undefined>;
};

/** Loads the work of some due rows as they stand now, strongly consistent: the index may be late. */
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
 * A debounce row that nobody has claimed: what is not dormant yet is due later, what nobody is to be notified of is done. The
 * clock is read after the transaction: nothing that was written later can look as if it rested (I2).
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

/** A completion that nobody has claimed yet. One whose transaction is gone, or that a restore gave no version, is not sent. */
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

/** The lease has run out: the claimant died, or was too slow. Its event is sent again with the same id and bytes (I6). */
const recover = async (
  dueRow: DueRow & { inflight: Inflight },
  deps: PublishDeps,
): Promise<EventToResume> => {
  const { eventId } = dueRow.inflight;
  const found = await deps.deliveryLog.event(eventId);
  if (!found) throw new Error(`The delivery log has no event ${eventId}, which was claimed`);
  // However long ago that was: a recipient without a status entry is still to be sent.
  const pending = pendingDeliveries(found.event, found.deliveries);
  const all = { ...found, deliveries: [...found.deliveries, ...pending] };
  return {
    recipients: all.deliveries.filter(({ state }) => state === 'READY').length,
    resume: () => renewLease(dueRow, all, deps),
  };
};

/**
 * One of those who found the lease over gets it (I4). What it has read of the delivery log before is still so: nobody sent
 * the event without a lease, and a lease in between would have changed the row's revision.
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
