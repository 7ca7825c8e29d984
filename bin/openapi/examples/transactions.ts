import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readListQuery } from '../../../functions/shared/domain/query/list-query.ts';
import type { QueryParameters } from '../../../functions/shared/domain/query/parameters.ts';
import { presentTransaction } from '../../../functions/shared/domain/query/projection.ts';
import { readSelection } from '../../../functions/shared/domain/query/selection.ts';
import type {
  JsonObject,
  StoredTransaction,
  Transaction,
} from '../../../functions/shared/domain/transaction/transaction.ts';
import { cursorSealOf } from '../../../functions/shared/http/cursor-seal.ts';
import { listResponse } from '../../../functions/shared/http/list-response.ts';
import { addresses } from './addresses.ts';

/** The second transaction of the demo data: complete, with all that a checkout can have. */
const demoData = join(import.meta.dirname, '../../../localstack/demo/transactions.ndjson');
const { createdAt: _, ...demo } = JSON.parse(readFileSync(demoData, 'utf8').split('\n')[1] ?? '');

export const complete: Transaction = demo;

/** The same before its payment. */
export const incomplete: Transaction = { ...complete, status: 0, editable: true, payments: [] };

const visibleTo = { showsPaymentTokens: false };

/** One under a key of nobody's. */
const nextCursor = await cursorSealOf('example', {
  cursorKeys: { of: async () => new Uint8Array(32) },
  clock: () => new Date(0),
}).close(complete.uuid, []);

/** A transaction as an answer shows it. */
export const shown = (transaction: Transaction, parameters: QueryParameters = {}): JsonObject =>
  presentTransaction(transaction, readSelection(parameters), visibleTo);

const listAnswer = (transaction: Transaction, parameters: QueryParameters, path: string) => {
  const query = readListQuery(parameters, { kind: 'grants', grants: [] });
  if (!query.ok) throw new Error(`The example of ${path} is refused: ${query.reason}`);
  const transactions = [{ transaction, position: 2 } as StoredTransaction];
  const page = { transactions, totalCount: 23, hasNext: true };
  const view = { href: `${addresses.baseUrl}${path}`, visibleTo, nextCursor };
  const response = listResponse(page, query.value, view);
  if (!('body' in response)) throw new Error(`The example of ${path} is refused`);
  return response;
};

/** The first page of a list of many, of which the page shows one. */
export const listOf = (
  transaction: Transaction,
  parameters: QueryParameters,
  path = '/v2/transaction',
): unknown => JSON.parse(listAnswer(transaction, parameters, path).body);

/** What such a page has beside its body. */
export const listHeaders = listAnswer(complete, {}, '/v2/transaction').headers;
