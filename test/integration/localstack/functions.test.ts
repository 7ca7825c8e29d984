import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
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
]);
const [named] = readCloud(assembly).functions;
const logs = mkdtempSync(join(tmpdir(), 'logs-'));
const pools: FunctionPool[] = [];
afterAll(async () => {
  for (const pool of pools) await pool.stop();
  for (const folder of [assembly, logs]) rmSync(folder, { recursive: true });
});

/** A function whose idle instances end when the test lets their time pass. */
const aFunction = (keepIdleMs?: number) => {
  if (!named) throw new Error('The assembly has no function.');
  const timers = new Map<() => void, number>();
  const pool = createFunctionPool(named, {
    variables: {},
    logFile: join(logs, 'named.log'),
    instances: 2,
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
