import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createOperatorTool } from '../../localstack/demo/operator-tool.ts';
import { anOwner, aTransaction, uuidOf } from '../support/builders/transactions.ts';
import { root } from '../support/repository.ts';
import { startStage, type TestStage } from '../support/stage/stage.ts';

const locations = ['north', 'south'];
const world = Array.from({ length: 30 }, (_, n) =>
  aTransaction({
    uuid: uuidOf(n),
    status: n % 3 === 0 ? 1 : 0,
    ndMeta: anOwner({ location: locations[n % 2] ?? '' }),
    vehicle: { identifiers: { ndstockid: `STOCK-${n % 4}` } },
  }),
);
const northern = world.filter((_, n) => n % 2 === 0).map(({ uuid }) => uuid);

let stage: TestStage;
let accessToken = '';

beforeAll(async () => {
  stage = await startStage();
  const operator = createOperatorTool(root, join(stage.dataDir, 'stack.json'));
  const file = join(stage.dataDir, 'transactions.ndjson');
  writeFileSync(file, world.map((transaction) => JSON.stringify(transaction)).join('\n'));
  await operator('transactions', 'import', file);
  const grant = 'group=group-a,location=north';
  const created = await operator('partner', 'create', '--name', 'Acme', '--grant', grant);
  if (!created.ok) throw new Error(created.reason);
  accessToken = await tokenFor(created.value as { clientId: string; clientSecret: string });
}, 120_000);

afterAll(async () => stage.stop(), 30_000);

const tokenFor = async ({ clientId, clientSecret }: { clientId: string; clientSecret: string }) => {
  const response = await fetch(`${stage.authUrl}/oauth2/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'nop2/read' }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
};

const ask = async (target: string, { method = 'GET', headers = {} } = {}) => {
  const response = await fetch(new URL(target, stage.baseUrl), {
    method,
    headers: { Authorization: `Bearer ${accessToken}`, ...headers },
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text === '' ? undefined : JSON.parse(text),
  };
};

test('GRANT-1 LINK-5 following next from the first page reads exactly what the partner may see', async () => {
  const seen: string[] = [];

  for (let target = '/api/v2/transaction?per-page=4&fields=uuid'; target !== ''; ) {
    const { body } = await ask(target);
    seen.push(...body.data.map(({ uuid }: { uuid: string }) => uuid));
    target = body._links.next?.href ?? '';
  }

  expect(seen).toEqual(northern);
});

test('LINK-2 every address of a page works when it is followed', async () => {
  const { body } = await ask('/api/v2/transaction?page=2&per-page=4&filter[status]=0&expand=vehicle');

  for (const { href } of Object.values<{ href: string }>(body._links)) {
    expect(href.startsWith(`${stage.baseUrl}/v2/transaction?page=`)).toBe(true);
    expect((await ask(href)).status).toBe(200);
  }
});

test('PAGE-4 FLT-1 totals and filters count what the partner may see', async () => {
  const all = await ask('/api/v2/transaction');
  const complete = await ask('/api/v2/transaction/?filter[status]=1');
  const ofVehicle = await ask('/v2/transaction?filter%5Bidentifiers%5D%5Bndstockid%5D=STOCK-2');

  expect(all.body._meta).toEqual({ totalCount: 15, pageCount: 2, currentPage: 1, perPage: 10 });
  expect(complete.body._meta.totalCount).toBe(5);
  expect(ofVehicle.body._meta.totalCount).toBe(7);
});

test('V2-1 a transaction in scope is shown, one out of scope is as unknown', async () => {
  const seen = await ask(`/api/v2/transaction/${uuidOf(0)}?fields=uuid,vehicle.identifiers.ndstockid`);
  const hidden = await ask(`/api/v2/transaction/${uuidOf(1)}`);
  const unknown = await ask(`/api/v2/transaction/${uuidOf(99)}`);

  expect(seen.body).toEqual({ uuid: uuidOf(0), vehicle: { identifiers: { ndstockid: 'STOCK-0' } } });
  expect([hidden.status, unknown.status]).toEqual([404, 404]);
});

test('COND-1 VERB-1 what was read is not sent again, and HEAD sends nothing', async () => {
  for (const target of ['/api/v2/transaction', `/api/v2/transaction/${uuidOf(0)}`]) {
    const etag = (await ask(target)).headers.get('etag') ?? '';

    const again = await ask(target, { headers: { 'If-None-Match': etag } });
    const head = await ask(target, { method: 'HEAD' });

    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', etag]);
  }
});

test('FLT-2 ERR-1 a wrong filter is told with the name that the caller wrote', async () => {
  const { status, headers, body } = await ask('/api/v2/transaction?filter%5Bnope%5D=1');

  expect([status, headers.get('content-type')]).toEqual([422, 'application/problem+json']);
  expect(body.errors).toEqual([{ field: 'filter[nope]', message: 'The filter is unknown.' }]);
  expect(body.requestId).toBe(headers.get('request-id'));
});

test('V2-6 the partner reads its own record', async () => {
  const { body } = await ask('/api/v2/partner');

  expect([body.name, body.grants, body.webhook.state]).toEqual([
    'Acme',
    [{ group: 'group-a', location: 'north' }],
    'none',
  ]);
});
