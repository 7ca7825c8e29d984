import { describe, expect, test } from '@jest/globals';
import { createHandler, lightLoad } from '../../../../functions/publish-dormant/handler.ts';
import type { PublishDeps } from '../../../../functions/shared/publish/publish-deps.ts';
import { dueShardOf } from '../../../../functions/shared/store/debounce/keys.ts';
import { aCrowdedStage } from '../../../support/memory/crowded-stage.ts';
import { aBus, invocationContext } from '../../../support/memory/publishing.ts';

const aTick = { Records: [{ body: '-' }] };
const forShard = (shard: number) => ({ Records: [{ body: `shard ${shard}` }] });

/** A stage with due rows, forty of which are more than a poll publishes itself, and due redrives. */
const aStage = async ({
  rows = 40,
  resends = 0,
  parts = {} as Partial<PublishDeps>,
  isQueueDown = false,
  indexAnswers = Number.POSITIVE_INFINITY,
} = {}) => {
  const stage = await aCrowdedStage({ transactions: rows, partners: 1 });
  const { debounceRows } = stage.deps;
  await stage.sendTestsAgain(Array.from({ length: resends }, (_, index) => `again-${index}`));
  const beganAtMs = stage.clock.now().getTime();
  let questions = 0;
  const asked: number[] = [];
  const due: typeof debounceRows.due = async (shard, ...bounds) => {
    asked.push(shard);
    questions += 1;
    if (questions > indexAnswers) throw new Error('no store');
    return debounceRows.due(shard, ...bounds);
  };
  const workers: { shards: readonly number[]; occasion: string }[] = [];
  const reported: Record<string, number>[] = [];
  const logged: unknown[] = [];
  const handler = createHandler({
    publishing: {
      ...stage.deps,
      debounceRows: { ...debounceRows, due },
      log: (name, facts, fault) => logged.push([name, facts, ...(fault ? [(fault as Error).message] : [])]),
      ...parts,
    },
    ticks: {
      ...{ areComing: () => true, recordPoll: () => {}, sendAhead: async () => {} },
      occasionOf: (nowMs) => `tick of ${nowMs - beganAtMs}`,
    },
    light: { rows: 10, recipients: 100 },
    askForWorkers: async (shards, occasion) => {
      if (isQueueDown) throw new Error('no queue');
      workers.push({ shards, occasion });
    },
    sendTick: async () => {},
    report: (figures) => reported.push({ ...figures } as Record<string, number>),
  });
  return { ...stage, handler, workers, asked, reported, logged };
};

const shardsOf = (uuids: readonly string[]) => [...new Set(uuids.map(dueShardOf))];

describe('a poll that finds a backlog', () => {
  test('EV-24 sends a message for each due shard with rows, with the id of its tick, and publishes nothing', async () => {
    const { handler, workers, uuids, bus, logged, completed } = await aStage();

    await handler(aTick, invocationContext());

    const shards = shardsOf(uuids);
    expect(workers).toEqual([{ shards, occasion: 'tick of 0' }]);
    expect(bus.taken).toEqual([]);
    expect(logged).toEqual([['backlogFound', { shards: shards.length }]]);
    for (const shard of shards) await handler(forShard(shard), invocationContext());
    expect(await completed()).toEqual(uuids);
    expect([bus.taken.length, workers.length]).toEqual([40, 1]);
  });

  test('EV-24 that cannot ask for workers publishes the backlog itself, for the time that is left, and counts as failed', async () => {
    const { handler, uuids, completed, bus } = await aStage({ isQueueDown: true, resends: 11 });

    await expect(handler(aTick, invocationContext())).rejects.toThrow('no queue');

    expect(await completed()).toEqual(uuids);
    expect(bus.taken.slice(40).map(({ type }) => type)).toEqual(Array(11).fill('WebhookTest'));
  });

  test('EV-24 counts recipients as well: a few rows for many partners are a backlog, in the order of the oldest', async () => {
    const stage = await aCrowdedStage({ transactions: 8, partners: 60 });

    const { backlog, claimed } = await stage.flush({}, 6_000, { rows: 10, recipients: 100 });

    expect(claimed).toBe(0);
    expect(backlog).toEqual(shardsOf(stage.uuids));
    expect(backlog).not.toEqual(backlog.toSorted((one, other) => one - other));
  });
});

describe('a light load', () => {
  test('EV-24 has as many rows and recipients as a poll publishes by itself', async () => {
    const stage = await aCrowdedStage({ transactions: 2, partners: 60 });

    const { backlog, claimed } = await stage.flush({}, 6_000, { rows: 2, recipients: 120 });

    expect([backlog, claimed]).toEqual([[], 2]);
  });

  test('EV-24 is published without a message', async () => {
    const { handler, workers, uuids, completed } = await aStage({ rows: 10 });

    await handler(aTick, invocationContext());

    expect(await completed()).toEqual(uuids);
    expect(workers).toEqual([]);
  });
});

