import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { Clock } from '../../functions/shared/runtime/clock.ts';

/** The users of the demo identity provider. */
export const demoUsers = ['ada', 'ben'] as const;
export type DemoUser = (typeof demoUsers)[number];

/** The demo storefronts' client id at the identity provider. */
export const demoAudience = 'demo-shop';

export const issuerOf = (port: number): string => `http://127.0.0.1:${port}/identity`;

/** Handles a request below `/identity`; returns false for any other. */
export type HandleIdentity = (request: IncomingMessage, response: ServerResponse) => boolean;

type ProviderDeps = { port: number; clock: Clock };

/**
 * The demo storefronts' identity provider: OpenID Connect Discovery, a key set, and `POST /identity/token` with `username`,
 * which replaces a sign-in by a person. Each start makes a new key.
 */
export const openIdentityProvider = async ({ port, clock }: ProviderDeps): Promise<HandleIdentity> => {
  const issuer = issuerOf(port);
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const kid = randomUUID();
  const documents: Record<string, object> = {
    '/identity/.well-known/openid-configuration': { issuer, jwks_uri: `${issuer}/keys` },
    '/identity/keys': { keys: [{ ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' }] },
  };
  const idTokenOf = (subject: string) =>
    new SignJWT()
      .setProtectedHeader({ alg: 'RS256', kid })
      .setIssuer(issuer)
      .setAudience(demoAudience)
      .setSubject(subject)
      .setIssuedAt(clock())
      .setExpirationTime(new Date(clock().getTime() + 3_600_000))
      .sign(privateKey);
  const answerTo = async (request: IncomingMessage) => {
    const username = new URLSearchParams(await text(request)).get('username');
    const user = demoUsers.find((name) => name === username);
    return user ? { id_token: await idTokenOf(user), token_type: 'Bearer', expires_in: 3_600 } : undefined;
  };

  return (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    if (!path.startsWith('/identity')) return false;
    const document = documents[path];
    if (document) write(response, 200, document);
    else if (path !== '/identity/token' || request.method !== 'POST') write(response, 404, unknown);
    else
      void answerTo(request).then(
        (token) => write(response, token ? 200 : 400, token ?? unknown),
        // The client closed the connection before the end of its request.
        () => response.destroy(),
      );
    return true;
  };
};

const unknown = {
  error: 'invalid_request',
  error_description: `Send POST /identity/token with username=${demoUsers.join(' or username=')}.`,
};

const write = (response: ServerResponse, status: number, body: object) =>
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
