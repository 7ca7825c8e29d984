import assert from 'node:assert/strict';
import { at, json, list } from './answers.ts';
import { accessTokenOf, askForToken } from './clients.ts';
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
    },
    {
      title: 'O-11 credentials in the body are granted a token',
      check: async (world) => {
        const body = new URLSearchParams({
          grant_type: 'client_credentials',
          scope: 'nop2/read',
          client_id: world.partner.clientId,
          client_secret: world.partner.clientSecret,
        });

        const answer = await world.send(`${world.authUrl}/oauth2/token`, { method: 'POST', body });

        assert.equal(answer.status, 200, answer.text);
        accessTokenOf(world, answer);
      },
    },
    {
      title: 'O-15 O-54 a wrong secret is refused in the words of RFC 6749',
      check: async (world) => {
        const clientSecret = `wrong${world.partner.clientSecret}`;
        const answer = await askForToken(world, { ...world.partner, clientSecret });

        assert.equal(answer.status, 401);
        assert.equal(at(json(answer), 'error'), 'invalid_client');
        assert.match(answer.headers.get('WWW-Authenticate') ?? '', /^Basic realm="/);
      },
    },
    {
      title: 'O-47 the token endpoint takes POST alone',
      check: async ({ send, authUrl }) => {
        const answer = await send(`${authUrl}/oauth2/token`);

        assert.equal(answer.status, 405);
        assert.match(answer.headers.get('Allow') ?? '', /\bPOST\b/);
      },
    },
    {
      title: 'J-01 TOK-1 TOK-3 the token is signed by one of two published keys',
      check: async ({ send, authUrl, tokens }) => {
        const jwks = json(await send(`${authUrl}/oauth2/jwks`));

        const kids = list(at(jwks, 'keys')).map((key) => at(key, 'kid'));
        const header = partOf(tokens.both, 0);
        assert.equal(new Set(kids).size, 2);
        assert.ok(kids.includes(at(header, 'kid')), `no key ${JSON.stringify(header)}`);
        assert.deepEqual([at(header, 'typ'), at(header, 'alg')], ['at+jwt', 'RS256']);
      },
    },
    {
      title: 'J-08 TOK-1 issuer and audience are the addresses of the two APIs',
      check: async ({ send, authUrl, baseUrl, tokens, partner }) => {
        const metadata = json(await send(`${authUrl}/.well-known/oauth-authorization-server`));

        const claims = partOf(tokens.both, 1);
        assert.equal(at(claims, 'iss'), authUrl);
        assert.equal(at(metadata, 'issuer'), authUrl);
        assert.equal(at(metadata, 'token_endpoint'), `${authUrl}/oauth2/token`);
        assert.equal(at(claims, 'aud'), `${baseUrl}/api/v2`);
        assert.equal(at(claims, 'sub'), partner.clientId);
      },
    },
  ],
};

const partOf = (token: string, index: number): unknown =>
  JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString());
