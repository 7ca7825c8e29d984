import type { VersionRange } from './message.ts';

/** What a receiver stores about the versions of one transaction. */
export type Chain = {
  /** The highest version that was applied. */
  readonly known?: number;
  /** A version up to this one is missing, so the API must be read. */
  readonly unreadTo?: number;
  /** If the API is not read: the highest version of each part. */
  readonly parts?: Readonly<Record<string, number>>;
  /** If the API is not read: the `time` of its newest message. */
  readonly latest?: string;
  /**
   * The store dropped versions, and perhaps those of this transaction. A message up to this `time` may be older than one
   * that was applied.
   */
  readonly droppedTo?: string;
};

/** How an update relates to what is known of its transaction. */
export type Link = 'fits' | 'starts-in-the-middle' | 'gap' | 'older';

/**
 * An update joins if it begins at or before the version at which the last one ended. If it begins later, it is the
 * first one since a grant, or an earlier event is missing. If it ends no later, it is older.
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
 * An update that does not join is not applied, because the API has all of it, except a deletion. Until the API is read,
 * later ones wait, too.
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

/** What remains to be read after the API was read for a version. The answer is at least as new as its event. */
export const chainAfterReading = ({ known, unreadTo }: Chain, readTo: number): Chain => ({
  known: Math.max(known ?? 0, readTo),
  ...(unreadTo !== undefined && unreadTo > readTo && { unreadTo }),
});

/** Takes each part whose stored version is below the event's, in any order of events. */
export const judgeByParts = (
  chain: Chain,
  {
    range,
    parts,
    isDeletion,
    time,
  }: Pick<Update, 'range' | 'isDeletion'> & { parts: readonly string[]; time: string },
): { taken: readonly string[]; chain: Chain } => {
  const { known = 0, parts: versions = {} } = chain;
  const latest = time > (chain.latest ?? '') ? time : (chain.latest ?? '');
  // Without versions, nothing shows that it is older.
  const to = range?.to ?? known;
  const versionOf = (name: string) => Math.max(versions[name] ?? 0, versions[everything] ?? 0);
  if (isDeletion) {
    const isLatest = range === undefined || to > known;
    return isLatest
      ? { taken: parts, chain: { known: Math.max(known, to), parts: { [everything]: to }, latest } }
      : { taken: [], chain };
  }
  const taken = parts.filter((name) => range === undefined || to > versionOf(name));
  const fresh = Object.fromEntries(taken.map((name) => [name, to]));
  return { taken, chain: { known: Math.max(known, to), parts: { ...versions, ...fresh }, latest } };
};

/** A deletion concerns every part. The API has no element of this name. */
const everything = '*';
