import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createOperatorTool } from '../../localstack/demo/operator-tool.ts';
import { type Client, createClient, elementNames } from '../../partner-kit/src/index.ts';
import { propertyRun } from '../support/builders/property-run.ts';
import { anOwner } from '../support/builders/transactions.ts';
import { describedFetch } from '../support/openapi/described-fetch.ts';
import { root } from '../support/repository.ts';
import { aBrowserOn } from '../support/stage/buyer-client.ts';
import { copyOf, northgates } from '../support/stage/demo-stage.ts';
import type { Credentials } from '../support/stage/partner-client.ts';
import { type OpenStage, sharedStage } from '../support/stage/shared-stage.ts';

let stage: OpenStage;
let client: Client;
let credentials: Credentials;
const scopes = ['--oauth-scopes', 'nop2/read nop2/write nop2/webhook'];
const shop = 'https://kit.shop.example';
const group = 'kit';

/** A partner of one group with a shop, and 60 transactions of the demo data in it. */
beforeAll(async () => {
  stage = await sharedStage();
  const { franchise, location, branch } = anOwner();
  const words = Object.entries({ group, franchise, location, branch }).flatMap(([name, value]) => [
    `--${name}`,
    value,
  ]);
  const [created] = await Promise.all([
    operate('partner', 'create', '--name', 'kit user', '--grant', `group=${group}`, ...scopes),
    operate('storefront', 'create', '--name', 'kit shop', ...words, '--origin', shop),
    importCopies(),
  ]);
  credentials = created as Credentials;
  client = createClient({
    ...addresses(),
    clientId: credentials.clientId,
    clientSecret: credentials.clientSecret,
  });
}, 300_000);

/** Each request and its answer is compared with the OpenAPI document. */
const described: typeof fetch = (input, init) =>
  describedFetch(input instanceof Request ? input.url : input, init);
const addresses = () => ({ baseUrl: stage.baseUrl, authUrl: stage.authUrl, fetch: described });

const operate = async (...words: string[]): Promise<unknown> => {
  const outcome = await createOperatorTool(root, join(stage.dataDir, 'stack.json'), 'ignore')(...words);
  if (outcome.ok) return outcome.value;
  throw new Error(outcome.reason);
};

const copies = northgates
  .slice(0, 60)
  .map((one, index) =>
    copyOf(one, { uuid: `20000000-0000-4000-8000-${String(index).padStart(12, '0')}-kits`, group }),
  );
const imported = copies.map(({ uuid }) => uuid);
/** What the partner sees, in the order in which it was made. */
const present = [...imported];

const createOne = async (): Promise<string> => {
  const { body } = await aBrowserOn(stage, shop).send('/api/transaction');
  const { uuid } = body as { uuid: string };
  present.push(uuid);
  return uuid;
};

const importCopies = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kit-'));
  const file = join(folder, 'copies.ndjson');
  writeFileSync(file, copies.map((copy) => JSON.stringify(copy)).join('\n'));
  return operate('transactions', 'import', file).finally(() => rmSync(folder, { recursive: true }));
};

const uuidsOf = async (items: AsyncIterable<{ uuid: string }>) => {
  const uuids: string[] = [];
  for await (const { uuid } of items) uuids.push(uuid);
  return uuids;
};

