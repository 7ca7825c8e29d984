import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { chunksOf } from '../../runtime/chunks.ts';
import { fullJitter, realRetryDelays, withRetries } from './retry.ts';
import type { TableAccess } from './table-access.ts';

type Item = Record<string, unknown>;

/** The items of a table to read. */
export type BatchGet = {
  table: string;
  keys: readonly Record<string, string>[];
  /** The attributes to read. Absent for all. */
  attributes?: readonly string[];
};

const keysPerRequest = 100;
const maximumRounds = 10;

/** Reads items by key, strongly consistent, in no particular order. Requests unprocessed keys again. */
export const batchGet = async (access: TableAccess<never>, { keys, ...read }: BatchGet): Promise<Item[]> => {
  const chunks = chunksOf(keys, keysPerRequest);
  const found = await Promise.all(chunks.map((chunk) => readChunk(access, { ...read, keys: chunk })));
  return found.flat();
};

const readChunk = async (
  { documents, retryDelays = realRetryDelays }: TableAccess<never>,
  { table, keys, attributes }: BatchGet,
): Promise<Item[]> => {
  const found: Item[] = [];
  let missing: BatchGet['keys'] = keys;
  for (let round = 1; missing.length > 0; round += 1) {
    if (round > maximumRounds) throw throttled(table, missing.length);
    if (round > 1) await retryDelays.sleep(fullJitter(round, retryDelays.random));
    const read = { Keys: [...missing], ConsistentRead: true, ...projection(attributes) };
    const request = new BatchGetCommand({ RequestItems: { [table]: read } });
    const answer = await withRetries(() => documents.send(request), retryDelays);
    found.push(...(answer.Responses?.[table] ?? []));
    missing = answer.UnprocessedKeys?.[table]?.Keys ?? [];
  }
  return found;
};

/** A throttled table leaves keys unprocessed, where other reads throw. */
const throttled = (table: string, keys: number) =>
  Object.assign(new Error(`${table}: ${keys} keys stay unprocessed`), { name: 'ThrottlingException' });

const projection = (attributes: readonly string[] | undefined) =>
  attributes && {
    ProjectionExpression: attributes.map((_, index) => `#p${index}`).join(', '),
    ExpressionAttributeNames: Object.fromEntries(attributes.map((name, index) => [`#p${index}`, name])),
  };
