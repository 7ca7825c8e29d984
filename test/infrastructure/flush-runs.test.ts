import { describe, expect, test } from '@jest/globals';
import { configOf, type StageConfig, stageNames } from '../../lib/config.ts';
import { assertFlushRuns, flushRunsOf } from '../../lib/flush-runs.ts';
import { propertiesOf, templatesOf } from '../support/engine/templates.ts';

type FunctionProperties = {
  Description: string;
  ReservedConcurrentExecutions?: number;
  Environment: { Variables: Record<string, unknown> };
};

const publisherOf = (stage: string) => {
  const functions = propertiesOf(templatesOf(stage).service, 'AWS::Lambda::Function') as FunctionProperties[];
  return functions.find(({ Description }) => Description === 'publish-dormant');
};

describe('EV-24 runs that publish a backlog', () => {
  test('EV-24 are one on the local stage, four in staging, eight in production', () => {
    expect(stageNames.map((name) => flushRunsOf(configOf(name)))).toEqual([
      { lanes: 1, byQueue: 2, inAll: 3 },
      { lanes: 4, byQueue: 5, inAll: 6 },
      { lanes: 8, byQueue: 9, inAll: 10 },
    ]);
  });

  test.each(stageNames)(
    'EV-24 the function of stage %s knows its lanes, and has room for all its runs',
    (stage) => {
      const { lanes, inAll } = flushRunsOf(configOf(stage));
      const publisher = publisherOf(stage);

      expect(publisher?.Environment.Variables.FLUSH_LANES).toBe(String(lanes));
      expect(publisher?.ReservedConcurrentExecutions ?? inAll).toBeGreaterThanOrEqual(inAll);
    },
  );

  test.each<[Partial<StageConfig>, string]>([
    [{ furtherFlushRuns: -1 }, 'furtherFlushRuns must be a whole number from 0 to 15.'],
    [{ furtherFlushRuns: 16 }, 'furtherFlushRuns must be a whole number from 0 to 15.'],
    [{ furtherFlushRuns: 1.5 }, 'furtherFlushRuns must be a whole number from 0 to 15.'],
    [
      { furtherFlushRuns: 8, reservedConcurrency: { publishDormant: 10 } },
      'reservedConcurrency.publishDormant is 10 and must be 11 or more: furtherFlushRuns, the look, one by a tick and one by the schedule.',
    ],
  ])('EV-24 %j is refused at synthesis in one sentence', (parts, sentence) => {
    expect(() => assertFlushRuns({ ...configOf('local'), ...parts })).toThrow(sentence);
  });

  test('EV-24 none further are accepted: a look works on a backlog alone', () => {
    expect(() => assertFlushRuns({ ...configOf('production'), furtherFlushRuns: 0 })).not.toThrow();
  });
});
