import type { Feed } from '../feed/feed.ts';
import type { View } from './view.ts';

/** Sends the view at each change to its followers. Without followers the stage is not read. */
export type LiveView = { follow: (follower: (view: View) => void) => () => void };

export type LiveViewDeps = {
  feed: Pick<Feed, 'follow'>;
  read: () => Promise<View>;
  /** Prints a sentence about a fault. */
  warn: (sentence: string) => void;
  pause: () => Promise<void>;
};

/** Reads the view at once for a new follower, and after happenings, once for all of a pause. */
export const createLiveView = ({ feed, read, warn, pause }: LiveViewDeps): LiveView => {
  const followers = new Set<(view: View) => void>();
  const unserved = new Set<(view: View) => void>();
  let last: Omit<View, 'nowMs'> | undefined;
  let isStale = false;
  let isReading = false;

  const refresh = async () => {
    isStale = true;
    if (isReading) return;
    isReading = true;
    while (isStale && followers.size > 0) {
      isStale = false;
      await readOnce();
      await pause();
    }
    isReading = false;
  };

  const readOnce = async () => {
    try {
      const view = await read();
      const { nowMs: _, ...shown } = view;
      const isNew = JSON.stringify(shown) !== JSON.stringify(last);
      last = shown;
      for (const follower of followers) if (isNew || unserved.has(follower)) follower(view);
      unserved.clear();
    } catch (error) {
      warn(`The console could not read the stage: ${error}`);
    }
  };

  // A call has changed the stage when it returns, not when it begins.
  feed.follow(({ happening }) => {
    if (happening.kind !== 'called') void refresh();
  });
  return {
    follow: (follower) => {
      followers.add(follower);
      unserved.add(follower);
      void refresh();
      return () => followers.delete(follower);
    },
  };
};
