import type { DeliveryReason } from '../../../functions/shared/domain/event/delivery.ts';
import type { VersionRange } from '../../../functions/shared/domain/event/event.ts';
import type { Grant } from '../../../functions/shared/domain/ownership/grant.ts';
import type { NdMeta } from '../../../functions/shared/domain/ownership/owner.ts';
import type { DeliveryStatus, Explanation, PendingChanges } from '../events/delivery-status.ts';
import { formatGrant } from '../partners/grant-text.ts';
import { clockText, durationText } from './time.ts';

/** The partner and the transaction that the sentences are about. */
export type ExplainSubject = { partner: string; uuid: string; nowMs: number; dormancyMs: number };

/** An explanation as a sentence. */
export const explanationSentence = (explanation: Explanation, subject: ExplainSubject): string => {
  const { partner, uuid, nowMs } = subject;
  switch (explanation.code) {
    case 'UNKNOWN_TRANSACTION':
      return `There is no transaction ${uuid}: the uuid is mistyped, or nothing was sent for it but a location and it was removed after 30 days.`;
    case 'DELETED_TRANSACTION':
      return 'The transaction is deleted: nobody reads it, and after its deletion nothing more is sent about it.';
    case 'NO_PARTNER':
      return `There is no partner "${partner}" any more: nothing is sent to it.`;
    case 'DISABLED':
      return `"${partner}" is disabled: nothing is sent to it until "partner enable ${partner}".`;
    case 'NO_ENDPOINT':
      return `"${partner}" has no webhook address: nothing is sent to it until "partner set-webhook ${partner}".`;
    case 'MAY_NOT_READ':
      return `"${partner}" has no OAuth scope nop2/read: it reads nothing, and so nothing is sent to it.`;
    case 'OUT_OF_SCOPE':
      return `"${partner}" may not see it: it belongs to ${ownerText(explanation.owner)}, and the grants are ${grantsText(explanation.grants)}.`;
    case 'PAUSED':
      return `"${partner}" is paused: its events are kept until "partner resume ${partner}", ${explanation.held} of this transaction so far.`;
    case 'ALL_STOPPED':
      return `All webhooks are stopped since ${clockText(explanation.sinceMs, nowMs)}: events are kept until "webhooks start".`;
    case 'RECEIVES':
      return `"${partner}" sees it by its grant ${grantsText(explanation.grants)}, and is notified of its changes.`;
    case 'UNCHANGED_IMPORT':
      return 'It was imported and not changed since: an import notifies nobody.';
    case 'EMPTY_CHECKOUT':
      return 'Nothing was sent for this checkout but, perhaps, a location: partners are notified of it once anything else is sent for it.';
    case 'NEVER_NOTIFIED':
      return 'It was deleted before partners were notified of it: nobody is notified of it now.';
    case 'NOTHING_PENDING':
      return `Nothing new is to be sent: there is an event of every change up to version ${explanation.version}.`;
    case 'DORMANT_AT':
      return `${changesText(explanation)} wait until ${clockText(explanation.atMs, nowMs)}: ${waitText(explanation, subject)}.`;
    case 'DUE':
      return `${changesText(explanation)} are due: the next tick sends them.`;
    case 'NOT_SCHEDULED':
      return `${changesText(explanation)} are not noticed yet: the stream is late, or lost them and the reconciler notices them within ten minutes.`;
    case 'IN_FLIGHT':
      return `TransactionUpdated of ${versionsText(explanation)} is being sent since ${clockText(explanation.sinceMs, nowMs)}${explanation.attempts > 1 ? ` (try ${explanation.attempts})` : ''}.`;
    case 'COMPLETION_DUE':
      return `TransactionCompleted is to be sent at ${clockText(explanation.atMs, nowMs)}.`;
    default:
      return `${explanation.type} of ${versionsText(explanation)} ${statusText(explanation, subject)}.`;
  }
};

