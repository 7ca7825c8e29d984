import { covers } from '../ownership/grant.ts';
import type { NdMeta } from '../ownership/owner.ts';
import type { Partner } from '../partner.ts';

/** Why an event is not sent to a partner. */
export type SuppressionReason = 'DISABLED' | 'NO_ENDPOINT' | 'MAY_NOT_READ' | 'OUT_OF_SCOPE';

/** What happens with an event for one partner now: sent, kept until its endpoint serves, or not sent. */
export type RecipientDecision = 'send' | 'hold' | SuppressionReason;

/** A partner as it is served now. `isUnserved`: the bus does not have its endpoint yet, and would drop its events. */
export type ServedPartner = Partner & { isUnserved?: true };

/** The present owner of a transaction. A test of a webhook has none, and goes to every partner that gets events. */
export type Owner = NdMeta | undefined | 'none-needed';

/**
 * Whether a partner gets an event. Decided when its recipients are found and again right before the request, on the present owner and by the same
 * policy function as the API (GRANT-2). A deleted partner counts as disabled. One that may only write gets none.
 */
export const decideRecipient = (partner: ServedPartner | undefined, owner: Owner): RecipientDecision => {
  if (!partner?.enabled) return 'DISABLED';
  if (partner.webhookUrl === undefined) return 'NO_ENDPOINT';
  if (!partner.oauthScopes.includes('nop2/read')) return 'MAY_NOT_READ';
  if (owner !== 'none-needed' && !covers(partner.grants, owner)) return 'OUT_OF_SCOPE';
  return partner.webhookPaused || partner.isUnserved ? 'hold' : 'send';
};

/** All partners that are to be notified of a transaction with this owner. Paused ones are notified later. */
export const recipientsOf = (
  partners: readonly ServedPartner[],
  owner: NdMeta | undefined,
): ServedPartner[] =>
  partners.filter((partner) => ['send', 'hold'].includes(decideRecipient(partner, owner)));
