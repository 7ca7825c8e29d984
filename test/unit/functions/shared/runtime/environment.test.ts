import { expect, test } from '@jest/globals';
import { readEnvironment } from '../../../../../functions/shared/runtime/environment.ts';

test('a function has the variables that it declares, and no others', () => {
  expect(readEnvironment(['STAGE'], { STAGE: 'staging', EVENT_BUS: 'bus' })).toEqual({ STAGE: 'staging' });
});

test('a function does not start if variables are absent or empty, and the error names all of them', () => {
  expect(() =>
    readEnvironment(['STAGE', 'EVENT_BUS', 'BASE_URL'], { STAGE: 'staging', EVENT_BUS: '' }),
  ).toThrow('Environment variables are not set: EVENT_BUS, BASE_URL');
});
