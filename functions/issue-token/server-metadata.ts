import { oauthScopeNames } from '../shared/domain/partner.ts';

const authMethods = ['client_secret_basic', 'client_secret_post'];

/** RFC 8414 section 2. No array may be empty (M-04), so `none` stands for no response type. */
export const authorizationServerMetadata = (issuer: string) => ({
  issuer,
  token_endpoint: `${issuer}/oauth2/token`,
  jwks_uri: `${issuer}/oauth2/jwks`,
  scopes_supported: oauthScopeNames,
  response_types_supported: ['none'],
  grant_types_supported: ['client_credentials'],
  token_endpoint_auth_methods_supported: authMethods,
  introspection_endpoint: `${issuer}/oauth2/introspect`,
  introspection_endpoint_auth_methods_supported: authMethods,
  revocation_endpoint: `${issuer}/oauth2/revoke`,
  revocation_endpoint_auth_methods_supported: authMethods,
});

/** RFC 9728 section 2: what the tokens are for, and who issues them. */
export const protectedResourceMetadata = (audience: string, issuer: string) => ({
  resource: audience,
  authorization_servers: [issuer],
  scopes_supported: oauthScopeNames,
  bearer_methods_supported: ['header'],
});

const wellKnown = '/.well-known/oauth-authorization-server';

/** Routes of the token service. */
export type TokenServiceRoute =
  | 'token'
  | 'introspect'
  | 'revoke'
  | 'secret'
  | 'jwks'
  | 'metadata'
  | 'resource';

/**
 * Routes by path. An issuer may have a path: its metadata then stands before that path (RFC 8414 section 3.1, M-03). A
 * gateway may strip the path, so both forms are routed.
 */
export const tokenServiceRoutes = (
  issuer: string,
  audience: string,
): ReadonlyMap<string, TokenServiceRoute> => {
  const prefixes = ['', new URL(issuer).pathname.replace(/\/$/, '')];
  return new Map([
    ...resourceRoutes(audience),
    ...prefixes.flatMap((prefix): [string, TokenServiceRoute][] => [
      [`${prefix}/oauth2/token`, 'token'],
      [`${prefix}/oauth2/introspect`, 'introspect'],
      [`${prefix}/oauth2/revoke`, 'revoke'],
      [`${prefix}/oauth2/secret`, 'secret'],
      [`${prefix}/oauth2/jwks`, 'jwks'],
      [`${wellKnown}${prefix}`, 'metadata'],
    ]),
  ]);
};

/** RFC 9728 section 3 appends the audience's path, of which a gateway may strip a part. */
const resourceRoutes = (audience: string): [string, TokenServiceRoute][] =>
  ['', '/api/v2', new URL(audience).pathname].map((path) => [
    `/.well-known/oauth-protected-resource${path}`,
    'resource',
  ]);
