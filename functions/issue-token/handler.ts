import { lifetimeOf, signAccessToken, type TokenLifetime } from '../shared/auth/access-token.ts';
import type { ReadPeppers } from '../shared/auth/peppers.ts';
import type { SigningKeys } from '../shared/auth/signing-keys.ts';
import { type KeyRing, verifiersAt } from '../shared/domain/keys/key-ring.ts';
import { tokenIdOf } from '../shared/domain/token-standing.ts';
import { weakTag } from '../shared/http/entity-tag.ts';
import type { HandlerResult } from '../shared/http/problem.ts';
import type { HttpEvent } from '../shared/http/request.ts';
import { type HttpResponse, json, noContent } from '../shared/http/response.ts';
import type { Clock } from '../shared/runtime/clock.ts';
import type { ReadRing } from '../shared/store/keys/ring-reader.ts';
import type { PartnerStore } from '../shared/store/partners/partner-store.ts';
import { authenticateClient } from './client-authentication.ts';
import { notKept, oauthRefusal } from './oauth-response.ts';
import { readTokenRequest } from './request.ts';
import type { TokenServiceRoute } from './server-metadata.ts';
import { authorizationServerMetadata, tokenServiceRoutes } from './server-metadata.ts';
import { decideGrant, scopeOfResponse } from './token-request.ts';

export type TokenServiceDeps = {
  partners: Pick<PartnerStore, 'credentialsOf'>;
  readPeppers: ReadPeppers;
  signingKeys: Pick<SigningKeys, 'active'>;
  /** The ring of access keys. */
  readRing: ReadRing;
  makeUuid: () => string;
  issuer: string;
  audience: string;
  clock: Clock;
};

const methodsOf: Record<TokenServiceRoute, readonly string[]> = {
  token: ['POST'],
  jwks: ['GET', 'HEAD'],
  metadata: ['GET', 'HEAD'],
};

/** The token service: three addresses; route, then method, then request are checked (ERR-3). */
export const createHandler = (deps: TokenServiceDeps) => {
  const routes = tokenServiceRoutes(deps.issuer);
  const handlers: Record<TokenServiceRoute, (event: HttpEvent) => Promise<HandlerResult>> = {
    token: (event) => issueToken(event, deps),
    jwks: async () => keySet(await deps.readRing(), deps.clock()),
    metadata: async () => published(authorizationServerMetadata(deps.issuer), 3600),
  };

  return async (event: HttpEvent): Promise<HandlerResult> => {
    const route = routes.get(event.path.replace(/\/$/, ''));
    if (!route) return oauthRefusal('not-found');
    const headers = { Allow: [...methodsOf[route], 'OPTIONS'].join(', ') };
    if (event.httpMethod === 'OPTIONS') return noContent(headers);
    if (!methodsOf[route].includes(event.httpMethod)) return oauthRefusal('method-not-allowed', headers);
    return handlers[route](event);
  };
};

/** RFC 6749 section 4.4: who asks, what it may have, and a token for that (TOK-1). */
const issueToken = async (event: HttpEvent, deps: TokenServiceDeps): Promise<HandlerResult> => {
  const now = deps.clock();
  const request = readTokenRequest(event);
  if (!request.ok) return oauthRefusal(request.reason);
  const { client, form } = request.value;
  const authenticated = await authenticateClient(client, { ...deps, now });
  if (!authenticated.ok) return oauthRefusal(authenticated.reason);
  const { profile, secret } = authenticated.value;
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

/** M-08: a new key stands here for longer than this before the first token is signed with it. */
const keySet = (ring: KeyRing, now: Date) =>
  published({ keys: verifiersAt(ring, now.getTime()).flatMap(({ jwk }) => jwk ?? []) }, 300);

/** A public document, which caches may keep (M-07). */
const published = (document: object, maxAgeSeconds: number): HttpResponse => {
  const response = json(200, document, { 'Cache-Control': `public, max-age=${maxAgeSeconds}` });
  return { ...response, headers: { ...response.headers, ETag: weakTag(response.body) } };
};
