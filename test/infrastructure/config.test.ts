import { expect, test } from '@jest/globals';
import { configOf, stageNames } from '../../lib/config.ts';

test('there are three stages', () => {
  expect(stageNames).toEqual(['local', 'staging', 'production']);
});

test.each(['prod', '', 'Local', 'constructor', '__proto__'])(
  'stage "%s" is refused in one sentence',
  (name) => {
    expect(() => configOf(name)).toThrow(
      `Unknown stage "${name}": choose one of local, staging, production.`,
    );
  },
);

test('only the local stage has fixed addresses: API Gateway gives the others theirs', () => {
  const addresses = stageNames.map((name) => configOf(name).fixedAddresses);

  expect(addresses).toEqual([
    { baseUrl: 'http://127.0.0.1:8787', authUrl: 'http://127.0.0.1:8787' },
    undefined,
    undefined,
  ]);
});

test('S-56 every stage keeps its data but the local one', () => {
  expect(stageNames.map((name) => configOf(name).keepsData)).toEqual([false, true, true]);
});