/** The status of an event, as the end of a sentence about it. */
export const statusText = (status: DeliveryStatus, { partner, nowMs }: ExplainSubject): string => {
  const { claimedAtMs, changedAtMs } = status;
  const claimedAt = clockText(claimedAtMs, nowMs);
  const sinceChange = (atMs: number) =>
    changedAtMs === undefined ? '' : `, ${durationText(atMs - changedAtMs)} after the change`;
  switch (status.code) {
    case 'NOT_A_RECIPIENT':
      return `was made at ${claimedAt}, when "${partner}" was not to hear of it: out of scope, disabled or without a webhook address then`;
    case 'BEING_SENT':
      return `is being sent since ${claimedAt}`;
    case 'KEPT':
      return `is kept since ${claimedAt}: "${partner}" was paused`;
    case 'SCHEDULED':
      return status.isBlocked
        ? blockedText(status.atMs, nowMs)
        : `is sent again by the first tick after ${clockText(status.atMs, nowMs)}`;
    case 'DELIVERED':
      return `was delivered at ${clockText(status.atMs, nowMs)}${sinceChange(status.atMs)}`;
    case 'ACCEPTED':
      return `was given to the bus at ${clockText(status.atMs, nowMs)}${sinceChange(status.atMs)}; no failure was reported so far`;
    case 'NO_FAILURE_REPORTED':
      return `was given to the bus at ${clockText(status.atMs, nowMs)}${sinceChange(status.atMs)}; no failure was reported`;
    case 'NOT_TAKEN_YET':
      return `was given to the bus at ${clockText(status.atMs, nowMs)}${sinceChange(status.atMs)}; the endpoint has not taken it yet (${status.note})`;
    case 'REFUSED_BY_BUS':
      return `was refused by the bus ${status.refusals} times and waits for a person: "events replay ${status.eventId}"`;
    case 'DEAD':
      return `was not taken by the endpoint (${status.note ?? status.reason}); ${
        status.nextTryAtMs === undefined
          ? `it waits for a person: "events replay ${status.eventId}"`
          : status.isBlocked
            ? `it ${blockedText(status.nextTryAtMs, nowMs)}`
            : `it is tried again at ${clockText(status.nextTryAtMs, nowMs)}`
      }`;
    case 'NOT_SENT':
      return `was not sent at ${clockText(status.atMs, nowMs)}: ${reasonText(status.reason, status.note)}`;
    default:
      return status satisfies never;
  }
};

const blockedText = (atMs: number, nowMs: number) =>
  `is looked at again at ${clockText(atMs, nowMs)}, and sent only if what stands in its way is gone by then`;

const reasonText = (reason: DeliveryReason, note: string | undefined): string => {
  switch (reason) {
    case 'OUT_OF_SCOPE':
      return 'its grants did not cover the transaction then';
    case 'DISABLED':
      return 'it was disabled then';
    case 'NO_ENDPOINT':
      return 'it had no webhook address then';
    case 'MAY_NOT_READ':
      return 'it had no OAuth scope nop2/read then';
    case 'UNDONE':
      return 'a restore took the completion back';
    case 'COALESCED':
      return `a later event covers all of it${note?.startsWith('COALESCED: ') ? ` (${note.slice(11)})` : ''}`;
    case 'DELETED':
      return 'the transaction had been deleted';
    case 'EXPIRED':
      return 'its body was not kept any more';
    default:
      return note ?? reason;
  }
};

/** The versions that an event covers: after `from`, up to `to`. */
export const versionsText = ({ from, to }: VersionRange): string =>
  to - from === 1 ? `version ${to}` : `versions ${from + 1} to ${to}`;

const changesText = ({ elements, ...range }: PendingChanges) =>
  `Changes of ${elements.join(', ') || 'properties that events do not show'} (${versionsText(range)})`;

const waitText = ({ lastSentAtMs }: { lastSentAtMs?: number }, { dormancyMs, nowMs }: ExplainSubject) =>
  lastSentAtMs === undefined
    ? `it is dormant when nobody has changed it for ${durationText(dormancyMs)}`
    : `the last event was sent at ${clockText(lastSentAtMs, nowMs)}, and one in ${durationText(dormancyMs)} is sent`;

const ownerText = (owner: NdMeta | null) => (owner ? formatGrant(owner) : 'nobody');

const grantsText = (grants: readonly Grant[]) => grants.map(formatGrant).join(' and ') || 'none';
