import { describe, expect, test } from '@jest/globals';
import { createFeed, type FeedEntry } from '../../../../localstack/feed/feed.ts';
import type { Happening } from '../../../../localstack/feed/happening.ts';

const line = (said: string): Happening => ({ kind: 'received', line: said });
const linesOf = (entries: readonly FeedEntry[] | undefined) =>
  entries?.map(({ happening }) => (happening.kind === 'received' ? happening.line : happening.kind));
const aFeed = (run = 'run1') => createFeed(() => new Date(1000), run);

describe('RUN-10 the feed of the stage', () => {
  test('tells those who follow, in order, until they stop', () => {
    const feed = aFeed();
    const heard: FeedEntry[] = [];

    const stop = feed.follow((entry) => heard.push(entry));
    feed.emit(line('one'));
    feed.emit(line('two'));
    stop();
    feed.emit(line('three'));

    expect(heard).toEqual([
      { id: 'run1-1', atMs: 1000, happening: line('one') },
      { id: 'run1-2', atMs: 1000, happening: line('two') },
    ]);
  });

  test('who was away gets what came since, and nothing twice', () => {
    const feed = aFeed();
    for (const said of ['one', 'two', 'three']) feed.emit(line(said));

    expect(linesOf(feed.since('run1-1'))).toEqual(['two', 'three']);
    expect(linesOf(feed.since('run1-3'))).toEqual([]);
  });

  test('what an earlier run told is not known, and neither is what was long ago', () => {
    const feed = aFeed('run2');
    for (let number = 1; number <= 301; number += 1) feed.emit(line(`${number}`));

    expect(feed.since('run1-1')).toBeUndefined();
    expect(feed.since('')).toBeUndefined();
    expect(feed.since('run2-1')).toBeUndefined();
    expect(linesOf(feed.since('run2-300'))).toEqual(['301']);
    expect(feed.latest()).toHaveLength(300);
  });
});
