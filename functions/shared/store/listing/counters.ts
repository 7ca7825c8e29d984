import { type Level, rootLevel } from '../../domain/listing/radix.ts';
import type { OwnershipNode } from '../../domain/ownership/node.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { pagesOf } from '../dynamodb/pages.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import {
  counterKey,
  counterPartition,
  counterPrefix,
  type ListingKey,
  nodeIdOfCounter,
  placeOfCounter,
} from './keys.ts';
import type { ListingSettings } from './settings.ts';

export type Counter = Record<string, number>;
export type CounterItem = { level: Level; item: number };

/** The counters of some nodes at one item of a level. */
export type CounterQuestion = CounterItem & { nodes: readonly OwnershipNode[] };

/** Answers all questions of a wave together, all shards added up. */
export type CounterReader = (questions: readonly CounterQuestion[]) => Promise<Map<string, Counter>[]>;

type Row = ListingKey & Record<string, unknown>;

/** How many counter items a group's level has, as far as this process has seen; infinite when it was too many to read. */
export type GroupSizes = Map<string, number>;

export const createCounterReader =
  (access: TableAccess<'listingTable'>, settings: ListingSettings, sizes: GroupSizes): CounterReader =>
  async (questions) => {
    const parts = questions.flatMap(partsByGroup);
    const isWhole = (part: GroupPart) => isWholeCheaper(part, settings, sizes.get(part.groupId));
    const [single, ...whole] = await Promise.all([
      readSingle(
        access,
        settings,
        parts.filter((part) => !isWhole(part)),
      ),
      ...parts.filter(isWhole).map((part) => readWhole(access, settings, part, sizes)),
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

/** A group never read as a whole is tried at its roots, where `readWhole` sees early that it is too large. */
const isWholeCheaper = (
  { level, nodes }: GroupPart,
  { shards }: ListingSettings,
  size: number | undefined,
) => {
  if (nodes.length === 1) return false;
  return size === undefined ? level === rootLevel : size < nodes.length * shards * itemsPerUnit(level);
};

const readSingle = async (
  access: TableAccess<'listingTable'>,
  { shards }: ListingSettings,
  parts: readonly GroupPart[],
) => {
  const keys = parts.flatMap(({ level, item, nodes }) =>
    nodes.flatMap((node) =>
      Array.from({ length: shards }, (_, shard) => counterKey(node, level, item, shard)),
    ),
  );
  return (await batchGet(access, { table: access.listingTable, keys })) as Row[];
};

/** All of a group's counters at one place; once it costs more than the keys would, those are read instead. */
const readWhole = async (
  access: TableAccess<'listingTable'>,
  settings: ListingSettings,
  part: GroupPart,
  sizes: GroupSizes,
): Promise<Row[]> => {
  const limit = part.nodes.length * settings.shards * itemsPerUnit(part.level);
  const rows = await readUpTo(access, part, limit);
  const isWhole = rows.length < limit;
  const size = isWhole ? Math.max(sizes.get(part.groupId) ?? 0, rows.length) : Number.POSITIVE_INFINITY;
  sizes.set(part.groupId, size);
  return isWhole ? rows : readSingle(access, settings, [part]);
};

/** The first rows; as many as the limit where there may be more. */
const readUpTo = async (
  access: TableAccess<'listingTable'>,
  { level, item, groupId }: GroupPart,
  limit: number,
) => {
  const rows: Row[] = [];
  const pages = pagesOf(access, {
    TableName: access.listingTable,
    KeyConditionExpression: '#pk = :pk AND begins_with(#sk, :prefix)',
    ExpressionAttributeNames: { '#pk': 'pk', '#sk': 'sk' },
    ExpressionAttributeValues: { ':pk': counterPartition(groupId), ':prefix': counterPrefix(level, item) },
    ConsistentRead: true,
    Limit: limit,
  });
  for await (const page of pages) {
    rows.push(...(page as Row[]));
    if (rows.length >= limit) break;
  }
  return rows;
};

const answersTo = (questions: readonly CounterQuestion[], rows: readonly Row[]) => {
  const byPlace = Map.groupBy(rows, ({ sk }) => placeOfCounter(sk));
  return questions.map(({ level, item, nodes }) => {
    const wanted = new Set(nodes.map(({ id }) => id));
    const found = byPlace.get(counterPrefix(level, item)) ?? [];
    return sumShards(found.filter(({ sk }) => wanted.has(nodeIdOfCounter(sk))));
  });
};

const sumShards = (rows: readonly Row[]) => {
  const sums = new Map<string, Counter>();
  for (const { pk: _pk, sk, ...counts } of rows) {
    const sum = sums.get(nodeIdOfCounter(sk)) ?? {};
    for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + Number(count);
    sums.set(nodeIdOfCounter(sk), sum);
  }
  return sums;
};
