import type { VersionRange } from './message.ts';

/** How an update fits to what a receiver has of that transaction. */
export type ChainLink = 'fits' | 'starts-in-the-middle' | 'gap' | 'older';

/**
 * Updates of one transaction join without gap: each begins at, or before, the version where the last one ended. One that begins later
 * is the first since a grant, or something was missed: then the API has the whole. One that ends no later is old news.
 */
export const decideLink = (known: number | undefined, { from, to }: VersionRange): ChainLink => {
  if (known === undefined) return from === 0 ? 'fits' : 'starts-in-the-middle';
  if (to <= known) return 'older';
  return from <= known ? 'fits' : 'gap';
};
