import { lifetimeOf, signAccessToken, type TokenLifetime } from '../shared/auth/access-token.ts';
import type { SigningKeys } from '../shared/auth/signing-keys.ts';
import { tokenIdOf } from '../shared/domain/token-standing.ts';
import { notKept } from '../shared/http/oauth-error.ts';
import type { HandlerResult } from '../shared/http/problem.ts';
import { type HttpResponse, json } from '../shared/http/response.ts';
import type { PipelineEvent } from '../shared/middleware/respond.ts';
import { type ClientRequestDeps, readClientRequest } from './client-request.ts';
import { oauthRefusal } from './oauth-response.ts';
import { decideGrant, scopeOfResponse } from './token-request.ts';

export type GrantDeps = ClientRequestDeps & {
  signingKeys: Pick<SigningKeys, 'active'>;
  makeUuid: () => string;
  issuer: string;
  audience: string;
};

/** The client credentials grant (RFC 6749 section 4.4, TOK-1). */
export const issueToken = async (event: PipelineEvent, deps: GrantDeps): Promise<HandlerResult> => {
  const request = await readClientRequest(event, deps);
  if (!request.ok) return request.response;
  const { profile, secret, form, now } = request.value;
  const scopes = decideGrant(form, profile.partner);
  if (!scopes.ok) return oauthRefusal(scopes.reason);
  const lifetime = lifetimeOf(secret, profile, now);
  const jti = tokenIdOf(secret.id, deps.makeUuid());
  const { clientId } = profile.partner;
  const token = await signAccessToken(
    { clientId, scopes: scopes.value, jti, lifetime },
    { ...deps, key: await deps.signingKeys.active() },
  );
  return granted(token, lifetime, scopeOfResponse(form, scopes.value));
};

const granted = (token: string, { iat, exp }: TokenLifetime, scope: { scope?: string }): HttpResponse =>
  json(200, { access_token: token, token_type: 'Bearer', expires_in: exp - iat, ...scope }, notKept);
