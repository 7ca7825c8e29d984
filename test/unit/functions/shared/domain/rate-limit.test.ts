import { describe, expect, test } from '@jest/globals';
import {
  partnerPolicy,
  replayPolicy,
  standingOf,
  webhookTestPolicy,
  windowStartOf,
} from '../../../../../functions/shared/domain/rate-limit.ts';

const noon = Date.parse('2026-03-01T12:00:00Z');

describe('the rate of a partner', () => {
  test('S-40 is its quota of requests in each minute of the clock, counted in shares of 30', () => {
    expect(partnerPolicy(300)).toEqual({ name: 'partner', quota: 300, windowSeconds: 60, shareSize: 30 });
  });

  test('V2-11 is 60 replays, and 10 tests of the webhook, in ten minutes of the clock, each counted at once', () => {
    expect([replayPolicy, webhookTestPolicy]).toEqual([
      { name: 'replay', quota: 60, windowSeconds: 600, shareSize: 1 },
      { name: 'webhook-test', quota: 10, windowSeconds: 600, shareSize: 1 },
    ]);
  });

  test.each([
    [partnerPolicy(300), 0, '2026-03-01T12:00:00Z'],
    [partnerPolicy(300), 59_999, '2026-03-01T12:00:00Z'],
    [partnerPolicy(300), 60_000, '2026-03-01T12:01:00Z'],
    [replayPolicy, 599_999, '2026-03-01T12:00:00Z'],
    [replayPolicy, 600_000, '2026-03-01T12:10:00Z'],
  ])('S-40 the window of %j %i ms after noon began at %s, in seconds since 1970', (policy, ms, began) => {
    expect(windowStartOf(policy, noon + ms)).toBe(Date.parse(began) / 1000);
  });

  test.each([
    [1, 0, { isTaken: true, remaining: 299, resetSeconds: 60 }],
    [299, 500, { isTaken: true, remaining: 1, resetSeconds: 60 }],
    [300, 1_000, { isTaken: true, remaining: 0, resetSeconds: 59 }],
    [301, 59_999, { isTaken: false, remaining: 0, resetSeconds: 1 }],
    [330, 60_000, { isTaken: false, remaining: 0, resetSeconds: 60 }],
  ])('S-40 after %i requests, %i ms after noon, the rate limit is %j', (known, ms, standing) => {
    expect(standingOf(known, partnerPolicy(300), noon + ms)).toEqual(standing);
  });
});
