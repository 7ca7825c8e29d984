import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { refuse, succeed } from '../../../functions/shared/domain/outcome.ts';
import type { PinnedPost, PostRequest } from '../../../functions/shared/outbound/probe/pinned-post.ts';
import { type Attempted, type AttemptFailure, nextStep } from '../../../localstack/embedded/aws/attempt.ts';
import { busRecords, type RuleTarget } from '../../../localstack/embedded/aws/bus.ts';
import { type Attempt, openDeliveries } from '../../../localstack/embedded/aws/delivery.ts';
import { openQueues } from '../../../localstack/embedded/aws/queues.ts';
import { openState } from '../../../localstack/embedded/state.ts';
import { holdDate, settled } from '../../support/stage/held-date.ts';

const arn = 'arn:aws:events:eu-west-2:000000000000';
const acmeRule = `${arn}:rule/transactions-local/acme`;
type SentRequest = PostRequest & { answer: (outcome: Awaited<ReturnType<PinnedPost>>) => void };

/** The sending half of the bus, with receivers in the test's hands. */
const startBus = (folder: string) => {
  const state = openState(join(folder, 'state.db'));
  const records = busRecords(state);
  const queues = openQueues(state);
  const sent: SentRequest[] = [];
  const attempts: Attempt[] = [];
  const post: PinnedPost = (request, signal) =>
    new Promise((resolve) => {
      sent.push({ ...request, answer: resolve });
      signal?.addEventListener('abort', () => queueMicrotask(() => resolve(refuse('timed out'))));
    });
  const onAttempt = (attempt: Attempt) => void attempts.push(attempt);
  const deliveries = openDeliveries({ state, records, queues, onAttempt, post, random: () => 1 });
  return {
    ...{ records, queues, sent, attempts, deliveries },
    sendDue: async () => {
      deliveries.sendAccepted();
      await settled();
    },
    answer: async (index: number, status: number, retryAfter?: string) => {
      sent[index]?.answer(succeed({ status, ...(retryAfter !== undefined && { retryAfter }) }));
      await settled();
    },
    /** Attempts that hang are cut short. */
    stop: async () => {
      await deliveries.stop();
      state.close();
    },
  };
};

let folder: string;
let bus: ReturnType<typeof startBus>;
let date: ReturnType<typeof holdDate>;
let acme: RuleTarget;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bus-'));
  date = holdDate();
  bus = startBus(folder);
  acme = addPartner('acme');
});
afterEach(async () => {
  jest.useRealTimers();
  await bus.stop();
  rmSync(folder, { recursive: true });
});

const addPartner = (name: string, InvocationRateLimitPerSecond = 300): RuleTarget => {
  const ConnectionArn = `${arn}:connection/${name}/1`;
  const key = { ApiKeyName: 'X-Webhook-Signature', ApiKeyValue: `${name}-secret` };
  bus.records.connections.put(name, {
    ...{ Name: name, ConnectionArn, AuthorizationType: 'API_KEY' },
    AuthParameters: { ApiKeyAuthParameters: key },
  });
  const Arn = `${arn}:api-destination/${name}/1`;
  bus.records.destinations.put(name, {
    ...{ Name: name, ApiDestinationArn: Arn, ConnectionArn, InvocationRateLimitPerSecond },
    ...{ InvocationEndpoint: `https://${name}.example/`, HttpMethod: 'POST' },
  });
  const target = {
    ...{ Id: 'partner', Arn, RoleArn: 'arn:role', InputPath: '$.detail.message' },
    HttpParameters: { HeaderParameters: { 'Idempotency-Key': '$.detail.delivery.id' } },
    RetryPolicy: { MaximumRetryAttempts: 2, MaximumEventAgeInSeconds: 3600 },
    DeadLetterConfig: { Arn: 'arn:aws:sqs:eu-west-2:000000000000:dead-letters' },
  };
  bus.records.rules.put(name, {
    ...{ Name: name, Arn: '', EventBusName: 'transactions-local', EventPattern: '', State: 'ENABLED' },
    targets: [target],
  });
  return target;
};
const eventOf = (id: string, message: object = { id }) =>
  JSON.stringify({ version: '0', id: `bus-${id}`, detail: { to: 'CLIENT', message, delivery: { id } } });
