import type {
  DebounceRow,
  DebounceRowKey,
  DueRow,
  DueRowKey,
  DueRowOf,
  Inflight,
} from '../../domain/event/debounce-row.ts';
import type { DeliveryKey } from '../../domain/event/delivery.ts';
import type { EventBodies, TransactionEvent } from '../../domain/event/event.ts';

/** What the due index finds: debounce rows, markers, and deliveries that are to be sent again. */
export type DueKey = DueRowKey | (DeliveryKey & { kind: 'DELIVERY' });

/** One entry of the due index. */
export type Due = { key: DueKey; dueAtMs: number };

/** How many shards of the due index debounce rows and markers have: what is sent for the first time. */
export const dueShards = 16;

/** The shard of deliveries, which are sent again: polls ask it after the others (EV-26). */
export const resendShard = 16 satisfies typeof dueShards;

/** What the stream says of one change. */
export type RecordedChange = {
  uuid: string;
  changed: string[];
  /** Counts only where the debounce row is not scheduled yet. */
  dueAtMs: number;
};

/** A claim: the event with its bodies, in one atomic step. Its recipients have no rows before they have a status entry. */
export type Claim = {
  key: DueRowKey;
  /** As read; the claim is lost when it is another by now. */
  revision: number;
  /** The claim is lost when the transaction has another version by now. */
  transactionVersion: number;
  /** The row keeps its place in the index of what is due. */
  inflight: Inflight;
  event: TransactionEvent;
  /** Absent where no partner is to receive it. */
  bodies: EventBodies | undefined;
};

/**
 * What one of several claims came to. Where none was made: `lost` on a condition of its own, `failed` where something else was
 * wrong with it, as a conflict with another write.
 */
export type ClaimOutcome = 'claimed' | 'lost' | 'failed' | 'not-at-fault';

/** So many events, of up to five statements each, fit into one transaction of DynamoDB (100 items, 4 MB). */
export const mostClaimsTogether = 20;

/** What is known when every entry of an event is sent. */
export type CompletedSend = {
  eventId: string;
  changeCount: number;
  to: number;
  nowMs: number;
  rescheduleAtMs: number;
};

/**
 * Debounce rows and markers of the debounce table; one method an access pattern. A method that answers a boolean says whether its
 * condition held: a caller that gets false was not the first, and does nothing.
 */
export type DebounceRowStore = {
  /** The one unconditional, commutative update: schedules what is not scheduled, counts, merges names. */
  recordChange: (change: RecordedChange) => Promise<void>;
  /** Schedules a row that is not scheduled, for the reconciler. */
  schedule: (key: DueRowKey, dueAtMs: number) => Promise<boolean>;
  /** What is due in one shard of the index, earliest first; the index may be late. */
  due: (shard: number, nowMs: number, limit: number) => Promise<Due[]>;
  /** Strongly consistent. */
  get: <Key extends DueRowKey>(key: Key) => Promise<DueRowOf<Key> | undefined>;
  /** Those of some rows that there are, strongly consistent, in no particular order. */
  getAll: (keys: readonly DueRowKey[]) => Promise<DueRow[]>;
  /** Many debounce rows at once, strongly consistent, for the reconciler. */
  getMany: (uuids: readonly string[]) => Promise<Map<string, DebounceRow>>;
  /** Nothing is pending: on the condition that nothing happened since the row was read. */
  unschedule: (key: DueRowKey, seen: { revision: number; changeCount: number }) => Promise<boolean>;
  /** Nothing is to be sent up to this version: the same, and the next event begins after it (EV-11). */
  passOver: (
    key: DebounceRowKey,
    seen: { revision: number; changeCount: number },
    version: number,
  ) => Promise<boolean>;
  reschedule: (key: DueRowKey, seen: { revision: number }, dueAtMs: number) => Promise<boolean>;
  /** On the condition of `revision`, of no `inflight`, and of the transaction's version. */
  claim: (claim: Claim) => Promise<boolean>;
  /** Claims of different transactions, `mostClaimsTogether` at most: all of them are made, or none. */
  claimTogether: (claims: readonly Claim[]) => Promise<ClaimOutcome[]>;
  /** Takes over what its claimant left behind; answers the renewed row. */
  renewLease: (
    key: DueRowKey,
    seen: { revision: number },
    lease: { nowMs: number; dueAtMs: number },
  ) => Promise<DueRow | undefined>;
  /**
   * The event is sent: bound to its id. A debounce row stands at `to` and is unscheduled, or rescheduled when a change
   * was recorded in between; a marker is done for good.
   */
  complete: (key: DueRowKey, completedSend: CompletedSend) => Promise<boolean>;
};
