import { validateHeaderValue } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type Outcome, refuse, succeed } from '../../../functions/shared/domain/outcome.ts';
import { apiDestinationHeaders } from '../../../functions/shared/outbound/endpoint/definition.ts';
import {
  createPinnedPost,
  type PinnedPost,
  type PostAnswer,
  type PostFailure,
  type PostRequest,
  publicOrLoopback,
} from '../../../functions/shared/outbound/probe/pinned-post.ts';
import type { State } from '../state.ts';
import { arn, type QueueName, queues as queueWiring } from '../wiring.ts';
import { type BusRecords, type Connection, type Destination, nameInArn, type RuleTarget } from './bus.ts';
import type { MessageToSend, Queues } from './queues.ts';

/** An accepted event for one target, with the target at that time: every attempt sends the same bytes. */
type Delivery = {
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
type AttemptOutcome = Outcome<PostAnswer, AttemptFailure>;

/** What happens after an attempt. `exhausted` has EventBridge's name of the limit that ended the retries. */
type NextStep =
  | { kind: 'delivered' }
  | { kind: 'retry'; atMs: number }
  | { kind: 'dead'; exhausted?: 'MaximumRetryAttempts' | 'MaximumEventAgeInSeconds' };

/** An attempt, for the log and the stage's page. */
export type Attempt = {
  /** The event as it was accepted. */
  event: { id: string; 'detail-type': string; detail?: Record<string, unknown> };
  destination: string;
  /** Counted from 1. */
  attempt: number;
  startedMs: number;
  result: { status: number } | { error: string };
  next: NextStep;
};

export type DeliveryOptions = {
  state: State;
  records: BusRecords;
  queues: Queues;
  /** Hears of each attempt before its result is stored. */
  onAttempt: (attempt: Attempt) => Promise<void> | void;
  /** A number from 0 to 1, for the pauses between attempts. */
  random?: () => number;
  post?: PinnedPost;
};

/** Attempts at one destination at a time: a receiver that hangs holds that many connections, for 5 s each. */
const mostAtOnce = 10;
const pollMs = 100;
/** How long `stop` waits for running attempts. */
const patienceMs = 1_000;

const postPinned = createPinnedPost({ isAllowed: publicOrLoopback });

/** Accepted events, and the sending of each until it is delivered or given up. */
export const openDeliveries = ({
  state,
  records,
  queues,
  onAttempt,
  random = Math.random,
  post = postPinned,
}: DeliveryOptions) => {
  const { db, inOneStep } = state;
  const insert = db.prepare(
    'INSERT INTO deliveries (destination, ruleArn, targetId, target, event, acceptedMs, dueMs) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const dueDestinations = db.prepare('SELECT DISTINCT destination FROM deliveries WHERE dueMs <= ?');
  const dueAt = db.prepare(
    'SELECT * FROM deliveries WHERE destination = ? AND dueMs <= ? ORDER BY dueMs, id LIMIT ?',
  );
  const nextDue = db.prepare('SELECT MIN(dueMs) AS ms FROM deliveries');
  const undeliverable = db.prepare('SELECT * FROM deliveries WHERE targetRemoved = 1');
  const markRemoved = db.prepare(
    'UPDATE deliveries SET targetRemoved = 1 WHERE ruleArn = ? AND targetId = ?',
  );
  const postpone = db.prepare('UPDATE deliveries SET attempts = ?, dueMs = ? WHERE id = ?');
  const remove = db.prepare('DELETE FROM deliveries WHERE id = ?');
  const read = (row: unknown): Delivery => {
    const { target, ...delivery } = row as Omit<Delivery, 'target'> & { target: string };
    return { ...delivery, target: JSON.parse(target) };
  };

  /** Running attempts and the starts of the last second, by destination: each has limits of its own (S-52). */
  const destinations = new Map<string, { running: Set<number>; startsMs: number[] }>();
  const attempts = new Set<Promise<void>>();
  const stopping = new AbortController();
  let isStopped = false;

  const sendTo = (destination: string) => {
    const nowMs = Date.now();
    const { running, startsMs } = destinations.get(destination) ?? { running: new Set(), startsMs: [] };
    const recent = startsMs.filter((ms) => ms > nowMs - 1_000);
    destinations.set(destination, { running, startsMs: recent });
    const perSecond = records.destinations.get(nameInArn(destination))?.InvocationRateLimitPerSecond ?? 300;
    const free = Math.min(mostAtOnce - running.size, perSecond - recent.length);
    if (free <= 0) return;
    const due = dueAt.all(destination, nowMs, running.size + free).map(read);
    for (const delivery of due.filter(({ id }) => !running.has(id)).slice(0, free)) {
      running.add(delivery.id);
      recent.push(nowMs);
      const attempt = send(delivery)
        .finally(() => {
          running.delete(delivery.id);
          attempts.delete(attempt);
        })
        .then(() => {
          if (!isStopped) sendTo(destination);
        });
      attempts.add(attempt);
    }
  };

  const sendDue = () => {
    if (isStopped) return;
    buryUndeliverable();
    for (const { destination } of dueDestinations.all(Date.now())) sendTo(String(destination));
  };

  const send = async (delivery: Delivery) => {
    const startedMs = Date.now();
    const attempt = delivery.attempts + 1;
    const outcome = await ask(delivery);
    // Aborted by the end of the stage: this does not count as an attempt, and the next start repeats it.
    if (!outcome.ok && stopping.signal.aborted) return;
    const next = nextStep(outcome, { delivery, attempt, nowMs: Date.now(), jitter: random() });
    await onAttempt({
      event: JSON.parse(delivery.event),
      destination: nameInArn(delivery.target.Arn),
      result: outcome.ok ? { status: outcome.value.status } : { error: outcome.reason },
      ...{ attempt, startedMs, next },
    });
    if (next.kind === 'delivered') remove.run(delivery.id);
    else if (next.kind === 'retry') postpone.run(attempt, next.atMs, delivery.id);
    else bury({ ...delivery, attempts: attempt }, { outcome, exhausted: next.exhausted });
  };

  const ask = async ({ event, target }: Delivery): Promise<AttemptOutcome> => {
    const destination = records.destinations.get(nameInArn(target.Arn));
    const connection = destination && records.connections.get(nameInArn(destination.ConnectionArn));
    if (destination?.ApiDestinationArn !== target.Arn) return refuse('no such destination');
    if (connection?.ConnectionArn !== destination.ConnectionArn) return refuse('no such destination');
    const request = requestOf({ event, target }, destination, connection);
    return request.ok ? post(request.value, stopping.signal) : request;
  };

  const bury = (delivery: Delivery, cause: Cause) =>
    inOneStep(() => {
      const queue = queueOf(delivery.target.DeadLetterConfig?.Arn);
      if (queue) queues.send(queue, deadLetterOf(delivery, cause));
      remove.run(delivery.id);
    });

  /** The events of removed targets; one that is being sent is looked at after its attempt. */
  const buryUndeliverable = () => {
    for (const delivery of undeliverable.all().map(read))
      if (!destinations.get(delivery.target.Arn)?.running.has(delivery.id)) bury(delivery, 'target removed');
  };

  const timer = setInterval(sendDue, pollMs);
  return {
    accept: ({ ruleArn, target, event }: Pick<Delivery, 'ruleArn' | 'target' | 'event'>) => {
      const nowMs = Date.now();
      insert.run(target.Arn, ruleArn, target.Id, JSON.stringify(target), event, nowMs, nowMs);
    },
    sendAccepted: sendDue,
    removeTarget: (ruleArn: string, targetId: string) => {
      markRemoved.run(ruleArn, targetId);
      buryUndeliverable();
    },
    /** When the next attempt is due, in milliseconds; undefined when nothing waits. */
    nextDueMs: (): number | undefined => (nextDue.get() as { ms: number | null }).ms ?? undefined,
    isSending: () => attempts.size > 0,
    /** Aborts attempts that hang. The next start makes them again. */
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      const over = Promise.allSettled(attempts);
      await Promise.race([over, pause(patienceMs, undefined, { ref: false })]);
      stopping.abort();
      await over;
    },
  };
};

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
const requestOf = (
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
type Cause = { outcome: AttemptOutcome; exhausted?: string | undefined } | 'target removed';

/** The dead letter in EventBridge's format: the original event, with the cause in its attributes. */
const deadLetterOf = ({ event, ruleArn, target, attempts }: Delivery, cause: Cause): MessageToSend => {
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

/** The queue with this ARN. */
const queueOf = (queueArn: string | undefined): QueueName | undefined =>
  (Object.keys(queueWiring) as QueueName[]).find((name) => arn('sqs', name) === queueArn);