describe('KIT-1 the client and a stage', () => {
  test('KIT-1 LINK-5 every page size leads through every transaction once, in the order of creation', async () => {
    for (const perPage of [7, 50]) {
      const uuids = await uuidsOf(client.transactions.list({ fields: ['uuid'], perPage }));

      expect(uuids).toEqual(present);
    }
  });

  test('KIT-1 FLD-3 payments.value gives exactly that, as its type says', async () => {
    const { data, _meta } = await client.transactions.list({
      fields: ['payments.value'],
      filter: { status: 1 },
      perPage: 1,
    });

    expect(_meta.perPage).toBe(1);
    expect(data.map((row) => Object.keys(row))).toEqual([['payments']]);
    for (const payment of data[0]?.payments ?? []) expect(Object.keys(payment)).toEqual(['value']);
  });

  test('KIT-5 WR-2 a change on a stale version is refused, and a payment under one key is made once', async () => {
    const uuid = await createOne();
    const { etag } = await client.transactions.retrieve(uuid);

    const written = await client.transactions.update(
      uuid,
      { guestEmail: 'kit@example.com' },
      { ifMatch: etag, fields: ['guestEmail'] },
    );
    const stale = client.transactions.update(uuid, { guestEmail: 'late@example.com' }, { ifMatch: etag });
    await expect(stale).rejects.toMatchObject({ type: 'precondition-failed', status: 412 });
    const payment = { transaction: uuid, type: 1, value: '10.00', status: 1 } as const;
    const [first, again] = [
      await client.payments.create(payment, { idempotencyKey: `order-${uuid}` }),
      await client.payments.create(payment, { idempotencyKey: `order-${uuid}` }),
    ];

    expect(written.data).toEqual({ guestEmail: 'kit@example.com' });
    expect([first.isReplay, again.isReplay]).toEqual([false, true]);
    expect(again.data.id).toBe(first.data.id);
    expect((await client.transactions.retrieve(uuid, { fields: ['status', 'payments.id'] })).data).toEqual({
      status: 1,
      payments: [{ id: first.data.id }],
    });
  });

  test('KIT-7 what the service refuses has its kind, its faults and its request', async () => {
    await expect(client.transactions.retrieve('nobody')).rejects.toMatchObject({
      type: 'not-found',
      requestId: expect.any(String),
    });
    await expect(client.transactions.list({ filter: { uuid: '' } })).rejects.toMatchObject({
      type: 'invalid-parameters',
      errors: [{ field: 'filter[uuid]' }],
    });
    const stranger = createClient({ ...addresses(), clientId: credentials.clientId, clientSecret: 'wrong' });
    await expect(stranger.partner.retrieve()).rejects.toMatchObject({
      type: 'token-refused',
      error: 'invalid_client',
    });
  });

  test('KIT-1 who the partner is, and what it is being sent', async () => {
    const { data } = await client.partner.retrieve();
    const { data: events, _meta } = await client.events.list({ perPage: 5 });

    expect(data.name).toBe('kit user');
    expect([Array.isArray(events), _meta.perPage]).toEqual([true, 5]);
  });

  test('KIT-1 LINK-5 whatever is inserted meanwhile, nothing is repeated and nothing skipped that was there', async () => {
    const step = fc.record({
      perPage: fc.integer({ min: 3, max: 20 }),
      inserts: fc.array(fc.nat(2), { maxLength: 8 }),
    });
    const reading = fc.asyncProperty(step, async ({ perPage, inserts }) => {
      const before = [...present];
      const seen: string[] = [];
      let pageNumber = 0;
      for await (const { data } of client.transactions.list({ fields: ['uuid'], perPage }).pages()) {
        seen.push(...data.map(({ uuid }) => uuid));
        for (let n = inserts[pageNumber] ?? 0; n > 0; n -= 1) await createOne();
        pageNumber += 1;
      }

      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.slice(0, before.length)).toEqual(before);
    });

    await fc.assert(reading, propertyRun('pages of the kit while others insert', 3, 100));
  }, 300_000);
});

