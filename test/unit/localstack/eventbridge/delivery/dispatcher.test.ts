import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { refuse, succeed } from '../../../../../functions/shared/domain/outcome.ts';
import type { PinnedPost, PostRequest } from '../../../../../functions/shared/outbound/probe/pinned-post.ts';
import { openMessagesFile } from '../../../../../localstack/data/messages-file.ts';
import { createDispatcher } from '../../../../../localstack/eventbridge/delivery/dispatcher.ts';
import { type AttemptRecord, createReporter } from '../../../../../localstack/eventbridge/delivery/report.ts';
import { createDeliveryStore } from '../../../../../localstack/eventbridge/delivery/store.ts';
import { createEventRecords, type RuleTarget } from '../../../../../localstack/eventbridge/records.ts';
import { openQueues } from '../../../../../localstack/sqs/queue.ts';
import { aClock } from '../../../../support/builders/manual-clock.ts';

const arn = 'arn:aws:events:eu-west-2:000000000000';
const acmeRule = `${arn}:rule/bus/acme`;
const deadLetterQueue = {
  ...{ id: 'Dead', name: 'dead', arn: 'arn:aws:sqs:eu-west-2:000000000000:dead' },
  ...{ visibilitySeconds: 30, retentionSeconds: 1_209_600 },
};

/** A request that waits for its receiver: the test answers it when it likes. */
type SentRequest = PostRequest & {
  answer: (outcome: Awaited<ReturnType<PinnedPost>>) => void;
  signal: AbortSignal | undefined;
};

/** The sending half of the bus over a file, with a clock that stands still and receivers in the test's hands. */
const startBus = (path: string) => {
  const clock = aClock();
  const file = openMessagesFile(path);
  const records = createEventRecords(file);
  const deliveries = createDeliveryStore(file);
  const queues = openQueues(file, [deadLetterQueue], { now: clock.now, endpoint: 'http://queues' });
  const sent: SentRequest[] = [];
  const recorded: AttemptRecord[] = [];
  const lines: Record<string, unknown>[] = [];
  const post: PinnedPost = (request, signal) =>
    new Promise((resolve) => {
      sent.push({ ...request, answer: resolve, signal });
      const cutShort = () => resolve({ ok: false, reason: 'timed out' });
      signal?.addEventListener('abort', () => queueMicrotask(cutShort));
    });
  const dispatcher = createDispatcher({
    ...{ deliveries, records, inOneStep: file.inOneStep, post, now: clock.now },
    ...{ random: () => 1, patienceMs: 0 },
    sendToQueue: (_, message) => queues.store.send(deadLetterQueue, message, clock.now().getTime()),
    report: createReporter({
      recordAttempt: async (record) => void recorded.push(record),
      log: (line) => lines.push(line),
    }),
  });
  /** Waits until everything that follows from the known facts has happened. */
  const settled = async () => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
  };
  return {
    ...{ clock, records, deliveries, sent, recorded, lines, settled },
    removeTarget: dispatcher.removeTarget,
    dispatchDue: async () => {
      dispatcher.dispatchDue();
      await settled();
    },
    answer: async (index: number, status: number, retryAfter?: string) => {
      sent[index]?.answer(succeed({ status, ...(retryAfter !== undefined && { retryAfter }) }));
      await settled();
    },
    deadLetters: async () => (await queues.byArn.get(deadLetterQueue.arn)?.receive(10)) ?? [],
    stop: async () => {
      await dispatcher.stop();
      file.close();
    },
  };
};

let folder: string;
let bus: ReturnType<typeof startBus>;
let acme: RuleTarget;
const start = () => {
  bus = startBus(join(folder, 'events.db'));
};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bus-'));
  start();
  acme = addPartner('acme');
});
afterEach(async () => {
  await bus.stop();
  rmSync(folder, { recursive: true });
});

