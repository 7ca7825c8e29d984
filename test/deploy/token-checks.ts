import assert from 'node:assert/strict';
import { at, json, list, text } from './answers.ts';
import type { Answer, Deployed } from './deployed.ts';
import type { Report } from './report.ts';

export type Credentials = { clientId: string; clientSecret: string };

const form = 'application/x-www-form-urlencoded';
const bothScopes = 'grant_type=client_credentials&scope=nop2%2Fread+nop2%2Fwrite';

/** A token as a partner asks for it (interface 4.3). */
const askForToken = (deployed: Deployed, credentials: Credentials, body = bothScopes): Promise<Answer> =>
  deployed.send(`${deployed.authUrl}/oauth2/token`, {
    method: 'POST',
    headers: { 'Content-Type': form, Authorization: basic(credentials) },
    body,
  });

export const tokenOf = async (
  deployed: Deployed,
  credentials: Credentials,
  body?: string,
): Promise<string> => {
  const answer = await askForToken(deployed, credentials, body);
  assert.equal(answer.status, 200, answer.text);
  return text(at(json(answer), 'access_token'));
};

export const proveTokens = async (report: Report, deployed: Deployed, credentials: Credentials) => {
  const { authUrl, baseUrl, send } = deployed;

  await report.prove('O-01, O-02, O-03, O-06: credentials by Basic are granted a token', async () => {
    const answer = await askForToken(deployed, credentials);

    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(Object.keys(Object(json(answer))).sort(), ['access_token', 'expires_in', 'token_type']);
    assert.equal(at(json(answer), 'token_type'), 'Bearer');
    assert.equal(at(json(answer), 'expires_in'), 3600);
    assert.match(answer.headers.get('Content-Type') ?? '', /^application\/json/);
    assert.equal(answer.headers.get('Cache-Control'), 'no-store');
    assert.equal(answer.headers.get('Pragma'), 'no-cache');
  });

  await report.prove('O-11: credentials in the body are granted a token', async () => {
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      scope: 'nop2/read',
      client_id: credentials.clientId,
      client_secret: credentials.clientSecret,
    });

    const answer = await send(`${authUrl}/oauth2/token`, { method: 'POST', body });

    assert.equal(answer.status, 200, answer.text);
  });

  await report.prove('O-15, O-54: a wrong secret is refused in the words of RFC 6749', async () => {
    const answer = await askForToken(deployed, { ...credentials, clientSecret: 'wrong' });

    assert.equal(answer.status, 401);
    assert.equal(at(json(answer), 'error'), 'invalid_client');
    assert.match(answer.headers.get('WWW-Authenticate') ?? '', /^Basic realm="/);
  });

  await report.prove('O-47: the token endpoint takes POST alone', async () => {
    const answer = await send(`${authUrl}/oauth2/token`);

    assert.equal(answer.status, 405);
    assert.match(answer.headers.get('Allow') ?? '', /\bPOST\b/);
  });

  await report.prove('J-01, TOK-1, TOK-3: the token is signed by one of two published keys', async () => {
    const token = await tokenOf(deployed, credentials);
    const jwks = json(await send(`${authUrl}/oauth2/jwks`));

    const kids = list(at(jwks, 'keys')).map((key) => at(key, 'kid'));
    const header = part(token, 0);
    assert.equal(kids.length, 2);
    assert.ok(kids.includes(at(header, 'kid')), `no key ${JSON.stringify(header)}`);
    assert.deepEqual([at(header, 'typ'), at(header, 'alg')], ['at+jwt', 'RS256']);
  });

  await report.prove('J-08, TOK-1: issuer and audience are the addresses of the deployed APIs', async () => {
    const claims = part(await tokenOf(deployed, credentials), 1);
    const metadata = json(await send(`${authUrl}/.well-known/oauth-authorization-server`));

    assert.equal(at(claims, 'iss'), authUrl);
    assert.equal(at(metadata, 'issuer'), authUrl);
    assert.equal(at(metadata, 'token_endpoint'), `${authUrl}/oauth2/token`);
    assert.equal(at(claims, 'aud'), `${baseUrl}/api/v2`);
    assert.equal(at(claims, 'sub'), credentials.clientId);
  });
};

const basic = ({ clientId, clientSecret }: Credentials) =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;

const part = (token: string, index: number): unknown =>
  JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString());
