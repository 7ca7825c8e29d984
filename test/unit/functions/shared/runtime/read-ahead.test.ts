import { expect, test } from '@jest/globals';
import { readAhead } from '../../../../../functions/shared/runtime/read-ahead.ts';

test('a start is ready when what the first request needs was read', async () => {
  const steps: string[] = [];

  await readAhead(async () => {
    await Promise.resolve();
    steps.push('read');
  });

  expect(steps).toEqual(['read']);
});

test('a store that is away keeps no function from starting', async () => {
  await expect(readAhead(() => Promise.reject(new Error('away')))).resolves.toBeUndefined();
});

test('a start does not wait for a store that says nothing', async () => {
  await expect(readAhead(() => new Promise(() => undefined), 1)).resolves.toBeUndefined();
});
