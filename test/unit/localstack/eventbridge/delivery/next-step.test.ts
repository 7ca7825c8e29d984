import { describe, expect, test } from '@jest/globals';
import { refuse, succeed } from '../../../../../functions/shared/domain/outcome.ts';
import {
  type Attempted,
  type AttemptFailure,
  decideNextStep,
} from '../../../../../localstack/eventbridge/delivery/next-step.ts';

const attempted: Attempted = {
  attempt: 1,
  acceptedMs: 1_000_000,
  nowMs: 1_000_000,
  policy: { MaximumRetryAttempts: 185, MaximumEventAgeInSeconds: 86_400 },
  jitter: 0.5,
};
const answered = (status: number, retryAfter?: string) =>
  succeed({ status, ...(retryAfter !== undefined && { retryAfter }) });
const decide = (status: number, more: Partial<Attempted> = {}, retryAfter?: string) =>
  decideNextStep(answered(status, retryAfter), { ...attempted, ...more });

describe('what becomes of an event after an attempt', () => {
  test.each([200, 201, 202, 204, 299])('%i is delivered', (status) => {
    expect(decide(status)).toEqual({ kind: 'delivered' });
  });

  test.each([401, 407, 409, 429, 500, 501, 502, 503, 504, 599])('%i is retried', (status) => {
    expect(decide(status)).toEqual({ kind: 'retry', atMs: 1_000_500 });
  });

  test.each([
    100, 101, 199, 300, 301, 302, 304, 307, 308, 400, 402, 403, 404, 405, 406, 408, 410, 413, 415, 422, 428,
    451, 499,
  ])('%i is not retried', (status) => {
    expect(decide(status)).toEqual({ kind: 'dead' });
  });

  test.each<AttemptFailure>([
    'timed out',
    'answer too large',
    'too many interim answers',
    'no connection: ECONNREFUSED',
    'no connection: CERT_HAS_EXPIRED',
  ])('%s is retried', (reason) => {
    expect(decideNextStep(refuse(reason), attempted)).toEqual({ kind: 'retry', atMs: 1_000_500 });
  });

  test.each<AttemptFailure>([
    'name not found',
    'address not allowed',
    'no such destination',
    'input path finds nothing',
    'a header cannot be sent',
  ])('%s is not retried', (reason) => {
    expect(decideNextStep(refuse(reason), attempted)).toEqual({ kind: 'dead' });
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
    const waits = [0, 0.25, 1].map((jitter) => {
      const nextStep = decide(503, { attempt, jitter });
      return nextStep.kind === 'retry' ? nextStep.atMs - attempted.nowMs : undefined;
    });

    expect(waits).toEqual([0, mostMs / 4, mostMs]);
  });

  test.each([
    ['7', 7_000],
    [' 7 ', 7_000],
    ['0', 500],
    ['3600', 3_600_000],
    ['Thu, 01 Jan 1970 00:16:45 GMT', 5_000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 500],
    ['soon', 500],
    ['1.5', 500],
    ['', 500],
  ])('Retry-After %j: the more conservative wins, so after %i ms', (retryAfter, waitMs) => {
    expect(decide(429, {}, retryAfter)).toEqual({ kind: 'retry', atMs: 1_000_000 + waitMs });
  });

  test('a Retry-After sooner than our own wait changes nothing', () => {
    expect(decide(429, { attempt: 8, jitter: 1 }, '7')).toEqual({ kind: 'retry', atMs: 1_120_000 });
  });

  test('a negative Retry-After ends the retries', () => {
    expect(decide(503, {}, '-1')).toEqual({ kind: 'dead' });
  });

  test('Retry-After makes nothing retried that is not', () => {
    expect(decide(404, {}, '5')).toEqual({ kind: 'dead' });
  });
});

describe('when the retries are exhausted', () => {
  test.each([
    [0, 1, 'dead'],
    [2, 2, 'retry'],
    [2, 3, 'dead'],
    [185, 185, 'retry'],
    [185, 186, 'dead'],
  ])('of at most %i retries, attempt %i ends as %s', (MaximumRetryAttempts, attempt, kind) => {
    const nextStep = decide(503, { attempt, jitter: 0, policy: { MaximumRetryAttempts } });

    expect(nextStep).toMatchObject(kind === 'dead' ? { kind, exhausted: 'MaximumRetryAttempts' } : { kind });
  });

  test.each([
    [59_500, 'retry'],
    [59_501, 'dead'],
  ])('of an age of at most 60 s, a retry at %i ms + 500 ms is %s', (ageMs, kind) => {
    const policy = { MaximumEventAgeInSeconds: 60 };
    const nextStep = decide(503, { nowMs: 1_000_000 + ageMs, policy });

    expect(nextStep).toMatchObject(
      kind === 'dead' ? { kind, exhausted: 'MaximumEventAgeInSeconds' } : { kind },
    );
  });

  test('a Retry-After beyond the age is not waited for', () => {
    expect(decide(503, {}, '9'.repeat(400))).toEqual({ kind: 'dead', exhausted: 'MaximumEventAgeInSeconds' });
  });

  test.each([undefined, {}])('without a policy (%j) there are 185 retries in 24 h', (policy) => {
    expect(decide(503, { attempt: 185, jitter: 0, policy }).kind).toBe('retry');
    expect(decide(503, { attempt: 186, jitter: 0, policy }).kind).toBe('dead');
    expect(decide(503, { nowMs: 1_000_000 + 86_400_000, jitter: 0, policy }).kind).toBe('retry');
    expect(decide(503, { nowMs: 1_000_000 + 86_400_001, jitter: 0, policy }).kind).toBe('dead');
  });
});
