import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Level } from '../domain/listing-radix.ts';
import type { EstateNode } from '../domain/node.ts';
import { batchGet } from './batch-get.ts';
import {
  counterKey,
  counterPartition,
  counterPrefix,
  type ListingKey,
  nodeIdOfCounter,
  placeOfCounter,
} from './listing-keys.ts';
import type { ListingPlace } from './listing-runs.ts';
import type { ListingSettings } from './listing-settings.ts';
import { withRetries } from './store-retry.ts';

export type Counter = Record<string, number>;
export type CounterItem = { level: Level; item: number };

/** The counters of some nodes at one item of a level. */
export type CounterQuestion = CounterItem & { nodes: readonly EstateNode[] };

/** Answers all questions of a wave together, all shards added up. Learns how many nodes a group has. */
export type CounterReader = (questions: readonly CounterQuestion[]) => Promise<Map<string, Counter>[]>;

type Row = ListingKey & Record<string, unknown>;

export const createCounterReader = (place: ListingPlace, settings: ListingSettings): CounterReader => {
  const groupSizes = new Map<string, number>();

  return async (questions) => {
    const parts = questions.flatMap(partsByGroup);
    const isWhole = (part: GroupPart) =>
      isWholeCheaper(part.nodes.length, groupSizes.get(part.groupId), settings);
    const [single, ...whole] = await Promise.all([
      readSingle(
        place,
        settings,
        parts.filter((part) => !isWhole(part)),
      ),
      ...parts.filter(isWhole).map(async (part) => {
        const found = await readWhole(place, part);
        groupSizes.set(part.groupId, Math.max(groupSizes.get(part.groupId) ?? 0, found.length));
        return found;
      }),
    ]);
    return answersTo(questions, [...single, ...whole.flat()]);
  };
};

type GroupPart = CounterQuestion & { groupId: string };

const partsByGroup = ({ level, item, nodes }: CounterQuestion): GroupPart[] =>
  [...Map.groupBy(nodes, ({ groupId }) => groupId)].map(([groupId, members]) => ({
    level,
    item,
    groupId,
    nodes: members,
  }));

/** A key costs one unit; a Query costs about 500 bytes, an eighth of a unit, for each node of the group. */
const isWholeCheaper = (wanted: number, groupSize: number | undefined, { fewNodes }: ListingSettings) =>
  wanted > fewNodes && (groupSize === undefined || groupSize < wanted * 8);

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

const readWhole = async (
  { documents, listingTable, patience }: ListingPlace,
  { level, item, groupId }: GroupPart,
) => {
  const input = {
    TableName: listingTable,
    KeyConditionExpression: '#pk = :pk AND begins_with(#sk, :prefix)',
    ExpressionAttributeNames: { '#pk': 'pk', '#sk': 'sk' },
    ExpressionAttributeValues: { ':pk': counterPartition(groupId), ':prefix': counterPrefix(level, item) },
    ConsistentRead: true,
  };
  const rows: Row[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const request = new QueryCommand({ ...input, ...(start && { ExclusiveStartKey: start }) });
    const answer = await withRetries(() => documents.send(request), patience);
    rows.push(...((answer.Items ?? []) as Row[]));
    start = answer.LastEvaluatedKey;
  } while (start);
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
