import type { DeliveryReason } from '../../../functions/shared/domain/event/delivery.ts';
import type { VersionRange } from '../../../functions/shared/domain/event/event.ts';
import type { Grant } from '../../../functions/shared/domain/ownership/grant.ts';
import type { NdMeta } from '../../../functions/shared/domain/ownership/owner.ts';
import type { DeliveryStatus, Explanation, PendingChanges } from '../events/delivery-status.ts';
import { formatGrant } from '../partners/grant-text.ts';
import { clockText, durationText } from './time.ts';

/** Whom and what the sentences are about. */
export type ExplainSubject = { partner: string; uuid: string; nowMs: number; dormancyMs: number };

/** What a finding says, in one plain sentence. */
export const explanationSentence = (finding: Explanation, subject: ExplainSubject): string => {
  const { partner, uuid, nowMs } = subject;
  switch (finding.code) {
    case 'UNKNOWN_TRANSACTION':
      return `There is no transaction ${uuid}: the uuid is mistyped, or nobody ever changed it and it was removed.`;
    case 'DELETED_TRANSACTION':
      return 'The transaction is deleted: nobody reads it, and after its deletion nothing more is told of it.';
    case 'NO_PARTNER':
      return `There is no partner "${partner}" any more: nothing is sent to it.`;
    case 'DISABLED':
      return `"${partner}" is disabled: nothing is sent to it until "partner enable ${partner}".`;
    case 'NO_ENDPOINT':
      return `"${partner}" has no webhook address: nothing is sent to it until "partner set-webhook ${partner}".`;
    case 'MAY_NOT_READ':
      return `"${partner}" has no OAuth scope nop2/read: it reads nothing, and so nothing is sent to it.`;
    case 'OUT_OF_SCOPE':
      return `"${partner}" may not see it: it belongs to ${ownerText(finding.owner)}, and the grants are ${grantsText(finding.grants)}.`;
    case 'PAUSED':
      return `"${partner}" is paused: its events are kept until "partner resume ${partner}", ${finding.held} of this transaction so far.`;
    case 'RECEIVES':
      return `"${partner}" sees it by its grant ${grantsText(finding.grants)}, and is told of its changes.`;
    case 'QUIET_IMPORT':
      return 'It was imported and not changed since: an import tells nobody.';
    case 'QUIET_CREATED':
      return 'It was created and not changed since: a checkout in which nobody entered anything tells nobody.';
    case 'NOTHING_TO_TELL':
      return `Nothing new is to be told: there is an event of every change up to version ${finding.version}.`;
    case 'DORMANT_AT':
      return `${changesText(finding)} wait until ${clockText(finding.atMs, nowMs)}: ${waitText(finding, subject)}.`;
    case 'DUE':
      return `${changesText(finding)} are due: the next tick sends them.`;
    case 'NOT_ARMED':
      return `${changesText(finding)} are not noticed yet: the stream is late, or lost them and the reconciler notices them within ten minutes.`;
    case 'IN_FLIGHT':
      return `TransactionUpdated of ${versionsText(finding)} is being sent since ${clockText(finding.sinceMs, nowMs)}${finding.attempts > 1 ? ` (try ${finding.attempts})` : ''}.`;
    case 'COMPLETION_DUE':
      return `TransactionCompleted is to be sent at ${clockText(finding.atMs, nowMs)}.`;
    default:
      return `${finding.type} of ${versionsText(finding)} ${statusText(finding, subject)}.`;
  }
};

/** What became of one event, as the end of a sentence about it. */
export const statusText = (standing: DeliveryStatus, { partner, nowMs }: ExplainSubject): string => {
  const { claimedAtMs, changedAtMs } = standing;
  const made = clockText(claimedAtMs, nowMs);
  const sinceChange = (atMs: number) =>
    changedAtMs === undefined ? '' : `, ${durationText(atMs - changedAtMs)} after the change`;
  switch (standing.code) {
    case 'NOT_A_RECIPIENT':
      return `was made at ${made}, when "${partner}" was not to hear of it: out of scope, disabled or without a webhook address then`;
    case 'BEING_SENT':
      return `is being sent since ${made}`;
    case 'KEPT':
      return `is kept since ${made}: "${partner}" was paused`;
    case 'ARMED':
      return `is sent again by the first tick after ${clockText(standing.atMs, nowMs)}`;
    case 'DELIVERED':
      return `was delivered at ${clockText(standing.atMs, nowMs)}${sinceChange(standing.atMs)}`;
    case 'ACCEPTED':
      return `was given to the bus at ${clockText(standing.atMs, nowMs)}${sinceChange(standing.atMs)}; no failure was reported so far`;
    case 'NO_FAILURE_REPORTED':
      return `was given to the bus at ${clockText(standing.atMs, nowMs)}${sinceChange(standing.atMs)}; no failure was reported`;
    case 'NOT_TAKEN_YET':
      return `was given to the bus at ${clockText(standing.atMs, nowMs)}${sinceChange(standing.atMs)}; the endpoint has not taken it yet (${standing.note})`;
    case 'REFUSED_BY_BUS':
      return `was refused by the bus ${standing.refusals} times and waits for a person: "events replay ${standing.eventId}"`;
    case 'DEAD':
      return `was not taken by the endpoint (${standing.note ?? standing.reason}); ${
        standing.nextTryAtMs === undefined
          ? `it waits for a person: "events replay ${standing.eventId}"`
          : `it is tried again at ${clockText(standing.nextTryAtMs, nowMs)}`
      }`;
    case 'NOT_SENT':
      return `was not sent at ${clockText(standing.atMs, nowMs)}: ${reasonText(standing.reason, standing.note)}`;
    default:
      return standing satisfies never;
  }
};

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
    case 'COALESCED':
      return `a later event tells all of it${note?.startsWith('COALESCED: ') ? ` (${note.slice(11)})` : ''}`;
    case 'DELETED':
      return 'the transaction had been deleted';
    case 'EXPIRED':
      return 'its body was not kept any more';
    default:
      return note ?? reason;
  }
};

/** The change that a partner knows it by: versions after `from`, up to `to`. */
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
