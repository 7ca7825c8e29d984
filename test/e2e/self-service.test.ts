import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createOperatorTool } from '../../localstack/demo/operator-tool.ts';
import { root } from '../support/repository.ts';
import { aBrowserOn } from '../support/stage/buyer-client.ts';
import { aPartnerProgram, type Credentials } from '../support/stage/partner-client.ts';
import { type OpenStage, sharedStage } from '../support/stage/shared-stage.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/stage/webhook-receiver.ts';

type Program = Awaited<ReturnType<typeof aPartnerProgram>>;
type Row = { id: string; type: string; transaction: string; state: string; createdAt: string };

const shop = 'https://self.example';
const operator = 'canary-operator';
const everyScope = 'nop2/read nop2/write nop2/webhook';
let stage: OpenStage;
let receiver: WebhookReceiver;
let partner: Program;
let uuids: string[];
/** What was asked for and comes with a tick: it is waited for once. */
const arriving: (() => boolean | Promise<boolean>)[] = [];

beforeAll(async () => {
  [stage, receiver] = await Promise.all([sharedStage(), startWebhookReceiver()]);
  const tool = createOperatorTool(root, join(stage.dataDir, 'stack.json'), 'ignore');
  const operate = async (...words: string[]) => {
    const outcome = await tool(...words);
    if (outcome.ok) return outcome.value as Credentials;
    throw new Error(outcome.reason);
  };
  const aPartner = (name: string, group: string) =>
    operate(
      ...['partner', 'create', '--name', name, '--grant', `group=${group}`],
      ...['--webhook-url', `${receiver.url}/${name}`, '--as', operator],
      ...['--oauth-scopes', everyScope],
    );
  const owner = ['--group', 'self', '--franchise', 'F', '--location', 'L', '--branch', 'Self Street'];
  const [own] = await Promise.all([
    aPartner('of-self', 'self'),
    operate('storefront', 'create', '--name', 'of-self', ...owner, '--origin', shop),
  ]);
  partner = await aPartnerProgram(stage, own, everyScope);
  receiver.answers('of-self', (nth) => (nth === 1 ? 400 : 204));
  uuids = [];
  for (const nth of [1, 2, 3]) {
    const { body } = await aBrowserOn(stage, shop).send('/api/transaction', { method: 'POST', body: {} });
    const payment = { transaction: body.uuid, type: 1, value: '99.00', status: 1 };
    await partner.write('POST', '/api/v2/payment', payment);
    await has(() => receiver.received.filter((one) => one.partner === 'of-self').length === nth);
    uuids.push(body.uuid);
  }
  await has(async () => (await rowsOf('filter[state]=failed')).length === 1);
  await has(async () => (await rowsOf('filter[state]=delivered')).length === 2);
}, 300_000);

afterAll(() => receiver.stop());

/** Waits for what the stage does by itself. */
const has = async (isSo: () => boolean | Promise<boolean>) => {
  for (let looks = 0; looks < 400; looks += 1) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('It did not come to that');
};

const rowsOf = async (query: string): Promise<Row[]> =>
  (await partner.get(`/api/v2/event?${query}`)).list().data as unknown as Row[];
const idsOf = async (query: string) => (await rowsOf(query)).map(({ id }) => id);
const completed = 'filter[type]=TransactionCompleted';
const post = (target: string) => partner.get(target, { method: 'POST' });

