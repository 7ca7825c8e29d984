import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { bucketOf } from '../../domain/listing/radix.ts';
import { inWholeUnits, lastEntriesToRead } from '../../domain/listing/read-units.ts';
import { type CountedRollup, totalOf } from '../../domain/listing/spans.ts';
import { covers, type Grant } from '../../domain/ownership/grant.ts';
import { withRetries } from '../dynamodb/retry.ts';
import type { ListingAccess } from './access.ts';
import { allRunPartition, runPartition } from './keys.ts';
import { nearest, ownerOf, type PageQuestion } from './page-entries.ts';
import { type PageEntry, type RunQuestion, readRun, runQuery } from './runs.ts';

/** What was found at one end of a run, and how far it was read. */
export type RunEnd = {
  /** The run's rollup. Undefined for the run of all transactions. */
  id?: string;
  /** The matching entries, nearest to the end first. */
  entries: PageEntry[];
  /** The last sort key that was read. Undefined if the run has no more. */
  frontier: string | undefined;
};

/**
 * Page 1, and the page after a cursor, are read together with the roots: the first entries of each run, or for many
 * rollups the first of the run of all transactions.
 */
export const readFirstEnds = async (
  access: ListingAccess,
  { rollups, status, wanted, grants }: PageQuestion,
): Promise<RunEnd[] | undefined> => {
  const { fewRollups, unitEntries } = access.settings;
  const from = 'after' in wanted ? wanted.after + 1 : 0;
  if ('offset' in wanted && wanted.offset > 0) return undefined;
  if (rollups.length <= fewRollups) {
    const pageSize = status === undefined ? wanted.count : Math.max(wanted.count, unitEntries);
    return Promise.all(rollups.map(({ id }) => readEnd(access, id, { from, status, pageSize })));
  }
  if (status !== undefined || from > 0) return undefined;
  return [await readFirstBucket(access, grants, wanted.count)];
};

/** If at least one creation in 25 is within the scope, this fills the page. Otherwise the counters find it. */
const readFirstBucket = async (
  access: ListingAccess,
  grants: readonly Grant[],
  count: number,
): Promise<RunEnd> => {
  const entries = await readRun(access, {
    partition: allRunPartition(bucketOf(access.settings.radix, 0)),
    accept: (entry) => covers(grants, ownerOf(entry)),
    wanted: count,
    pageSize: inWholeUnits(count * 4, { hasOwners: true }),
    maximum: count * 25,
  });
  return { entries, frontier: entries.at(-1)?.sk ?? '' };
};

/** The last page consists of the last entries of the runs. Undefined if the counters must find it. */
export const readLastPage = async (
  access: ListingAccess,
  { status, wanted }: PageQuestion,
  counts: readonly CountedRollup[],
): Promise<PageEntry[] | undefined> => {
  const { fewRollups, unitEntries } = access.settings;
  if ('after' in wanted || counts.length > fewRollups) return undefined;
  const count = totalOf(counts).matching - wanted.offset;
  if (count > wanted.count) return undefined;
  const some = counts.filter(({ matching }) => matching > 0);
  const limits = lastEntriesToRead(count, some, { status, unitEntries });
  if (!limits) return undefined;
  const endOf = ({ id }: CountedRollup, index: number) =>
    readEnd(access, id, { descending: true, status, pageSize: limits[index] ?? 0 });
  return pageOfEnds(await Promise.all(some.map(endOf)), counts, { count, descending: true });
};

/** One request, however few of the entries match. */
const readEnd = async (
  access: ListingAccess,
  id: string,
  question: Omit<RunQuestion, 'partition'>,
): Promise<RunEnd> => {
  const request = new QueryCommand(
    runQuery(access, { partition: runPartition(id), isBrief: true, ...question }),
  );
  const { Items = [], LastEvaluatedKey } = await withRetries(
    () => access.documents.send(request),
    access.retryDelays,
  );
  return { id, entries: Items as PageEntry[], frontier: LastEvaluatedKey?.sk };
};

/**
 * The page at these ends, in the order of creation. Undefined if a nearer entry may lie beyond what was read. A run
 * that has given as many entries as match by the counts of its root has no others.
 */
export const pageOfEnds = (
  ends: readonly RunEnd[],
  counts: readonly CountedRollup[],
  { count, descending }: { count: number; descending: boolean },
): PageEntry[] | undefined => {
  const entries = ends.flatMap((end) => end.entries);
  const page = nearest(entries, descending, count);
  const furthest = page.length < count ? undefined : page.at(descending ? 0 : -1)?.sk;
  const matching = new Map<string | undefined, number>(counts.map((rollup) => [rollup.id, rollup.matching]));
  matching.set(undefined, totalOf(counts).matching);
  const isSure = ends.every(({ id, entries: { length }, frontier }) => {
    if (frontier === undefined || length >= (matching.get(id) ?? 0)) return true;
    return furthest !== undefined && (descending ? furthest >= frontier : furthest <= frontier);
  });
  return isSure ? page : undefined;
};
