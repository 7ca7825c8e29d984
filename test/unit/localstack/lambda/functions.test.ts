import { expect, test } from '@jest/globals';
import type { Cloud } from '../../../../localstack/cloudformation/model.ts';
import { instancesOf } from '../../../../localstack/lambda/functions.ts';

const calledBy = (callers: object) =>
  instancesOf(
    {
      ...{ routes: [], schedules: [], eventSources: [], rotations: [], tasks: [] },
      ...callers,
    } as unknown as Cloud,
    'Probe',
  );
const own = { functionId: 'Probe' };
const aQueue = (maximumConcurrency: number, functionId = 'Probe') => ({
  ...{ kind: 'queue', maximumConcurrency, functionId },
});

test.each([
  ['requests, who wait', { routes: [own] }, { instances: 2, youngMb: 6 }],
  [
    'other functions alone, which wait',
    { routes: [aQueue(1, 'Other')] },
    { instances: 2, youngMb: 6, keepIdleMs: 30_000 },
  ],
  [
    'a stream',
    { eventSources: [{ kind: 'stream', ...own }] },
    { instances: 1, youngMb: 24, keepIdleMs: 30_000 },
  ],
  [
    'queues and a schedule',
    { eventSources: [aQueue(2), aQueue(3), aQueue(9, 'Other')], schedules: [own] },
    { instances: 5, youngMb: 24, keepIdleMs: 30_000 },
  ],
  ['rotations', { rotations: [own], tasks: [own] }, { instances: 1, youngMb: 24, keepIdleMs: 1_000 }],
  ['a schedule', { schedules: [own] }, { instances: 1, youngMb: 24, keepIdleMs: 0 }],
  ['each start', { tasks: [own] }, { instances: 1, youngMb: 24, keepIdleMs: 0 }],
])('RUN-1 instances of a function that is called by %s', (_, callers, instances) => {
  expect(calledBy(callers)).toEqual(instances);
});
