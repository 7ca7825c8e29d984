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
} from './listing-keys.ts';
import type { ListingPlace } from './listing-runs.ts';
import type { ListingSettings } from './listing-settings.ts';
import { withRetries } from './store-retry.ts';

export type Counter = Record<string, number>;
export type CounterItem = { level: Level; item: number };

/** Reads nodes' counters at one item of a level, all shards added up. Learns how many nodes a group has. */
export type CounterReader = (at: CounterItem, nodes: readonly EstateNode[]) => Promise<Map<string, Counter>>;

type Row = ListingKey & Record<string, unknown>;

export const createCounterReader = (place: ListingPlace, settings: ListingSettings): CounterReader => {
  const groupSizes = new Map<string, number>();

  return async (at, nodes) => {
    const groups = [...Map.groupBy(nodes, ({ groupId }) => groupId)];
    const whole = groups.filter(([id, members]) =>
      isWholeCheaper(members.length, groupSizes.get(id), settings),
    );
    const single = groups.filter((group) => !whole.includes(group)).flatMap(([, members]) => members);
    const rows = await Promise.all([
      readSingle(place, settings, at, single),
      ...whole.map(async ([groupId]) => {
        const found = await readWhole(place, at, groupId);
        groupSizes.set(groupId, Math.max(groupSizes.get(groupId) ?? 0, found.length));
        return found;
      }),
    ]);
    return sumShards(rows.flat(), new Set(nodes.map(({ id }) => id)));
  };
};

/** A key costs one unit; a Query costs about 500 bytes, an eighth of a unit, for each node of the group. */
const isWholeCheaper = (wanted: number, groupSize: number | undefined, { fewNodes }: ListingSettings) =>
  wanted > fewNodes && (groupSize === undefined || groupSize < wanted * 8);

const readSingle = async (
  { documents, listingTable, patience }: ListingPlace,
  { shards }: ListingSettings,
  { level, item }: CounterItem,
  nodes: readonly EstateNode[],
) => {
  const keys = nodes.flatMap((node) =>
    Array.from({ length: shards }, (_, shard) => counterKey(node, level, item, shard)),
  );
  return (await batchGet(documents, { table: listingTable, keys }, patience)) as Row[];
};

const readWhole = async (
  { documents, listingTable, patience }: ListingPlace,
  { level, item }: CounterItem,
  groupId: string,
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

const sumShards = (rows: readonly Row[], wanted: ReadonlySet<string>) => {
  const sums = new Map<string, Counter>();
  for (const { pk: _pk, sk, ...counts } of rows) {
    const id = nodeIdOfCounter(sk);
    if (!wanted.has(id)) continue;
    const sum = sums.get(id) ?? {};
    for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + Number(count);
    sums.set(id, sum);
  }
  return sums;
};
