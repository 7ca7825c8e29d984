import { expect, test } from '@jest/globals';
import { cached } from '../../../../../functions/shared/runtime/cached.ts';
import { createSecretReader } from '../../../../../functions/shared/store/secrets/secrets.ts';
import { aClock } from '../../../../support/builders/manual-clock.ts';

const setUp = (...answers: (() => Promise<string>)[]) => {
  const { now: clock, pass } = aClock();
  let loads = 0;
  const load = () => {
    loads += 1;
    return (answers.shift() ?? (async () => `load ${loads}`))();
  };
  return { load, clock, loads: () => loads, passTime: (ms: number) => pass({ ms }) };
};

test('a value is loaded once in its time, for concurrent calls as well', async () => {
  const { load, clock, loads, passTime } = setUp();
  const read = cached(load, { forMs: 1000, clock });

  expect(await Promise.all([read(), read(), read()])).toEqual(['load 1', 'load 1', 'load 1']);
  passTime(999);
  expect([await read(), loads()]).toEqual(['load 1', 1]);
  passTime(1);
  expect([await read(), loads()]).toEqual(['load 2', 2]);
});

test('a failed load is not cached', async () => {
  const { load, clock, loads } = setUp(() => Promise.reject(new Error('down')));
  const read = cached(load, { forMs: 1000, clock });

  await expect(read()).rejects.toThrow('down');
  expect([await read(), loads()]).toEqual(['load 2', 2]);
});

test('TH-26: a load that fails late does not remove a value that was loaded after it', async () => {
  const first = Promise.withResolvers<string>();
  const { load, clock, loads, passTime } = setUp(() => first.promise);
  const read = cached(load, { forMs: 1000, clock });
  const slow = read();
  passTime(1000);
  expect(await read()).toBe('load 2');

  first.reject(new Error('down'));

  await expect(slow).rejects.toThrow('down');
  expect([await read(), loads()]).toEqual(['load 2', 2]);
});

test('TH-26: a secret is read once in five minutes; a secret without a value is a fault', async () => {
  const { load, clock, loads, passTime } = setUp();
  const store = { read: load, write: async () => undefined };
  const read = createSecretReader(store, 'id', clock);

  await read();
  passTime(5 * 60_000 - 1);
  expect([await read(), loads()]).toEqual(['load 1', 1]);
  passTime(1);
  expect([await read(), loads()]).toEqual(['load 2', 2]);
  const empty = createSecretReader({ ...store, read: async () => undefined }, 'id', clock);
  await expect(empty()).rejects.toThrow('The secret holds no text');
});
