import type { VersionRange } from './message.ts';

/** What a receiver remembers of the versions of one transaction. */
export type Chain = {
  /** The highest version that was applied. */
  readonly known?: number;
  /** The API must be read, since a version up to this one is missing. */
  readonly unreadTo?: number;
  /** Where the API is not read: the highest version of each part. */
  readonly parts?: Readonly<Record<string, number>>;
};

/** Where an update stands to what is known of its transaction. */
export type Link = 'fits' | 'starts-in-the-middle' | 'gap' | 'older';

/**
 * Updates join where each begins at, or before, the version where the last one ended. One that begins later is the first
 * since a grant, or something is missing before it. One that ends no later is older.
 */
export const linkOf = (known: number | undefined, { from, to }: VersionRange): Link => {
  if (known === undefined) return from === 0 ? 'fits' : 'starts-in-the-middle';
  if (to <= known) return 'older';
  return from <= known ? 'fits' : 'gap';
};

type Update = {
  readonly range: VersionRange | undefined;
  readonly omitted: readonly string[];
  readonly isDeletion: boolean;
};

/**
 * What does not join is not applied: the API has the whole, but of a deletion nothing. Until it is read, later ones wait
 * for it, too.
 */
export const judgeByReading = (
  chain: Chain,
  { range, omitted, isDeletion }: Update,
): { isApplied: boolean; chain: Chain } => {
  const { known, unreadTo } = chain;
  if (range === undefined) return { isApplied: false, chain: { ...chain, unreadTo: unreadTo ?? known ?? 0 } };
  const reached = Math.max(known ?? 0, unreadTo ?? 0);
  if (range.to <= reached) return { isApplied: false, chain };
  const joins = unreadTo === undefined && (isDeletion || linkOf(known, range) === 'fits');
  if (!joins) return { isApplied: false, chain: { ...chain, unreadTo: range.to } };
  const isWhole = omitted.length === 0;
  return { isApplied: true, chain: { known: range.to, ...(!isWhole && { unreadTo: range.to }) } };
};

/** What remains to be read once the API was read for a version; the answer is at least as new as its event. */
export const chainAfterReading = ({ known, unreadTo }: Chain, readTo: number): Chain => ({
  known: Math.max(known ?? 0, readTo),
  ...(unreadTo !== undefined && unreadTo > readTo && { unreadTo }),
});

/** Each part is taken whose remembered version is below the event's, however the events overtake each other. */
export const judgeByParts = (
  chain: Chain,
  { range, parts, isDeletion }: Pick<Update, 'range' | 'isDeletion'> & { parts: readonly string[] },
): { taken: readonly string[]; chain: Chain } => {
  const { known = 0, parts: versions = {} } = chain;
  // Without versions nothing says that it is older.
  const to = range?.to ?? known;
  const versionOf = (name: string) => Math.max(versions[name] ?? 0, versions[everything] ?? 0);
  if (isDeletion) {
    const isLatest = range === undefined || to > known;
    return isLatest
      ? { taken: parts, chain: { known: Math.max(known, to), parts: { [everything]: to } } }
      : { taken: [], chain };
  }
  const taken = parts.filter((name) => range === undefined || to > versionOf(name));
  const fresh = Object.fromEntries(taken.map((name) => [name, to]));
  return { taken, chain: { known: Math.max(known, to), parts: { ...versions, ...fresh } } };
};

/** A deletion tells of every part; the API knows no element of this name. */
const everything = '*';