const accept = (target: RuleTarget, ...ids: string[]) => {
  const rule = target.Arn.split('/')[1] ?? '';
  for (const id of ids) bus.deliveries.accept({ rule, target, event: eventOf(id) });
};
const many = (count: number, name = 'e') => Array.from({ length: count }, (_, index) => `${name}${index}`);
const keysSent = () => bus.sent.map(({ headers }) => headers['Idempotency-Key']);
/** Sends what is due, one request, and answers it. */
const attempt = async (status: number, retryAfter?: string) => {
  await bus.sendDue();
  await bus.answer(bus.sent.length - 1, status, retryAfter);
};
const deadLetters = () =>
  bus.queues.receive('dead-letters', 10).map(({ body, messageAttributes }) => ({
    body,
    ...Object.fromEntries(
      Object.entries(messageAttributes).map(([name, { StringValue }]) => [name, StringValue]),
    ),
  }));

const longest = { MaximumRetryAttempts: 185, MaximumEventAgeInSeconds: 86_400 };
const attempted = (
  more: Partial<Attempted> = {},
  policy: Partial<RuleTarget['RetryPolicy']> = {},
): Attempted => ({
  ...{ attempt: 1, nowMs: 1_000_000, jitter: 0.5 },
  delivery: {
    ...{ id: 1, rule: '', event: '', acceptedMs: 1_000_000, attempts: 0 },
    target: { ...acme, RetryPolicy: { ...longest, ...policy } },
  },
  ...more,
});
const nextAfter = (status: number, given = attempted(), retryAfter?: string) =>
  nextStep(succeed({ status, ...(retryAfter !== undefined && { retryAfter }) }), given);
const dead = { kind: 'dead' };
const inMs = (ms: number) => ({ kind: 'retry', atMs: 1_000_000 + ms });

describe('after an attempt', () => {
  test('EMB-8 2xx is delivered; 401, 407, 409, 429 and 5xx are retried; every other status is dead', () => {
    const statuses = Array.from({ length: 500 }, (_, index) => 100 + index);
    const by = Map.groupBy(statuses, (status) => nextAfter(status).kind);

    expect(by.get('delivered')).toEqual(statuses.filter((status) => status >= 200 && status <= 299));
    expect(by.get('retry')).toEqual([401, 407, 409, 429, ...statuses.filter((status) => status >= 500)]);
  });

  test.each<[AttemptFailure, object]>([
    ['timed out', inMs(500)],
    ['answer too large', inMs(500)],
    ['no connection: ECONNREFUSED', inMs(500)],
    ['name not found', dead],
    ['address not allowed', dead],
    ['target removed', dead],
  ])('EMB-8 an attempt that failed, %s, ends as %j', (reason, step) => {
    expect(nextStep(refuse(reason), attempted())).toEqual(step);
  });

  test.each([
    [1, 1_000],
    [2, 2_000],
    [7, 64_000],
    [8, 120_000],
    [185, 120_000],
  ])('EMB-8 the retry after attempt %d comes within %d ms, by full jitter', (nth, mostMs) => {
    const steps = [0, 0.25, 1].map((jitter) => nextAfter(503, attempted({ attempt: nth, jitter })));

    expect(steps).toEqual([0, mostMs / 4, mostMs].map(inMs));
  });

  test.each<[number, string, object, Partial<Attempted>?]>([
    [429, '7', inMs(7_000)],
    [429, ' 7 ', inMs(7_000)],
    [429, '0', inMs(500)],
    [503, 'Thu, 01 Jan 1970 00:16:45 GMT', inMs(5_000)],
    [503, 'Thu, 01 Jan 1970 00:00:00 GMT', inMs(500)],
    [429, 'soon', inMs(500)],
    [429, '1.5', inMs(500)],
    [429, '7', inMs(120_000), { attempt: 8, jitter: 1 }],
    [503, '-1', dead],
    [404, '5', dead],
    [503, '9'.repeat(400), { ...dead, exhausted: 'MaximumEventAgeInSeconds' }],
  ])(
    'EMB-8 after %d with Retry-After %.30j the longer wait counts',
    (status, retryAfter, step, more = {}) => {
      expect(nextAfter(status, attempted(more), retryAfter)).toEqual(step);
    },
  );

  test.each([
    [{ MaximumRetryAttempts: 0 }, 1],
    [{ MaximumRetryAttempts: 2 }, 3],
    [{}, 186],
  ])('EMB-8 of the policy %j attempt %d is the last', (policy, last) => {
    const [before, at] = [last - 1, last].map((nth) =>
      nextAfter(503, attempted({ attempt: nth, jitter: 0 }, policy)),
    );

    expect([before, at]).toEqual([inMs(0), { ...dead, exhausted: 'MaximumRetryAttempts' }]);
  });

  test.each([
    [{ MaximumEventAgeInSeconds: 60 }, 59_500],
    [{}, 86_399_500],
  ])(
    'EMB-8 of the policy %j a retry half a second later is decided until an age of %d ms',
    (policy, ageMs) => {
      const at = (ms: number) => nextAfter(503, attempted({ nowMs: 1_000_000 + ms }, policy));

      expect([at(ageMs), at(ageMs + 1)]).toEqual([
        inMs(ageMs + 500),
        { ...dead, exhausted: 'MaximumEventAgeInSeconds' },
      ]);
    },
  );
});

