import type { CompletionMarker } from '../../../functions/shared/domain/event/cursor.ts';
import {
  type Delivery,
  type DeliveryKey,
  type DeliveryState,
  isUndone,
} from '../../../functions/shared/domain/event/delivery.ts';
import type { LedgerRow } from '../../../functions/shared/store/recovery/ledger-scan.ts';

/** What the ledger knows of one transaction, as far as an adoption asks. */
export type Told = {
  /** The highest version that any event names, also one that is still on its way. */
  upTo: number;
  /** Up to which version everything was told; undefined before the first event. */
  notifiedVersion?: number;
  /** Whether a TransactionUpdated is kept, to be sent, or to be sent again. */
  isOpen: boolean;
  /** When the bus took the last TransactionUpdated of which it may still say that it gave it up; 0 for none. */
  acceptedAtMs: number;
  /** What its completing payment left, also when that was told long ago. */
  completion?: CompletionMarker;
  /** TransactionCompleted that are open, or with the bus. */
  completions: CompletionDelivery[];
  /** Whether a TransactionCompleted was claimed for somebody. */
  isCompletionTold: boolean;
};

/** One TransactionCompleted for one partner. */
export type CompletionDelivery = DeliveryKey & {
  state: DeliveryState;
  /** Would be sent by itself, or by a start of all webhooks. */
  isOpen: boolean;
  /** Of what the bus has: its dead letter ends it. */
  isUndone: boolean;
  acceptedAtMs: number;
};

/** What the ledger knows, by transaction. */
export type ToldByLedger = {
  byUuid: ReadonlyMap<string, Told>;
  /** The table is of this time or later. */
  newestClaimMs: number;
};

const nothing: Told = { upTo: 0, isOpen: false, acceptedAtMs: 0, completions: [], isCompletionTold: false };

/** Reads all that the ledger knows. */
export const toldByLedger = async (rows: AsyncIterable<LedgerRow>): Promise<ToldByLedger> => {
  const byUuid = new Map<string, Told>();
  let newestClaimMs = 0;
  for await (const row of rows) {
    const { uuid } = 'delivery' in row ? row.delivery : row.dueRow;
    if (uuid === '') continue;
    byUuid.set(uuid, withRow(byUuid.get(uuid) ?? nothing, row));
    if ('delivery' in row) newestClaimMs = Math.max(newestClaimMs, row.delivery.claimedAtMs);
  }
  return { byUuid, newestClaimMs };
};

const withRow = (told: Told, row: LedgerRow): Told => {
  if ('delivery' in row)
    return row.delivery.type === 'TransactionCompleted'
      ? withCompletion(told, row.delivery)
      : withUpdate(told, row.delivery);
  const { dueRow } = row;
  if (dueRow.kind === 'COMPLETED') return { ...told, completion: dueRow };
  const { notifiedVersion, inflight } = dueRow;
  return {
    ...told,
    upTo: Math.max(told.upTo, notifiedVersion ?? 0, inflight?.to ?? 0),
    ...(notifiedVersion !== undefined && { notifiedVersion }),
  };
};

const withUpdate = (told: Told, delivery: Delivery): Told => ({
  ...told,
  upTo: Math.max(told.upTo, delivery.to),
  isOpen: told.isOpen || isOpen(delivery),
  acceptedAtMs: Math.max(told.acceptedAtMs, delivery.state === 'ACCEPTED' ? acceptedAtMsOf(delivery) : 0),
});

/** A completion stands outside the chain, and its stored bytes are the only ones that there are. */
const withCompletion = (told: Told, delivery: Delivery): Told => {
  const { eventId, clientId, state } = delivery;
  const one = {
    ...{ eventId, clientId, state, acceptedAtMs: acceptedAtMsOf(delivery) },
    isOpen: isOpen(delivery) || isGivenUp(delivery),
    isUndone: isUndone(delivery),
  };
  const isOver = !one.isOpen && state !== 'ACCEPTED';
  return {
    ...told,
    upTo: Math.max(told.upTo, delivery.to),
    completions: isOver ? told.completions : [...told.completions, one],
    isCompletionTold: true,
  };
};

/** Whether a delivery is kept, to be sent, or to be sent again. */
export const isOpen = ({ state, dueAtMs }: Delivery): boolean =>
  state === 'READY' || state === 'HELD' || (state === 'DEAD' && dueAtMs !== undefined);

/** A start of all webhooks sends what lost its target, also where no try is left. */
const isGivenUp = ({ state, reason }: Delivery) => state === 'DEAD' && reason === 'TARGET_REMOVED';

/** When the bus took a delivery for the last time. */
export const acceptedAtMsOf = ({ timeline, claimedAtMs }: Delivery): number =>
  timeline.findLast(({ step }) => step === 'accepted')?.atMs ?? claimedAtMs;

/** Whether the ledger knows of a completion, told or still to be told. */
export const isCompleted = (told: Told | undefined): boolean =>
  told !== undefined && (told.isCompletionTold || told.completion !== undefined);

/** Whether a completion is still to be told, and nobody is at it. */
export const isWaiting = (marker: CompletionMarker | undefined): boolean =>
  marker?.dueAtMs !== undefined && !marker.inflight;
