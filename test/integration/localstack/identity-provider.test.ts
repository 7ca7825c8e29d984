import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { sharedBrowser } from '../../support/browser/browser.ts';
import { startIdentityProvider } from '../../support/receivers/identity-provider.ts';

let browser: Browser;
let server: Server;
let shop: string;
let provider: Awaited<ReturnType<typeof startIdentityProvider>>;
beforeAll(async () => {
  server = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<p>shop</p>'));
  await once(server.listen(0, 'localhost'), 'listening');
  shop = `http://localhost:${(server.address() as AddressInfo).port}`;
  [provider, browser] = await Promise.all([startIdentityProvider([shop]), sharedBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await provider.stop();
  server.closeAllConnections();
  server.close();
});

/** Begins the code flow with PKCE (RFC 7636) on a page of the shop. */
const begin = () => `(async () => {
  const { authorization_endpoint } = await (await fetch('${provider.issuer}/.well-known/openid-configuration')).json();
  sessionStorage.verifier = crypto.randomUUID() + crypto.randomUUID();
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(sessionStorage.verifier));
  const challenge = btoa(String.fromCharCode(...new Uint8Array(digest)));
  location.href = authorization_endpoint + '?' + new URLSearchParams({
    response_type: 'code', client_id: 'demo-shop', redirect_uri: '${shop}/back?a=1', state: 's1', nonce: 'n1',
    code_challenge: challenge.replaceAll('+', '-').replaceAll('/', '_').replace('=', ''), code_challenge_method: 'S256',
  });
})()`;

/** Ends it on the page that the provider leads back to; a code is good once, and for its verifier. */
const end = (verifier = 'sessionStorage.verifier') => `(async () => {
  const sent = new URLSearchParams(location.search);
  const form = {
    grant_type: 'authorization_code', code: sent.get('code'), redirect_uri: '${shop}/back?a=1', code_verifier: ${verifier},
  };
  const ask = async () =>
    (await fetch('${provider.issuer}/token', { method: 'POST', body: new URLSearchParams(form) })).json();
  const [{ id_token, error }, again] = [await ask(), await ask()];
  const { sub, nonce, aud } = id_token ? JSON.parse(atob(id_token.split('.')[1])) : {};
  return [sent.get('a'), sent.get('state'), sub, nonce, aud, error, again.error];
})()`;

test.each([
  ['a user is signed in', undefined, ['1', 's1', 'ben', 'n1', 'demo-shop', undefined, 'invalid_request']],
  [
    'nobody is with another verifier',
    "'other'",
    ['1', 's1', undefined, undefined, undefined, 'invalid_request', 'invalid_request'],
  ],
])('RUN-1 on a checkout page without a server %s, by the code flow with PKCE', async (_, verifier, found) => {
  const page = await browser.newPage();
  await page.goto(shop);

  await page.evaluate(begin());
  await page.getByRole('button', { name: 'ben' }).click();
  await page.waitForURL(`${shop}/back?**`);

  expect(await page.evaluate(end(verifier))).toEqual(found);
  await page.close();
});

test.each([
  ['to another origin', { redirect_uri: 'http://evil.example/back' }],
  ['without a challenge', { code_challenge: '' }],
  ['for another client', { client_id: 'other' }],
])('RUN-1 the provider sends nobody back %s', async (_, changed) => {
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id: 'demo-shop', redirect_uri: `${shop}/back`, user: 'ada' },
    ...{ code_challenge: 'x', code_challenge_method: 'S256', ...changed },
  });

  const { status } = await fetch(`${provider.issuer}/authorize?${query}`, { redirect: 'manual' });

  expect(status).toBe(400);
});
