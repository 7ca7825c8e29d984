import { join } from 'node:path';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createOperatorTool } from '../../localstack/demo/operator-tool.ts';
import { clientOf, documentsOf } from '../support/engine/engine.ts';
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
let clientId: string;
let receiver: WebhookReceiver;
let partner: Program;
let reader: Program;
let writer: Program;
let stranger: Program;
let uuids: string[];
/** What was asked for, and comes with a tick of ten seconds: it is waited for once. */
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
  const [own, other] = await Promise.all([
    aPartner('of-self', 'self'),
    aPartner('of-another', 'another'),
    operate('storefront', 'create', '--name', 'of-self', ...owner, '--origin', shop),
  ]);
  clientId = own.clientId;
  [partner, reader, writer, stranger] = await Promise.all([
    aPartnerProgram(stage, own, everyScope),
    aPartnerProgram(stage, own, 'nop2/read'),
    aPartnerProgram(stage, own, 'nop2/write'),
    aPartnerProgram(stage, other, everyScope),
  ]);
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

const rowsOf = async (query: string, program = partner): Promise<Row[]> =>
  (await program.get(`/api/v2/event?${query}`)).list().data as unknown as Row[];
const idsOf = async (query: string) => (await rowsOf(query)).map(({ id }) => id);
const completed = 'filter[type]=TransactionCompleted';
const post = (target: string, program = partner) => program.get(target, { method: 'POST' });

describe('V2-7 the events of a partner', () => {
  test('V2-7 are listed newest first, by type, state, transaction and time', async () => {
    const rows = await rowsOf(completed);

    expect(rows.map(({ transaction }) => transaction)).toEqual(uuids.toReversed());
    const [newest, , oldest] = rows;
    expect(await rowsOf('filter[state]=failed')).toMatchObject([{ id: oldest?.id, reason: 'HTTP_400' }]);
    expect(await idsOf(`${completed}&filter[transaction]=${uuids[2]}`)).toEqual([newest?.id]);
    expect(await idsOf(`${completed}&filter[since]=${newest?.createdAt}`)).toEqual([newest?.id]);
    expect(await idsOf('filter[since]=2099-01-01T00:00:00Z')).toEqual([]);
  });

  test('V2-7 LINK-2 next leads through all of them once, and its cursor is of one partner and one filter', async () => {
    const walked: string[] = [];
    let next: string | undefined;
    for (let href: string | undefined = `/api/v2/event?${completed}&per-page=2`; href; ) {
      const { data, _links } = (await partner.get(href)).list();
      walked.push(...data.map(({ id }) => String(id)));
      href = _links.next?.href;
      next ??= href;
    }

    expect(walked).toEqual(await idsOf(completed));
    expect((await stranger.get(String(next))).status).toBe(422);
    expect((await partner.get(`${next}&filter[state]=failed`)).status).toBe(422);
  });

  test('LINK-5 the key of their cursors lies where lists look for it, in the table of requests', async () => {
    await partner.get(`/api/v2/event?${completed}&per-page=2`);

    const { endpoints, variables } = stage.stack.operator;
    const request = new GetCommand({
      TableName: variables.REQUESTS_TABLE,
      Key: { pk: `SEAL#${clientId}`, sk: '0' },
    });
    const { Item } = await documentsOf(clientOf(endpoints.dynamodb)).send(request);

    expect(Item?.key).toHaveLength(32);
  });

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

describe('S-03 S-11 refusals', () => {
  test('S-03 GRANT-3 what another partner was sent is the 404 of what there is not, read or sent again', async () => {
    const [own] = await rowsOf(completed);
    const none = '00000000-0000-4000-8000-000000000000';
    const answersAt = (path: (id: string | undefined) => string, method: string) =>
      Promise.all(
        [own?.id, none, 'nope'].map(async (id) => (await stranger.get(path(id), { method })).status),
      );

    expect(await answersAt((id) => `/api/v2/event/${id}`, 'GET')).toEqual([404, 404, 404]);
    expect(await answersAt((id) => `/api/v2/event/${id}/replay`, 'POST')).toEqual([404, 404, 404]);
    expect(await rowsOf(`filter[transaction]=${uuids[0]}`, stranger)).toEqual([]);
    const since = { since: '2026-01-01T00:00:00Z', transaction: uuids[0] };
    expect((await stranger.write('POST', '/api/v2/event/replay', since)).json().data).toEqual([]);
  });

  test('S-11 V2-11 V2-13 reading takes nop2/read, sending nop2/write, the webhook nop2/webhook', async () => {
    const reads = ['/api/v2/partner', '/api/v2/event', '/api/v2/event/nope', '/api/v2/webhook'];
    const orders = ['/api/v2/event/nope/replay', '/api/v2/event/replay', '/api/v2/webhook/test'];

    expect(await Promise.all(reads.map(async (path) => (await writer.get(path)).status))).toEqual([
      ...[403, 403, 403, 403],
    ]);
    expect((await post('/api/v2/webhook/test', writer)).status).toBe(403);
    expect(await Promise.all(orders.map(async (path) => (await post(path, reader)).status))).toEqual([
      ...[403, 403, 403],
    ]);
  });

  test('VERB-1 what is looked at is not posted to, and what sends is not read', async () => {
    const posted = await post('/api/v2/event');
    const read = await partner.get('/api/v2/webhook/test');

    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  });

  test('FLT-2 a filter or a member that is none is 422', async () => {
    const listed = await partner.get('/api/v2/event?filter[state]=READY');
    const sent = await partner.write('POST', '/api/v2/event/replay', { since: 'yesterday' });

    expect([listed.status, sent.status]).toEqual([422, 422]);
  });
});