describe('V2-7 the events of a partner', () => {
  test('V2-8 one has its timeline, and the message that its endpoint got', async () => {
    const [newest] = await rowsOf(completed);
    const { status, headers, json } = await partner.get(`/api/v2/event/${newest?.id}`);
    const { timeline, message } = json() as { timeline: { step: string }[]; message: object };

    expect([status, headers.get('etag')]).toEqual([200, expect.stringMatching(/^W\//)]);
    // What is delivered before its sending was recorded has no such step.
    const steps = timeline.map(({ step }) => step).filter((step) => step !== 'sent');
    expect(steps).toEqual(['changed', 'created', 'delivered']);
    expect(receiver.takenBy('of-self').map(({ body }) => JSON.parse(body))).toContainEqual(message);
  });
});

describe('V2-9 V2-10 sent again', () => {
  test('V2-9 one that failed arrives with its id and its bytes, and RateLimit says what is left', async () => {
    const [failed] = await rowsOf('filter[state]=failed');
    const first = receiver.received.find(({ body }) => body.includes(String(failed?.id)));

    const { status, headers, json } = await post(`/api/v2/event/${failed?.id}/replay`);

    expect(status).toBe(202);
    expect(json()).toMatchObject({ data: [{ id: failed?.id, outcome: 'scheduled', newerVersion: null }] });
    expect(headers.get('ratelimit-policy')).toBe('"partner";q=60000;w=60, "replay";q=60;w=600');
    expect(headers.get('ratelimit')).toMatch(/^"partner";r=\d+;t=\d+, "replay";r=\d+;t=\d+$/);
    arriving.push(() => receiver.takenBy('of-self').some(({ body }) => body === first?.body));
  });

  test('V2-10 everything since a time is said by name, once for its key', async () => {
    const [newest] = await rowsOf(completed);
    const asked = { since: newest?.createdAt, type: 'TransactionCompleted' };
    const before = receiver.takenBy('of-self').filter(({ body }) => body.includes(String(newest?.id)));

    const first = await partner.write('POST', '/api/v2/event/replay', asked, { 'Idempotency-Key': 'self' });
    const again = await partner.write('POST', '/api/v2/event/replay', asked, { 'Idempotency-Key': 'self' });

    expect(first.json()).toMatchObject({ data: [{ id: newest?.id, outcome: 'scheduled' }], next: null });
    expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([
      ...[202, first.text, 'true'],
    ]);
    arriving.push(
      () =>
        receiver.takenBy('of-self').filter(({ body }) => body.includes(String(newest?.id))).length >
        before.length,
    );
  });
});

test('V2-12 a test of the webhook is a row at its Location', async () => {
  const { status, headers, json } = await post('/api/v2/webhook/test');
  const at = String(headers.get('location'));

  expect([status, json().type]).toEqual([202, 'WebhookTest']);
  expect(await idsOf('filter[type]=WebhookTest')).toEqual([json().id]);
  arriving.push(async () => (await partner.get(at)).json().state === 'delivered');
});

test('V2-9 V2-10 V2-12 all of it arrives with one of the next ticks', async () => {
  expect(arriving).toHaveLength(3);
  for (const isThere of arriving) await has(isThere);
});

test('V2-6 S-20 a partner sees its webhook’s last failure, its limits, its branches, and when its secret was used', async () => {
  const { json } = await partner.get('/api/v2/partner');

  expect(json()).toMatchObject({
    name: 'of-self',
    grants: [{ group: 'self', branches: ['Self Street'], branchCount: 1 }],
    limits: {
      requests: [
        { name: 'partner', quota: 60_000, windowSeconds: 60 },
        { name: 'replay', quota: 60, windowSeconds: 600 },
        { name: 'webhook-test', quota: 10, windowSeconds: 600 },
        { name: 'self-service', quota: 10, windowSeconds: 600 },
      ],
    },
    webhook: { host: new URL(receiver.url).host, lastFailure: { reason: 'HTTP_400', status: 400 } },
    // The token of this request is from today, or from the day before midnight.
    secrets: [{ lastUsedOn: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) }],
  });
});

test('V2-6 nothing that a partner is sent names the operator who made its secret', async () => {
  const [row] = await rowsOf('');
  const paths = ['/partner', '/event', `/event/${row?.id}`, '/transaction', `/transaction/${uuids[0]}`];

  const answers = await Promise.all(paths.map((path) => partner.get(`/api/v2${path}`)));

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  const told = [...answers.map(({ headers, text }) => [...headers, text]), ...receiver.received];
  expect(told.map((one) => JSON.stringify(one)).filter((text) => text.includes(operator))).toEqual([]);
});
