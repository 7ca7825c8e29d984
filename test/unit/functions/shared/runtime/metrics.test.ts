import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createReport } from '../../../../../functions/shared/runtime/metrics.ts';

let lines: string[] = [];
beforeEach(() => {
  lines = [];
  const env = { ...process.env, POWERTOOLS_METRICS_NAMESPACE: 'transactions-test' };
  jest.replaceProperty(process, 'env', env);
  jest.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
});
afterEach(() => void jest.restoreAllMocks());

const reported = () => lines.map((line) => JSON.parse(line));

test('metrics are one log line, under the stage and the function', () => {
  createReport('publish-dormant')({ oldestDueAgeMs: 1_200, sent: 3 });

  expect(reported()).toMatchObject([{ service: 'publish-dormant', OldestDueAge: 1_200, Sent: 3 }]);
  expect(reported()[0]._aws.CloudWatchMetrics[0].Namespace).toBe('transactions-test');
});

test('D-31 a sum of nothing is not reported; the other metrics show that the function ran', () => {
  createReport('publish-dormant')({ oldestDueAgeMs: 0, failed: 0, sent: 0, refused: 0 });

  expect(reported()[0]._aws.CloudWatchMetrics[0].Metrics).toEqual([
    expect.objectContaining({ Name: 'OldestDueAge' }),
  ]);
});

test('D-31 an invocation without metrics reports nothing', () => {
  createReport('collect-dead-letters')({ deadLetters: 0 });

  expect(lines).toEqual([]);
});
