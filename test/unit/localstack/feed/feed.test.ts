import { expect, test } from '@jest/globals';
import { createFeed } from '../../../../localstack/feed/feed.ts';

test('RUN-10 the feed has the latest 300 of its own run: of an earlier run, or of long ago, nothing is known', () => {
  const feed = createFeed(() => new Date(1000), 'run2');
  for (let number = 1; number <= 301; number += 1) feed.emit({ kind: 'received', line: `${number}` });

  expect(['run1-1', '', 'run2-1'].map(feed.since)).toEqual([undefined, undefined, undefined]);
  expect(feed.since('run2-300')).toEqual([
    { id: 'run2-301', atMs: 1000, happening: { kind: 'received', line: '301' } },
  ]);
  expect(feed.since('run2-301')).toEqual([]);
  expect(feed.latest()).toHaveLength(300);
});
