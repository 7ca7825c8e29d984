import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '../../functions/shared/domain/transaction/transaction.ts';
import { endEngineAfterFile, openStage, type ServiceStage } from '../support/stage/open-stage.ts';
import { everyScope, operatorOf, partnerOf } from '../support/stage/operator-of.ts';
import { aPartnerProgram, type Credentials } from '../support/stage/partner-client.ts';
import { startReceiver, type TestReceiver } from '../support/stage/receivers.ts';

let stage: ServiceStage;
/** `/one` and `/two` take everything, `/broken` answers 500. */
let receiver: TestReceiver;
let partner: Awaited<ReturnType<typeof aPartnerProgram>>;
let signature: string;

beforeAll(async () => {
  stage = await openStage();
  receiver = await startReceiver(({ path }) => (path === '/broken' ? 500 : 204));
  const operate = operatorOf(stage);
  const made = await operate<Credentials & { webhookSignature: string }>(
    ...partnerOf('manager', '--oauth-scopes', everyScope),
  );
  signature = made.webhookSignature;
  partner = await aPartnerProgram(stage, made, everyScope);
});
afterAll(async () => {
  await stage.close();
  await receiver.stop();
});
endEngineAfterFile();

/** What is asked for is sent at the next tick. */
const tick = () => stage.passTime(10_000);
const urlOf = (path: string) => `http://127.0.0.1:${receiver.port}${path}`;
const webhook = async () => (await partner.get('/api/v2/webhook')).json();
const put = (path: string) => partner.write('PUT', '/api/v2/webhook', { url: urlOf(path) });
const patch = (change: object) => partner.write('PATCH', '/api/v2/webhook', change);
const post = (path: string) => partner.get(`/api/v2${path}`, { method: 'POST' });
const rowsOf = async (query: string): Promise<JsonObject[]> =>
  (await partner.get(`/api/v2/event?${query}`)).list().data;
const copiesOf = (id: unknown) => receiver.received.filter(({ body }) => body.includes(String(id)));

/** Has a test sent by the usual way; its headers at an endpoint. */
const testedAt = async (path: string) => {
  const { id } = (await post('/webhook/test')).json();
  await tick();
  return copiesOf(id).find((one) => one.path === path)?.headers ?? {};
};

test('V2-13 a new address is checked with a wrong and the right signature, and is then on', async () => {
  expect((await put('/one')).json()).toMatchObject({ state: 'verifying', servedUrl: null });

  await stage.settled();

  const [wrong, right] = receiver.received.map(({ headers }) => headers['x-webhook-signature']);
  expect([wrong === signature, right]).toEqual([false, signature]);
  expect(await webhook()).toMatchObject({ url: urlOf('/one'), servedUrl: urlOf('/one'), reason: null });
  expect(await testedAt('/one')).toMatchObject({ 'x-webhook-signature': signature });
});

test('V2-13 an address that fails its check is failing with the reason, and the former one is used', async () => {
  await put('/broken');

  await stage.settled();

  const failing = { url: urlOf('/broken'), reason: 'HTTP_500', servedUrl: urlOf('/one') };
  expect(await webhook()).toMatchObject(failing);
  await testedAt('/one');
  await put('/two');
  await stage.settled();
  expect(await webhook()).toMatchObject({ servedUrl: urlOf('/two') });
});

test('V2-13 a paused webhook sends nothing, and requests to send are 409; after a resume it is on again', async () => {
  await patch({ paused: true });
  const refused = await post('/webhook/test');

  expect([refused.status, refused.json().type]).toEqual([409, expect.stringMatching(/#webhook-paused$/)]);
  await patch({ paused: false });
  await stage.settled();
  await testedAt('/two');
});

test('V2-13 S-27 S-87 I22 no message carries the next signature before the switch, and each does afterwards', async () => {
  const next = String((await post('/webhook/signature')).json().signature);

  const before = await testedAt('/two');
  await patch({ signature: 'next' });
  await stage.settled();
  const after = await testedAt('/two');

  expect(before).toMatchObject({ 'x-webhook-signature': signature });
  expect(Object.values(before)).not.toContain(next);
  expect(after).toMatchObject({ 'x-webhook-signature': next });
  expect(await webhook()).toMatchObject({ state: 'on', nextSignature: null });
});

test('V2-12 a test of the webhook is a line of its events', async () => {
  const { status, json } = await post('/webhook/test');
  const { id } = json();
  await tick();

  expect([status, json()]).toMatchObject([202, { type: 'WebhookTest', state: 'waiting' }]);
  expect((await rowsOf('filter[type]=WebhookTest'))[0]).toMatchObject({
    ...{ id, type: 'WebhookTest', transaction: null, state: 'sent', reason: null },
  });
  expect(copiesOf(id)).toHaveLength(1);
});

test('V2-13 after a removal it is off, and nothing can be sent', async () => {
  expect((await partner.get('/api/v2/webhook', { method: 'DELETE' })).status).toBe(204);

  const refused = await post('/webhook/test');

  expect([refused.status, refused.json().type]).toEqual([409, expect.stringMatching(/#webhook-missing$/)]);
  expect(await webhook()).toMatchObject({ url: null, state: 'off', servedUrl: null });
});
