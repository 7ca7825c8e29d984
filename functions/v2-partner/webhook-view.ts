import { endpointViewOf } from '../shared/domain/endpoint-view.ts';
import type { Partner, PartnerProfile } from '../shared/domain/partner.ts';
import type { JsonObject } from '../shared/domain/transaction/transaction.ts';
import { reasonShown } from '../shared/events/states.ts';
import { isoTime } from './events.ts';

/** A partner's record, what `keep-endpoints` has reached for it, and whether all webhooks are stopped (S-77). */
export type WebhookFacts = Pick<PartnerProfile, 'partner' | 'endpoint'> & { isStopped: boolean };

/** The webhook as its partner sees it (V2-13). Never contains a signature. */
export const presentWebhook = (facts: WebhookFacts, now: Date): JsonObject => {
  const { partner, endpoint } = facts;
  return {
    url: partner.webhookUrl ?? null,
    ...presentState(facts, now),
    servedUrl: (partner.webhookUrl && endpoint?.servedUrl) ?? null,
    ...presentSignatures(partner, now),
    lastChange: presentLastChange(partner),
  };
};

/** Its state, as `GET /api/v2/partner` shows it, too. */
export const presentState = ({ partner, endpoint, isStopped }: WebhookFacts, now: Date): JsonObject => {
  const { state, sinceMs, reason, pausedBy } = endpointViewOf(partner, {
    status: endpoint,
    isStopped,
    nowMs: now.getTime(),
  });
  return {
    state,
    since: sinceMs === undefined ? null : isoTime(sinceMs),
    reason: reason === undefined ? null : wordOf(reason),
    pausedBy: pausedBy ?? null,
  };
};

/** Names of operators are not shown (V2-6). */
export const presentLastChange = ({ webhookChange: change }: Partner): JsonObject | null =>
  change === undefined ? null : { at: isoTime(change.atMs), by: change.by };

export const presentSignatures = (
  { createdAtMs, signatureMadeAtMs = createdAtMs, nextSignatureMadeAtMs: next }: Partner,
  now: Date,
): JsonObject => ({
  signature: ageOf(signatureMadeAtMs, now),
  nextSignature: next === undefined ? null : ageOf(next, now),
});

const msPerDay = 24 * 60 * 60 * 1000;

/** When something was made, and its age in whole days. */
export const ageOf = (madeAtMs: number, now: Date) => ({
  createdAt: isoTime(madeAtMs),
  ageDays: Math.floor((now.getTime() - madeAtMs) / msPerDay),
});

/** Faults of a check in terms that stay the same. What happens between us and the bus is not shown to partners. */
const words: Record<string, string> = {
  'timed out': 'TIMEOUT',
  'name not found': 'DNS',
  'address not allowed': 'ADDRESS_NOT_PUBLIC',
  'answer too large': 'ANSWER_TOO_LARGE',
  'too many interim answers': 'ANSWER_TOO_LARGE',
  redirect: 'REDIRECT',
};

const wordOf = (reason: string): string | null =>
  reason.startsWith('no connection') ? 'NO_CONNECTION' : (words[reason] ?? reasonShown(reason));