/** A partner's connection, destination and target, as the operator's tool makes them. */
const addPartner = (name: string, InvocationRateLimitPerSecond = 300): RuleTarget => {
  const { records, clock } = bus;
  const at = { createdMs: clock.now().getTime(), modifiedMs: clock.now().getTime() };
  const ConnectionArn = `${arn}:connection/${name}/1`;
  const apiKey = { ApiKeyName: 'X-Webhook-Signature', ApiKeyValue: `${name}-secret` };
  records.connections.put(name, { ...at, Name: name, ConnectionArn, apiKey });
  const Arn = `${arn}:api-destination/${name}/1`;
  records.destinations.put(name, {
    ...{ ...at, Name: name, ApiDestinationArn: Arn, ConnectionArn, InvocationRateLimitPerSecond },
    ...{ InvocationEndpoint: `https://${name}.example/`, HttpMethod: 'POST' },
  });
  return {
    ...{ Id: 'partner', Arn, RoleArn: 'arn:role', InputPath: '$.detail.message' },
    HttpParameters: { HeaderParameters: { 'Idempotency-Key': '$.detail.delivery.id' } },
    RetryPolicy: { MaximumRetryAttempts: 2, MaximumEventAgeInSeconds: 3600 },
    DeadLetterConfig: { Arn: deadLetterQueue.arn },
  };
};
const changeDestination = (changes: object) => {
  const destination = bus.records.destinations.get('acme');
  if (!destination) throw new Error('acme is not there');
  bus.records.destinations.put('acme', { ...destination, ...changes });
};

/** Has the bus take an event for a target. */
const accept = (target: RuleTarget, eventId: string): string => {
  const event = JSON.stringify({
    ...{ version: '0', id: `bus-${eventId}` },
    detail: { to: 'CLIENT', message: { id: eventId }, delivery: { id: eventId, from: '0', to: '1' } },
  });
  const ruleArn = `${arn}:rule/bus/${target.Arn.split('/')[1]}`;
  bus.deliveries.accept({ ruleArn, target, event, acceptedMs: bus.clock.now().getTime() });
  return event;
};
const acceptMany = (target: RuleTarget, count: number, name = 'e') => {
  for (let index = 0; index < count; index += 1) accept(target, `${name}${index}`);
};
/** Sends what is due, one request, and answers it. */
const attempt = async (status: number, retryAfter?: string) => {
  await bus.dispatchDue();
  await bus.answer(bus.sent.length - 1, status, retryAfter);
};
const attributesOfDeadLetters = async () =>
  (await bus.deadLetters()).map(({ messageAttributes }) => messageAttributes);
const keysSent = () => bus.sent.map(({ headers }) => headers['Idempotency-Key']);
const noResource = { ERROR_CODE: { StringValue: 'NO_RESOURCE' } };

