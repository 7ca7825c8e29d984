import type { Outcome } from '../../../functions/shared/domain/outcome.ts';
import type { PostAnswer, PostFailure } from '../../../functions/shared/outbound/probe/pinned-post.ts';
import type { RetryPolicy } from '../records.ts';
import type { RequestFault } from './request.ts';

export type AttemptFailure = PostFailure | RequestFault | 'no such destination';
export type AttemptOutcome = Outcome<PostAnswer, AttemptFailure>;

/** EventBridge's names in dead letters. */
export type ExhaustedCondition = 'MaximumRetryAttempts' | 'MaximumEventAgeInSeconds';
export type NextStep =
  | { kind: 'delivered' }
  | { kind: 'retry'; atMs: number }
  | { kind: 'dead'; exhausted?: ExhaustedCondition };

export type Attempted = {
  /** The number of the attempt, from 1. */
  attempt: number;
  acceptedMs: number;
  nowMs: number;
  policy: RetryPolicy | undefined;
  /** A random number from 0 to 1. */
  jitter: number;
};

/** Decides about an event after an attempt, by EventBridge's rules for statuses, retry policies and `Retry-After`. */
export const decideNextStep = (outcome: AttemptOutcome, attempted: Attempted): NextStep => {
  const { attempt, acceptedMs, nowMs, policy } = attempted;
  if (outcome.ok && isSuccess(outcome.value.status)) return { kind: 'delivered' };
  if (!isRetried(outcome)) return { kind: 'dead' };
  const asked = askedToWaitMs(outcome, nowMs);
  if (asked < 0) return { kind: 'dead' };
  if (attempt > (policy?.MaximumRetryAttempts ?? 185))
    return { kind: 'dead', exhausted: 'MaximumRetryAttempts' };
  const atMs = nowMs + Math.max(backoffMs(attempted), asked);
  const lastMs = acceptedMs + (policy?.MaximumEventAgeInSeconds ?? 86_400) * 1000;
  return atMs > lastMs ? { kind: 'dead', exhausted: 'MaximumEventAgeInSeconds' } : { kind: 'retry', atMs };
};

const isSuccess = (status: number) => status >= 200 && status < 300;

const isRetried = (outcome: AttemptOutcome): boolean => {
  if (outcome.ok) return [401, 407, 409, 429].includes(outcome.value.status) || outcome.value.status >= 500;
  return !neverRetried.includes(outcome.reason);
};

/** Failures that a retry cannot change. */
const neverRetried: AttemptFailure[] = [
  'name not found',
  'address not allowed',
  'no such destination',
  'input path finds nothing',
  'a header cannot be sent',
];

/** Full jitter up to 1 s, 2 s, 4 s, … and 2 min, so that retries to a recovered receiver are spread out. */
const backoffMs = ({ attempt, jitter }: Attempted): number =>
  Math.round(jitter * Math.min(120_000, 1000 * 2 ** (attempt - 1)));

/** `Retry-After` in milliseconds: from seconds, negative for no retry, or a date; 0 where it is absent or invalid. */
const askedToWaitMs = (outcome: AttemptOutcome, nowMs: number): number => {
  const text = outcome.ok ? (outcome.value.retryAfter?.trim() ?? '') : '';
  if (/^-?\d+$/.test(text)) return Number(text) * 1000;
  const date = text.endsWith(' GMT') ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? 0 : Math.max(0, date - nowMs);
};
