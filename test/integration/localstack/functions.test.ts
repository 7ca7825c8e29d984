import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { createStageClock } from '../../../localstack/clock/stage-clock.ts';
import { readCloud } from '../../../localstack/cloudformation/cloud.ts';
import type { CloudFunction } from '../../../localstack/cloudformation/model.ts';
import { createFunctionPool, type FunctionPool } from '../../../localstack/lambda/function-pool.ts';
import { writeAssembly } from '../../support/engine/cloud-assembly.ts';

const assembly = writeAssembly([
  { path: 'named', code: `const instance = Math.random(); export const handler = async () => instance;` },
  {
    path: 'timed',
    code: `const loadedAt = Date.now();
      export const handler = async (_event, context) => ({
        loadedAt,
        times: [Date.now(), new Date().getTime(), Date.parse(Date())],
        given: new Date(0).toISOString(),
        parsed: Date.UTC(1970, 0, 1),
        isDate: new Date() instanceof Date,
        leftMs: context.getRemainingTimeInMillis(),
      });`,
  },
]);
const [named, timed] = readCloud(assembly).functions as [CloudFunction, CloudFunction];
const logs = mkdtempSync(join(tmpdir(), 'logs-'));
const pools: FunctionPool[] = [];
afterAll(async () => {
  for (const pool of pools) await pool.stop();
  for (const folder of [assembly, logs]) rmSync(folder, { recursive: true });
});

type PoolFacts = Partial<Parameters<typeof createFunctionPool>[1]>;

/** Calls a function of two instances. */
const callerOf = (one: CloudFunction, clock: ReturnType<typeof createStageClock>, facts: PoolFacts = {}) => {
  const own = { variables: {}, ahead: clock.shared, logFile: join(logs, 'a.log') };
  const pool = createFunctionPool(one, { ...own, instances: 2, youngMb: 6, ...facts });
  pools.push(pool);
  return async () => {
    const outcome = await pool.invoke({}, 'request');
    if (!outcome.ok) throw new Error(outcome.reason);
    return JSON.parse(outcome.value);
  };
};

test('instances of a function end when they are too many, while one of them is always called', async () => {
  const timers = new Map<() => void, number>();
  const after = (work: () => void, ms: number) => {
    timers.set(work, ms);
    return () => timers.delete(work);
  };
  const call = callerOf(named, createStageClock(), { keepIdleMs: 30_000, after });
  const byEnd: number[] = [];
  await Promise.all([call(), call()].map(async (answer) => byEnd.push(await answer)));
  const [[endLongestIdle, ms] = []] = timers;
  const before = await call();
  endLongestIdle?.();

  expect(new Set(byEnd).size).toBe(2);
  expect([ms, before, await call()]).toEqual([30_000, byEnd[1], byEnd[1]]);
  expect(timers.size).toBe(1);
});

test('RUN-12 a function has the time of the stage from its first line on, and at once when the clock is moved on; given times, and the time that it has left, stay', async () => {
  const hourMs = 3_600_000;
  const clock = createStageClock(hourMs);
  const call = callerOf(timed, clock, { instances: 1 });
  const hoursAhead = (times: number[]) => times.map((time) => Math.round((time - Date.now()) / hourMs));

  const before = await call();
  expect(hoursAhead([before.loadedAt, ...before.times])).toEqual([1, 1, 1, 1]);

  clock.moveOn(743 * hourMs);
  const after = await call();
  expect(hoursAhead([after.loadedAt, ...after.times])).toEqual([1, 744, 744, 744]);
  expect(after).toMatchObject({ given: '1970-01-01T00:00:00.000Z', parsed: 0, isDate: true });
  expect(after.leftMs).toBeGreaterThan(0);
  expect(after.leftMs).toBeLessThanOrEqual(timed.timeoutSeconds * 1000);
});
