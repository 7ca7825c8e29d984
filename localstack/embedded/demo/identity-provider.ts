import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** The users of the demo identity provider. */
export const demoUsers = ['ada', 'ben'] as const;
export type DemoUser = (typeof demoUsers)[number];

/** The demo storefronts' client id at the identity provider. */
export const demoAudience = 'demo-shop';

export const issuerOf = (port: number): string => `http://127.0.0.1:${port}/identity`;

/** What an authorization code stands for (RFC 6749 section 4.1, RFC 7636). */
type Grant = {
  user: DemoUser;
  redirectUri: string;
  challenge: string;
  nonce: string | undefined;
  endsMs: number;
};

const codeMs = 60_000;

/**
 * The demo storefronts' identity provider: OpenID Connect Discovery, a key set, and the code flow with PKCE, by which a checkout
 * page signs somebody in without a server. The authorize page lets a person choose a user. `POST /identity/token` with `username`
 * alone replaces that for programs. Each start makes a new key.
 */
export const openIdentityProvider = async (port: number, origins: () => readonly string[]) => {
  const issuer = issuerOf(port);
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const kid = randomUUID();
  const codes = new Map<string, Grant>();
  const documents: Record<string, object> = {
    '/identity/.well-known/openid-configuration': {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
    },
    '/identity/keys': { keys: [{ ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' }] },
  };

  const idTokenFor = (user: DemoUser, nonce?: string) =>
    new SignJWT(nonce === undefined ? {} : { nonce })
      .setProtectedHeader({ alg: 'RS256', kid })
      .setIssuer(issuer)
      .setAudience(demoAudience)
      .setSubject(user)
      .setIssuedAt(new Date())
      .setExpirationTime(new Date(Date.now() + 3_600_000))
      .sign(privateKey);

  const exchange = async (form: URLSearchParams) => {
    const named = demoUsers.find((user) => user === form.get('username'));
    if (named) return tokenAnswer(await idTokenFor(named));
    const grant = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isGood =
      grant !== undefined &&
      grant.endsMs > Date.now() &&
      grant.challenge === challenge &&
      grant.redirectUri === form.get('redirect_uri');
    return isGood ? tokenAnswer(await idTokenFor(grant.user, grant.nonce)) : undefined;
  };

  const authorize = (query: URLSearchParams, response: ServerResponse) => {
    const redirectUri = query.get('redirect_uri') ?? '';
    const challenge = query.get('code_challenge') ?? '';
    const isShops = URL.canParse(redirectUri) && origins().includes(new URL(redirectUri).origin);
    const isAsked =
      query.get('response_type') === 'code' &&
      query.get('client_id') === demoAudience &&
      query.get('code_challenge_method') === 'S256';
    if (!isShops || !isAsked || challenge === '')
      return write(response, 400, {
        error: 'invalid_request',
        error_description: `Send response_type=code, client_id=${demoAudience}, a redirect_uri at a demo storefront's origin, code_challenge and code_challenge_method=S256.`,
      });
    const user = demoUsers.find((one) => one === query.get('user'));
    if (!user) return choice(query, response);
    const code = randomUUID();
    const nonce = query.get('nonce') ?? undefined;
    codes.set(code, { user, redirectUri, challenge, nonce, endsMs: Date.now() + codeMs });
    const back = new URL(redirectUri);
    back.searchParams.set('code', code);
    const state = query.get('state');
    if (state !== null) back.searchParams.set('state', state);
    return response.writeHead(303, { Location: back.href }).end();
  };

  return {
    /** Whether a page of another origin may send the request: all that a checkout page asks. */
    admits: ({ url = '' }: IncomingMessage) => url.startsWith('/identity/'),
    /** Handles a request below `/identity`; returns false for any other. */
    handle: (request: IncomingMessage, response: ServerResponse): boolean => {
      const url = URL.parse(request.url ?? '', issuer);
      if (!url?.pathname.startsWith('/identity/')) return false;
      const { pathname, searchParams } = url;
      const document = documents[pathname];
      if (request.method === 'OPTIONS') response.writeHead(204, cors).end();
      else if (document) write(response, 200, document);
      else if (pathname === '/identity/authorize') authorize(searchParams, response);
      else if (pathname !== '/identity/token' || request.method !== 'POST') write(response, 404, unknown);
      else
        void text(request)
          .then((sent) => exchange(new URLSearchParams(sent)))
          .then(
            (token) => write(response, token ? 200 : 400, token ?? unknown),
            // The client closed the connection before the end of its request.
            () => response.destroy(),
          );
      return true;
    },
  };
};

export type IdentityProvider = Awaited<ReturnType<typeof openIdentityProvider>>;

const tokenAnswer = (id_token: string) => ({ id_token, token_type: 'Bearer', expires_in: 3_600 });

const unknown = {
  error: 'invalid_request',
  error_description: `Send POST /identity/token with username=${demoUsers.join(' or username=')}, or with the code of /identity/authorize.`,
};

/** The provider gives nothing away: its users have no password. */
const cors = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, POST, OPTIONS',
  'Access-Control-Allow-Headers': '*',
};

const write = (response: ServerResponse, status: number, body: object) =>
  response.writeHead(status, { 'Content-Type': 'application/json', ...cors }).end(JSON.stringify(body));

/** A page with a button for each user. It repeats the query in hidden fields. */
const choice = (query: URLSearchParams, response: ServerResponse) => {
  const hidden = [...query].map(
    ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
  );
  const buttons = demoUsers.map((user) => `<button name="user" value="${user}">${user}</button>`);
  response
    .writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    })
    .end(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
        `<title>Sign in</title><h1>Sign in to the demo shop</h1><form>${hidden.join('')}${buttons.join(' ')}</form></html>`,
    );
};

const escaped = (value: string): string =>
  value.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
