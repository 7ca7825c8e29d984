import type { DueRow, DueRowKey } from '../domain/event/debounce-row.ts';
import type { EventType, VersionRange } from '../domain/event/event.ts';
import { isDeletedAfter, testEventType } from '../domain/event/event.ts';
import { pendingDeliveries } from '../domain/event/new-delivery.ts';
import { presentEvent } from '../domain/event/present-event.ts';
import { type Owner, recipientsOf } from '../domain/event/recipient.ts';
import type { Partner } from '../domain/partner.ts';
import type { StoredTransaction } from '../domain/transaction/transaction.ts';
import type { Claim } from '../store/debounce/debounce-row-store.ts';
import type { DeliveryLogEvent } from '../store/debounce/delivery-log-store.ts';
import type { PublishDeps } from './publish-deps.ts';

/** An event that this flusher has claimed and is about to send. */
export type ClaimedEvent = DeliveryLogEvent & {
  /** The row to complete after sending; absent for a retry or replay, which completes its own row. */
  dueRow?: DueRowKey & { changeCount: number };
  /** Start of the lease. Nothing is sent later than `abandonMs` after it. */
  leasedAtMs: number;
  /** The present owner, by which each recipient is checked again. */
  owner: Owner;
  /** A later change deleted the transaction, so no partner may see the event's content (DEL-1). */
  isDeletedSince: boolean;
};

/** An event to be sent now. */
export type EventToClaim = {
  dueRow: DueRow;
  stored: StoredTransaction;
  partners: readonly Partner[];
  type: EventType;
  range: VersionRange;
};

/** A claim that is not written yet, and its event. */
export type PreparedClaim = { claim: Claim; claimed: ClaimedEvent };

/** The lease starts now, even if the claim is written later. */
export const prepareClaim = (toClaim: EventToClaim, deps: PublishDeps): PreparedClaim => {
  const { stored, dueRow } = toClaim;
  const { uuid, kind, changeCount, revision } = dueRow;
  const leasedAtMs = deps.clock().getTime();
  const { event, bodies } = makeEvent(toClaim, leasedAtMs, deps);
  const { eventId, from, to, elements, claimedAtMs } = event;
  return {
    claim: {
      key: { uuid, kind },
      revision,
      transactionVersion: stored.version,
      inflight: {
        ...{ eventId, from, to, elements, changeCount, claimedAtMs, attempts: 1 },
        leasedUntilMs: leasedAtMs + deps.settings.leaseMs,
      },
      event,
      bodies,
    },
    claimed: {
      event,
      bodies,
      deliveries: pendingDeliveries(event, []),
      dueRow: { uuid, kind, changeCount },
      leasedAtMs,
      owner: stored.transaction.ndMeta,
      // The transaction of a completion may have changed since.
      isDeletedSince: isDeletedAfter(event, stored),
    },
  };
};

const makeEvent = (
  { partners, ...content }: EventToClaim,
  claimedAtMs: number,
  { stage, origin }: PublishDeps,
) => {
  const { ndMeta } = content.stored.transaction;
  const recipients = recipientsOf(partners, ndMeta).map(({ clientId }) => clientId);
  const { event, bodies } = presentEvent({ ...content, recipients }, { stage, origin, nowMs: claimedAtMs });
  // Bodies are not stored for an event without recipients.
  return { event, bodies: recipients.length > 0 ? bodies : undefined };
};

/** An event that was claimed before, with its present owner and whether its transaction was deleted since. */
export const asOfNow = async (
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
