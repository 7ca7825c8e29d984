import type { Feed } from '../feed/feed.ts';

const most = 16;

/** The uuids of the transactions that the console shows: changed ones, the latest first, then some of the demo data. */
export const followChanges = (feed: Pick<Feed, 'follow'>, first: () => readonly string[]) => {
  const changed: string[] = [];
  feed.follow(({ happening }) => {
    if (happening.kind !== 'called' || happening.cause.by !== 'stream') return;
    for (const uuid of happening.cause.uuids) moveToFront(changed, uuid);
    changed.splice(most);
  });
  return () => [...new Set([...changed, ...first()])].slice(0, most);
};

const moveToFront = (uuids: string[], uuid: string) => {
  const at = uuids.indexOf(uuid);
  if (at !== -1) uuids.splice(at, 1);
  uuids.unshift(uuid);
};
