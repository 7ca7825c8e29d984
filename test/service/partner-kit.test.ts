import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  type Client,
  createClient,
  createReceiver,
  elementNames,
  fetchHandler,
} from '../../partner-kit/src/index.ts';
import { anOwner, uuidOf } from '../support/builders/transactions.ts';
import { describedFetch } from '../support/openapi/described-fetch.ts';
import { root } from '../support/repository.ts';
import { aBrowserOn } from '../support/stage/buyer-client.ts';
import { endEngineAfterFile, openStage, type ServiceStage } from '../support/stage/open-stage.ts';
import { everyScope, importInto, operatorOf, partnerOf, shopOf } from '../support/stage/operator-of.ts';
import type { Credentials } from '../support/stage/partner-client.ts';
import { startReceiver, type TestReceiver } from '../support/stage/receivers.ts';

const shop = 'https://kit.example';
let stage: ServiceStage;
let receiver: TestReceiver;
let client: Client;
/** Of a partner of the demo data, which has transactions with all elements. */
let demo: Client;

beforeAll(async () => {
  [stage, receiver] = await Promise.all([openStage(), startReceiver(204)]);
  const operate = operatorOf(stage);
  await operate(...shopOf('kit', shop));
  client = clientOf(await operate<Credentials>(...partnerOf('kit', '--oauth-scopes', everyScope)));
  await operate('transactions', 'import', join(root, 'localstack/embedded/demo/transactions.ndjson'));
  demo = clientOf(await operate<Credentials>(...partnerOf('06fec110f94c087c57bdfb424659d9915db6b738')));
});
afterAll(async () => {
  await stage.close();
  await receiver.stop();
});
endEngineAfterFile();

const clientOf = ({ clientId, clientSecret }: Credentials): Client =>
  createClient({
    ...{ baseUrl: stage.baseUrl, authUrl: stage.authUrl, clientId, clientSecret },
    fetch: (input, init) => describedFetch(input instanceof Request ? input.url : input, init),
  });

const paidFields = { fields: ['payments.value'] } as const;

/** Each public type, with an answer of the stage that has it. */
const answersOf = async (): Promise<[type: string, value: unknown][]> => {
  const { uuid } = (await aBrowserOn(stage, shop).send('/api/transaction')).body as { uuid: string };
  const payment = { transaction: uuid, type: 1, value: '10.00', status: 1 } as const;
  const set = await client.webhook.set(`http://127.0.0.1:${receiver.port}/`);
  // Checked, and on.
  await stage.passTime(60_000);
  const paid = await client.payments.create(payment);
  const sent = await client.webhook.test();
  await stage.passTime(20_000);
  const messages = receiver.received.map(({ body }) => JSON.parse(body) as { 'detail-type': string });
  const refused = await client.transactions.list({ filter: { uuid: '' } }).catch((error) => error);
  return [
    ['Page<WholeTransaction>', await demo.transactions.list({ expand: elementNames, perPage: 50 })],
    ['OwnProperties', (await client.transactions.retrieve(uuid)).data],
    ["Selected<[], ['payments.value']>", (await client.transactions.retrieve(uuid, paidFields)).data],
    ['Payment', paid.data],
    ['PartnerRecord', (await client.partner.retrieve()).data],
    ['Webhook', set.data],
    ['WebhookTestReceipt', sent.data],
    ['EventPage', await client.events.list()],
    // The types of messages are called as the messages are.
    ...messages.map((message): [string, unknown] => [message['detail-type'], message]),
    ['Replay', (await client.events.replay({ state: 'failed' })).data],
    ['NextSignature', (await client.webhook.announceSignature()).data],
    ['NewSecret', (await client.secret.rotate()).data],
    ['readonly FieldError[]', refused.errors],
  ];
};

test('KIT-1 the responses of a stage have the types of the kit', async () => {
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

test('KIT-26 V2-10 after an outage a replay brings the kit’s receiver to the state that the API shows', async () => {
  const uuid = uuidOf(1);
  await importInto(stage, [
    { uuid, status: 0, ndMeta: anOwner({ group: 'outage' }), customer: { firstName: 'Ann' } },
  ]);
  const address = `http://127.0.0.1:${receiver.port}/outage`;
  const made = await operatorOf(stage)<Credentials & { webhookSignature: string }>(
    ...partnerOf('outage', '--oauth-scopes', everyScope, '--webhook-url', address),
  );
  const own = clientOf(made);
  const kept: Record<string, unknown> = {};
  const handle = fetchHandler(
    createReceiver({
      signatures: made.webhookSignature,
      source: 'svc.local.online-payments',
      apply: (change) => void (change.kind === 'update' && Object.assign(kept, change.detail)),
    }),
  );
  const takeAll = async () => {
    for (const { path, headers, body } of receiver.received.splice(0))
      if (path === '/outage')
        await handle(
          new Request(address, { method: 'POST', headers: headers as Record<string, string>, body }),
        );
  };
  const change = async (to: Parameters<Client['transactions']['update']>[1]) => {
    await own.transactions.update(uuid, to);
    await stage.passTime(130_000);
  };

  await takeAll();
  await change({ customer: { firstName: 'Ann', lastName: 'One' } });
  await takeAll();
  const since = new Date();
  await change({ vehicle: { identifiers: { ndstockid: 'ND1' } } });
  await change({ customer: { firstName: 'Ann', lastName: 'Two' } });
  // Lost: the endpoint answered 2xx and stored nothing.
  receiver.received.length = 0;
  await own.events.replay({ since });
  for (const _ of [1, 2, 3]) await stage.passTime(10_000);
  await takeAll();

  const { data } = await own.transactions.retrieve(uuid, { expand: ['vehicle', 'customer'] });
  expect({ customer: kept.customer, vehicle: kept.vehicle }).toEqual({
    customer: data.customer,
    vehicle: data.vehicle,
  });
  expect(data.customer).toMatchObject({ lastName: 'Two' });
});
