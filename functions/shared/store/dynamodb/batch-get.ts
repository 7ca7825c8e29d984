import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { chunksOf } from '../../runtime/chunks.ts';
import { fullJitter, realRetryDelays, withRetries } from './retry.ts';
import type { TableAccess } from './table-access.ts';

type Item = Record<string, unknown>;

/** Which items of a table to read. */
export type BatchGet = {
  table: string;
  keys: readonly Record<string, string>[];
  /** Names of the only attributes to answer; without it all of them. */
  attributes?: readonly string[];
};

/** An access whose reads by key wait for others of the same turn; one of its own for each answer. */
export type MayGather = { gather?: (read: BatchGet) => Promise<Item[]> };

const keysPerRequest = 100;
const maximumRounds = 10;

/** Reads items by key, strongly consistent, in no particular order; asks again for what the engine left unprocessed. */
export const batchGet = async (
  access: TableAccess<never> & MayGather,
  { keys, ...read }: BatchGet,
): Promise<Item[]> => {
  if (access.gather) return access.gather({ keys, ...read });
  const chunks = chunksOf(keys, keysPerRequest);
  const found = await Promise.all(chunks.map((chunk) => readTogether(access, [{ ...read, keys: chunk }])));
  return found.flatMap((items) => items.get(read.table) ?? []);
};

/** The same access, but what is read by key in the same turn goes in one request. */
export const gathering = <Access extends TableAccess<never>>(access: Access): Access & MayGather => {
  let waiting: { read: BatchGet; answer: PromiseWithResolvers<Item[]> }[] = [];
  const send = async () => {
    const [sent, reads] = [waiting, waiting.map(({ read }) => read)];
    waiting = [];
    try {
      const found = await readTogether(access, reads);
      for (const { read, answer } of sent) answer.resolve(found.get(read.table) ?? []);
    } catch (error) {
      for (const { answer } of sent) answer.reject(error);
    }
  };
  const gather = (read: BatchGet) => {
    if (!fitsBeside(read, waiting)) return batchGet(access, read);
    const answer = Promise.withResolvers<Item[]>();
    waiting.push({ read, answer });
    if (waiting.length === 1) setImmediate(send);
    return answer.promise;
  };
  return { ...access, gather };
};

/** A request names each table once. */
const fitsBeside = ({ table, keys }: BatchGet, others: readonly { read: BatchGet }[]) => {
  const isOtherTable = others.every(({ read }) => read.table !== table);
  const count = others.reduce((sum, { read }) => sum + read.keys.length, keys.length);
  return isOtherTable && keys.length > 0 && count <= keysPerRequest;
};

/** Each of another table. */
const readTogether = async (
  { documents, retryDelays = realRetryDelays }: TableAccess<never>,
  reads: readonly BatchGet[],
): Promise<Map<string, Item[]>> => {
  const found = new Map(reads.map(({ table }): [string, Item[]] => [table, []]));
  let missing = reads;
  for (let round = 1; missing.length > 0; round += 1) {
    if (round > maximumRounds) throw throttled(missing);
    if (round > 1) await retryDelays.sleep(fullJitter(round, retryDelays.random));
    const request = new BatchGetCommand({ RequestItems: Object.fromEntries(missing.map(requestOf)) });
    const answer = await withRetries(() => documents.send(request), retryDelays);
    for (const [table, items] of found) items.push(...(answer.Responses?.[table] ?? []));
    missing = missing.flatMap((read) => leftOf(read, answer.UnprocessedKeys?.[read.table]?.Keys));
  }
  return found;
};

const requestOf = ({ table, keys, attributes }: BatchGet) => [
  table,
  { Keys: [...keys], ConsistentRead: true, ...projection(attributes) },
];

const leftOf = (read: BatchGet, keys: BatchGet['keys'] = []) =>
  keys.length === 0 ? [] : [{ ...read, keys }];

/** An engine at its limit leaves keys, where other reads would throw. */
const throttled = (missing: readonly BatchGet[]) => {
  const counts = missing.map(({ table, keys }) => `${table}: ${keys.length} keys stay unprocessed`);
  return Object.assign(new Error(counts.join(', ')), { name: 'ThrottlingException' });
};

const projection = (attributes: readonly string[] | undefined) =>
  attributes && {
    ProjectionExpression: attributes.map((_, index) => `#p${index}`).join(', '),
    ExpressionAttributeNames: Object.fromEntries(attributes.map((name, index) => [`#p${index}`, name])),
  };
