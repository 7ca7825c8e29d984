import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createStageClock } from '../../../localstack/clock/stage-clock.ts';
import { readCloud } from '../../../localstack/cloudformation/cloud.ts';
import { createFunctionPool, type FunctionPool } from '../../../localstack/lambda/function-pool.ts';
import { writeAssembly } from '../../support/engine/cloud-assembly.ts';

/** Answers which instance it is. */
const assembly = writeAssembly([
  {
    path: 'named',
    code: `const instance = Math.random();
      export const handler = async () => instance;`,
  },
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
const [named, timed] = readCloud(assembly).functions;
const logs = mkdtempSync(join(tmpdir(), 'logs-'));
const pools: FunctionPool[] = [];
afterAll(async () => {
  for (const pool of pools) await pool.stop();
  for (const folder of [assembly, logs]) rmSync(folder, { recursive: true });
});

const clock = createStageClock();

/** A function whose idle instances end when the test lets their time pass. */
const aFunction = (keepIdleMs?: number) => {
  if (!named) throw new Error('The assembly has no function.');
  const timers = new Map<() => void, number>();
  const pool = createFunctionPool(named, {
    variables: {},
    ahead: clock.shared,
    logFile: join(logs, 'named.log'),
    instances: 2,
    youngMb: 6,
    ...(keepIdleMs !== undefined && { keepIdleMs }),
    after: (work, ms) => {
      timers.set(work, ms);
      return () => timers.delete(work);
    },
  });
  pools.push(pool);
  const call = async () => {
    const outcome = await pool.invoke({}, 'request');
    return outcome.ok ? outcome.value : outcome.reason;
  };
  const passTime = () => {
    for (const work of [...timers.keys()]) work();
  };
  return { call, timers, passTime };
};

describe('instances of a function', () => {
  test('end when they had nothing to do for a while, and the next event finds a new one', async () => {
    const { call, timers, passTime } = aFunction(30_000);
    const first = await call();
    const again = await call();
    const waiting = [...timers.values()];
    passTime();

    expect(again).toBe(first);
    expect(waiting).toEqual([30_000]);
    expect(await call()).not.toBe(first);
  });

  test('end when they are too many, while one of them is always called', async () => {
    const { call, timers } = aFunction(30_000);
    const byEnd: string[] = [];
    await Promise.all([call(), call()].map(async (answer) => byEnd.push(await answer)));
    const [longestIdle] = timers.keys();
    const before = await call();
    longestIdle?.();
    const after = await call();

    expect(new Set(byEnd).size).toBe(2);
    expect([before, after]).toEqual([byEnd[1], byEnd[1]]);
    expect(timers.size).toBe(1);
  });

  test('stay where nothing else is said', async () => {
    const { call, timers } = aFunction();
    await call();

    expect(timers.size).toBe(0);
  });
});

describe('RUN-12 a function has the time of the stage', () => {
  const hourMs = 3_600_000;
  type Told = {
    loadedAt: number;
    times: number[];
    given: string;
    parsed: number;
    isDate: boolean;
    leftMs: number;
  };
  const ask = async (pool: FunctionPool): Promise<Told> => {
    const outcome = await pool.invoke({}, 'request');
    if (!outcome.ok) throw new Error(outcome.reason);
    return JSON.parse(outcome.value);
  };

  test('from its first line on, and at once when the clock is moved on; given times, and the time that it has left, stay', async () => {
    if (!timed) throw new Error('The assembly has no function.');
    const moved = createStageClock(hourMs);
    const pool = createFunctionPool(timed, {
      ...{ variables: {}, ahead: moved.shared, logFile: join(logs, 'timed.log'), instances: 1, youngMb: 6 },
    });
    pools.push(pool);
    const hoursAhead = (times: number[]) => times.map((time) => Math.round((time - Date.now()) / hourMs));

    const before = await ask(pool);
    expect(hoursAhead([before.loadedAt, ...before.times])).toEqual([1, 1, 1, 1]);

    moved.moveOn(743 * hourMs);
    const after = await ask(pool);
    expect(hoursAhead([after.loadedAt, ...after.times])).toEqual([1, 744, 744, 744]);
    expect(after).toMatchObject({ given: '1970-01-01T00:00:00.000Z', parsed: 0, isDate: true });
    expect(after.leftMs).toBeGreaterThan(0);
    expect(after.leftMs).toBeLessThanOrEqual(timed.timeoutSeconds * 1000);
  });
});
