import { expect, test } from '@jest/globals';
import { readEnvironment } from '../../../../../functions/shared/runtime/environment.ts';

test('a function has the variables that it names, and no other', () => {
  expect(readEnvironment(['STAGE'], { STAGE: 'staging', EVENT_BUS: 'bus' })).toEqual({ STAGE: 'staging' });
});

test('a function does not start where a variable is absent or empty: all of them are named', () => {
  expect(() =>
    readEnvironment(['STAGE', 'EVENT_BUS', 'BASE_URL'], { STAGE: 'staging', EVENT_BUS: '' }),
  ).toThrow('Environment variables are not set: EVENT_BUS, BASE_URL');
});
