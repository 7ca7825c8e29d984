import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, createClient, elementNames } from '../../partner-kit/src/index.ts';
import { describedFetch } from '../support/openapi/described-fetch.ts';
import { root } from '../support/repository.ts';
import { aBrowserOn } from '../support/stage/buyer-client.ts';
import { until } from '../support/stage/messaging.ts';
import { endEngineAfterFile, openStage, type ServiceStage } from '../support/stage/open-stage.ts';
import { everyScope, operatorOf, partnerOf, shopOf } from '../support/stage/operator-of.ts';
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
  const paid = await client.payments.create(payment);
  const sent = await client.webhook.test();
  await until(async () => (await client.events.retrieve(sent.data.id)).data.state === 'delivered');
  const events = await client.events.list();
  const details = await Promise.all(events.data.map(({ id }) => client.events.retrieve(id)));
  const completion = events.data.find(({ type }) => type === 'TransactionCompleted');
  const refused = await client.transactions.list({ filter: { uuid: '' } }).catch((error) => error);
  return [
    ['Page<WholeTransaction>', await demo.transactions.list({ expand: elementNames, perPage: 50 })],
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
