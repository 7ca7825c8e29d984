import type { Outcome } from '../domain/outcome.ts';
import { refuse, succeed } from '../domain/outcome.ts';
import type { Partner } from '../domain/partner.ts';
import type { PartnerStore } from '../store/partner-store.ts';
import type { AccessTokenClaims, VerifyAccessToken } from './access-token.ts';
import type { CredentialParts } from './bearer-token.ts';
import { readBearerToken } from './bearer-token.ts';
import type { BearerRefusal, InvalidTokenCause } from './challenge.ts';

export type IdentifyDeps = { verify: VerifyAccessToken; partners: Pick<PartnerStore, 'byClientId'> };

export type IdentifiedPartner = { partner: Partner; accessToken: AccessTokenClaims };

export type Identified = { ok: true; value: IdentifiedPartner } | { ok: false; refusal: BearerRefusal };

/**
 * Who calls: the partner whose valid access token the request bears. The partner is read at every request, so that one
 * that is disabled or removed is refused although its token still runs (TOK-5).
 */
export const identifyPartner = async (request: CredentialParts, deps: IdentifyDeps): Promise<Identified> => {
  const token = readBearerToken(request);
  if (!token.ok) return refused(token.reason);
  const verified = await deps.verify(token.value);
  if (!verified.ok) return invalidToken(verified.reason);
  const partner = await readEnabled(verified.value.clientId, deps);
  if (!partner.ok) return invalidToken(partner.reason);
  return { ok: true, value: { partner: partner.value, accessToken: verified.value } };
};

const refused = (reason: 'no-token' | 'invalid-token' | 'invalid-request'): Identified => {
  if (reason === 'invalid-token') return invalidToken('not-a-token');
  if (reason === 'invalid-request') return { ok: false, refusal: { status: 400, reason } };
  return { ok: false, refusal: { status: 401, reason } };
};

const invalidToken = (cause: InvalidTokenCause): Identified => ({
  ok: false,
  refusal: { status: 401, reason: 'invalid-token', cause },
});

const readEnabled = async (
  clientId: string,
  { partners }: IdentifyDeps,
): Promise<Outcome<Partner, 'unknown-partner' | 'disabled-partner'>> => {
  const partner = await partners.byClientId(clientId);
  if (!partner) return refuse('unknown-partner');
  return partner.enabled ? succeed(partner) : refuse('disabled-partner');
};
