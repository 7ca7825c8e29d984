import type { PartnerProfile } from '../domain/partner.ts';
import { type IssuedToken, mayBeRevoked, whyEnded } from '../domain/token-standing.ts';
import type { Denylist } from '../store/requests/denylist.ts';

export type InForceDeps = { denylist: Pick<Denylist, 'has'>; now: Date };

/** Why a verified token of this partner counts no more, if it does not. Only after a revocation this costs a read. */
export const whyNotInForce = async (
  token: IssuedToken,
  profile: PartnerProfile,
  { denylist, now }: InForceDeps,
): Promise<'ended-secret' | 'revoked-token' | undefined> => {
  const ended = whyEnded(token, profile, now.getTime());
  if (ended || !mayBeRevoked(token, profile)) return ended;
  return (await denylist.has(token.jti, now)) ? 'revoked-token' : undefined;
};
