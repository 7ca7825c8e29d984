import type { Grant } from '../../../functions/shared/domain/ownership/grant.ts';
import type { NdMeta } from '../../../functions/shared/domain/ownership/owner.ts';
import { reasonSentenceOf, type ShownEvent } from '../../../functions/shared/events/states.ts';
import type { Explanation, PendingChanges } from '../events/explain.ts';
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
      return `"${partner}" is paused: its events wait for "partner resume ${partner}".`;
    case 'ALL_STOPPED':
      return `All webhooks are stopped since ${clockText(explanation.sinceMs, nowMs)}: events wait for "webhooks start".`;
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
    case 'BEING_SENT':
      return `${changesText(explanation)} are being sent.`;
    case 'COMPLETION_DUE':
      return `TransactionCompleted will be sent at ${clockText(explanation.atMs, nowMs)}.`;
    case 'WAITING':
      return `${explanation.type} of ${versionsText(explanation)} is owed to "${partner}"${becauseOf(explanation.reason)}: ${againText(explanation, subject)}.`;
    case 'NOT_A_RECIPIENT':
      return `${explanation.type} of ${versionsText(explanation)} was sent to others at ${clockText(explanation.atMs ?? 0, nowMs)}, when "${partner}" was not a recipient: out of scope, disabled or without a webhook address.`;
    default:
      return `${explanation.type} of ${versionsText(explanation)} ${outcomes[explanation.code]} at ${clockText(explanation.atMs ?? 0, nowMs)}${becauseOf(explanation.reason)}.`;
  }
};

const outcomes = {
  SENT: 'was accepted by the bus',
  FAILED: 'was not taken by the endpoint',
  WITHHELD: 'was not sent',
} as const;

const becauseOf = (reason: string | undefined) =>
  reason === undefined ? '' : ` (${reasonSentenceOf(reason)?.replace(/\.$/, '') ?? reason})`;

const againText = ({ atMs }: Pick<ShownEvent, 'atMs'>, { partner, nowMs }: ExplainSubject) =>
  atMs === undefined
    ? `the next event of the transaction, a resume, or "events resend ${partner}" sends it`
    : `it is tried at ${clockText(atMs, nowMs)}`;

/** The versions that an event covers: after `from`, up to `to`, or up to the one that the transaction has then. */
export const versionsText = ({ from, to }: Pick<ShownEvent, 'from' | 'to'>): string => {
  if (to === undefined) return `the versions after ${from}`;
  return to - from === 1 ? `version ${to}` : `versions ${from + 1} to ${to}`;
};

const changesText = ({ elements, ...range }: PendingChanges) =>
  `Changes of ${elements.join(', ') || 'properties that events do not show'} (${versionsText(range)})`;

const waitText = ({ lastSentAtMs }: { lastSentAtMs?: number }, { dormancyMs, nowMs }: ExplainSubject) =>
  lastSentAtMs === undefined
    ? `the transaction is dormant when nobody has changed it for ${durationText(dormancyMs)}`
    : `the last event was sent at ${clockText(lastSentAtMs, nowMs)}, and at most one is sent in ${durationText(dormancyMs)}`;

const ownerText = (owner: NdMeta | null) => (owner ? formatGrant(owner) : 'nobody');

const grantsText = (grants: readonly Grant[]) => grants.map(formatGrant).join(' and ') || 'none';
