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
      return `There is no transaction ${uuid}: the uuid is mistyped, or it was an empty checkout that was removed after 30 days.`;
    case 'DELETED_TRANSACTION':
      return 'The transaction is deleted: nobody can read it, and no events follow its deletion.';
    case 'NO_PARTNER':
      return `There is no partner "${partner}" any more: it gets no events.`;
    case 'DISABLED':
      return `"${partner}" is disabled: nothing is sent to it until "partner enable ${partner}".`;
    case 'NO_ENDPOINT':
      return `"${partner}" has no webhook address: nothing is sent to it until "partner set-webhook ${partner}".`;
    case 'MAY_NOT_READ':
      return `"${partner}" has no OAuth scope nop2/read: it can read nothing, so it gets no events.`;
    case 'OUT_OF_SCOPE':
      return `"${partner}" may not see it: it belongs to ${ownerText(explanation.owner)}, and the grants are ${grantsText(explanation.grants)}.`;
    case 'PAUSED':
      return `"${partner}" is paused: its events are kept until "partner resume ${partner}", ${explanation.held} of this transaction so far.`;
    case 'ALL_STOPPED':
      return `All webhooks are stopped since ${clockText(explanation.sinceMs, nowMs)}: events are kept until "webhooks start".`;
    case 'RECEIVES':
      return `"${partner}" sees it through the grant ${grantsText(explanation.grants)}, and is notified of its changes.`;
    case 'UNCHANGED_IMPORT':
      return 'It was imported and has not changed since: an import notifies nobody.';
    case 'EMPTY_CHECKOUT':
      return 'The checkout is empty, or has a location only: partners are notified once it has content.';
    case 'NEVER_NOTIFIED':
      return 'It was deleted before partners were notified of it, so nobody is notified.';
    case 'NOTHING_PENDING':
      return `Nothing is pending: events cover every change up to version ${explanation.version}.`;
    case 'DORMANT_AT':
      return `${changesText(explanation)} wait until ${clockText(explanation.atMs, nowMs)}: ${waitText(explanation, subject)}.`;
    case 'DUE':
      return `${changesText(explanation)} are due: the next tick sends them.`;
    case 'NOT_SCHEDULED':
      return `${changesText(explanation)} are not captured yet: the stream is late or has lost them. The reconciler captures them within ten minutes.`;
    case 'IN_FLIGHT':
      return `TransactionUpdated of ${versionsText(explanation)} is being sent since ${clockText(explanation.sinceMs, nowMs)}${explanation.attempts > 1 ? ` (try ${explanation.attempts})` : ''}.`;
    case 'COMPLETION_DUE':
      return `TransactionCompleted will be sent at ${clockText(explanation.atMs, nowMs)}.`;
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
      return `was made at ${claimedAt}, when "${partner}" was not a recipient: out of scope, disabled or without a webhook address`;
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
      return `was accepted by the bus at ${clockText(status.atMs, nowMs)}${sinceChange(status.atMs)}; no failure reported so far`;
    case 'NO_FAILURE_REPORTED':
      return `was accepted by the bus at ${clockText(status.atMs, nowMs)}${sinceChange(status.atMs)}; no failure was reported`;
    case 'NOT_TAKEN_YET':
      return `was accepted by the bus at ${clockText(status.atMs, nowMs)}${sinceChange(status.atMs)}; the endpoint has not accepted it yet (${status.note})`;
    case 'REFUSED_BY_BUS':
      return `was refused by the bus ${status.refusals} times and waits for "events replay ${status.eventId}"`;
    case 'DEAD':
      return `was not taken by the endpoint (${status.note ?? status.reason}); ${
        status.nextTryAtMs === undefined
          ? `it waits for "events replay ${status.eventId}"`
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
  `is checked again at ${clockText(atMs, nowMs)}, and sent only if the reason no longer holds`;

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
      return 'a restore undid the completion';
    case 'COALESCED':
      return `a later event covers all its changes${note?.startsWith('COALESCED: ') ? ` (${note.slice(11)})` : ''}`;
    case 'DELETED':
      return 'the transaction had been deleted';
    case 'EXPIRED':
      return 'its body had expired';
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
    ? `the transaction is dormant when nobody has changed it for ${durationText(dormancyMs)}`
    : `the last event was sent at ${clockText(lastSentAtMs, nowMs)}, and at most one is sent in ${durationText(dormancyMs)}`;

const ownerText = (owner: NdMeta | null) => (owner ? formatGrant(owner) : 'nobody');

const grantsText = (grants: readonly Grant[]) => grants.map(formatGrant).join(' and ') || 'none';