/** Each public type, with an answer of the stage that has it. */
const answersOf = async (): Promise<[type: string, value: unknown][]> => {
  const uuid = await createOne();
  const payment = { transaction: uuid, type: 1, value: '10.00', status: 1 } as const;
  const set = await client.webhook.set(await receiverUrl());
  const paid = await client.payments.create(payment);
  const sent = await client.webhook.test();
  await delivered(sent.data.id);
  const page = await client.transactions.list({ expand: elementNames, perPage: 50 });
  const events = await client.events.list();
  const details = await Promise.all(events.data.map(({ id }) => client.events.retrieve(id)));
  const completion = events.data.find(({ type }) => type === 'TransactionCompleted');
  const refused = await client.transactions.list({ filter: { uuid: '' } }).catch((error) => error);
  return [
    ['Page<WholeTransaction>', page],
    ['OwnProperties', (await client.transactions.retrieve(uuid)).data],
    ["Selected<[], ['payments.value']>", (await client.transactions.retrieve(uuid, paidFields)).data],
    ['Payment', paid.data],
    ['PartnerRecord', (await client.partner.retrieve()).data],
    ['Webhook', set.data],
    ['WebhookTestReceipt', sent.data],
    ['EventPage', events],
    ...details.flatMap(({ data }): [string, unknown][] => [
      ['PartnerEventDetail', data],
      // The types of messages are called as the messages are.
      [data.type, data.message],
    ]),
    ['Replay', (await client.events.replay(completion?.id ?? '')).data],
    ['NextSignature', (await client.webhook.announceSignature()).data],
    ['NewSecret', (await client.secret.rotate()).data],
    ['readonly FieldError[]', refused.errors],
  ];
};
const receiverUrl = async () => {
  const server = createServer((_, response) => void response.writeHead(204).end()).unref();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};
const delivered = async (id: string) => {
  for (let polls = 0; polls < 200; polls += 1) {
    if ((await client.events.retrieve(id)).data.state === 'delivered') return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};
const paidFields = { fields: ['payments.value'] } as const;

test('KIT-1 the answers of a stage have the types that the kit has for them', async () => {
  const answers = await answersOf();
  const kit = JSON.stringify(join(root, 'partner-kit/src/index.ts'));
  const names = [...new Set(answers.flatMap(([type]) => type.match(/[A-Z]\w+/g) ?? []))];
  const folder = mkdtempSync(join(tmpdir(), 'kit-types-'));
  const code = [
    `import type { ${names.join(', ')} } from ${kit};`,
    ...answers.map(([type, value], n) => `export const answer${n}: ${type} = ${JSON.stringify(value)};`),
  ];
  writeFileSync(join(folder, 'answers.mts'), code.join('\n'));
  const judged = { strict: true, exactOptionalPropertyTypes: true, noEmit: true, types: [] };
  const written = { module: 'nodenext', target: 'es2022', allowImportingTsExtensions: true };
  const config = { compilerOptions: { ...judged, ...written }, files: ['answers.mts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));

  const child = spawn(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]);
  const said = await text(child.stdout);
  rmSync(folder, { recursive: true });

  expect(names).toEqual(expect.arrayContaining(['TransactionCompleted', 'WebhookTest', 'Replay']));
  expect(said).toBe('');
}, 60_000);

test('KIT-19 the quick start of the README runs as it stands', async () => {
  const readme = readFileSync(join(root, 'partner-kit/README.md'), 'utf8');
  const [, block = ''] = /^## Quick start\n+```ts\n(.*?)^```$/ms.exec(readme) ?? [];
  const code = block.replace(
    "'@transactions/partner-kit'",
    JSON.stringify(join(root, 'partner-kit/src/index.ts')),
  );

  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module-typescript', '--eval', code], {
    env: {
      PATH: process.env.PATH,
      TRANSACTIONS_BASE_URL: stage.baseUrl,
      TRANSACTIONS_AUTH_URL: stage.authUrl,
      TRANSACTIONS_CLIENT_ID: credentials.clientId,
      TRANSACTIONS_CLIENT_SECRET: credentials.clientSecret,
    },
  });
  const [printed, said] = await Promise.all([text(child.stdout), text(child.stderr)]);

  const completed = copies.filter(({ status }) => status === 1);
  expect(said).toBe('');
  expect(completed.length).toBeGreaterThan(0);
  expect(printed.split('\n').slice(0, completed.length)).toEqual(
    completed.map(({ uuid, payments = [] }) => [uuid, ...payments.map(({ value }) => value)].join(' ')),
  );
});
