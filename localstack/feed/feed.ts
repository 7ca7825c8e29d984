import { randomUUID } from 'node:crypto';
import type { Happening } from './happening.ts';

/** A happening with its place in the order of all. */
export type FeedEntry = { id: string; atMs: number; happening: Happening };

/** What happens in the stage, in its order: told by its parts, heard by whoever looks. */
export type Feed = {
  /** The run of the stage that it tells of. */
  run: string;
  tell: (happening: Happening) => void;
  /** What came after this one; undefined where that is not known any more, as after a restart. */
  since: (id: string) => readonly FeedEntry[] | undefined;
  /** The latest, oldest first. */
  latest: () => readonly FeedEntry[];
  /** Answers how to stop hearing. */
  follow: (hear: (entry: FeedEntry) => void) => () => void;
};

/** Enough for a page that was away for a moment; each is a few hundred bytes. */
const kept = 300;

/** Ids hold the run of the stage, so that those of an earlier one are known as such. */
export const createFeed = (now: () => Date, run: string = randomUUID().slice(0, 8)): Feed => {
  const entries: FeedEntry[] = [];
  const followers = new Set<(entry: FeedEntry) => void>();
  let number = 0;
  return {
    run,
    tell: (happening) => {
      number += 1;
      const entry = { id: `${run}-${number}`, atMs: now().getTime(), happening };
      entries.push(entry);
      if (entries.length > kept) entries.shift();
      for (const hear of followers) hear(entry);
    },
    since: (id) => {
      const at = entries.findIndex((entry) => entry.id === id);
      return at === -1 ? undefined : entries.slice(at + 1);
    },
    latest: () => [...entries],
    follow: (hear) => {
      followers.add(hear);
      return () => followers.delete(hear);
    },
  };
};
