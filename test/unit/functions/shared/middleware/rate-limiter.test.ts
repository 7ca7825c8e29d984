import { expect, test } from '@jest/globals';
import {
  partnerPolicy,
  replayPolicy,
  selfServicePolicy,
  webhookTestPolicy,
} from '../../../../../functions/shared/domain/rate-limit.ts';
import { createRateLimiter } from '../../../../../functions/shared/middleware/rate-limiter.ts';
import type {
  RequestCounts,
  RequestWindow,
} from '../../../../../functions/shared/store/requests/request-counts.ts';
import { createMemoryRequestCounts } from '../../../../support/memory/request-counts.ts';

const noon = Date.parse('2026-03-01T12:00:00Z');
const policy = partnerPolicy(300);

/** Processes over one store, the windows to which they added shares, and what they logged. */
const aWorld = (counts: RequestCounts = createMemoryRequestCounts()) => {
  const added: RequestWindow[] = [];
  const logged: unknown[] = [];
  const addShare = (window: RequestWindow) => {
    added.push(window);
    return counts.addShare(window);
  };
  const aProcess = () => {
    const limiter = createRateLimiter({
      counts: { addShare },
      log: (...line) => logged.push(line),
    });
    const take = (nowMs = noon, clientId = 'C1') => limiter.take(clientId, policy, nowMs);
    /** Asks so often, one after the other, and answers how many were taken. */
    const takeMany = async (times: number, nowMs?: number, clientId?: string) => {
      let taken = 0;
      for (let n = 0; n < times; n += 1) if ((await take(nowMs, clientId)).isTaken) taken += 1;
      return taken;
    };
    return { limiter, take, takeMany };
  };
  return { aProcess, added, logged };
};

test('S-40 a process accepts 300 requests of a partner in a minute, and 300 in the next', async () => {
  const { takeMany } = aWorld().aProcess();

  expect(await takeMany(400)).toBe(300);
  expect(await takeMany(1, noon + 59_999)).toBe(0);
  expect(await takeMany(400, noon + 60_000)).toBe(300);
});

test('S-40 says how many are left, and for how many seconds', async () => {
  const { take, takeMany } = aWorld().aProcess();

  expect(await take(noon + 15_000)).toEqual({ isTaken: true, remaining: 299, resetSeconds: 45 });
  await takeMany(298, noon + 15_000);
  expect(await take(noon + 15_001)).toEqual({ isTaken: true, remaining: 0, resetSeconds: 45 });
  expect(await take(noon + 16_000)).toEqual({ isTaken: false, remaining: 0, resetSeconds: 44 });
});

test('S-40 writes nothing for 29 requests, once for 30, and nothing for refused ones', async () => {
  const { aProcess, added } = aWorld();
  const { takeMany } = aProcess();

  await takeMany(29);
  expect(added).toEqual([]);
  await takeMany(1);
  expect(added).toEqual([{ clientId: 'C1', policy, startSeconds: noon / 1000 }]);
  await takeMany(1_000);
  expect(added).toHaveLength(10);
});

test('S-40 processes count together: of 300 that two accept in turn none is refused, and at most 58 more are accepted', async () => {
  const { aProcess } = aWorld();
  const [one, other] = [aProcess(), aProcess()];
  let taken = 0;

  for (let n = 0; n < 150; n += 1) taken += (await one.takeMany(1)) + (await other.takeMany(1));
  expect(taken).toBe(300);
  for (let n = 0; n < 150; n += 1) taken += (await one.takeMany(1)) + (await other.takeMany(1));
  expect(taken).toBeLessThanOrEqual(358);
});

test('S-40 the rest of the quota is used to the last request', async () => {
  const { aProcess } = aWorld();
  const [one, other] = [aProcess(), aProcess()];
  await one.takeMany(240);

  expect(await other.takeMany(100)).toBe(60);
});

test('S-40 partners and policies have separate counts', async () => {
  const { limiter, takeMany } = aWorld().aProcess();
  await takeMany(400, noon, 'C1');

  expect(await takeMany(400, noon, 'C2')).toBe(300);
  for (const other of [replayPolicy, webhookTestPolicy, selfServicePolicy])
    expect(await limiter.take('C1', other, noon)).toMatchObject({
      isTaken: true,
      remaining: other.quota - 1,
    });
});

test('S-40 concurrent requests are each counted once', async () => {
  const { aProcess, added } = aWorld();
  const { take } = aProcess();

  const standings = await Promise.all(Array.from({ length: 400 }, () => take()));

  expect(standings.filter(({ isTaken }) => isTaken)).toHaveLength(300);
  expect(added).toHaveLength(10);
});

test('V2-11 concurrent replays in several processes are limited to the quota', async () => {
  const { aProcess } = aWorld();
  const processes = Array.from({ length: 4 }, aProcess);

  const standings = await Promise.all(
    processes.flatMap(({ limiter }) =>
      Array.from({ length: 50 }, () => limiter.take('C1', replayPolicy, noon)),
    ),
  );

  expect(standings.filter(({ isTaken }) => isTaken)).toHaveLength(60);
});

test('S-40 while the store fails requests are accepted, each failed share is logged once, and the process counts alone', async () => {
  const fault = new Error('no store');
  const failing = { addShare: () => Promise.reject(fault) };
  const { aProcess, logged } = aWorld(failing);
  const [one, other] = [aProcess(), aProcess()];

  await one.takeMany(29);
  expect(await one.take()).toEqual({ isTaken: true, remaining: 270, resetSeconds: 60 });
  expect(logged).toEqual([['rateNotCounted', { clientId: 'C1' }, fault]]);
  expect([await one.takeMany(400), await other.takeMany(400)]).toEqual([270, 300]);
});
