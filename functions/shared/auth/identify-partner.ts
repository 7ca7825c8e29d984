import type { Outcome } from '../domain/outcome.ts';
import { refuse, succeed } from '../domain/outcome.ts';
import type { Partner } from '../domain/partner.ts';
import type { PartnerStore } from '../store/partners/partner-store.ts';
import type { AccessTokenClaims, VerifyAccessToken } from './access-token.ts';
import type { CredentialParts } from './bearer-token.ts';
import { readBearerToken } from './bearer-token.ts';
import type { TokenRefusal } from './signed-token.ts';

export type IdentifyDeps = { verify: VerifyAccessToken; partners: Pick<PartnerStore, 'byClientId'> };

export type IdentifiedPartner = { partner: Partner; accessToken: AccessTokenClaims };

/** Why no partner is identified; the caller learns of it only what RFC 6750 lets it learn. */
export type IdentityRefusal =
  | 'no-token'
  | 'not-a-token'
  | 'two-tokens'
  | TokenRefusal
  | 'unknown-partner'
  | 'disabled-partner';

/**
 * The caller: the partner whose valid access token the request bears. The partner is read at every request, so that one
 * that is disabled or removed is refused although its token still runs (TOK-5).
 */
export const identifyPartner = async (
  request: CredentialParts,
  { verify, partners }: IdentifyDeps,
): Promise<Outcome<IdentifiedPartner, IdentityRefusal>> => {
  const token = readBearerToken(request);
  if (!token.ok) return token;
  const verified = await verify(token.value);
  if (!verified.ok) return verified;
  const partner = await partners.byClientId(verified.value.clientId);
  if (!partner) return refuse('unknown-partner');
  return partner.enabled ? succeed({ partner, accessToken: verified.value }) : refuse('disabled-partner');
};
