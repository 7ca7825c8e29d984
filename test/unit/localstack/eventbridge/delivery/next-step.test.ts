import { describe, expect, test } from '@jest/globals';
import { refuse, succeed } from '../../../../../functions/shared/domain/outcome.ts';
import {
  type Attempted,
  type AttemptFailure,
  decideNextStep,
} from '../../../../../localstack/eventbridge/delivery/next-step.ts';

const attempted: Attempted = {
  ...{ attempt: 1, acceptedMs: 1_000_000, nowMs: 1_000_000, jitter: 0.5 },
  policy: { MaximumRetryAttempts: 185, MaximumEventAgeInSeconds: 86_400 },
};
const decide = (status: number, more: Partial<Attempted> = {}, retryAfter?: string) =>
  decideNextStep(succeed({ status, ...(retryAfter !== undefined && { retryAfter }) }), {
    ...attempted,
    ...more,
  });
const dead = { kind: 'dead' };
const retryAfterMs = (ms: number) => ({ kind: 'retry', atMs: 1_000_000 + ms });

describe('what becomes of an event after an attempt', () => {
  test.each([200, 201, 202, 204, 299])('%i is delivered', (status) => {
    expect(decide(status)).toEqual({ kind: 'delivered' });
  });

  test.each([401, 407, 409, 429, 500, 501, 502, 503, 504, 599])('%i is retried', (status) => {
    expect(decide(status)).toEqual(retryAfterMs(500));
  });

  test.each([
    100, 101, 199, 300, 301, 302, 304, 307, 308, 400, 402, 403, 404, 405, 406, 408, 410, 413, 415, 422, 428,
    451, 499,
  ])('%i is not retried', (status) => {
    expect(decide(status)).toEqual(dead);
  });

  test.each<[AttemptFailure, object]>([
    ['timed out', retryAfterMs(500)],
    ['answer too large', retryAfterMs(500)],
    ['too many interim answers', retryAfterMs(500)],
    ['no connection: ECONNREFUSED', retryAfterMs(500)],
    ['no connection: CERT_HAS_EXPIRED', retryAfterMs(500)],
    ['name not found', dead],
    ['address not allowed', dead],
    ['no such destination', dead],
    ['input path finds nothing', dead],
    ['a header cannot be sent', dead],
  ])('an attempt that failed, as %s, ends so: %j', (reason, nextStep) => {
    expect(decideNextStep(refuse(reason), attempted)).toEqual(nextStep);
  });
});

describe('when it is tried again', () => {
  test.each([
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
    [7, 64_000],
    [8, 120_000],
    [100, 120_000],
    [185, 120_000],
  ])('after attempt %i within %i ms, by full jitter', (attempt, mostMs) => {
    expect([0, 0.25, 1].map((jitter) => decide(503, { attempt, jitter }))).toEqual(
      [0, mostMs / 4, mostMs].map(retryAfterMs),
    );
  });

  test.each<[number, string, object, Partial<Attempted>?]>([
    [429, '7', retryAfterMs(7_000)],
    [429, ' 7 ', retryAfterMs(7_000)],
    [429, '0', retryAfterMs(500)],
    [429, '3600', retryAfterMs(3_600_000)],
    [429, 'Thu, 01 Jan 1970 00:16:45 GMT', retryAfterMs(5_000)],
    [429, 'Thu, 01 Jan 1970 00:00:00 GMT', retryAfterMs(500)],
    [429, 'soon', retryAfterMs(500)],
    [429, '1.5', retryAfterMs(500)],
    [429, '', retryAfterMs(500)],
    [429, '7', retryAfterMs(120_000), { attempt: 8, jitter: 1 }],
    [503, '-1', dead],
    [404, '5', dead],
  ])(
    '%i with Retry-After %j: the more conservative wins, so %j',
    (status, retryAfter, nextStep, more = {}) => {
      expect(decide(status, more, retryAfter)).toEqual(nextStep);
    },
  );

  test('a Retry-After beyond the age is not waited for', () => {
    expect(decide(503, {}, '9'.repeat(400))).toEqual({ ...dead, exhausted: 'MaximumEventAgeInSeconds' });
  });
});

describe('when the retries are exhausted', () => {
  test.each([
    [{ MaximumRetryAttempts: 0 }, 1],
    [{ MaximumRetryAttempts: 2 }, 3],
    [{ MaximumRetryAttempts: 185 }, 186],
    [undefined, 186],
    [{}, 186],
  ])('of the policy %j attempt %i is the last', (policy, attempt) => {
    const decideAt = (nth: number) => decide(503, { attempt: nth, jitter: 0, policy });

    expect(decideAt(attempt - 1)).toEqual(retryAfterMs(0));
    expect(decideAt(attempt)).toEqual({ ...dead, exhausted: 'MaximumRetryAttempts' });
  });

  test.each([
    [{ MaximumEventAgeInSeconds: 60 }, 59_500],
    [undefined, 86_399_500],
    [{}, 86_399_500],
  ])('of the policy %j a retry is decided until an age of %i ms, half a second before', (policy, ageMs) => {
    const decideAt = (ms: number) => decide(503, { nowMs: 1_000_000 + ms, policy });

    expect(decideAt(ageMs)).toEqual(retryAfterMs(ageMs + 500));
    expect(decideAt(ageMs + 1)).toEqual({ ...dead, exhausted: 'MaximumEventAgeInSeconds' });
  });
});
