import { covers } from '../ownership/grant.ts';
import type { NdMeta } from '../ownership/owner.ts';
import type { Partner } from '../partner.ts';
/** Why a partner gets nothing of an event. */
export type SuppressionReason = 'DISABLED' | 'NO_ENDPOINT' | 'MAY_NOT_READ' | 'OUT_OF_SCOPE';

/** What becomes of an event for one partner now: sent, kept until the partner is resumed, or not sent at all. */
export type Verdict = 'send' | 'hold' | SuppressionReason;

/**
 * Judged when an event is claimed and once more before it is sent (events 8, TH-07), on the current owner and by the same
 * policy function as the API (GRANT-2, EV-4). A partner that is gone counts as disabled; one that may only write reads nothing
 * here either (S-11).
 */
export const judgeRecipient = (partner: Partner | undefined, owner: NdMeta | undefined): Verdict => {
  if (!partner?.enabled) return 'DISABLED';
  if (partner.webhookUrl === undefined) return 'NO_ENDPOINT';
  if (!partner.oauthScopes.includes('nop2/read')) return 'MAY_NOT_READ';
  if (!covers(partner.grants, owner)) return 'OUT_OF_SCOPE';
  return partner.webhookPaused ? 'hold' : 'send';
};

/** Everybody who is to hear of a change of a transaction with this owner; paused partners hear of it later. */
export const recipientsOf = (partners: readonly Partner[], owner: NdMeta | undefined): Partner[] =>
  partners.filter((partner) => ['send', 'hold'].includes(judgeRecipient(partner, owner)));
