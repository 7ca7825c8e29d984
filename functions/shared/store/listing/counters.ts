import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { type Level, rootLevel } from '../../domain/listing/radix.ts';
import type { EstateNode } from '../../domain/ownership/node.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { withRetries } from '../dynamodb/retry.ts';
import {
  counterKey,
  counterPartition,
  counterPrefix,
  type ListingKey,
  nodeIdOfCounter,
  placeOfCounter,
} from './keys.ts';
import type { ListingPlace } from './runs.ts';
import type { ListingSettings } from './settings.ts';

export type Counter = Record<string, number>;
export type CounterItem = { level: Level; item: number };

/** The counters of some nodes at one item of a level. */
export type CounterQuestion = CounterItem & { nodes: readonly EstateNode[] };

/** Answers all questions of a wave together, all shards added up. */
export type CounterReader = (questions: readonly CounterQuestion[]) => Promise<Map<string, Counter>[]>;

type Row = ListingKey & Record<string, unknown>;

/** How many counter items a group's level has, as far as this process has seen; infinite when it was too many to read. */
export type GroupSizes = Map<string, number>;

export const createCounterReader =
  (place: ListingPlace, settings: ListingSettings, sizes: GroupSizes): CounterReader =>
  async (questions) => {
    const parts = questions.flatMap(partsByGroup);
    const isWhole = (part: GroupPart) => isWholeCheaper(part, settings, sizes.get(part.groupId));
    const [single, ...whole] = await Promise.all([
      readSingle(
        place,
        settings,
        parts.filter((part) => !isWhole(part)),
      ),
      ...parts.filter(isWhole).map((part) => readWhole(place, settings, part, sizes)),
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
  { documents, listingTable, patience }: ListingPlace,
  { shards }: ListingSettings,
  parts: readonly GroupPart[],
) => {
  const keys = parts.flatMap(({ level, item, nodes }) =>
    nodes.flatMap((node) =>
      Array.from({ length: shards }, (_, shard) => counterKey(node, level, item, shard)),
    ),
  );
  return (await batchGet(documents, { table: listingTable, keys }, patience)) as Row[];
};

/** All of a group's counters at one place; once it costs more than the keys would, those are read instead. */
const readWhole = async (
  place: ListingPlace,
  settings: ListingSettings,
  part: GroupPart,
  sizes: GroupSizes,
): Promise<Row[]> => {
  const limit = part.nodes.length * settings.shards * itemsPerUnit(part.level);
  const rows: Row[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const answer = await queryPart(place, part, limit - rows.length, start);
    rows.push(...((answer.Items ?? []) as Row[]));
    start = answer.LastEvaluatedKey;
  } while (start && rows.length < limit);
  sizes.set(
    part.groupId,
    start ? Number.POSITIVE_INFINITY : Math.max(sizes.get(part.groupId) ?? 0, rows.length),
  );
  return start ? readSingle(place, settings, [part]) : rows;
};

const queryPart = (
  { documents, listingTable, patience }: ListingPlace,
  { level, item, groupId }: GroupPart,
  limit: number,
  start: Record<string, unknown> | undefined,
) => {
  const request = new QueryCommand({
    TableName: listingTable,
    KeyConditionExpression: '#pk = :pk AND begins_with(#sk, :prefix)',
    ExpressionAttributeNames: { '#pk': 'pk', '#sk': 'sk' },
    ExpressionAttributeValues: { ':pk': counterPartition(groupId), ':prefix': counterPrefix(level, item) },
    ConsistentRead: true,
    Limit: limit,
    ...(start && { ExclusiveStartKey: start }),
  });
  return withRetries(() => documents.send(request), patience);
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