describe('deliveries that are sent again', () => {
  test('EV-26 come after first events', async () => {
    const { handler, asked, bus } = await aStage({ rows: 3, resends: 3 });

    await handler(aTick, invocationContext());

    expect(asked.slice(0, asked.indexOf(16)).every((shard) => shard < 16)).toBe(true);
    expect(asked.slice(asked.indexOf(16)).every((shard) => shard === 16)).toBe(true);
    expect(bus.taken.map(({ type }) => type)).toEqual([
      ...Array(3).fill('TransactionUpdated'),
      ...Array(3).fill('WebhookTest'),
    ]);
  });

  test('EV-26 have a message of their own in a backlog, and the poll publishes first events', async () => {
    const { handler, workers, uuids, completed } = await aStage({ rows: 3, resends: 11 });

    await handler(aTick, invocationContext());

    expect(await completed()).toEqual(uuids);
    expect(workers).toEqual([{ shards: [16], occasion: 'tick of 0' }]);
  });

  test('EV-26 are left to a worker if first events are a backlog, whose workers do not wait', async () => {
    const { handler, workers, uuids, bus } = await aStage({ rows: 40, resends: 3 });

    await handler(aTick, invocationContext());

    expect(bus.taken).toEqual([]);
    expect(workers.map(({ shards }) => shards)).toEqual([[...shardsOf(uuids), 16]]);
  });

  test('EV-26 count as five recipients: twenty of them fit into a poll for a hundred, twenty-one do not', async () => {
    const backlogOf = async (resends: number) => {
      const { flush } = await aStage({ rows: 0, resends });
      return (await flush({}, 6_000, { rows: 50, recipients: 100 })).backlog;
    };

    expect([await backlogOf(20), await backlogOf(21)]).toEqual([[], [16]]);
  });

  test('EV-26 are left unchanged if an invocation has no time for their real cost', async () => {
    const { flush, deliveryLog } = await aStage({ rows: 0, resends: 10 });

    // Ten are a portion of 50 recipients: 200 ms, and 2 s of overtime are left.
    await flush({}, -1_801);

    const delivery = await deliveryLog.delivery({ eventId: 'again-0', clientId: 'P0000' });
    expect(delivery?.redrives).toBe(0);
  });
});

describe('a worker', () => {
  test('EV-24 S-70 publishes what is due in its shard, and nothing else, and reports the age of the oldest', async () => {
    const { handler, uuids, completed, asked, workers, reported } = await aStage();
    const shard = dueShardOf(uuids[0] ?? '');

    const answer = await handler(forShard(shard), invocationContext());

    expect(await completed()).toEqual(uuids.filter((uuid) => dueShardOf(uuid) === shard));
    expect([new Set(asked), workers, answer]).toEqual([new Set([shard]), [], { batchItemFailures: [] }]);
    expect(reported).toMatchObject([{ oldestDueAgeMs: 1_000 }]);
  });

  test('EV-26 of the last shard sends deliveries again, and nothing else', async () => {
    const { handler, bus } = await aStage({ resends: 11 });

    await handler(forShard(16), invocationContext());

    expect(bus.taken.map(({ type }) => type)).toEqual(Array(11).fill('WebhookTest'));
  });

  test('EV-24 requests its shard once more, with an id of its own, if its time ends first', async () => {
    const { handler, workers, uuids } = await aStage();
    const shard = dueShardOf(uuids[0] ?? '');

    await handler(forShard(shard), invocationContext(9_000));

    expect(workers).toEqual([{ shards: [shard], occasion: 'invocation-1' }]);
  });

  test('I4 EV-24 sends nothing if all rows are in flight: a message that comes twice', async () => {
    const silent = aBus(() => ({ outcome: 'unconfirmed' }));
    const { handler, uuids, workers } = await aStage({ parts: { bus: silent } });
    const shard = dueShardOf(uuids[0] ?? '');
    await handler(forShard(shard), invocationContext());
    const sent = silent.taken.length;

    await handler(forShard(shard), invocationContext());

    expect([sent > 0, silent.taken.length - sent, workers]).toEqual([true, 0, []]);
  });

  test('EV-24 does not throw if the index does not answer: it logs and counts the failure', async () => {
    const { handler, logged, reported } = await aStage({ indexAnswers: 0 });

    const answer = await handler(forShard(2), invocationContext());

    expect(answer).toEqual({ batchItemFailures: [] });
    expect(logged).toEqual([
      ['flushFailed', { shard: 2 }, 'no store'],
      ['flushFailed', { shard: 2 }, 'No part of the index of due rows has answered'],
    ]);
    expect(reported).toEqual([{ failed: 1 }]);
  });

  test('EV-24 does not throw if it cannot request its shard once more', async () => {
    const { handler, uuids, logged, reported } = await aStage({ isQueueDown: true });
    const shard = dueShardOf(uuids[0] ?? '');

    await handler(forShard(shard), invocationContext(9_000));

    expect(logged).toEqual([['flushFailed', { shard }, 'no queue']]);
    expect(reported.at(-1)).toEqual({ failed: 1 });
  });

  test('EV-24 counts what it has published when the index stops answering', async () => {
    const { handler, uuids, completed, reported } = await aStage({ indexAnswers: 1 });
    const shard = dueShardOf(uuids[0] ?? '');

    await handler(forShard(shard), invocationContext());

    const own = uuids.filter((uuid) => dueShardOf(uuid) === shard);
    expect(await completed()).toEqual(own);
    expect(reported).toMatchObject([{ sent: own.length, failed: 1 }]);
  });
});

test('EV-24 a poll publishes 100 rows for 1,000 recipients by itself', () => {
  expect(lightLoad).toEqual({ rows: 100, recipients: 1_000 });
});
