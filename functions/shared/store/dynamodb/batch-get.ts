import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { fullJitter, type Patience, withRetries } from './retry.ts';

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
  documents: DynamoDBDocumentClient,
  { table, keys, attributes }: BatchGet,
  patience: Patience,
): Promise<Record<string, unknown>[]> => {
  const parts = chunksOf(keys, keysPerRequest);
  const found = await Promise.all(
    parts.map((part) =>
      readPart(documents, { table, keys: part, ...(attributes && { attributes }) }, patience),
    ),
  );
  return found.flat();
};

const readPart = async (
  documents: DynamoDBDocumentClient,
  { table, keys, attributes }: BatchGet,
  patience: Patience,
) => {
  const items: Record<string, unknown>[] = [];
  let wanted: Record<string, unknown>[] = [...keys];
  for (let round = 1; wanted.length > 0; round += 1) {
    if (round > maximumRounds) throw throttled(`${table}: ${wanted.length} keys stay unprocessed`);
    if (round > 1) await patience.sleep(fullJitter(round, patience.random));
    const request = new BatchGetCommand({
      RequestItems: { [table]: { Keys: wanted, ConsistentRead: true, ...projection(attributes) } },
    });
    const answer = await withRetries(() => documents.send(request), patience);
    items.push(...(answer.Responses?.[table] ?? []));
    wanted = answer.UnprocessedKeys?.[table]?.Keys ?? [];
  }
  return items;
};

/** The engine says so by leaving keys, where other reads would throw. */
const throttled = (message: string) => Object.assign(new Error(message), { name: 'ThrottlingException' });

const projection = (attributes: readonly string[] | undefined) =>
  attributes && {
    ProjectionExpression: attributes.map((_, index) => `#p${index}`).join(', '),
    ExpressionAttributeNames: Object.fromEntries(attributes.map((name, index) => [`#p${index}`, name])),
  };

export const chunksOf = <Value>(values: readonly Value[], size: number): Value[][] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    values.slice(index * size, (index + 1) * size),
  );