describe('requests', () => {
  const sendOne = async (target: RuleTarget, message: object = { id: 'e1' }) => {
    bus.deliveries.accept({ rule: 'acme', target, event: eventOf('e1', message) });
    await bus.sendDue();
  };

  test('EMB-8 a request has the message, the documented headers, the target’s headers and the key of the connection', async () => {
    const HeaderParameters = {
      'Idempotency-Key': '$.detail.delivery.id',
      'X-Fixed': 'fixed',
      'X-None': '$.detail.nothing',
    };
    await sendOne({ ...acme, HttpParameters: { HeaderParameters } }, { customer: { name: 'Ann' } });

    expect(bus.sent).toMatchObject([{ url: 'https://acme.example/', body: '{"customer":{"name":"Ann"}}' }]);
    expect(bus.sent[0]?.headers).toEqual({
      'User-Agent': 'Amazon/EventBridge/ApiDestinations',
      Range: 'bytes=0-1048575',
      'Accept-Encoding': 'gzip,deflate',
      Connection: 'close',
      'Content-Type': 'application/json; charset=utf-8',
      'Idempotency-Key': 'e1',
      'X-Fixed': 'fixed',
      'X-Webhook-Signature': 'acme-secret',
    });
  });
});

describe('what the bus took', () => {
  test('EMB-8 EV-5 a retry comes when its wait is over, with the same bytes; a changed address and key count, a changed target does not', async () => {
    accept(acme, 'e1');
    await attempt(503);
    date.pass(999);
    await bus.sendDue();
    const early = bus.sent.length;
    const destination = bus.records.destinations.get('acme');
    if (!destination) throw new Error('acme is not there');
    bus.records.destinations.put('acme', { ...destination, InvocationEndpoint: 'https://new.example/' });
    acme.InputPath = '$.detail';
    date.pass(1);
    await attempt(200);

    expect([early, bus.sent.length]).toEqual([1, 2]);
    expect(bus.sent[1]).toMatchObject({
      url: 'https://new.example/',
      headers: bus.sent[0]?.headers,
      body: '{"id":"e1"}',
    });
    expect(bus.attempts).toMatchObject([
      {
        destination: 'acme',
        attempt: 1,
        result: { status: 503 },
        next: { kind: 'retry', atMs: 1_795_262_401_000 },
      },
      { attempt: 2, result: { status: 200 }, next: { kind: 'delivered' } },
    ]);
    expect(bus.deliveries.nextDueMs()).toBeUndefined();
  });

  test('EMB-8 I16 a dead letter is the event, with EventBridge’s attributes', async () => {
    accept(acme, 'refused');
    await attempt(404);
    accept({ ...acme, RetryPolicy: { ...longest, MaximumRetryAttempts: 1 } }, 'exhausted');
    await attempt(500);
    date.pass(1_000);
    await bus.sendDue();
    bus.sent.at(-1)?.answer(refuse('timed out'));
    await settled();
    accept({ ...acme, RetryPolicy: { ...longest, MaximumEventAgeInSeconds: 60 } }, 'aged');
    await attempt(429, '50');
    date.pass(50_000);
    await attempt(429, '20');

    const of = {
      RULE_ARN: acmeRule,
      TARGET_ARN: `${arn}:api-destination/acme/1`,
      ERROR_CODE: 'SDK_CLIENT_ERROR',
    };
    const says = (what: string) => `Unable to invoke ApiDestination endpoint: ${what}.`;
    expect(deadLetters()).toEqual([
      {
        ...{ body: eventOf('refused'), ...of, RETRY_ATTEMPTS: '0' },
        ERROR_MESSAGE: says('The endpoint answered with status 404'),
      },
      {
        ...{ body: eventOf('exhausted'), ...of, RETRY_ATTEMPTS: '1' },
        ERROR_MESSAGE: says('Timeout calling endpoint for API Destination: socket closed'),
        EXHAUSTED_RETRY_CONDITION: 'MaximumRetryAttempts',
      },
      {
        ...{ body: eventOf('aged'), ...of, RETRY_ATTEMPTS: '1' },
        ERROR_MESSAGE: says('The endpoint answered with status 429'),
        EXHAUSTED_RETRY_CONDITION: 'MaximumEventAgeInSeconds',
      },
    ]);
  });

  test('EMB-8 an event whose target was removed or changed is sent to nobody, and dead when its attempt is due; other partners’ events stay', async () => {
    accept(acme, 'waits');
    await attempt(503);
    accept({ ...acme, Arn: `${arn}:api-destination/acme/0` }, 'of an earlier one');
    accept(addPartner('other'), 'other');
    const rule = bus.records.rules.get('acme');
    if (rule) bus.records.rules.put('acme', { ...rule, targets: [] });
    date.pass(1_000);
    await bus.sendDue();

    const removed = { ERROR_CODE: 'NO_RESOURCE' };
    expect(deadLetters()).toMatchObject([
      { body: eventOf('of an earlier one'), ...removed, RETRY_ATTEMPTS: '0' },
      { body: eventOf('waits'), ...removed, RETRY_ATTEMPTS: '1' },
    ]);
    expect(keysSent()).toEqual(['waits', 'other']);
  });
});

