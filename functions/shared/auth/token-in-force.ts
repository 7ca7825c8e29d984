import type { PartnerProfile } from '../domain/partner.ts';
import { type IssuedToken, mayBeRevoked, whyEnded } from '../domain/token-standing.ts';
import type { Denylist } from '../store/requests/denylist.ts';

export type InForceDeps = { denylist: Pick<Denylist, 'has'>; now: Date };

/** Why a verified token of this partner is no longer valid, if it is not. Costs a read only after a revocation. */
export const whyNotInForce = async (
  token: IssuedToken,
  profile: PartnerProfile,
  { denylist, now }: InForceDeps,
): Promise<'ended-secret' | 'revoked-token' | undefined> => {
  const ended = whyEnded(token, profile, now.getTime());
  if (ended || !mayBeRevoked(token, profile)) return ended;
  return (await denylist.has(token.jti, now)) ? 'revoked-token' : undefined;
};
