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
      { lanes: 1, byTicks: 2, byLanes: 2, inAll: 5 },
      { lanes: 4, byTicks: 2, byLanes: 4, inAll: 7 },
      { lanes: 8, byTicks: 2, byLanes: 8, inAll: 11 },
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
      { furtherFlushRuns: 8, reservedConcurrency: { publishDormant: 11 } },
      'reservedConcurrency.publishDormant is 11 and must be 12 or more: one for each lane, two by ticks and one by the schedule.',
    ],
  ])('EV-24 %j is refused at synthesis in one sentence', (parts, sentence) => {
    expect(() => assertFlushRuns({ ...configOf('local'), ...parts })).toThrow(sentence);
  });

  test('EV-24 none further are accepted: a look works on a backlog alone', () => {
    expect(() => assertFlushRuns({ ...configOf('production'), furtherFlushRuns: 0 })).not.toThrow();
  });
});
