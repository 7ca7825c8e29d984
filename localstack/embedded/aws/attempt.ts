import type { Outcome } from '../../../functions/shared/domain/outcome.ts';
import { apiDestinationHeaders } from '../../../functions/shared/outbound/endpoint/definition.ts';
import type {
  PostAnswer,
  PostFailure,
  PostRequest,
} from '../../../functions/shared/outbound/probe/pinned-post.ts';
import { arn, busName } from '../wiring.ts';
import type { Connection, Destination } from './api-destinations.ts';
import type { RuleTarget } from './bus.ts';
import type { MessageToSend } from './queues.ts';

/** An accepted event for one target, with the target at that time: every attempt sends the same bytes. */
export type Delivery = {
  id: number;
  /** The name of the rule. */
  rule: string;
  target: RuleTarget;
  /** The whole event as JSON. */
  event: string;
  acceptedMs: number;
  /** The number of attempts so far. */
  attempts: number;
};

export type AttemptFailure = PostFailure | 'target removed';
export type AttemptOutcome = Outcome<PostAnswer, AttemptFailure>;

/** What happens after an attempt. `exhausted` has EventBridge's name of the limit that ended the retries. */
export type NextStep =
  | { kind: 'delivered' }
  | { kind: 'retry'; atMs: number }
  | { kind: 'dead'; exhausted?: 'MaximumRetryAttempts' | 'MaximumEventAgeInSeconds' };

export type Attempted = { delivery: Delivery; attempt: number; nowMs: number; jitter: number };

/** Decides about an event after an attempt, by EventBridge's rules for statuses, retry policies and `Retry-After`. */
export const nextStep = (
  outcome: AttemptOutcome,
  { delivery: { acceptedMs, target }, attempt, nowMs, jitter }: Attempted,
): NextStep => {
  if (outcome.ok && outcome.value.status >= 200 && outcome.value.status < 300) return { kind: 'delivered' };
  if (!isRetried(outcome)) return { kind: 'dead' };
  const asked = askedToWaitMs(outcome, nowMs);
  if (asked < 0) return { kind: 'dead' };
  const { MaximumRetryAttempts, MaximumEventAgeInSeconds } = target.RetryPolicy;
  if (attempt > MaximumRetryAttempts) return { kind: 'dead', exhausted: 'MaximumRetryAttempts' };
  // Full jitter up to 1 s, 2 s, 4 s, … and 2 min, so that retries to a recovered receiver are spread out.
  const backoffMs = Math.round(jitter * Math.min(120_000, 1000 * 2 ** (attempt - 1)));
  const atMs = nowMs + Math.max(backoffMs, asked);
  return atMs > acceptedMs + MaximumEventAgeInSeconds * 1000
    ? { kind: 'dead', exhausted: 'MaximumEventAgeInSeconds' }
    : { kind: 'retry', atMs };
};

const isRetried = (outcome: AttemptOutcome): boolean =>
  outcome.ok
    ? [401, 407, 409, 429].includes(outcome.value.status) || outcome.value.status >= 500
    : !neverRetried.includes(outcome.reason);

/** Failures that a retry cannot change. */
const neverRetried: AttemptFailure[] = ['name not found', 'address not allowed', 'target removed'];

/** `Retry-After` in milliseconds: from seconds, negative for no retry, or a date; 0 where it is absent or invalid. */
const askedToWaitMs = (outcome: AttemptOutcome, nowMs: number): number => {
  const text = outcome.ok ? (outcome.value.retryAfter?.trim() ?? '') : '';
  if (/^-?\d+$/.test(text)) return Number(text) * 1000;
  const date = text.endsWith(' GMT') ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? 0 : Math.max(0, date - nowMs);
};

/** EventBridge's request for an event: the body from the target's input, headers from the target, and the connection's key. */
export const requestOf = (
  { event, target }: Pick<Delivery, 'event' | 'target'>,
  { InvocationEndpoint: url }: Destination,
  { AuthParameters: { ApiKeyAuthParameters } }: Connection,
): PostRequest => {
  const parsed: unknown = JSON.parse(event);
  // A value that is a JSON path is read from the event; a header without a value is left out.
  const ofTarget = Object.entries(target.HttpParameters.HeaderParameters).flatMap(([name, value]) => {
    const found = value.startsWith('$.') ? valueAt(parsed, value) : value;
    return found === undefined ? [] : [[name, String(found)]];
  });
  const headers: Record<string, string> = {
    ...Object.fromEntries(ofTarget),
    ...apiDestinationHeaders,
    'Content-Type': 'application/json; charset=utf-8',
    [ApiKeyAuthParameters.ApiKeyName]: ApiKeyAuthParameters.ApiKeyValue,
  };
  return { url, headers, body: JSON.stringify(valueAt(parsed, target.InputPath)) };
};

/** The value at a path such as `$.detail.message`. */
const valueAt = (event: unknown, path: string): unknown =>
  path
    .split('.')
    .slice(1)
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], event);

/** Why an event is given up: the outcome of its last attempt, and the limit that ended the retries. */
export type Cause = { outcome: AttemptOutcome; exhausted?: string | undefined };

/** The dead letter in EventBridge's format: the original event, with the cause in its attributes. */
export const deadLetterOf = (
  { event, rule, target, attempts }: Delivery,
  { outcome, exhausted }: Cause,
): MessageToSend => {
  const attributes = {
    RULE_ARN: arn('events', `rule/${busName}/${rule}`),
    TARGET_ARN: target.Arn,
    ERROR_CODE: !outcome.ok && outcome.reason === 'target removed' ? 'NO_RESOURCE' : 'SDK_CLIENT_ERROR',
    ERROR_MESSAGE: `Unable to invoke ApiDestination endpoint: ${reasonOf(outcome)}.`,
    RETRY_ATTEMPTS: `${attempts - 1}`,
    ...(exhausted && { EXHAUSTED_RETRY_CONDITION: exhausted }),
  };
  return {
    body: event,
    attributes: Object.fromEntries(
      Object.entries(attributes).map(([name, StringValue]) => [name, { DataType: 'String', StringValue }]),
    ),
  };
};

const reasonOf = (outcome: AttemptOutcome): string => {
  if (outcome.ok) return `The endpoint answered with status ${outcome.value.status}`;
  if (outcome.reason === 'timed out') return 'Timeout calling endpoint for API Destination: socket closed';
  return `API destination endpoint cannot be reached: ${outcome.reason}`;
};