describe('destinations', () => {
  test('EMB-8 S-52 one that hangs holds ten connections; the others are served at once, and each end makes room for the oldest', async () => {
    accept(acme, ...many(12));
    accept(addPartner('other'), ...many(5, 'o'));
    await bus.sendDue();
    const begun = keysSent();
    for (const index of [3, 7]) await bus.answer(index, 200);

    expect(begun.toSorted()).toEqual([...many(10), ...many(5, 'o')].toSorted());
    expect(keysSent().slice(15)).toEqual(['e10', 'e11']);
  });

  test('EMB-8 the rate of a destination delays and drops nothing', async () => {
    accept(addPartner('slow', 2), ...many(5));
    const begun: number[] = [];
    for (const ms of [0, 999, 1, 999, 1]) {
      date.pass(ms);
      await bus.sendDue();
      for (let index = begun.at(-1) ?? 0; index < bus.sent.length; index += 1) await bus.answer(index, 200);
      begun.push(bus.sent.length);
    }

    expect(begun).toEqual([2, 2, 4, 4, 5]);
  });

  test('EMB-8 RUN-1 an attempt that the end of the stage cuts short is none: the next start makes it again, with the same bytes', async () => {
    accept(acme, 'e1');
    await attempt(503);
    date.pass(1_000);
    await bus.sendDue();
    const { attempts, sent } = bus;
    await bus.stop();
    bus = startBus(folder);
    await attempt(200);

    expect(attempts).toHaveLength(1);
    expect(bus.sent).toMatchObject([{ headers: sent[1]?.headers, body: sent[1]?.body }]);
    expect(bus.attempts).toMatchObject([{ attempt: 2, next: { kind: 'delivered' } }]);
  });
});
