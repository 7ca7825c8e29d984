import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createListingAuditor } from '../../bin/operator/store/listing/audit.ts';
import { scanTable } from '../../bin/operator/store/scan.ts';
import { realRetryDelays } from '../../functions/shared/store/dynamodb/retry.ts';
import { productionSettings } from '../../functions/shared/store/listing/settings.ts';
import { sweepUntouched } from '../../functions/shared/store/transactions/sweep.ts';
import { shop } from '../support/apis/v1-transaction.ts';
import { openWriteApis, type Reply } from '../support/apis/write-apis.ts';
import type { Ask } from '../support/builders/http-event.ts';
import { createMeter } from '../support/engine/meter.ts';

const script = {
  Origin: shop,
  'Sec-Fetch-Site': 'cross-site',
  'Sec-Fetch-Mode': 'cors',
  'Sec-Fetch-Dest': 'empty',
};
const image = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' };
const link = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
const json = { 'Content-Type': 'application/json' };

type Caller = (target: string, more?: Ask) => Promise<Reply>;

const path = '/api/transaction';
const posted = (body: object, headers: Record<string, string> = {}): Ask => ({
  method: 'POST',
  headers: { ...script, ...json, ...headers },
  body: JSON.stringify(body),
});

/** One token that its holder never stops using, and one for each transaction that is changed. */
const sessions = (call: Caller) => {
  let kept: Promise<string> | undefined;
  const begin = async () => {
    const { headers, text } = await call(path, { headers: script });
    const Authorization = `Bearer ${headers['authentication-token']}`;
    return { Authorization, address: `${path}/${JSON.parse(text).uuid}` };
  };
  const change = async (body: object) => {
    const { Authorization, address } = await begin();
    return call(address, { ...posted(body, { Authorization }), method: 'PATCH' });
  };
  const hoard = async () => {
    kept ??= begin().then(({ Authorization }) => Authorization);
    return call(path, posted({}, { Authorization: await kept }));
  };
  return { change, hoard };
};

const kindsOver = (call: Caller): [string, () => Promise<Reply>][] => {
  const { change, hoard } = sessions(call);
  return [
    ['GET by a page of the shop', () => call(path, { headers: script })],
    ['POST that enters nothing', () => call(path, posted({}))],
    ['POST of extras alone', () => call(path, posted({ extras: { mats: 1 }, incentive: true }))],
    ['GET, then PATCH of extras', () => change({ extras: { mats: 1 } })],
    ['GET, then a deletion', () => change({ isDeleted: 1 })],
    ['POST in one session, again and again', hoard],
    ['GET by an image', () => call(path, { headers: { ...image, Origin: shop } })],
    ['GET by a link', () => call(path, { headers: link })],
    [
      'GET by a page of another site',
      () => call(path, { headers: { ...script, Origin: 'https://else.example' } }),
    ],
    ['GET by a prefetch', () => call(path, { headers: { Origin: shop, 'Sec-Purpose': 'prefetch' } })],
    ['HEAD', () => call(path, { method: 'HEAD', headers: { Origin: shop } })],
    ['GET without an origin', () => call(path)],
    [
      'GET of a uuid',
      () => call(`${path}?uuid=00000000-0000-4000-8000-000000000001-0000`, { headers: script }),
    ],
    ['a token that is none', () => call(path, { headers: { ...script, Authorization: 'Bearer a.b.c' } })],
    ['POST of a faulty body', () => call(path, posted({ status: 1 }))],
  ];
};

/** Calls of every kind in turn over the real function and engine, and what they left. */
export const callAnonymously = async (
  documents: DynamoDBDocumentClient,
  { calls, suffix = '' }: { calls: number; suffix?: string },
) => {
  const tables = {
    transactionsTable: `Transactions${suffix}`,
    listingTable: `Listing${suffix}`,
    requestsTable: `Requests${suffix}`,
    debounceTable: `Debounce${suffix}`,
  };
  const access = { documents, ...tables, settings: productionSettings, retryDelays: realRetryDelays };
  const measure = createMeter(documents, tables.listingTable);
  const { ask, clock } = await openWriteApis(access);
  const kinds = kindsOver((target, more = {}) => ask(target, more));
  const done = kinds.map(([name]) => ({
    ...{ name, calls: 0, write: 0, read: 0 },
    answers: {} as Record<number, number>,
  }));
  for (let count = 0; count < calls; count += 1) {
    const index = count % kinds.length;
    const [kind, sum] = [kinds[index], done[index]];
    if (!kind || !sum) continue;
    let status = 0;
    const { write, read } = await measure(async () => {
      ({ status } = await kind[1]());
    });
    sum.calls += 1;
    sum.answers[status] = (sum.answers[status] ?? 0) + 1;
    sum.write += write;
    sum.read += read;
  }
  const left = () => leftIn(access);
  const afterCalls = await left();
  const inAMonth = new Date(clock().getTime() + 31 * 24 * 60 * 60 * 1000);
  while (!(await sweepUntouched(access, { now: inAMonth, limit: 100 })).isDone);
  const { entryDrift, counterDrift } = await createListingAuditor(access).audit();
  return {
    kinds: done,
    afterCalls,
    afterSweep: await left(),
    drift: entryDrift.length + counterDrift.length,
  };
};

/** What lies in the tables; `events` are transactions of which partners are to be notified. */
const leftIn = async (access: Parameters<typeof openWriteApis>[0]) => {
  const left = { transactions: 0, entries: 0, counters: 0, counts: 0, events: 0 };
  for await (const items of scanTable(access, access.transactionsTable)) {
    left.transactions += items.length;
    left.events += items.filter(({ changedIn }) => changedIn !== undefined).length;
  }
  for await (const items of scanTable(access, access.listingTable))
    for (const { pk } of items) left[/^(c#|seq)/.test(String(pk)) ? 'counters' : 'entries'] += 1;
  for await (const items of scanTable(access, access.requestsTable)) left.counts += items.length;
  return left;
};
