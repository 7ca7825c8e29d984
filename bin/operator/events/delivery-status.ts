import type {
  Delivery,
  DeliveryReason,
  TimelineStep,
} from '../../../functions/shared/domain/event/delivery.ts';
import type {
  EventElementName,
  EventType,
  VersionRange,
} from '../../../functions/shared/domain/event/event.ts';
import type { Grant } from '../../../functions/shared/domain/ownership/grant.ts';
import type { NdMeta } from '../../../functions/shared/domain/ownership/owner.ts';

/** The bus tries for a day; an hour later its last dead letter has come (events 4). */
const silenceMs = 25 * 60 * 60 * 1000;

/** Where a delivery stands now. `made` is what is known of its event. */
export const deliveryStatusOf = (delivery: Delivery, made: EventSummary, nowMs: number): DeliveryStatus => {
  const { state, dueAtMs, claimedAtMs, refusals, reason = 'UNKNOWN' } = delivery;
  const last = (step: TimelineStep) => delivery.timeline.findLast((entry) => entry.step === step);
  const at = (step: TimelineStep) => last(step)?.atMs ?? claimedAtMs;
  const noteOf = (step: TimelineStep) => {
    const note = last(step)?.note;
    return note === undefined ? {} : { note };
  };
  switch (state) {
    case 'READY':
      return dueAtMs === undefined
        ? { ...made, code: 'BEING_SENT' }
        : { ...made, code: 'ARMED', atMs: dueAtMs };
    case 'HELD':
      return { ...made, code: 'KEPT' };
    case 'ACCEPTED': {
      const atMs = at('accepted');
      const note = lastAttemptNote(delivery);
      if (note !== undefined) return { ...made, code: 'NOT_TAKEN_YET', atMs, note };
      return { ...made, code: nowMs - atMs > silenceMs ? 'NO_FAILURE_REPORTED' : 'ACCEPTED', atMs };
    }
    case 'DELIVERED':
      return { ...made, code: 'DELIVERED', atMs: at('delivered') };
    case 'DEAD':
      if (reason === 'REFUSED_BY_BUS') return { ...made, code: 'REFUSED_BY_BUS', refusals };
      return {
        ...made,
        ...{ code: 'DEAD', reason, ...noteOf('dead') },
        ...(dueAtMs !== undefined && { nextTryAtMs: dueAtMs }),
      };
    case 'SUPPRESSED':
      return { ...made, code: 'NOT_SENT', reason, ...noteOf('suppressed'), atMs: at('suppressed') };
    default:
      return state satisfies never;
  }
};

/** Of this sending: what is armed again begins anew. The bus may try before the ledger has its acceptance. */
const lastAttemptNote = ({ timeline }: Delivery): string | undefined => {
  const sentAgain = timeline.findLastIndex(({ step }) => step === 'armed');
  return timeline.slice(sentAgain + 1).findLast(({ step }) => step === 'attempted')?.note;
};

/** Changes that are not told yet. */
export type PendingChanges = VersionRange & { elements: EventElementName[] };

/** One event that was made; `changedAtMs` where it is kept still. */
export type EventSummary = VersionRange & {
  eventId: string;
  type: EventType;
  claimedAtMs: number;
  changedAtMs?: number;
};

/** Where one event stands on its way to one partner. */
export type DeliveryStatus = EventSummary &
  (
    | { code: 'NOT_A_RECIPIENT' | 'BEING_SENT' | 'KEPT' }
    /** Sent by the next tick after `atMs`. */
    | { code: 'ARMED'; atMs: number }
    /** The last two differ by time alone: the bus reports failures for a day, and no success (events 4). */
    | { code: 'DELIVERED' | 'ACCEPTED' | 'NO_FAILURE_REPORTED'; atMs: number }
    /** The bus has it and has tried in vain; attempts are known on the embedded stage only. */
    | { code: 'NOT_TAKEN_YET'; atMs: number; note: string }
    | { code: 'REFUSED_BY_BUS'; refusals: number }
    | { code: 'DEAD'; reason: DeliveryReason; note?: string; nextTryAtMs?: number }
    | { code: 'NOT_SENT'; reason: DeliveryReason; note?: string; atMs: number }
  );

/** One thing that explains why a partner was told of a transaction or was not; the code says which, and stays the same. */
export type Explanation =
  | { code: 'UNKNOWN_TRANSACTION' | 'DELETED_TRANSACTION' }
  | { code: 'NO_PARTNER' | 'DISABLED' | 'NO_ENDPOINT' | 'MAY_NOT_READ' }
  | { code: 'OUT_OF_SCOPE'; owner: NdMeta | null; grants: Grant[] }
  | { code: 'PAUSED'; held: number }
  | { code: 'RECEIVES'; grants: Grant[] }
  | { code: 'QUIET_IMPORT' | 'QUIET_CREATED' }
  | { code: 'NOTHING_TO_TELL'; version: number }
  /** `lastSentAtMs` where the last event is what they wait for (EV-2). */
  | ({ code: 'DORMANT_AT'; atMs: number; lastSentAtMs?: number } & PendingChanges)
  | ({ code: 'DUE' | 'NOT_ARMED' } & PendingChanges)
  | ({ code: 'IN_FLIGHT'; sinceMs: number; attempts: number } & VersionRange)
  | { code: 'COMPLETION_DUE'; atMs: number }
  | DeliveryStatus;
