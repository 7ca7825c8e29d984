import type { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { describe, expect, test } from '@jest/globals';
import { createHandler } from '../../../../functions/publish-dormant/handler.ts';
import { createLanes } from '../../../../functions/publish-dormant/lanes.ts';
import { laneIn, lanesOf, shardsOf } from '../../../../functions/shared/domain/event/lane.ts';
import type { FlushQueue } from '../../../../functions/shared/outbound/flush-queues.ts';
import { allShards } from '../../../../functions/shared/publish/flush.ts';
import type { PublishDeps } from '../../../../functions/shared/publish/publish-deps.ts';
import { dueShardOf } from '../../../../functions/shared/store/debounce/keys.ts';
import { aCrowdedStage } from '../../../support/memory/crowded-stage.ts';
import { createMemoryLanes } from '../../../support/memory/lanes.ts';
import { aBus } from '../../../support/memory/publishing.ts';

const context = (remainingMs = 15_000) => ({ getRemainingTimeInMillis: () => remainingMs });
const aTick = { Records: [{ body: '-' }] };
const onLane = (...texts: string[]) => ({ Records: texts.map((body) => ({ body })) });

/** A stage of so many lanes with forty rows due, more than a look publishes alone. */
const aBacklog = async ({
  lanes = 4,
  rows = 40,
  parts = {} as Partial<PublishDeps>,
  isQueueDown = false,
  indexAnswers = Number.POSITIVE_INFINITY,
} = {}) => {
  const stage = await aCrowdedStage({ transactions: rows, partners: 1 });
  const { cursors } = stage.deps;
  let questions = 0;
  const due: typeof cursors.due = async (...asked) => {
    questions += 1;
    if (questions > indexAnswers) throw new Error('no store');
    return cursors.due(...asked);
  };
  const store = createMemoryLanes();
  const sent: string[] = [];
  const send = async ({ input: { Entries = [], QueueUrl } }: SendMessageBatchCommand) => {
    if (isQueueDown) throw new Error('no queue');
    expect(QueueUrl).toBe('lanes');
    sent.push(...Entries.map(({ MessageBody = '' }) => MessageBody));
    return {};
  };
  const queue: FlushQueue = { client: { send } as unknown as FlushQueue['client'], queueUrl: 'lanes' };
  let runs = 0;
  const newHolder = () => {
    runs += 1;
    return `run ${runs}`;
  };
  const reported: { oldestDueAgeMs: number; sent: number }[] = [];
  const handler = createHandler({
    publishing: { ...stage.deps, cursors: { ...cursors, due }, ...parts },
    ticks: { areComing: () => true, noteLook: () => {}, sendAhead: async () => {} },
    lanes: createLanes({ store, count: lanes, queue, clock: stage.clock.now, newHolder }),
    alone: { rows: 10, recipients: 100 },
    sendTick: async () => void sent.push('-'),
    report: (figures) => reported.push(figures as (typeof reported)[number]),
  });
  const laneOf = (uuid: string) => dueShardOf(uuid) % lanes;
  return { ...stage, stage, store, sent, reported, handler, laneOf };
};

const nowMs = ({ clock }: { clock: { now: () => Date } }) => clock.now().getTime();

describe('a look that finds a backlog', () => {
  test('EV-24 publishes one lane and asks for a further run on each of the others', async () => {
    const world = await aBacklog();

    await world.handler(aTick, context());

    const [own, ...more] = new Set((await world.settled()).map(world.laneOf));
    expect(more).toEqual([]);
    expect(world.sent.toSorted()).toEqual(
      [0, 1, 2, 3].filter((lane) => lane !== own).map((lane) => `lane ${lane} of 4`),
    );
  });

  test('EV-24 asks for the other runs before it works on its own lane, so that all work at once', async () => {
    let askedSoFar = () => 0;
    const askedBefore: number[] = [];
    const bus = aBus(() => {
      askedBefore.push(askedSoFar());
      return { outcome: 'accepted', busEventId: 'b' };
    });
    const world = await aBacklog({ parts: { bus } });
    askedSoFar = () => world.sent.length;

    await world.handler(aTick, context());

    expect(new Set(askedBefore)).toEqual(new Set([3]));
  });

  test('EV-24 takes the next lane where others were faster, and asks for none that they have', async () => {
    const world = await aBacklog();
    const lease = { holder: 'another', nowMs: nowMs(world), untilMs: nowMs(world) + 15_000 };
    await world.store.take(0, lease);
    world.store.held = async () => new Set();

    await world.handler(aTick, context());

    expect(new Set((await world.settled()).map(world.laneOf))).toEqual(new Set([1]));
    expect(world.sent).toEqual(['lane 2 of 4', 'lane 3 of 4']);
  });

  test.each([
    { atMs: 0, shards: [7, 1, 5, 2, 4], lanes: [0, 1, 2, 3] },
    { atMs: 9_999, shards: [7, 1, 5, 2, 4], lanes: [0, 1, 2, 3] },
    { atMs: 10_000, shards: [7, 1, 5, 2, 4], lanes: [1, 2, 3, 0] },
    { atMs: 70_000, shards: [7, 1, 5, 2, 4], lanes: [3, 0, 1, 2] },
    { atMs: 20_000, shards: [1, 4], lanes: [0, 1] },
  ])('EV-24 I21 takes another lane first every ten seconds, whatever stands first: %#', async (one) => {
    const { divide } = createLanes({
      ...{ store: createMemoryLanes(), count: 4, clock: () => new Date(one.atMs), newHolder: () => 'x' },
      queue: { client: { send: async () => ({}) } as unknown as FlushQueue['client'], queueUrl: 'lanes' },
    });

    const { free } = await divide(one.shards);

    expect(free.map(({ lane }) => lane)).toEqual(one.lanes);
  });

  test('EV-24 together with the runs that it asked for publishes everything once, and leaves every lane free', async () => {
    const world = await aBacklog();

    await world.handler(aTick, context());
    for (const text of [...world.sent]) await world.handler(onLane(text), context());

    expect(await world.settled()).toEqual(world.uuids);
    expect(world.bus.taken).toHaveLength(40);
    expect(await world.store.held(nowMs(world))).toEqual(new Set());
  });

  test('EV-24 I4 of what is all in flight asks for each lane once, sends nothing and leaves every lane free', async () => {
    const silent = aBus(() => ({ outcome: 'unconfirmed' }));
    const world = await aBacklog({ parts: { bus: silent } });
    const workOff = async () => {
      await world.handler(aTick, context());
      for (const text of world.sent.splice(0)) await world.handler(onLane(text), context());
    };
    await workOff();
    const asked = silent.taken.length;
    world.clock.pass({ seconds: 10 });

    await workOff();

    expect([asked, silent.taken.length]).toEqual([40, 40]);
    expect(world.sent).toEqual([]);
    expect(await world.store.held(nowMs(world))).toEqual(new Set());
  });

  test('EV-24 asks nobody for a lane that a run has, and does not work on it', async () => {
    const world = await aBacklog();
    const lease = { holder: 'another', nowMs: nowMs(world), untilMs: nowMs(world) + 15_000 };
    for (const lane of [0, 1, 2]) await world.store.take(lane, lease);

    await world.handler(aTick, context());

    expect(world.sent).toEqual([]);
    expect(new Set((await world.settled()).map(world.laneOf))).toEqual(new Set([3]));
  });

  test('EV-24 while all lanes are taken does nothing but report how old the oldest row is', async () => {
    const world = await aBacklog();
    const lease = { holder: 'another', nowMs: nowMs(world), untilMs: nowMs(world) + 15_000 };
    for (const lane of [0, 1, 2, 3]) await world.store.take(lane, lease);

    await world.handler(aTick, context());

    expect([world.sent, world.bus.taken]).toEqual([[], []]);
    expect(world.reported).toMatchObject([{ oldestDueAgeMs: 1_000, sent: 0 }]);
  });

  test('EV-24 where no further runs are allowed works on it alone, and asks for none', async () => {
    const world = await aBacklog({ lanes: 1 });

    await world.handler(aTick, context());

    expect(await world.settled()).toEqual(world.uuids);
    expect(world.sent).toEqual([]);
  });

  test('EV-24 that cannot hand out lanes publishes its own all the same, and then counts as failed', async () => {
    const world = await aBacklog({ isQueueDown: true });

    await expect(world.handler(aTick, context())).rejects.toThrow('no queue');

    expect((await world.settled()).length).toBeGreaterThan(0);
    expect(await world.store.held(nowMs(world))).toEqual(new Set());
  });

  test('EV-24 is known by its recipients, too: few rows for many partners are one, which begins with the oldest', async () => {
    const stage = await aCrowdedStage({ transactions: 8, partners: 60 });

    const { backlog, claimed } = await stage.flush({}, 6_000, { rows: 10, recipients: 100 });

    expect(claimed).toBe(0);
    expect(backlog).toEqual([...new Set(stage.uuids.map(dueShardOf))]);
    expect(backlog).not.toEqual(backlog.toSorted((one, other) => one - other));
  });
});

describe('a light load', () => {
  test('EV-24 is as many rows and recipients as a look publishes alone, and no more', async () => {
    const stage = await aCrowdedStage({ transactions: 2, partners: 60 });

    const { backlog, claimed } = await stage.flush({}, 6_000, { rows: 2, recipients: 120 });

    expect([backlog, claimed]).toEqual([[], 2]);
  });

  test('EV-24 is published without a lease: nothing more is read or written', async () => {
    const world = await aBacklog({ rows: 10 });
    const before = await world.store.held(nowMs(world));

    await world.handler(aTick, context());

    expect(await world.settled()).toEqual(world.uuids);
    expect([before, world.sent]).toEqual([new Set(), []]);
  });

  test('EV-24 that a run has no time for asks for the next look at once', async () => {
    const world = await aBacklog({ rows: 10 });

    await world.handler(aTick, context(9_000));

    expect(world.sent).toEqual(['-']);
  });
});

describe('a run that is asked for on a lane', () => {
  test('EV-24 publishes what is due in it, and nothing else', async () => {
    const world = await aBacklog();

    await world.handler(onLane('lane 2 of 4'), context());

    expect(await world.settled()).toEqual(world.uuids.filter((uuid) => world.laneOf(uuid) === 2));
    expect(world.sent).toEqual([]);
  });

  test('EV-24 does nothing where another run has the lane: a message that comes twice', async () => {
    const world = await aBacklog();
    await world.store.take(2, { holder: 'x', nowMs: nowMs(world), untilMs: nowMs(world) + 15_000 });

    await world.handler(onLane('lane 2 of 4'), context());

    expect([world.sent, world.bus.taken]).toEqual([[], []]);
  });

  test('EV-24 does nothing for a lane of another division, as after a deployment', async () => {
    const world = await aBacklog();

    await world.handler(onLane('lane 2 of 8'), context());

    expect([world.sent, world.bus.taken]).toEqual([[], []]);
  });

  test('EV-24 gives the lane back and asks for the next run where it had no time for all of it', async () => {
    const world = await aBacklog();

    await world.handler(onLane('lane 2 of 4'), context(9_000));

    expect(world.sent).toEqual(['lane 2 of 4']);
    expect(await world.store.held(nowMs(world))).toEqual(new Set());
  });

  test('EV-24 has the lane for as long as it may run, and no longer', async () => {
    const world = await aBacklog();
    const never = () => new Promise<never>(() => {});
    const dying = await aBacklog({ parts: { bus: { put: never } } });

    void dying.handler(onLane('lane 2 of 4'), context(15_000));
    for (let turn = 0; turn < 200; turn += 1) await new Promise(setImmediate);

    const fromMs = nowMs(world);
    expect(await dying.store.held(fromMs + 14_999)).toEqual(new Set([2]));
    expect(await dying.store.held(fromMs + 15_000)).toEqual(new Set());
  });

  test('EV-24 gives the lane back where the index does not answer', async () => {
    const world = await aBacklog({ indexAnswers: 0 });

    await expect(world.handler(onLane('lane 2 of 4'), context())).rejects.toThrow('No part of the index');

    expect(await world.store.held(nowMs(world))).toEqual(new Set());
  });

  test('EV-24 counts what it has published where the index answers no more', async () => {
    const world = await aBacklog({ indexAnswers: 4 });

    await world.handler(onLane('lane 2 of 4'), context());

    const own = world.uuids.filter((uuid) => world.laneOf(uuid) === 2);
    expect(await world.settled()).toEqual(own);
    expect(world.reported).toMatchObject([{ sent: own.length }]);
  });

  test('EV-24 works on one after the other where several lanes come together', async () => {
    const world = await aBacklog();

    await world.handler(onLane('lane 1 of 4', 'lane 2 of 4'), context());

    const own = world.uuids.filter((uuid) => [1, 2].includes(world.laneOf(uuid)));
    expect(await world.settled()).toEqual(own);
    expect(await world.store.held(nowMs(world))).toEqual(new Set());
  });

  test('EV-24 named together with a tick looks around as well', async () => {
    const world = await aBacklog({ rows: 10 });

    await world.handler(onLane('lane 2 of 4', '-'), context());

    expect(await world.settled()).toEqual(world.uuids);
  });
});

describe('lanes', () => {
  test.each([1, 2, 3, 8, 16])('EV-24 %i of them have every shard once', (of) => {
    const shards = Array.from({ length: of }, (_, lane) => shardsOf({ lane, of }, allShards)).flat();

    expect(shards.toSorted((one, other) => one - other)).toEqual([...allShards]);
  });

  test('EV-24 come in the order of their shards, each once', () => {
    expect(lanesOf([9, 1, 4, 5], 4)).toEqual([
      { lane: 1, of: 4 },
      { lane: 0, of: 4 },
    ]);
  });

  test('EV-24 are named by messages, and a tick names none', () => {
    expect(laneIn('lane 3 of 8')).toEqual({ lane: 3, of: 8 });
    expect(laneIn('-')).toBeUndefined();
    expect(laneIn('lane x of 8')).toBeUndefined();
    expect(laneIn('a lane 3 of 8')).toBeUndefined();
  });
});
