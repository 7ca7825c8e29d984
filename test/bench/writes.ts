import { randomUUID } from 'node:crypto';
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { Command } from 'commander';
import { makeTransactionUuid } from '../../functions/shared/domain/transaction/transaction-uuid.ts';
import { realRetryDelays } from '../../functions/shared/store/dynamodb/retry.ts';
import { productionSettings } from '../../functions/shared/store/listing/settings.ts';
import { shop } from '../support/apis/v1-transaction.ts';
import { openWriteApis, owners } from '../support/apis/write-apis.ts';
import { aNewTransaction, anOwner } from '../support/builders/transactions.ts';
import { clientOf, documentsOf, startEngine } from '../support/engine/engine.ts';
import { print } from './print.ts';
import { median, timed } from './times.ts';
import { countUnits } from './units.ts';

const rounds = 300;
const tables = {
  transactionsTable: 'Transactions',
  listingTable: 'Listing',
  requestsTable: 'Requests',
  debounceTable: 'Debounce',
};

type Apis = Awaited<ReturnType<typeof openWriteApis>>;

const apisOver = (documents: DynamoDBDocumentClient) =>
  openWriteApis({ documents, ...tables, settings: productionSettings, retryDelays: realRetryDelays });

/** One request of the partner or of the session; anything but success ends the benchmark. */
const asker =
  (apis: Apis, token: string) => async (method: string, target: string, body: object, key?: string) => {
    const { status, text } = await apis.ask(target, {
      method,
      headers: {
        Authorization: `Bearer ${target.includes('/v2/') ? 'WIDE' : token}`,
        'Content-Type': 'application/json',
        Origin: shop,
        ...(key && { 'Idempotency-Key': key }),
      },
      body: JSON.stringify(body),
    });
    if (status >= 300) throw new Error(`${method} ${target}: ${status} ${text}`);
    return text;
  };

const vehicle = { identifiers: { ndstockid: 'ND1', salesmasterid: 'SM1' }, make: 'Ford' };

const printUnits = async (documents: DynamoDBDocumentClient) => {
  const measure = countUnits(documents, tables);
  const apis = await apisOver(documents);
  const ask = asker(apis, await apis.tokenOf('session-bench'));
  let uuid = '';
  const create = async (key?: string) => {
    const text = await ask(
      'POST',
      '/api/transaction',
      { location: 'north', guestEmail: 'a@example.com', vehicle },
      key,
    );
    uuid = JSON.parse(text).uuid;
  };
  const change = (body: object, key?: string) => ask('PATCH', `/api/v2/transaction/${uuid}`, body, key);
  const pay = (status: number, key?: string) =>
    ask('POST', '/api/v2/payment', { transaction: uuid, type: 1, value: '99.00', status }, key);
  const steps: [string, string, () => Promise<unknown>][] = [
    ['create', '≤ 35', () => create()],
    ['create under a key', '', () => create('k-1')],
    ['any other update', 'index 0', () => change({ guestEmail: 'b@example.com' })],
    ['any other update under a key', 'index 0', () => change({ guestEmail: 'c@example.com' }, 'k-2')],
    ['the same again under its key', '0', () => change({ guestEmail: 'c@example.com' }, 'k-2')],
    ['a save that changes nothing', '0', () => change({ guestEmail: 'c@example.com' })],
    ['move to another location', '≤ 26', () => change({ location: 'south' })],
    ['move to another group', '≤ 58', () => change({ location: 'east' })],
    ['a failed payment', '2 for numbers', () => pay(0)],
    ['create', '≤ 35', () => create()],
    ['a payment that completes', '≤ 34, 2 for numbers, 2 beyond 1 kB', () => pay(1)],
    ['a later payment under a key', '', () => pay(1, 'k-3')],
    ['delete', '', () => change({ isDeleted: 1 })],
  ];
  const rows: (string | number)[][] = [];
  for (const [name, goal, step] of steps) {
    const { write, index, read, requests } = await measure(step);
    rows.push([name, write, index, goal, read, requests]);
  }
  print(['write', 'WCU', 'of them index', 'goal', 'RCU', 'requests'], rows);
};

/** A plain update through the whole function beside a bare put on a condition, in turns. */
const printTimes = async (documents: DynamoDBDocumentClient) => {
  const apis = await apisOver(documents);
  const ask = asker(apis, '');
  const uuid = makeTransactionUuid(Buffer.from(randomUUID().replaceAll('-', ''), 'hex'));
  const [ndMeta = anOwner()] = owners;
  await apis.store.create(aNewTransaction({ uuid, ndMeta, vehicle }));
  const bare = { uuid: 'bare', own: JSON.stringify(aNewTransaction()), version: 0 };
  const times = { bare: [] as number[], update: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    times.bare.push(await timed(() => documents.send(bareUpdate(bare, round))));
    times.update.push(
      await timed(() => ask('PATCH', `/api/v2/transaction/${uuid}`, { guestEmail: `${round}@example.com` })),
    );
  }
  const [put, update] = [median(times.bare), median(times.update)];
  print(
    ['time', 'p50 ms', 'ratio', 'goal'],
    [
      ['bare put on a condition', put.toFixed(2), '1', ''],
      ['plain update', update.toFixed(2), (update / put).toFixed(2), '≤ 3'],
    ],
  );
};

const bareUpdate = (item: object, round: number) =>
  new PutCommand({
    TableName: tables.transactionsTable,
    Item: { ...item, version: round + 1 },
    ConditionExpression: 'attribute_not_exists(#uuid) OR #version = :version',
    ExpressionAttributeNames: { '#uuid': 'uuid', '#version': 'version' },
    ExpressionAttributeValues: { ':version': round },
  });

new Command('bench -- writes')
  .description(
    'Prints what each write costs on the real engine: write units (and how many of them are the index), read units, requests; then a plain update beside a bare put. Goals stand beside.',
  )
  .parse();

const engine = await startEngine();
try {
  await printUnits(documentsOf(clientOf(engine.endpoint)));
  await printTimes(documentsOf(clientOf(engine.endpoint)));
} finally {
  await engine.stop();
}
