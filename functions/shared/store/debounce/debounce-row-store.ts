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

/** Keys in the due index: debounce rows, markers, and deliveries to send again. */
export type DueKey = DueRowKey | (DeliveryKey & { kind: 'DELIVERY' });

/** An entry of the due index. */
export type Due = { key: DueKey; dueAtMs: number };

/** Shards of the due index for first events: debounce rows and markers. */
export const dueShards = 16;

/** The shard of deliveries to send again, which is polled after the others (EV-26). */
export const resendShard = 16 satisfies typeof dueShards;

/** A change as the stream reports it. */
export type RecordedChange = {
  uuid: string;
  changed: string[];
  /** Used only if the debounce row is not scheduled. */
  dueAtMs: number;
};

/** A claim: the event with its bodies in one atomic step. Recipients have no rows before a status entry. */
export type Claim = {
  key: DueRowKey;
  /** The revision that was read; the claim is lost if it differs. */
  revision: number;
  /** The claim is lost if the transaction has another version. */
  transactionVersion: number;
  /** The row keeps its place in the due index. */
  inflight: Inflight;
  event: TransactionEvent;
  /** Absent if the event has no recipients. */
  bodies: EventBodies | undefined;
};

/**
 * The outcome of one of several claims. If none was made: `lost` by its own condition, `failed` by another fault such as a
 * conflict.
 */
export type ClaimOutcome = 'claimed' | 'lost' | 'failed' | 'not-at-fault';

/** As many events, with up to five statements each, fit into one transaction of DynamoDB (100 items, 4 MB). */
export const mostClaimsTogether = 20;

/** The facts of an event whose entries are all sent. */
export type CompletedSend = {
  eventId: string;
  changeCount: number;
  to: number;
  nowMs: number;
  rescheduleAtMs: number;
};

/**
 * Debounce rows and markers; one method for each access pattern. A boolean says whether the condition held: a caller that
 * gets false was not the first, and does nothing.
 */
export type DebounceRowStore = {
  /** The only unconditional update: schedules an unscheduled row, counts, merges names. */
  recordChange: (change: RecordedChange) => Promise<void>;
  /** Schedules an unscheduled row, for the reconciler. */
  schedule: (key: DueRowKey, dueAtMs: number) => Promise<boolean>;
  /** Due keys of one shard, earliest first; the index may be late. */
  due: (shard: number, nowMs: number, limit: number) => Promise<Due[]>;
  /** Strongly consistent. */
  get: <Key extends DueRowKey>(key: Key) => Promise<DueRowOf<Key> | undefined>;
  /** The existing ones of some rows, strongly consistent, in no order. */
  getAll: (keys: readonly DueRowKey[]) => Promise<DueRow[]>;
  /** Many debounce rows, strongly consistent, for the reconciler. */
  getMany: (uuids: readonly string[]) => Promise<Map<string, DebounceRow>>;
  /** Unschedules a row, if nothing happened since it was read. */
  unschedule: (key: DueRowKey, seen: { revision: number; changeCount: number }) => Promise<boolean>;
  /** Marks everything up to this version as not to be sent; the next event begins after it (EV-11). Same condition. */
  passOver: (
    key: DebounceRowKey,
    seen: { revision: number; changeCount: number },
    version: number,
  ) => Promise<boolean>;
  reschedule: (key: DueRowKey, seen: { revision: number }, dueAtMs: number) => Promise<boolean>;
  /** On the condition of `revision`, no `inflight`, and the transaction's version. */
  claim: (claim: Claim) => Promise<boolean>;
  /** Makes claims of different transactions, at most `mostClaimsTogether`: all or none. */
  claimTogether: (claims: readonly Claim[]) => Promise<ClaimOutcome[]>;
  /** Takes over an ended lease; returns the renewed row. */
  renewLease: (
    key: DueRowKey,
    seen: { revision: number },
    lease: { nowMs: number; dueAtMs: number },
  ) => Promise<DueRow | undefined>;
  /**
   * Completes a sent event by its ID. A debounce row advances to `to`, and is rescheduled if a change came meanwhile; a
   * marker is done.
   */
  complete: (key: DueRowKey, completedSend: CompletedSend) => Promise<boolean>;
};
