import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { transactionsPerSession } from '../../functions/shared/domain/session.ts';
import {
  bytesBesidePayments,
  largestOfSessionBytes,
} from '../../functions/shared/domain/transaction/size.ts';
import { realRetryDelays } from '../../functions/shared/store/dynamodb/retry.ts';
import { productionSettings } from '../../functions/shared/store/listing/settings.ts';
import { shop } from '../support/apis/v1-transaction.ts';
import { openWriteApis } from '../support/apis/write-apis.ts';
import { createMeter } from '../support/engine/meter.ts';
import { timed } from './measuring.ts';

/** What one call takes, as a mean. A try that the table refused counts as a whole one; AWS may charge less. */
export type DearCall = {
  name: string;
  answers: Record<number, number>;
  tries: number;
  write: number;
  read: number;
  /** Of the answer. */
  bytes: number;
  milliseconds: number;
};

const path = '/api/transaction';

/**
 * Calls of a session that has its transactions, each as large as the session can make it: changes of one of them
 * under new keys, and a list of all of them.
 */
export const callDearly = async (
  documents: DynamoDBDocumentClient,
  { atOnce, rounds, suffix = '' }: { atOnce: number; rounds: number; suffix?: string },
): Promise<DearCall[]> => {
  const tables = {
    transactionsTable: `Transactions${suffix}`,
    listingTable: `Listing${suffix}`,
    requestsTable: `Requests${suffix}`,
    debounceTable: `Debounce${suffix}`,
  };
  const measure = createMeter(documents, tables.listingTable);
  const settings = { settings: productionSettings, retryDelays: realRetryDelays };
  const { ask, store, tokenOf } = await openWriteApis({ documents, ...tables, ...settings });
  const headers = {
    ...{ Origin: shop, 'Content-Type': 'application/json' },
    Authorization: `Bearer ${await tokenOf('session-bench')}`,
  };
  const send = (method: string, target: string, body: object, more = {}) =>
    ask(target, { method, headers: { ...headers, ...more }, body: JSON.stringify(body) });
  const uuids: string[] = [];
  // The first one counts as made before (S-41).
  while (uuids.length < transactionsPerSession - 1) uuids.push(await theLargest({ send, store }));

  const results: DearCall[] = [];
  let count = 0;
  for (const { name, method, target, body } of kindsFor(uuids[0] ?? '')) {
    const sum = {
      name,
      answers: {} as DearCall['answers'],
      tries: 0,
      write: 0,
      read: 0,
      bytes: 0,
      milliseconds: 0,
    };
    const one = async () => {
      count += 1;
      const key = { 'Idempotency-Key': `key-${count}` };
      const { status, text } = await send(method, target, body(count), key);
      sum.answers[status] = (sum.answers[status] ?? 0) + 1;
      sum.bytes += text.length;
    };
    for (let round = 0; round < rounds; round += 1) {
      const cost = await measure(() =>
        Promise.all(
          Array.from({ length: atOnce }, async () => {
            sum.milliseconds += await timed(one);
          }),
        ),
      );
      sum.tries += cost.writes + cost.refused;
      sum.write += cost.write + (cost.refused * cost.write) / Math.max(cost.writes, 1);
      sum.read += cost.read;
    }
    const made = atOnce * rounds;
    const { tries, write, read, bytes, milliseconds } = sum;
    results.push({
      ...sum,
      ...{ tries: tries / made, write: write / made, read: read / made },
      ...{ bytes: bytes / made, milliseconds: milliseconds / made },
    });
  }
  return results;
};

type Kind = { name: string; method: string; target: string; body: (count: number) => object };

/** Columns of lists, so that a change of them changes the listing. */
const identifiers = (count: number) => ({
  ndstockid: `ND${1_000 + (count % 9_000)}`,
  salesmasterid: `SM${1_000 + (count % 9_000)}`,
});

/** The moves are those of a marketplace, which has storefronts of two groups at one origin. */
const kindsFor = (uuid: string): Kind[] => {
  const shown = `${path}/${uuid}?expand=vehicle`;
  const edit = (count: number) => ({ document_id: `${1_000 + (count % 9_000)}` });
  const move = (count: number) => ({
    ...edit(count),
    location: count % 2 === 0 ? 'east' : 'north',
    vehicle: { identifiers: identifiers(count) },
  });
  // Nearly the longest request line that the gateway takes.
  const longest = `${shown}&fields=${'x'.repeat(9_000)}`;
  return [
    { name: 'PATCH of 22 bytes', method: 'PATCH', target: shown, body: edit },
    { name: 'PATCH with 9 kB of `fields`', method: 'PATCH', target: longest, body: edit },
    { name: 'PATCH to another group', method: 'PATCH', target: longest, body: move },
    {
      ...{ name: 'GET of all nineteen', method: 'GET', body: edit },
      target: `${path}?filter[status]=0&per-page=50&expand=vehicle`,
    },
  ];
};

type Apis = Pick<Awaited<ReturnType<typeof openWriteApis>>, 'store'> & {
  send: (method: string, target: string, body: object) => Promise<{ status: number; text: string }>;
};

/** Makes a transaction that is full to the last byte, and returns its uuid. */
const theLargest = async ({ send, store }: Apis): Promise<string> => {
  const entered = (length: number) => ({
    location: 'north',
    vehicle: { identifiers: identifiers(0), note: 'x'.repeat(length) },
  });
  const { text } = await send('POST', path, { ...entered(0), document_id: '1000' });
  const { uuid } = JSON.parse(text);
  const stored = await store.byUuid(uuid);
  if (!stored) throw new Error(text);
  const room = largestOfSessionBytes - bytesBesidePayments(stored.transaction);
  const filled = await send('PATCH', `${path}/${uuid}`, entered(room));
  if (filled.status !== 200) throw new Error(filled.text);
  return uuid;
};
