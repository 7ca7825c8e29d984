import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '../../functions/shared/domain/transaction/transaction.ts';
import { aBrowserOn } from '../support/stage/buyer-client.ts';
import { endEngineAfterFile, openStage, type ServiceStage } from '../support/stage/open-stage.ts';
import { everyScope, operatorOf, partnerOf, shopOf } from '../support/stage/operator-of.ts';
import { aPartnerProgram, type Credentials } from '../support/stage/partner-client.ts';
import { startReceiver, type TestReceiver } from '../support/stage/receivers.ts';

const shop = 'https://manager.example';
let stage: ServiceStage;
/** `/one` and `/two` take everything until they are told to refuse, `/broken` answers 500. */
let receiver: TestReceiver;
let isRefusing = false;
let partner: Awaited<ReturnType<typeof aPartnerProgram>>;
let signature: string;

beforeAll(async () => {
  stage = await openStage();
  receiver = await startReceiver(({ path }) => {
    if (path === '/broken') return 500;
    return isRefusing ? 400 : 204;
  });
  const operate = operatorOf(stage);
  const made = await operate<Credentials & { webhookSignature: string }>(
    ...partnerOf('manager', '--oauth-scopes', everyScope),
  );
  await operate(...shopOf('manager', shop));
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

/** Pays for a new transaction; the event of its completion, which is in this state then. */
const completion = async (state: 'delivered' | 'failed') => {
  const { body } = await aBrowserOn(stage, shop).send('/api/transaction', { method: 'POST', body: {} });
  await partner.write('POST', '/api/v2/payment', {
    transaction: body.uuid,
    type: 1,
    value: '99.00',
    status: 1,
  });
  await stage.settled();
  return (await rowsOf(`filter[transaction]=${body.uuid}&filter[state]=${state}`))[0] ?? {};
};

test('V2-8 an event has its timeline, and the message that its endpoint got', async () => {
  const { id, type } = await completion('delivered');
  const { timeline, message } = (await partner.get(`/api/v2/event/${id}`)).json();

  // What is delivered before its sending was recorded has no such step.
  const steps = (timeline as { step: string }[]).map(({ step }) => step).filter((step) => step !== 'sent');
  expect([type, ...steps]).toEqual(['TransactionCompleted', 'changed', 'created', 'delivered']);
  expect(copiesOf(id).map(({ body }) => JSON.parse(body))).toEqual([message]);
});

test('V2-9 V2-10 a failed event arrives again with its bytes, by a replay alone and by one since its time', async () => {
  isRefusing = true;
  const { id, createdAt: since } = await completion('failed');
  isRefusing = false;
  const replayAll = () =>
    partner.write('POST', '/api/v2/event/replay', { since }, { 'Idempotency-Key': 'all' });

  const replay = await post(`/event/${id}/replay`);
  await tick();
  const [all, again] = [await replayAll(), await replayAll()];
  await tick();

  expect(replay.json()).toMatchObject({ data: [{ id, outcome: 'scheduled', newerVersion: null }] });
  expect(replay.headers.get('ratelimit')).toMatch(/^"partner";r=\d+;t=\d+, "replay";r=\d+;t=\d+$/);
  expect(all.json()).toMatchObject({ data: [{ id, outcome: 'scheduled' }], next: null });
  expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([
    202,
    all.text,
    'true',
  ]);
  expect(copiesOf(id)).toHaveLength(3);
  expect(new Set(copiesOf(id).map(({ body }) => body)).size).toBe(1);
});

test('V2-12 a test of the webhook has a row at its Location', async () => {
  const { status, headers, json } = await post('/webhook/test');
  const at = String(headers.get('location'));

  await tick();
  expect((await partner.get(at)).json().state).toBe('delivered');
  expect([status, json().type]).toEqual([202, 'WebhookTest']);
  expect((await rowsOf('filter[type]=WebhookTest'))[0]).toMatchObject({ id: json().id });
});

test('V2-13 after a removal it is off, and nothing can be sent', async () => {
  expect((await partner.get('/api/v2/webhook', { method: 'DELETE' })).status).toBe(204);

  const refused = await post('/webhook/test');

  expect([refused.status, refused.json().type]).toEqual([409, expect.stringMatching(/#webhook-missing$/)]);
  expect(await webhook()).toMatchObject({ url: null, state: 'off', servedUrl: null });
});
