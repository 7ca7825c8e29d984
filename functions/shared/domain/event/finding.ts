import type { Grant } from '../ownership/grant.ts';
import type { NdMeta } from '../ownership/owner.ts';
import type { DeliveryReason } from './delivery.ts';
import type { EventElementName, EventType, VersionRange } from './event.ts';

/** Changes that are not told yet. */
export type Pending = VersionRange & { elements: EventElementName[] };

/** One event that was made; `changedAtMs` where it is kept still. */
export type Made = VersionRange & {
  eventId: string;
  type: EventType;
  claimedAtMs: number;
  changedAtMs?: number;
};

/** Where one event stands on its way to one partner. */
export type Standing = Made &
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
export type Finding =
  | { code: 'UNKNOWN_TRANSACTION' | 'DELETED_TRANSACTION' }
  | { code: 'NO_PARTNER' | 'DISABLED' | 'NO_ENDPOINT' | 'MAY_NOT_READ' }
  | { code: 'OUT_OF_SCOPE'; owner: NdMeta | null; grants: Grant[] }
  | { code: 'PAUSED'; held: number }
  | { code: 'RECEIVES'; grants: Grant[] }
  | { code: 'QUIET_IMPORT' | 'QUIET_CREATED' }
  | { code: 'NOTHING_TO_TELL'; version: number }
  /** `lastSentAtMs` where the last event is what they wait for (EV-2). */
  | ({ code: 'DORMANT_AT'; atMs: number; lastSentAtMs?: number } & Pending)
  | ({ code: 'DUE' | 'NOT_ARMED' } & Pending)
  | ({ code: 'IN_FLIGHT'; sinceMs: number; attempts: number } & VersionRange)
  | { code: 'COMPLETION_DUE'; atMs: number }
  | Standing;