describe('what the bus took', () => {
  test('EV-5 is retried when the wait is over and not before, and each attempt is recorded', async () => {
    accept(acme, 'e1');
    await attempt(503);
    bus.clock.pass({ ms: 999 });
    await bus.dispatchDue();
    const early = bus.sent.length;
    bus.clock.pass({ ms: 1 });
    await attempt(200);

    expect([early, bus.sent.length]).toEqual([1, 2]);
    expect(bus.sent[1]).toMatchObject({ headers: bus.sent[0]?.headers, body: bus.sent[0]?.body });
    expect(bus.recorded).toMatchObject([
      { attempt: 1, status: 503, delivered: false, willRetryAtMs: 1_795_262_401_000 },
      { attempt: 2, status: 200, delivered: true },
    ]);
  });

  test('I16 what is not retried goes to the dead-letter queue at once, as EventBridge writes it', async () => {
    const event = accept(acme, 'e1');
    await attempt(404);

    const messageAttributes = {
      RULE_ARN: { DataType: 'String', StringValue: acmeRule },
      TARGET_ARN: { StringValue: 'arn:aws:events:eu-west-2:000000000000:api-destination/acme/1' },
      ERROR_CODE: { StringValue: 'SDK_CLIENT_ERROR' },
      ERROR_MESSAGE: {
        StringValue: 'Unable to invoke ApiDestination endpoint: The endpoint answered with status 404.',
      },
      RETRY_ATTEMPTS: { StringValue: '0' },
    };
    expect(await bus.deadLetters()).toMatchObject([{ body: event, messageAttributes }]);
    expect(bus.recorded).toMatchObject([{ attempt: 1, status: 404, delivered: false }]);
    expect(bus.recorded[0]).not.toHaveProperty('willRetryAtMs');
  });

  test('a dead letter says which condition was exhausted, and only then', async () => {
    accept(acme, 'e1');
    for (const _ of [0, 1, 2]) {
      await attempt(500);
      bus.clock.pass({ seconds: 10 });
    }
    accept(acme, 'e2');
    await attempt(400);

    const [exhausted, refused] = await attributesOfDeadLetters();
    expect(exhausted).toMatchObject({
      EXHAUSTED_RETRY_CONDITION: { StringValue: 'MaximumRetryAttempts' },
      RETRY_ATTEMPTS: { StringValue: '2' },
    });
    expect(refused).not.toHaveProperty('EXHAUSTED_RETRY_CONDITION');
  });

  test('the age of an event counts from when the bus took it, not from the last attempt', async () => {
    accept({ ...acme, RetryPolicy: { MaximumEventAgeInSeconds: 60 } }, 'e1');
    await attempt(429, '50');
    bus.clock.pass({ seconds: 50 });
    await attempt(429, '20');

    expect(await attributesOfDeadLetters()).toMatchObject([
      {
        EXHAUSTED_RETRY_CONDITION: { StringValue: 'MaximumEventAgeInSeconds' },
        RETRY_ATTEMPTS: { StringValue: '1' },
      },
    ]);
  });

  test.each([
    ['timed out', 'Timeout calling endpoint for API Destination: socket closed.'],
    ['name not found', 'API destination endpoint cannot be reached: name not found.'],
  ] as const)('a dead letter of an attempt that %s says so', async (reason, message) => {
    accept({ ...acme, RetryPolicy: { MaximumRetryAttempts: 0 } }, 'e1');
    await bus.dispatchDue();
    bus.sent[0]?.answer(refuse(reason));
    await bus.settled();

    expect(bus.recorded).toMatchObject([{ error: reason }]);
    expect(await attributesOfDeadLetters()).toMatchObject([
      { ERROR_MESSAGE: { StringValue: `Unable to invoke ApiDestination endpoint: ${message}` } },
    ]);
  });

  test.each<[string, () => unknown]>([
    ['destination', () => bus.records.destinations.remove('acme')],
    ['connection', () => bus.records.connections.remove('acme')],
    ['destination of that id', () => (acme = { ...acme, Arn: acme.Arn.replace('/1', '/0') })],
  ])('is given up at once without its %s', async (_, remove) => {
    remove();
    accept(acme, 'e1');
    await bus.dispatchDue();

    expect(bus.sent).toEqual([]);
    expect(await attributesOfDeadLetters()).toMatchObject([noResource]);
  });

  test('a changed address and secret count from the next attempt on, a changed target does not', async () => {
    accept(acme, 'e1');
    await bus.dispatchDue();
    changeDestination({ InvocationEndpoint: 'https://new.example/' });
    const connection = bus.records.connections.get('acme');
    if (!connection) throw new Error('acme is not there');
    const apiKey = { ApiKeyName: 'X-Webhook-Signature', ApiKeyValue: 'new-secret' };
    bus.records.connections.put('acme', { ...connection, apiKey });
    acme.InputPath = '$.detail';
    await bus.answer(0, 503);
    bus.clock.pass({ seconds: 1 });
    await bus.dispatchDue();

    expect(bus.sent[1]).toMatchObject({
      url: 'https://new.example/',
      headers: { 'X-Webhook-Signature': 'new-secret' },
      body: '{"id":"e1"}',
    });
  });

  test('I13 has one line an attempt in the log, without bodies, secrets or the address', async () => {
    accept(acme, 'e1');
    await bus.dispatchDue();
    bus.clock.pass({ ms: 40 });
    await bus.answer(0, 503);

    expect(bus.lines).toEqual([
      {
        ...{ at: '2026-11-21T12:00:00.000Z', event: 'bus-e1', delivery: 'e1', destination: 'acme' },
        ...{ attempt: 1, status: 503, willRetryAtMs: 1_795_262_401_040, tookMs: 40, verdict: 'retry' },
      },
    ]);
  });
});

