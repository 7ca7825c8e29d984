import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readListQuery } from '../../../functions/shared/domain/query/list-query.ts';
import type { QueryParameters } from '../../../functions/shared/domain/query/parameters.ts';
import { presentTransaction } from '../../../functions/shared/domain/query/projection.ts';
import { readSelection } from '../../../functions/shared/domain/query/selection.ts';
import type {
  ElementName,
  JsonObject,
  JsonValue,
  StoredTransaction,
  Transaction,
} from '../../../functions/shared/domain/transaction/transaction.ts';
import { cursorSealOf } from '../../../functions/shared/http/cursor-seal.ts';
import { listResponse } from '../../../functions/shared/http/list-response.ts';
import { addresses } from './addresses.ts';

const demoData = join(import.meta.dirname, '../../../localstack/embedded/demo/transactions.ndjson');
const demo = readFileSync(demoData, 'utf8').split('\n');
const demoTransaction = (line: number): Transaction => {
  const { createdAt: _, ...transaction } = JSON.parse(demo[line - 1] ?? '');
  return transaction;
};

/** The second transaction of the demo data: complete, with everything that a checkout can have. */
export const complete = demoTransaction(2);

/** The same before its payment. */
export const incomplete: Transaction = { ...complete, status: 0, editable: true, payments: [] };

/** The next one of the same group, complete, too. */
const nextComplete = demoTransaction(3);

/** One with all elements: a used vehicle, and a part exchange. */
const used = demoTransaction(20);
const { address } = used.customer as { address: JsonObject };

/** An example of each element, with every known member. */
export const elementExamples = {
  ...used,
  customer: { ...used.customer, address: { ...address, line2: 'Flat 2', county: 'Demoshire' } },
} as { readonly [Name in ElementName]: JsonValue };

const visibleTo = { showsPaymentTokens: false };

/** An idempotency key for examples. */
const nextCursor = await cursorSealOf('example', {
  cursorKeys: { of: async () => new Uint8Array(32) },
  clock: () => new Date(0),
}).close(complete.uuid, []);

/** A transaction in the shape of answers. */
export const shown = (transaction: Transaction, parameters: QueryParameters = {}): JsonObject =>
  presentTransaction(transaction, readSelection(parameters), visibleTo);

type List = { transactions: Transaction[]; totalCount: number; parameters: QueryParameters; path?: string };

const listAnswer = ({ transactions, totalCount, parameters, path = '/v2/transaction' }: List) => {
  const query = readListQuery(parameters, { kind: 'grants', grants: [] });
  if (!query.ok) throw new Error(`The example of ${path} is refused: ${query.reason}`);
  const stored = transactions.map((transaction, index) => ({ transaction, sequenceNumber: index + 2 }));
  const hasNext = transactions.length < totalCount;
  const page = { transactions: stored as StoredTransaction[], totalCount, hasNext };
  const view = { href: `${addresses.baseUrl}${path}`, visibleTo, nextCursor };
  const response = listResponse(page, query.value, view);
  if (!('body' in response)) throw new Error(`The example of ${path} is refused`);
  return response;
};

/** The first page of a list with as many transactions as its totals say. */
export const listOf = (list: List): unknown => JSON.parse(listAnswer(list).body);

/** A page of two of many transactions. */
export const firstPage: List = {
  transactions: [complete, nextComplete],
  totalCount: 23,
  parameters: { 'per-page': ['2'] },
};

/** The headers of such a page. */
export const listHeaders = listAnswer(firstPage).headers;
