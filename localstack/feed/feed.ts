import { randomUUID } from 'node:crypto';
import type { Happening } from './happening.ts';

/** A happening with its id and time. */
export type FeedEntry = { id: string; atMs: number; happening: Happening };

/** The happenings of the stage in their order: its parts report them, and pages of the console follow them. */
export type Feed = {
  /** The id of this run of the stage. */
  run: string;
  emit: (happening: Happening) => void;
  /** The happenings after this id; undefined for an unknown id, as after a restart. */
  since: (id: string) => readonly FeedEntry[] | undefined;
  /** The latest happenings, oldest first. */
  latest: () => readonly FeedEntry[];
  /** Calls the follower for each happening, until the returned function is called. */
  follow: (follower: (entry: FeedEntry) => void) => () => void;
};

/** Enough for a page that was disconnected for a moment, at a few hundred bytes each. */
const kept = 300;

/** Ids contain the run of the stage, so that an id of an earlier run is unknown. */
export const createFeed = (now: () => Date, run: string = randomUUID().slice(0, 8)): Feed => {
  const entries: FeedEntry[] = [];
  const followers = new Set<(entry: FeedEntry) => void>();
  let number = 0;
  return {
    run,
    emit: (happening) => {
      number += 1;
      const entry = { id: `${run}-${number}`, atMs: now().getTime(), happening };
      entries.push(entry);
      if (entries.length > kept) entries.shift();
      for (const follower of followers) follower(entry);
    },
    since: (id) => {
      const at = entries.findIndex((entry) => entry.id === id);
      return at === -1 ? undefined : entries.slice(at + 1);
    },
    latest: () => [...entries],
    follow: (follower) => {
      followers.add(follower);
      return () => followers.delete(follower);
    },
  };
};
