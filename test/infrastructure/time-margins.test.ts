import { describe, expect, test } from '@jest/globals';
import { stageNames } from '../../lib/config.ts';
import { brokenLeases } from '../../lib/event-times.ts';
import { propertiesOf, templatesOf } from '../support/engine/templates.ts';

test.each(stageNames)(
  'I20 each function of stage %s has the time that its work needs, in seconds',
  (stage) => {
    const functions = propertiesOf(templatesOf(stage).service, 'AWS::Lambda::Function');

    expect(Object.fromEntries(functions.map(({ Description, Timeout }) => [Description, Timeout]))).toEqual({
      'capture-change': 15,
      'collect-dead-letters': 5,
      'issue-token': 15,
      'keep-endpoints': 120,
      'probe-endpoint': 18,
      'publish-dormant': 15,
      reconcile: 300,
      'rotate-keys': 15,
      'serve-docs': 15,
      'sweep-expired': 300,
      'v1-transaction': 15,
      'v2-partner': 15,
      'v2-read': 15,
      'v2-write': 15,
    });
  },
);

describe('I17 the times of the protocol fit together', () => {
  const kept = {
    sendMs: 6_000,
    storeMs: 6_000,
    abandonMs: 12_000,
    timeoutMs: 15_000,
    leaseMs: 20_000,
    completionHiddenMs: 22_000,
  };

  test('as they are', () => {
    expect(brokenLeases(kept)).toEqual([]);
  });

  test.each([
    [
      { sendMs: 12_000, leaseMs: 25_000, completionHiddenMs: 26_000 },
      'What sending takes at most must be less than abandonMs.',
    ],
    [{ storeMs: 12_000 }, 'What a request to a store takes at most must be less than abandonMs.'],
    [{ timeoutMs: 12_000 }, 'abandonMs must be less than the timeout of publish-dormant.'],
    [{ timeoutMs: 20_000 }, 'The timeout of publish-dormant must be less than leaseMs.'],
    [{ leaseMs: 18_000 }, 'abandonMs and what sending takes must be less than leaseMs.'],
    [
      { completionHiddenMs: 20_000 },
      'The visibility timeout of completions must be more than leaseMs and less than 30 s.',
    ],
    [
      { completionHiddenMs: 30_000 },
      'The visibility timeout of completions must be more than leaseMs and less than 30 s.',
    ],
  ])('%j is refused in one sentence', (times, sentence) => {
    expect(brokenLeases({ ...kept, ...times })).toEqual([sentence]);
  });
});
