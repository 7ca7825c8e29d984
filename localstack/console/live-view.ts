import type { Feed } from '../feed/feed.ts';
import type { View } from './view.ts';

/** The view as it changes, for those who look; while nobody does, nothing is read. */
export type LiveView = { follow: (hear: (view: View) => void) => () => void };

export type LiveViewDeps = {
  feed: Pick<Feed, 'follow'>;
  read: () => Promise<View>;
  /** Tells the person at the console what went wrong, in one sentence. */
  tell: (sentence: string) => void;
  pause: () => Promise<void>;
};

/** Reads the view again when something happened: at once for the first to look, then once for all that happens in a pause. */
export const createLiveView = ({ feed, read, tell, pause }: LiveViewDeps): LiveView => {
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
      for (const hear of followers) if (isNew || unserved.has(hear)) hear(view);
      unserved.clear();
    } catch (error) {
      tell(`The console could not read the stage: ${error}`);
    }
  };

  // What a call does is there when it returns.
  feed.follow(({ happening }) => {
    if (happening.kind !== 'called') void refresh();
  });
  return {
    follow: (hear) => {
      followers.add(hear);
      unserved.add(hear);
      void refresh();
      return () => followers.delete(hear);
    },
  };
};
