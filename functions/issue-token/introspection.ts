import type { AccessTokenClaims, VerifyAccessToken } from '../shared/auth/access-token.ts';
import { whyNotInForce } from '../shared/auth/token-in-force.ts';
import type { PartnerProfile } from '../shared/domain/partner.ts';
import { notKept } from '../shared/http/oauth-error.ts';
import type { HandlerResult } from '../shared/http/problem.ts';
import { json } from '../shared/http/response.ts';
import type { PipelineEvent } from '../shared/middleware/respond.ts';
import type { Denylist } from '../shared/store/requests/denylist.ts';
import { type ClientRequest, type ClientRequestDeps, readClientRequest } from './client-request.ts';
import { oauthRefusal } from './oauth-response.ts';

export type IntrospectionDeps = ClientRequestDeps & {
  verify: VerifyAccessToken;
  denylist: Pick<Denylist, 'has'>;
  issuer: string;
  audience: string;
};

/** RFC 7662: tells a client whether its own token is active. Any other text is reported as inactive. */
export const introspect = async (event: PipelineEvent, deps: IntrospectionDeps): Promise<HandlerResult> => {
  const request = await readClientRequest(event, deps);
  if (!request.ok) return request.response;
  const token = request.value.form.get('token');
  if (token === undefined) return oauthRefusal('no-token');
  const claims = await activeToken(token, request.value, deps);
  return json(
    200,
    claims ? { active: true, ...describe(claims, request.value.profile, deps) } : inactive,
    notKept,
  );
};

const inactive = { active: false };

/** Verifies as V2 does. */
const activeToken = async (
  token: string,
  { profile, now }: ClientRequest,
  { verify, denylist }: IntrospectionDeps,
): Promise<AccessTokenClaims | undefined> => {
  const verified = await verify(token);
  if (!verified.ok) return undefined;
  if (verified.value.clientId !== profile.partner.clientId) return undefined;
  const reason = await whyNotInForce(verified.value, profile, { denylist, now });
  return reason ? undefined : verified.value;
};

/** `scope` has only the OAuth scopes that the partner still has: a token outlives their removal (S-08). */
const describe = (
  { clientId, scopes, exp, iat, jti }: AccessTokenClaims,
  { partner }: PartnerProfile,
  { issuer, audience }: IntrospectionDeps,
) => ({
  scope: scopes.filter((scope) => partner.oauthScopes.some((held) => held === scope)).join(' '),
  client_id: clientId,
  token_type: 'Bearer',
  ...{ exp, iat, sub: clientId, aud: audience, iss: issuer, jti },
});
