import { describe, expect, test } from '@jest/globals';
import { configOf, type StageConfig, stageNames } from '../../lib/config.ts';
import { assertFlushWorkers, publisherInvocations } from '../../lib/flush-workers.ts';

describe('EV-24 workers that publish a backlog', () => {
  test('EV-24 are two on the local stage, four in staging, eight in production, with five more invocations reserved', () => {
    const configs = stageNames.map(configOf);

    expect(configs.map(({ flushWorkers }) => flushWorkers)).toEqual([2, 4, 8]);
    expect(configs.map(publisherInvocations)).toEqual([7, 9, 13]);
  });

  test.each<[Partial<StageConfig>, string]>([
    [{ flushWorkers: 1 }, 'flushWorkers must be a whole number from 2 to 24.'],
    [{ flushWorkers: 25 }, 'flushWorkers must be a whole number from 2 to 24.'],
    [{ flushWorkers: 2.5 }, 'flushWorkers must be a whole number from 2 to 24.'],
    [
      { flushWorkers: 9, reservedConcurrency: { publishDormant: 13 } },
      'reservedConcurrency.publishDormant is 13 and must be 14 or more: one for each worker, four by messages and one by the schedule.',
    ],
  ])('EV-24 %j is refused at synthesis in one sentence', (parts, sentence) => {
    expect(() => assertFlushWorkers({ ...configOf('local'), ...parts })).toThrow(sentence);
  });

  test.each([2, 24])('EV-24 %i workers are accepted', (flushWorkers) => {
    expect(() => assertFlushWorkers({ ...configOf('staging'), flushWorkers })).not.toThrow();
  });
});
