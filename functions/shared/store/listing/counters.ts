import { type Level, rootLevel } from '../../domain/listing/radix.ts';
import type { OwnershipNode } from '../../domain/ownership/node.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { consistentGet } from '../dynamodb/consistent-get.ts';
import { pagesOf } from '../dynamodb/pages.ts';
import { withRetries } from '../dynamodb/retry.ts';
import type { ListingAccess } from './access.ts';
import {
  counterKey,
  counterPartition,
  counterPrefix,
  type ListingKey,
  nodeIdOfCounter,
  placeOfCounter,
} from './keys.ts';

/** Counts by attribute name. */
export type Counter = Record<string, number>;
/** One item of a level. */
export type CounterItem = { level: Level; item: number };

/** The counters of some nodes at one item of a level. */
type CounterQuestion = CounterItem & { nodes: readonly OwnershipNode[] };

/** Answers all questions of a wave together, all shards added up. */
export type CounterReader = (questions: readonly CounterQuestion[]) => Promise<Map<string, Counter>[]>;

type CounterRow = ListingKey & Record<string, unknown>;

/** Reads counters in the cheaper way of two: key by key, or a whole group's by one Query. */
export const createCounterReader =
  (access: ListingAccess): CounterReader =>
  async (questions) => {
    const parts = Map.groupBy(questions.flatMap(partsByGroup), (part) => isWholeCheaper(access, part));
    const [single, ...whole] = await Promise.all([
      readSingle(access, parts.get(false) ?? []),
      ...(parts.get(true) ?? []).map((part) => readWhole(access, part)),
    ]);
    return answersTo(questions, [...single, ...whole.flat()]);
  };

type GroupPart = CounterQuestion & { groupId: string };

const partsByGroup = ({ level, item, nodes }: CounterQuestion): GroupPart[] =>
  [...Map.groupBy(nodes, ({ groupId }) => groupId)].map(([groupId, members]) => ({
    level,
    item,
    groupId,
    nodes: members,
  }));

/** A key costs one unit, a Query as much as it reads: a root has about 75 bytes, other counters up to 500. */
const itemsPerUnit = (level: Level) => (level === rootLevel ? 55 : 8);

/** A group never read as a whole is tried, at its roots: `readWhole` sees early that it is too large. */
const isWholeCheaper = ({ settings, hints }: ListingAccess, { level, groupId, nodes }: GroupPart) => {
  if (nodes.length === 1) return false;
  const size = hints.groupSizes.get(groupId) ?? 0;
  return size < nodes.length * settings.shards * itemsPerUnit(level);
};

const readSingle = async (access: ListingAccess, parts: readonly GroupPart[]) => {
  const shards = Array.from({ length: access.settings.shards }, (_, shard) => shard);
  const keys = parts.flatMap(({ level, item, nodes }) =>
    nodes.flatMap((node) => shards.map((shard) => counterKey(node, level, item, shard))),
  );
  const [only] = keys;
  if (only && keys.length === 1 && !access.gather) return readOne(access, only);
  return (await batchGet(access, { table: access.listingTable, keys })) as CounterRow[];
};

/** A request for one item is less to put together and to take apart than one for many. */
const readOne = async ({ documents, listingTable, retryDelays }: ListingAccess, key: ListingKey) => {
  const request = consistentGet(listingTable, key);
  const { Item } = await withRetries(() => documents.send(request), retryDelays);
  return Item ? [Item as CounterRow] : [];
};

/** All of a group's counters at one place; once it costs more than the keys would, those are read instead. */
const readWhole = async (access: ListingAccess, part: GroupPart): Promise<CounterRow[]> => {
  const { groupSizes } = access.hints;
  const limit = part.nodes.length * access.settings.shards * itemsPerUnit(part.level);
  const rows = await readUpTo(access, part, limit);
  const isWhole = rows.length < limit;
  const size = isWhole ? Math.max(groupSizes.get(part.groupId) ?? 0, rows.length) : Number.POSITIVE_INFINITY;
  groupSizes.set(part.groupId, size);
  return isWhole ? rows : readSingle(access, [part]);
};

/** The first rows; as many as the limit where there may be more. */
const readUpTo = async (access: ListingAccess, { level, item, groupId }: GroupPart, limit: number) => {
  const rows: CounterRow[] = [];
  const pages = pagesOf(access, {
    TableName: access.listingTable,
    KeyConditionExpression: '#pk = :pk AND begins_with(#sk, :prefix)',
    ExpressionAttributeNames: { '#pk': 'pk', '#sk': 'sk' },
    ExpressionAttributeValues: { ':pk': counterPartition(groupId), ':prefix': counterPrefix(level, item) },
    ConsistentRead: true,
    Limit: limit,
  });
  for await (const page of pages) {
    rows.push(...(page as CounterRow[]));
    if (rows.length >= limit) break;
  }
  return rows;
};

const answersTo = (questions: readonly CounterQuestion[], rows: readonly CounterRow[]) => {
  const byPlace = Map.groupBy(rows, ({ sk }) => placeOfCounter(sk));
  return questions.map(({ level, item, nodes }) => {
    const wanted = new Set(nodes.map(({ id }) => id));
    const found = byPlace.get(counterPrefix(level, item)) ?? [];
    return sumShards(found.filter(({ sk }) => wanted.has(nodeIdOfCounter(sk))));
  });
};

const sumShards = (rows: readonly CounterRow[]) => {
  const sums = new Map<string, Counter>();
  for (const { pk: _pk, sk, ...counts } of rows) {
    const sum = sums.get(nodeIdOfCounter(sk)) ?? {};
    for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + Number(count);
    sums.set(nodeIdOfCounter(sk), sum);
  }
  return sums;
};