describe('a removed target', () => {
  test('what waits for it is dead at once, whatever its wait; another partner’s events stay', async () => {
    accept(acme, 'e1');
    await attempt(429, '600');
    accept(acme, 'e2');
    accept(addPartner('other'), 'e3');
    bus.removeTarget(acmeRule, 'partner');
    await bus.dispatchDue();

    const removed = { ERROR_MESSAGE: { StringValue: 'The target of the rule was removed.' } };
    expect(await attributesOfDeadLetters()).toMatchObject([
      { ...noResource, ...removed, RETRY_ATTEMPTS: { StringValue: '0' } },
      noResource,
    ]);
    expect(keysSent()).toEqual(['e1', 'e3']);
  });

  test.each([
    ['delivered if the receiver takes it', 200, { delivered: true }, 0],
    ['dead instead of retried', 503, { delivered: false }, 1],
  ])('what is being sent is %s', async (_, status, record, deadLetters) => {
    accept(acme, 'e1');
    await bus.dispatchDue();
    bus.removeTarget(acmeRule, 'partner');
    const early = await bus.deadLetters();
    await bus.answer(0, status);

    expect([early.length, (await bus.deadLetters()).length]).toEqual([0, deadLetters]);
    expect(bus.recorded).toMatchObject([record]);
  });
});

describe('S-52 one partner’s receiver holds up no other partner’s', () => {
  test('one that hangs holds ten connections; the others are served at once', async () => {
    acceptMany(acme, 50);
    acceptMany(addPartner('other'), 5, 'other-');
    await bus.dispatchDue();

    const urls = bus.sent.map(({ url }) => url);
    expect(urls.filter((url) => url === 'https://acme.example/')).toHaveLength(10);
    expect(urls.filter((url) => url === 'https://other.example/')).toHaveLength(5);
  });

  test('an attempt that ends makes room for the next, oldest first', async () => {
    acceptMany(acme, 12);
    await bus.dispatchDue();
    for (const index of [3, 7]) await bus.answer(index, 200);

    expect(keysSent()).toEqual(Array.from({ length: 12 }, (_, index) => `e${index}`));
  });

  test('what has been due for longer begins first, though it came later', async () => {
    accept(acme, 'e1');
    await attempt(429, '30');
    bus.clock.pass({ seconds: 20 });
    accept(acme, 'e2');
    bus.clock.pass({ seconds: 10 });
    await bus.dispatchDue();

    expect(keysSent()).toEqual(['e1', 'e2', 'e1']);
  });

  test('the rate of a destination delays, and drops nothing', async () => {
    acceptMany(addPartner('slow', 2), 5);
    const begun: number[] = [];
    for (const ms of [0, 999, 1, 999, 1]) {
      bus.clock.pass({ ms });
      await bus.dispatchDue();
      for (let index = begun.at(-1) ?? 0; index < bus.sent.length; index += 1) await bus.answer(index, 200);
      begun.push(bus.sent.length);
    }

    expect(begun).toEqual([2, 2, 4, 4, 5]);
  });

  test('a rate that is lowered is kept from then on', async () => {
    acceptMany(acme, 50);
    await bus.dispatchDue();
    changeDestination({ InvocationRateLimitPerSecond: 2 });
    for (let index = 0; index < 10; index += 1) await bus.answer(index, 200);
    const begun = bus.sent.length;
    bus.clock.pass({ ms: 1000 });
    await bus.dispatchDue();

    expect([begun, bus.sent.length]).toEqual([10, 12]);
  });
});

describe('a restart', () => {
  test('an attempt that it cut short is none: it is made again with the same bytes', async () => {
    accept(acme, 'e1');
    await attempt(503);
    bus.clock.pass({ seconds: 1 });
    await bus.dispatchDue();
    const { recorded, sent } = bus;
    await bus.stop();
    start();
    bus.clock.pass({ seconds: 1 });
    await attempt(200);

    expect(recorded).toHaveLength(1);
    expect(bus.sent).toMatchObject([{ headers: sent[1]?.headers, body: sent[1]?.body }]);
    expect(bus.recorded).toMatchObject([{ attempt: 2, delivered: true }]);
  });

  test('what the receiver takes while the stage cuts attempts short is delivered', async () => {
    accept(acme, 'e1');
    await bus.dispatchDue();
    const { recorded, sent } = bus;
    sent[0]?.signal?.addEventListener('abort', () => sent[0]?.answer(succeed({ status: 204 })));
    await bus.stop();
    start();
    await bus.dispatchDue();

    expect(recorded).toMatchObject([{ attempt: 1, delivered: true }]);
    expect(bus.sent).toEqual([]);
  });

  test('an attempt that ends while the stage stops begins no other', async () => {
    acceptMany(acme, 12);
    await bus.dispatchDue();
    const stopped = bus.stop();
    await bus.answer(0, 200);
    await stopped;

    expect(bus.sent).toHaveLength(10);
    start();
  });
});
