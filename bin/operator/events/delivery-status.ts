import type {
  Delivery,
  DeliveryReason,
  TimelineStep,
} from '../../../functions/shared/domain/event/delivery.ts';
import type {
  EventElementName,
  TransactionEvent,
  VersionRange,
} from '../../../functions/shared/domain/event/event.ts';
import type { Grant } from '../../../functions/shared/domain/ownership/grant.ts';
import type { NdMeta } from '../../../functions/shared/domain/ownership/owner.ts';

/** Changes that no event covers yet. */
export type PendingChanges = VersionRange & { elements: EventElementName[] };

/** One event. `changedAtMs` is known as long as the event itself is kept. */
export type EventSummary = VersionRange & {
  eventId: string;
  type: TransactionEvent['type'];
  claimedAtMs: number;
  changedAtMs?: number;
};

/** The status of one event for one partner. */
export type DeliveryStatus = EventSummary &
  (
    | { code: 'NOT_A_RECIPIENT' | 'BEING_SENT' | 'KEPT' }
    /** The first tick after `atMs` sends it. */
    | { code: 'SCHEDULED'; atMs: number; isBlocked?: true }
    | { code: 'DELIVERED'; atMs: number }
    /** `NO_FAILURE_REPORTED` after 25 hours: the bus reports failures for a day, and never a success. */
    | { code: 'ACCEPTED' | 'NO_FAILURE_REPORTED'; atMs: number }
    /** The bus has failed so far. Only the embedded stage reports single attempts. */
    | { code: 'NOT_TAKEN_YET'; atMs: number; note: string }
    | { code: 'REFUSED_BY_BUS'; refusals: number }
    /** `isBlocked`: as things stand, the next try sends nothing. */
    | { code: 'DEAD'; reason: DeliveryReason; note?: string; nextTryAtMs?: number; isBlocked?: true }
    | { code: 'NOT_SENT'; reason: DeliveryReason; note?: string; atMs: number }
  );

/** A reason why a partner was notified of a transaction, or was not. Codes are JSON output and never change. */
export type Explanation =
  | { code: 'UNKNOWN_TRANSACTION' | 'DELETED_TRANSACTION' }
  | { code: 'NO_PARTNER' | 'DISABLED' | 'NO_ENDPOINT' | 'MAY_NOT_READ' }
  | { code: 'OUT_OF_SCOPE'; owner: NdMeta | null; grants: Grant[] }
  | { code: 'PAUSED'; held: number }
  /** The webhooks of the whole stage are stopped (S-77). */
  | { code: 'ALL_STOPPED'; sinceMs: number }
  | { code: 'RECEIVES'; grants: Grant[] }
  | { code: 'UNCHANGED_IMPORT' | 'EMPTY_CHECKOUT' | 'NEVER_NOTIFIED' }
  | { code: 'NOTHING_PENDING'; version: number }
  /** `lastSentAtMs` when the changes wait because of the last event (EV-2). */
  | ({ code: 'DORMANT_AT'; atMs: number; lastSentAtMs?: number } & PendingChanges)
  | ({ code: 'DUE' | 'NOT_SCHEDULED' } & PendingChanges)
  | ({ code: 'IN_FLIGHT'; sinceMs: number; attempts: number } & VersionRange)
  | { code: 'COMPLETION_DUE'; atMs: number }
  | DeliveryStatus;

/** The bus tries for a day, and its dead letter arrives within an hour after that: 24 h + 1 h. */
const silenceMs = 25 * 60 * 60 * 1000;

/** The status of a delivery now. `event` is its summary. */
export const deliveryStatusOf = (delivery: Delivery, event: EventSummary, nowMs: number): DeliveryStatus => {
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
        ? { ...event, code: 'BEING_SENT' }
        : { ...event, code: 'SCHEDULED', atMs: dueAtMs };
    case 'HELD':
      return { ...event, code: 'KEPT' };
    case 'ACCEPTED': {
      const atMs = at('accepted');
      const note = lastAttemptNote(delivery);
      if (note !== undefined) return { ...event, code: 'NOT_TAKEN_YET', atMs, note };
      return { ...event, code: nowMs - atMs > silenceMs ? 'NO_FAILURE_REPORTED' : 'ACCEPTED', atMs };
    }
    case 'DELIVERED':
      return { ...event, code: 'DELIVERED', atMs: at('delivered') };
    case 'DEAD':
      if (reason === 'REFUSED_BY_BUS') return { ...event, code: 'REFUSED_BY_BUS', refusals };
      return {
        ...event,
        ...{ code: 'DEAD', reason, ...noteOf('dead') },
        ...(dueAtMs !== undefined && { nextTryAtMs: dueAtMs }),
      };
    case 'SUPPRESSED':
      return { ...event, code: 'NOT_SENT', reason, ...noteOf('suppressed'), atMs: at('suppressed') };
    default:
      return state satisfies never;
  }
};

/** The last attempt since the delivery was last scheduled: an attempt may precede the entry of its acceptance. */
const lastAttemptNote = ({ timeline }: Delivery): string | undefined => {
  const sentAgain = timeline.findLastIndex(({ step }) => step === 'scheduled');
  return timeline.slice(sentAgain + 1).findLast(({ step }) => step === 'attempted')?.note;
};
