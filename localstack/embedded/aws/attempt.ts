import { validateHeaderValue } from 'node:http';
import { type Outcome, refuse, succeed } from '../../../functions/shared/domain/outcome.ts';
import { apiDestinationHeaders } from '../../../functions/shared/outbound/endpoint/definition.ts';
import type {
  PostAnswer,
  PostFailure,
  PostRequest,
} from '../../../functions/shared/outbound/probe/pinned-post.ts';
import type { Connection, Destination } from './api-destinations.ts';
import type { RuleTarget } from './bus.ts';
import type { MessageToSend } from './queues.ts';

/** An accepted event for one target, with the target at that time: every attempt sends the same bytes. */
export type Delivery = {
  id: number;
  ruleArn: string;
  target: RuleTarget;
  /** The whole event as JSON. */
  event: string;
  acceptedMs: number;
  /** The number of attempts so far. */
  attempts: number;
};

export type AttemptFailure =
  | PostFailure
  | 'no such destination'
  | 'input path finds nothing'
  | 'a header cannot be sent';
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
  const { MaximumRetryAttempts = 185, MaximumEventAgeInSeconds = 86_400 } = target.RetryPolicy ?? {};
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
const neverRetried: AttemptFailure[] = [
  'name not found',
  'address not allowed',
  'no such destination',
  'input path finds nothing',
  'a header cannot be sent',
];

/** `Retry-After` in milliseconds: from seconds, negative for no retry, or a date; 0 where it is absent or invalid. */
const askedToWaitMs = (outcome: AttemptOutcome, nowMs: number): number => {
  const text = outcome.ok ? (outcome.value.retryAfter?.trim() ?? '') : '';
  if (/^-?\d+$/.test(text)) return Number(text) * 1000;
  const date = text.endsWith(' GMT') ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? 0 : Math.max(0, date - nowMs);
};

/** Headers that targets and connections cannot set: EventBridge removes them. */
const stripped = new Set(
  [
    ...Object.keys(apiDestinationHeaders),
    'A-IM Accept-Charset Accept-Datetime Cache-Control Content-Encoding Content-Length Content-MD5 Date Expect Forwarded',
    'From Host HTTP2-Settings If-Match If-Modified-Since If-None-Match If-Range If-Unmodified-Since Max-Forwards Origin',
    'Pragma Proxy-Authorization Referer TE Trailer Transfer-Encoding Upgrade Via Warning',
  ].flatMap((names) => names.toLowerCase().split(' ')),
);

/** EventBridge's request for an event: the body from the target's input, headers from the target, and the connection's key. */
export const requestOf = (
  { event, target }: Pick<Delivery, 'event' | 'target'>,
  { InvocationEndpoint }: Pick<Destination, 'InvocationEndpoint'>,
  { apiKey }: Pick<Connection, 'apiKey'>,
): Outcome<PostRequest, 'input path finds nothing' | 'a header cannot be sent'> => {
  const parsed: unknown = JSON.parse(event);
  const input = target.InputPath === undefined ? parsed : valueAt(parsed, target.InputPath);
  if (input === undefined) return refuse('input path finds nothing');
  // A value that is a JSON path is read from the event; a header without a value is left out.
  const ofTarget = Object.entries(target.HttpParameters?.HeaderParameters ?? {}).flatMap(([name, value]) => {
    const found = value.startsWith('$.') ? valueAt(parsed, value) : value;
    return found === undefined
      ? []
      : [[name, typeof found === 'string' ? found : JSON.stringify(found)] as const];
  });
  const given = [...ofTarget, [apiKey.ApiKeyName, apiKey.ApiKeyValue] as const];
  // Of headers with equal names, in any case, the last one counts: the connection's before the target's.
  const headers = new Map(
    [
      ...Object.entries({ ...apiDestinationHeaders, 'Content-Type': 'application/json; charset=utf-8' }),
      ...given.filter(([name]) => !stripped.has(name.toLowerCase())),
    ].map((header) => [header[0].toLowerCase(), header]),
  );
  if (![...headers.values()].every(([name, value]) => isSendable(name, value)))
    return refuse('a header cannot be sent');
  const body = target.Input ?? JSON.stringify(input);
  return succeed({ url: InvocationEndpoint, headers: Object.fromEntries(headers.values()), body });
};

const isSendable = (name: string, value: string): boolean => {
  try {
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
};

/** The value at a path such as `$.detail.message`. */
const valueAt = (event: unknown, path: string): unknown =>
  path
    .split('.')
    .slice(1)
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, name)
          ? (value as Record<string, unknown>)[name]
          : undefined,
      event,
    );

/** Why an event is given up: the outcome of its last attempt, or its target was removed. */
export type Cause = { outcome: AttemptOutcome; exhausted?: string | undefined } | 'target removed';

/** The dead letter in EventBridge's format: the original event, with the cause in its attributes. */
export const deadLetterOf = ({ event, ruleArn, target, attempts }: Delivery, cause: Cause): MessageToSend => {
  const isMissing =
    cause === 'target removed' || (!cause.outcome.ok && cause.outcome.reason === 'no such destination');
  const exhausted = cause === 'target removed' ? undefined : cause.exhausted;
  const attributes = {
    RULE_ARN: ruleArn,
    TARGET_ARN: target.Arn,
    ERROR_CODE: isMissing ? 'NO_RESOURCE' : 'SDK_CLIENT_ERROR',
    ERROR_MESSAGE: messageOf(cause),
    RETRY_ATTEMPTS: `${Math.max(0, attempts - 1)}`,
    ...(exhausted && { EXHAUSTED_RETRY_CONDITION: exhausted }),
  };
  return {
    body: event,
    attributes: Object.fromEntries(
      Object.entries(attributes).map(([name, StringValue]) => [name, { DataType: 'String', StringValue }]),
    ),
  };
};

const messageOf = (cause: Cause): string => {
  if (cause === 'target removed') return 'The target of the rule was removed.';
  const { outcome } = cause;
  const reason = outcome.ok
    ? `The endpoint answered with status ${outcome.value.status}`
    : outcome.reason === 'timed out'
      ? 'Timeout calling endpoint for API Destination: socket closed'
      : `API destination endpoint cannot be reached: ${outcome.reason}`;
  return `Unable to invoke ApiDestination endpoint: ${reason}.`;
};
