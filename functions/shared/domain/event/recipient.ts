import { covers } from '../ownership/grant.ts';
import type { NdMeta } from '../ownership/owner.ts';
import type { Partner } from '../partner.ts';

/** Why a partner gets nothing of an event. */
export type SuppressionReason = 'DISABLED' | 'NO_ENDPOINT' | 'MAY_NOT_READ' | 'OUT_OF_SCOPE';

/** What becomes of an event for one partner now: sent, kept until its endpoint serves, or not sent at all. */
export type RecipientDecision = 'send' | 'hold' | SuppressionReason;

/** A partner as it is served now. `isUnserved`: the bus does not know its endpoint yet, and would drop its events. */
export type ServedPartner = Partner & { isUnserved?: true };

/** Of whom a transaction is now; a test of a webhook is of no transaction, and goes to whoever is sent events. */
export type Owner = NdMeta | undefined | 'none-needed';

/**
 * Whether a partner gets an event, decided when it is claimed and once more before it is sent, on the current owner and by
 * the same policy function as the API (GRANT-2). A partner that is gone counts as disabled; one that may only write reads
 * nothing here either.
 */
export const decideRecipient = (partner: ServedPartner | undefined, owner: Owner): RecipientDecision => {
  if (!partner?.enabled) return 'DISABLED';
  if (partner.webhookUrl === undefined) return 'NO_ENDPOINT';
  if (!partner.oauthScopes.includes('nop2/read')) return 'MAY_NOT_READ';
  if (owner !== 'none-needed' && !covers(partner.grants, owner)) return 'OUT_OF_SCOPE';
  return partner.webhookPaused || partner.isUnserved ? 'hold' : 'send';
};

/** All partners that are to be notified of a transaction with this owner; paused ones are notified later. */
export const recipientsOf = (
  partners: readonly ServedPartner[],
  owner: NdMeta | undefined,
): ServedPartner[] =>
  partners.filter((partner) => ['send', 'hold'].includes(decideRecipient(partner, owner)));
