import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { demoAudience } from '../../localstack/demo/identity-provider.ts';
import { createOperatorTool } from '../../localstack/demo/operator-tool.ts';
import { describedFetch } from '../support/openapi/described-fetch.ts';
import { startIdentityProvider } from '../support/receivers/identity-provider.ts';
import { root } from '../support/repository.ts';
import { aBrowserOn } from '../support/stage/buyer-client.ts';
import { type OpenStage, sharedStage } from '../support/stage/shared-stage.ts';

const shop = 'https://sign-in.example';
let stage: OpenStage;
let provider: Awaited<ReturnType<typeof startIdentityProvider>>;

beforeAll(async () => {
  stage = await sharedStage();
  provider = await startIdentityProvider();
  const operate = createOperatorTool(root, join(stage.dataDir, 'stack.json'), 'ignore');
  const owner = ['--group', 'sign-in', '--franchise', 'F', '--location', 'L', '--branch', 'B'];
  const identity = ['--issuer', provider.issuer, '--audience', demoAudience];
  const created = await operate(
    'storefront',
    'create',
    '--name',
    'sign-in',
    ...owner,
    '--origin',
    shop,
    ...identity,
  );
  if (!created.ok) throw new Error(created.reason);
}, 300_000);
afterAll(() => provider.stop());

/** A page on a device of its own: a checkout that begins without anybody signed in. */
const aDevice = async (stock: string) => {
  const browser = aBrowserOn(stage, shop);
  const body = { vehicle: { ndstockid: stock } };
  const { body: transaction } = await browser.send('/api/transaction', { method: 'POST', body });
  return { browser, anonymous: browser.state.token, uuid: String(transaction.uuid) };
};

const signIn = async ({ browser, anonymous }: Awaited<ReturnType<typeof aDevice>>, username: string) => {
  const response = await describedFetch(new URL('/api/session', stage.baseUrl), {
    method: 'POST',
    headers: { Origin: shop },
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: await provider.idTokenOf(username),
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      actor_token: anonymous,
      actor_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    }),
  });
  browser.state.token = ((await response.json()) as { access_token: string }).access_token;
  return response.status;
};

test('V1-10 a user who signs in on two devices has the checkouts of both on each, and another user none', async () => {
  const [phone, laptop, other] = [await aDevice('phone'), await aDevice('laptop'), await aDevice('other')];

  const statuses = [await signIn(phone, 'ada'), await signIn(laptop, 'ada'), await signIn(other, 'ben')];
  const listed = [];
  for (const { browser } of [phone, laptop, other]) {
    const { body } = await browser.send('/api/transaction?filter[status]=0&fields=uuid');
    listed.push(body.data.map(({ uuid }: { uuid: string }) => uuid));
  }
  laptop.browser.state.token = laptop.anonymous;
  const afterwards = await laptop.browser.send('/api/transaction');

  expect(statuses).toEqual([200, 200, 200]);
  expect(listed).toEqual([[phone.uuid, laptop.uuid], [phone.uuid, laptop.uuid], [other.uuid]]);
  expect(afterwards.status).toBe(401);
});

test('V1-10 a sign-in that is refused is described', async () => {
  const response = await describedFetch(new URL('/api/session', stage.baseUrl), {
    method: 'POST',
    headers: { Origin: shop },
    body: new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange' }),
  });

  expect([response.status, await response.json()]).toMatchObject([400, { error: 'invalid_request' }]);
});
