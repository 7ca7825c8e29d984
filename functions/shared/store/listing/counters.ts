import { type Level, rootLevel } from '../../domain/listing/radix.ts';
import type { Rollup, RollupKind } from '../../domain/ownership/rollup.ts';
import { pagesOf } from '../dynamodb/pages.ts';
import type { ListingAccess } from './access.ts';
import {
  type CounterItem,
  counterPartition,
  kindPrefix,
  type ListingKey,
  rollupKeyOfCounter,
  rollupPrefix,
} from './keys.ts';

/** Counts by attribute name. */
export type Counter = Record<string, number>;

/** The counters of some rollups at one item of a level. */
type CounterQuestion = CounterItem & { rollups: readonly Rollup[] };

/** Each rollup's counters at the item, the sum of all shards, by the rollup's id. */
export type CounterReader = (question: CounterQuestion) => Promise<Map<string, Counter>>;

type CounterRow = ListingKey & Record<string, unknown>;

/**
 * Reads the counters of one page in the cheaper of two ways: a Query for each rollup, or one for all rollups of a kind
 * in a group.
 */
export const createCounterReader = (access: ListingAccess): CounterReader => {
  const sizes: GroupSizes = new Map();
  return (question) => readCounters({ ...access, sizes }, question);
};

type Access = ListingAccess & { sizes: GroupSizes };

/**
 * The number of counter items of a kind in a group at a place, as far as this walk knows. Infinite if they were too
 * many to read.
 */
type GroupSizes = Map<string, number>;

const readCounters = async (access: Access, question: CounterQuestion) => {
  const rows = await Promise.all(
    partsOf(question).map((part) =>
      isWholeCheaper(access, part) ? readWhole(access, part) : readRollups(access, part),
    ),
  );
  const wanted = new Set(question.rollups.map(({ id }) => id));
  return sumShards(rows.flat().filter(({ sk }) => wanted.has(rollupKeyOfCounter(sk))));
};

/** Rollups of one kind in one group. */
type Part = CounterQuestion & { groupId: string; kind: RollupKind };

const partsOf = ({ rollups, ...place }: CounterQuestion): Part[] =>
  [...Map.groupBy(rollups, nameOfKind).values()].flatMap((members) =>
    members.slice(0, 1).map(({ groupId, kind }) => ({ ...place, groupId, kind, rollups: members })),
  );

const nameOfKind = ({ kind, groupId }: Pick<Rollup, 'kind' | 'groupId'>) => `${kind} ${groupId}`;

/** A Query costs at least one unit, and a unit for each 4 kB: a root has about 75 bytes, other counters up to 500. */
const itemsPerUnit = (level: Level) => (level === rootLevel ? 55 : 8);

/** This many counter items cost as much as a Query for each of the rollups. */
const itemsForRollups = ({ level, rollups }: Part) => rollups.length * itemsPerUnit(level);

/**
 * This many Queries are made at once. Above it, a further wave finds out whether the group has few enough rollups for
 * one Query.
 */
const rollupsToReadAtOnce = 8;

/** At the roots the group's number of rollups is unknown: `readWhole` stops early if there are too many. */
const isWholeCheaper = ({ sizes }: Access, part: Part) =>
  part.rollups.length > rollupsToReadAtOnce && (sizes.get(nameOfKind(part)) ?? 0) < itemsForRollups(part);

const readRollups = async (access: ListingAccess, { rollups, ...part }: Part) => {
  const rows = await Promise.all(
    rollups.map((rollup) => readRows(access, part.groupId, rollupPrefix(rollup, part))),
  );
  return rows.flat();
};

/** All counters of a kind at one place. If they cost more than the rollups would, those are read instead. */
const readWhole = async (access: Access, part: Part): Promise<CounterRow[]> => {
  const limit = itemsForRollups(part);
  const rows = await readRows(access, part.groupId, kindPrefix(part.kind, part), limit);
  const isWhole = rows.length < limit;
  const size = isWhole
    ? Math.max(access.sizes.get(nameOfKind(part)) ?? 0, rows.length)
    : Number.POSITIVE_INFINITY;
  access.sizes.set(nameOfKind(part), size);
  return isWhole ? rows : readRollups(access, part);
};

/** The counters of a group whose keys have this prefix. With a limit, at most that many. */
const readRows = async (access: ListingAccess, groupId: string, prefix: string, limit?: number) => {
  const rows: CounterRow[] = [];
  const pages = pagesOf(access, {
    TableName: access.listingTable,
    KeyConditionExpression: '#pk = :pk AND begins_with(#sk, :prefix)',
    ExpressionAttributeNames: { '#pk': 'pk', '#sk': 'sk' },
    ExpressionAttributeValues: { ':pk': counterPartition(groupId), ':prefix': prefix },
    ConsistentRead: true,
    ...(limit !== undefined && { Limit: limit }),
  });
  for await (const page of pages) {
    rows.push(...(page as CounterRow[]));
    if (limit !== undefined && rows.length >= limit) break;
  }
  return rows;
};

const sumShards = (rows: readonly CounterRow[]) => {
  const sums = new Map<string, Counter>();
  for (const { pk: _pk, sk, ...counts } of rows) {
    const sum = sums.get(rollupKeyOfCounter(sk)) ?? {};
    for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + Number(count);
    sums.set(rollupKeyOfCounter(sk), sum);
  }
  return sums;
};
