import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { demoAudience } from '../../localstack/embedded/demo/identity-provider.ts';
import { startIdentityProvider } from '../support/receivers/identity-provider.ts';
import { aBrowserOn } from '../support/stage/buyer-client.ts';
import { endEngineAfterFile, openStage, type ServiceStage } from '../support/stage/open-stage.ts';
import { operatorOf, shopOf } from '../support/stage/operator-of.ts';
import { send } from '../support/stage/partner-client.ts';

const shop = 'https://sign-in.example';
let stage: ServiceStage;
let provider: Awaited<ReturnType<typeof startIdentityProvider>>;

beforeAll(async () => {
  stage = await openStage();
  provider = await startIdentityProvider();
  await operatorOf(stage)(
    ...shopOf('sign-in', shop, '--issuer', provider.issuer, '--audience', demoAudience),
  );
});
afterAll(async () => {
  await stage.close();
  await provider.stop();
});
endEngineAfterFile();

/** A page on a device of its own: a checkout that begins without anybody signed in. */
const aDevice = async (stock: string) => {
  const browser = aBrowserOn(stage, shop);
  const body = { vehicle: { ndstockid: stock } };
  const { body: transaction } = await browser.send('/api/transaction', { method: 'POST', body });
  return { browser, anonymous: browser.state.token, uuid: String(transaction.uuid) };
};

const signIn = async ({ browser, anonymous }: Awaited<ReturnType<typeof aDevice>>, username: string) => {
  const { status, json } = await send(stage, '/api/session', {
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
  browser.state.token = String(json().access_token);
  return status;
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
