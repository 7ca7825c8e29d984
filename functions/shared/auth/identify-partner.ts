import type { Outcome } from '../domain/outcome.ts';
import { refuse, succeed } from '../domain/outcome.ts';
import type { PartnerProfile } from '../domain/partner.ts';
import type { Clock } from '../runtime/clock.ts';
import type { PartnerReader } from '../store/partners/reader.ts';
import type { AccessTokenClaims, VerifyAccessToken } from './access-token.ts';
import type { CredentialParts, TokenAbsence } from './bearer-token.ts';
import { readBearerToken } from './bearer-token.ts';
import type { TokenRefusal } from './signed-token.ts';
import { type InForceDeps, whyNotInForce } from './token-in-force.ts';

export type IdentifyDeps = {
  verify: VerifyAccessToken;
  partners: Pick<PartnerReader, 'profileOf'>;
  denylist: InForceDeps['denylist'];
  clock: Clock;
};

export type IdentifiedPartner = Pick<PartnerProfile, 'partner' | 'secrets' | 'endpoint'> & {
  accessToken: AccessTokenClaims;
};

/** Why no partner is identified. The caller is told only what RFC 6750 allows. */
export type IdentityRefusal =
  | TokenAbsence
  | TokenRefusal
  | 'unknown-partner'
  | 'disabled-partner'
  | 'ended-secret'
  | 'revoked-token';

/**
 * The caller: the partner whose valid access token the request has. The partner is read at every request, so a disabled
 * or removed partner is refused although its token has not expired (TOK-5). A revoked token, and one whose secret has
 * ended, are refused, too.
 */
export const identifyPartner = async (
  request: CredentialParts,
  { verify, partners, denylist, clock }: IdentifyDeps,
): Promise<Outcome<IdentifiedPartner, IdentityRefusal>> => {
  const token = readBearerToken(request);
  if (!token.ok) return token;
  const verified = await verify(token.value);
  if (!verified.ok) return verified;
  const accessToken = verified.value;
  const profile = await partners.profileOf(accessToken.clientId);
  if (!profile) return refuse('unknown-partner');
  const { partner, secrets, endpoint } = profile;
  if (!partner.enabled) return refuse('disabled-partner');
  const reason = await whyNotInForce(accessToken, profile, { denylist, now: clock() });
  return reason ? refuse(reason) : succeed({ partner, secrets, ...(endpoint && { endpoint }), accessToken });
};
