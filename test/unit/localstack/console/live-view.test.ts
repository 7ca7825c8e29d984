import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { createLiveView } from '../../../../localstack/console/live-view.ts';
import type { View } from '../../../../localstack/console/view.ts';
import { createFeed } from '../../../../localstack/feed/feed.ts';
import type { Happening } from '../../../../localstack/feed/happening.ts';

const empty = { aheadMs: 0, dormancyMs: 120_000, partners: [], transactions: [], deliveries: [] };
const returned: Happening = {
  kind: 'returned',
  function: 'v2-write',
  cause: { by: 'schedule' },
  tookMs: 1,
};

const aView = () => {
  const feed = createFeed(() => new Date(0));
  const views: View[] = [];
  const told: string[] = [];
  const pauses: (() => void)[] = [];
  const state = { reads: 0, aheadMs: 0, failing: false };
  const live = createLiveView({
    feed,
    read: async () => {
      state.reads += 1;
      if (state.failing) throw new Error('no engine');
      return { ...empty, nowMs: state.reads, aheadMs: state.aheadMs };
    },
    warn: (sentence) => told.push(sentence),
    pause: () => new Promise((resolve) => pauses.push(resolve)),
  });
  const settle = async () => {
    await setImmediate();
    for (const end of pauses.splice(0)) end();
    await setImmediate();
  };
  return { feed, live, views, told, state, settle };
};

describe('RUN-10 the view', () => {
  test('is read for nobody, at once for who comes, and once for all that happens in a pause', async () => {
    const { feed, live, views, state, settle } = aView();
    feed.emit(returned);
    await settle();
    const reads = [state.reads];
    live.follow((view) => views.push(view));
    await setImmediate();
    reads.push(state.reads);

    state.aheadMs = 5;
    for (let times = 0; times < 10; times += 1) feed.emit(returned);
    await settle();

    expect([...reads, state.reads]).toEqual([0, 1, 2]);
    expect(views.map(({ aheadMs }) => aheadMs)).toEqual([0, 5]);
  });

  test('is told again only when it is another, and to who came since', async () => {
    const { feed, live, views, settle } = aView();
    live.follow((view) => views.push(view));
    await settle();
    feed.emit(returned);
    await settle();
    await settle();
    const late: View[] = [];

    live.follow((view) => late.push(view));
    await settle();

    expect(views).toHaveLength(1);
    expect(late).toHaveLength(1);
  });

  test('an engine that is away is told to the person, and asked again at what happens next', async () => {
    const { feed, live, views, told, state, settle } = aView();
    state.failing = true;
    live.follow((view) => views.push(view));
    await settle();
    state.failing = false;

    feed.emit(returned);
    await settle();

    expect(told).toEqual(['The console could not read the stage: Error: no engine']);
    expect(views).toHaveLength(1);
  });
});
