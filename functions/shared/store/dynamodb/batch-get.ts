import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { chunksOf } from '../../runtime/chunks.ts';
import { fullJitter, realRetryDelays, withRetries } from './retry.ts';
import type { TableAccess } from './table-access.ts';

/** Which items of a table to read. */
export type BatchGet = {
  table: string;
  keys: readonly Record<string, string>[];
  /** Names of the only attributes to answer; without it all of them. */
  attributes?: readonly string[];
};

const keysPerRequest = 100;
const maximumRounds = 10;

/** Reads items by key, strongly consistent, in no particular order; asks again for what the engine left unprocessed. */
export const batchGet = async (
  access: TableAccess<never>,
  { keys, ...read }: BatchGet,
): Promise<Record<string, unknown>[]> => {
  const chunks = chunksOf(keys, keysPerRequest);
  const found = await Promise.all(chunks.map((chunk) => readChunk(access, { ...read, keys: chunk })));
  return found.flat();
};

const readChunk = async (
  { documents, retryDelays = realRetryDelays }: TableAccess<never>,
  { table, keys, attributes }: BatchGet,
) => {
  const items: Record<string, unknown>[] = [];
  let missing: Record<string, unknown>[] = [...keys];
  for (let round = 1; missing.length > 0; round += 1) {
    if (round > maximumRounds) throw throttled(`${table}: ${missing.length} keys stay unprocessed`);
    if (round > 1) await retryDelays.sleep(fullJitter(round, retryDelays.random));
    const request = new BatchGetCommand({
      RequestItems: { [table]: { Keys: missing, ConsistentRead: true, ...projection(attributes) } },
    });
    const answer = await withRetries(() => documents.send(request), retryDelays);
    items.push(...(answer.Responses?.[table] ?? []));
    missing = answer.UnprocessedKeys?.[table]?.Keys ?? [];
  }
  return items;
};

/** An engine at its limit leaves keys, where other reads would throw. */
const throttled = (message: string) => Object.assign(new Error(message), { name: 'ThrottlingException' });

const projection = (attributes: readonly string[] | undefined) =>
  attributes && {
    ProjectionExpression: attributes.map((_, index) => `#p${index}`).join(', '),
    ExpressionAttributeNames: Object.fromEntries(attributes.map((name, index) => [`#p${index}`, name])),
  };
