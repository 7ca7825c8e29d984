import { keySetMaxAgeSeconds } from '../shared/auth/key-times.ts';
import { type KeyRing, verifiersAt } from '../shared/domain/keys/key-ring.ts';
import { weakTag } from '../shared/http/entity-tag.ts';
import type { HandlerResult } from '../shared/http/problem.ts';
import { type HttpResponse, json } from '../shared/http/response.ts';
import { answerByMethod } from '../shared/middleware/allow-methods.ts';
import type { PipelineEvent } from '../shared/middleware/respond.ts';
import type { ReadRing } from '../shared/store/keys/ring-reader.ts';
import { type GrantDeps, issueToken } from './grant.ts';
import { type IntrospectionDeps, introspect } from './introspection.ts';
import { oauthRefusal } from './oauth-response.ts';
import { makeOwnSecret, type OwnSecretDeps } from './own-secret.ts';
import { type RevocationDeps, revoke } from './revocation.ts';
import type { TokenServiceRoute } from './server-metadata.ts';
import {
  authorizationServerMetadata,
  protectedResourceMetadata,
  tokenServiceRoutes,
} from './server-metadata.ts';

export type TokenServiceDeps = GrantDeps &
  IntrospectionDeps &
  RevocationDeps &
  OwnSecretDeps & {
    /** The ring of access keys. */
    readRing: ReadRing;
  };

const methodsOf: Record<TokenServiceRoute, readonly string[]> = {
  token: ['POST'],
  introspect: ['POST'],
  revoke: ['POST'],
  secret: ['POST'],
  jwks: ['GET', 'HEAD'],
  metadata: ['GET', 'HEAD'],
  resource: ['GET', 'HEAD'],
};

/** The token service. Checks the route, then the method, then the request (ERR-3). */
export const createHandler = (deps: TokenServiceDeps) => {
  const routes = tokenServiceRoutes(deps.issuer, deps.audience);
  const handlers: Record<TokenServiceRoute, (event: PipelineEvent) => Promise<HandlerResult>> = {
    token: (event) => issueToken(event, deps),
    introspect: (event) => introspect(event, deps),
    revoke: (event) => revoke(event, deps),
    secret: (event) => makeOwnSecret(event, deps),
    jwks: async () => keySet(await deps.readRing(), deps.clock()),
    resource: async () => published(protectedResourceMetadata(deps.audience, deps.issuer), 3600),
    metadata: async () => published(authorizationServerMetadata(deps.issuer), 3600),
  };

  return async (event: PipelineEvent): Promise<HandlerResult> => {
    const route = routes.get(event.path.replace(/\/$/, ''));
    if (!route) return oauthRefusal('not-found');
    return answerByMethod(event, { answered: methodsOf[route] }) ?? handlers[route](event);
  };
};

/** A new key is published for longer than this age before it signs a token (M-08). */
const keySet = (ring: KeyRing, now: Date) =>
  published({ keys: verifiersAt(ring, now.getTime()).flatMap(({ jwk }) => jwk ?? []) }, keySetMaxAgeSeconds);

/** A public document, which caches may keep (M-07). */
const published = (document: object, maxAgeSeconds: number): HttpResponse => {
  const response = json(200, document, { 'Cache-Control': `public, max-age=${maxAgeSeconds}` });
  return { ...response, headers: { ...response.headers, ETag: weakTag(response.body) } };
};
