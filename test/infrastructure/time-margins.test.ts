import { describe, expect, test } from '@jest/globals';
import { brokenLeases } from '../../lib/event-times.ts';

describe('I17 the times of the protocol fit together', () => {
  const kept = {
    sendMs: 6_000,
    storeMs: 6_000,
    abandonMs: 12_000,
    timeoutMs: 15_000,
    leaseMs: 20_000,
    messageHiddenMs: 22_000,
  };

  test('as they are', () => {
    expect(brokenLeases(kept)).toEqual([]);
  });

  test.each([
    [
      { sendMs: 12_000, leaseMs: 25_000, messageHiddenMs: 26_000 },
      'What sending takes at most must be less than abandonMs.',
    ],
    [{ storeMs: 12_000 }, 'What a request to a store takes at most must be less than abandonMs.'],
    [{ timeoutMs: 12_000 }, 'abandonMs must be less than the timeout of publish-dormant.'],
    [{ timeoutMs: 20_000 }, 'The timeout of publish-dormant must be less than leaseMs.'],
    [{ leaseMs: 18_000 }, 'abandonMs and what sending takes must be less than leaseMs.'],
    [
      { messageHiddenMs: 20_000 },
      'The visibility timeout of messages must be more than leaseMs and less than 30 s.',
    ],
    [
      { messageHiddenMs: 30_000 },
      'The visibility timeout of messages must be more than leaseMs and less than 30 s.',
    ],
  ])('%j is refused in one sentence', (times, sentence) => {
    expect(brokenLeases({ ...kept, ...times })).toEqual([sentence]);
  });
});
