import { bucketOf } from '../../domain/listing/radix.ts';
import { entriesOfAllRun, isAllRunCheaper, type ReadRange } from '../../domain/listing/read-plan.ts';
import { entriesToRead } from '../../domain/listing/read-units.ts';
import type { PageRequest } from '../../domain/listing/spans.ts';
import { covers, type Grant } from '../../domain/ownership/grant.ts';
import type { Rollup } from '../../domain/ownership/rollup.ts';
import type { Status } from '../../domain/transaction/transaction.ts';
import type { ListingAccess } from './access.ts';
import type { ListingEntry } from './change.ts';
import { allRunPartition, runPartition } from './keys.ts';
import { type PageEntry, readRun } from './runs.ts';
import type { ListingSettings } from './settings.ts';

/** A page of the transactions that the grants cover. */
export type PageQuestion = {
  grants: readonly Grant[];
  rollups: readonly Rollup[];
  status: Status | undefined;
  wanted: PageRequest;
};

/** One Query for each remaining run, or the run of all transactions if that is cheaper. */
export const readRange = async (
  access: ListingAccess,
  question: PageQuestion,
  range: ReadRange,
): Promise<PageEntry[]> => {
  if (isAllRunCheaper(range, access.settings)) return readAllRun(access, question, range);
  const { from, to, descending, count } = range;
  const runs = await Promise.all(
    range.rollups
      .filter((rollup) => rollup.matching > 0)
      .map((rollup) =>
        readRun(access, {
          partition: runPartition(rollup.id),
          isBrief: true,
          from,
          to,
          descending,
          status: question.status,
          wanted: Math.min(count, rollup.matching),
          pageSize: entriesToRead(count, rollup),
        }),
      ),
  );
  return nearest(runs.flat(), descending, count);
};

/** Reads bucket by bucket from the nearer end, until there are enough entries that the grants cover. */
const readAllRun = async (access: ListingAccess, { grants, status }: PageQuestion, range: ReadRange) => {
  const { from, to, descending, count } = range;
  const found: ListingEntry[] = [];
  for (const bucket of bucketsOf(access.settings, range)) {
    const wanted = count - found.length;
    if (wanted <= 0) break;
    found.push(
      ...(await readRun(access, {
        partition: allRunPartition(bucket),
        from,
        to,
        descending,
        status,
        accept: (entry) => covers(grants, ownerOf(entry)),
        wanted,
        pageSize: entriesOfAllRun({ ...range, count: wanted }),
      })),
    );
  }
  return nearest(found, descending, count);
};

/** The entries nearest to the end from which was read, in the order of creation. */
export const nearest = (entries: readonly PageEntry[], descending: boolean, count: number): PageEntry[] => {
  const sorted = entries.toSorted((a, b) => (a.sk < b.sk ? -1 : 1));
  return descending ? sorted.slice(Math.max(0, sorted.length - count)) : sorted.slice(0, count);
};

const bucketsOf = ({ radix }: ListingSettings, { from, to, descending }: ReadRange) => {
  const first = bucketOf(radix, from);
  const buckets = Array.from({ length: bucketOf(radix, to - 1) - first + 1 }, (_, index) => first + index);
  return descending ? buckets.reverse() : buckets;
};

/** The part of an owner that `covers` needs. Entries without an owner have no `g`. */
export const ownerOf = ({ g, f = '', l = '' }: ListingEntry) =>
  g === undefined ? undefined : { group: g, franchise: f, location: l, branch: '', groupSoftware: null };
