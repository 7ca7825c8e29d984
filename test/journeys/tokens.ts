import assert from 'node:assert/strict';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { at, challengeOf, json, list } from './answers.ts';
import { accessTokenOf, askForToken, programOf } from './clients.ts';
import type { Journey } from './world.ts';

/** A partner asks for access tokens (interface 4.3). */
export const tokenJourney: Journey = {
  name: 'a partner asks for a token',
  steps: [
    {
      title: 'O-01 O-02 O-03 O-06 credentials by Basic are granted a token',
      check: async (world) => {
        const answer = await askForToken(world);
        accessTokenOf(world, answer);

        const names = ['access_token', 'expires_in', 'token_type'];
        assert.equal(answer.status, 200, answer.text);
        assert.deepEqual(Object.keys(Object(json(answer))).sort(), names);
        assert.equal(at(json(answer), 'token_type'), 'Bearer');
        assert.equal(at(json(answer), 'expires_in'), 3600);
        assert.match(answer.headers.get('Content-Type') ?? '', /^application\/json/);
        assert.equal(answer.headers.get('Cache-Control'), 'no-store');
        assert.equal(answer.headers.get('Pragma'), 'no-cache');
      },
      mend: '`operator partner show` says whether the partner is there and has a secret; the log of issue-token has the rest',
    },
    {
      title: 'O-15 O-54 a wrong secret is refused in the words of RFC 6749',
      check: async (world) => {
        const clientSecret = `wrong${world.partner.clientSecret}`;
        const answer = await askForToken(world, { ...world.partner, clientSecret });

        assert.equal(answer.status, 401);
        assert.equal(at(json(answer), 'error'), 'invalid_client');
        assert.equal(answer.headers.get('Cache-Control'), 'no-store');
        assert.match(challengeOf(answer), /^Basic realm="/);
      },
      mend: 'see the log of issue-token for the id of the request',
    },
    {
      title: 'J-01 J-04 J-08 TOK-1 the token is signed by a published key, for this stage alone',
      check: async ({ send, authUrl, baseUrl, tokens, partner }) => {
        const jwks = json(await send(`${authUrl}/oauth2/jwks`)) as JSONWebKeySet;

        const { payload, protectedHeader } = await jwtVerify(tokens.both, createLocalJWKSet(jwks));
        assert.deepEqual([protectedHeader.typ, protectedHeader.alg], ['at+jwt', 'RS256']);
        assert.deepEqual(
          [payload.iss, payload.aud, payload.sub],
          [authUrl, `${baseUrl}/api/v2`, partner.clientId],
        );
      },
      mend: '`operator keys list` shows which key signs; a key set that a cache kept changes within its max-age',
    },
    {
      title: 'M-05 M-06 M-07 TOK-3 two public keys are published, for a while, and nothing private',
      check: async ({ send, authUrl }) => {
        const answer = await send(`${authUrl}/oauth2/jwks`);
        const headers = { 'If-None-Match': answer.headers.get('ETag') ?? '' };
        const again = await send(`${authUrl}/oauth2/jwks`, { headers });

        assert.equal(answer.status, 200, answer.text);
        const keys = list(at(json(answer), 'keys'));
        assert.ok(new Set(keys.map((key) => at(key, 'kid'))).size >= 2, answer.text);
        for (const key of keys)
          for (const name of privateMembers) assert.equal(at(key, name), undefined, name);
        assert.match(answer.headers.get('Cache-Control') ?? '', /public.*max-age=\d+/);
        assert.equal(again.status, 304);
      },
      mend: '`operator keys list` shows the rings; rotate-keys makes them when the data stack is deployed (its log)',
    },
    {
      title: 'M-01 M-02 M-11 the metadata of both APIs name them by the addresses of the stage',
      check: async ({ send, authUrl, baseUrl }) => {
        const server = await send(`${authUrl}/.well-known/oauth-authorization-server`);
        const resource = await send(`${baseUrl}/.well-known/oauth-protected-resource/api/v2`);

        assert.deepEqual([server.status, resource.status], [200, 200]);
        assert.partialDeepStrictEqual(json(server), {
          issuer: authUrl,
          token_endpoint: `${authUrl}/oauth2/token`,
          jwks_uri: `${authUrl}/oauth2/jwks`,
        });
        assert.partialDeepStrictEqual(json(resource), {
          resource: `${baseUrl}/api/v2`,
          authorization_servers: [authUrl],
        });
      },
      mend: 'the addresses of the functions come from ownDomain of lib/config.ts, or from the API: deploy the service stack again',
    },
    {
      title: 'I-01 R-42 V-01 a token that is revoked is refused at once',
      check: async (world) => {
        const token = accessTokenOf(world, await askForToken(world));
        const { ask } = programOf(world, token);
        const { clientId, clientSecret } = world.partner;
        const body = new URLSearchParams({ token, client_id: clientId, client_secret: clientSecret });
        const post = (name: string) =>
          world.send(`${world.authUrl}/oauth2/${name}`, { method: 'POST', body });
        const said = async () => [
          (await ask('/api/v2/transaction')).status,
          at(json(await post('introspect')), 'active'),
        ];

        assert.deepEqual(await said(), [200, true]);
        assert.equal((await post('revoke')).status, 200);
        assert.deepEqual(await said(), [401, false]);
      },
      mend: 'rights of issue-token and v2-read on REVOKED#* of the Requests table: AccessDenied in their logs (S-66)',
    },
  ],
};

/** Members of a JWK that only the token service may know (RFC 7518, 6.3.2 and 6.4.1). */
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
