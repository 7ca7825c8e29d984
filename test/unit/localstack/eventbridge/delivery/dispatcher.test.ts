import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { refuse, succeed } from '../../../../../functions/shared/domain/outcome.ts';
import type { RuleTarget } from '../../../../../localstack/eventbridge/records.ts';
import {
  accept,
  aDispatcher,
  addPartner,
  type TestDispatcher,
} from '../../../../support/stage/embedded-bus.ts';

let bus: TestDispatcher;
let acme: RuleTarget;
beforeEach(() => {
  bus = aDispatcher();
  acme = addPartner(bus, 'acme');
});
afterEach(async () => {
  await bus.stop();
  bus.remove();
});

const attributesOfDeadLetters = async () =>
  (await bus.deadLetters()).map(({ messageAttributes }) => messageAttributes);
const keysSent = () => bus.sent.map(({ headers }) => headers['Idempotency-Key']);
const acceptMany = (target: RuleTarget, count: number, name = 'e') => {
  for (let index = 0; index < count; index += 1) accept(bus, target, `${name}${index}`);
};
const destinationOfAcme = () => {
  const destination = bus.records.destinations.get('acme');
  if (!destination) throw new Error('acme is not there');
  return destination;
};
const acmeRule = 'arn:aws:events:eu-west-2:000000000000:rule/bus/acme';

describe('what the bus took', () => {
  test('EV-5 is retried when the wait is over and not before, and each attempt is recorded', async () => {
    accept(bus, acme, 'e1');
    await bus.dispatchDue();
    await bus.answer(0, 503);
    bus.clock.pass({ ms: 999 });
    await bus.dispatchDue();
    const early = bus.sent.length;
    bus.clock.pass({ ms: 1 });
    await bus.dispatchDue();
    await bus.answer(1, 200);

    expect([early, bus.sent.length]).toEqual([1, 2]);
    expect(bus.sent[1]).toMatchObject({ headers: bus.sent[0]?.headers, body: bus.sent[0]?.body });
    expect(bus.recorded).toMatchObject([
      { attempt: 1, status: 503, delivered: false, willRetryAtMs: 1_795_262_401_000 },
      { attempt: 2, status: 200, delivered: true },
    ]);
  });

  test('I16 what is not retried goes to the dead-letter queue at once, as EventBridge writes it', async () => {
    const event = accept(bus, acme, 'e1');
    await bus.dispatchDue();
    await bus.answer(0, 404);

    expect(await bus.deadLetters()).toMatchObject([
      {
        body: event,
        messageAttributes: {
          RULE_ARN: { DataType: 'String', StringValue: acmeRule },
          TARGET_ARN: {
            StringValue: 'arn:aws:events:eu-west-2:000000000000:api-destination/acme/1',
          },
          ERROR_CODE: { StringValue: 'SDK_CLIENT_ERROR' },
          ERROR_MESSAGE: {
            StringValue: 'Unable to invoke ApiDestination endpoint: The endpoint answered with status 404.',
          },
          RETRY_ATTEMPTS: { StringValue: '0' },
        },
      },
    ]);
    expect(bus.recorded).toMatchObject([{ attempt: 1, status: 404, delivered: false }]);
    expect(bus.recorded[0]).not.toHaveProperty('willRetryAtMs');
  });

  test('a dead letter says which condition was exhausted, and only then', async () => {
    accept(bus, acme, 'e1');
    for (const attempt of [0, 1, 2]) {
      await bus.dispatchDue();
      await bus.answer(attempt, 500);
      bus.clock.pass({ seconds: 10 });
    }
    accept(bus, acme, 'e2');
    await bus.dispatchDue();
    await bus.answer(3, 400);

    const [exhausted, refused] = await attributesOfDeadLetters();
    expect(exhausted).toMatchObject({
      EXHAUSTED_RETRY_CONDITION: { StringValue: 'MaximumRetryAttempts' },
      RETRY_ATTEMPTS: { StringValue: '2' },
    });
    expect(refused).not.toHaveProperty('EXHAUSTED_RETRY_CONDITION');
  });

  test('the age of an event counts from when the bus took it, not from the last attempt', async () => {
    accept(bus, { ...acme, RetryPolicy: { MaximumEventAgeInSeconds: 60 } }, 'e1');
    for (const [attempt, retryAfter] of ['50', '20'].entries()) {
      await bus.dispatchDue();
      await bus.answer(attempt, 429, retryAfter);
      bus.clock.pass({ seconds: 50 });
    }

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
    accept(bus, { ...acme, RetryPolicy: { MaximumRetryAttempts: 0 } }, 'e1');
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
    accept(bus, acme, 'e1');
    await bus.dispatchDue();

    expect(bus.sent).toEqual([]);
    expect(await attributesOfDeadLetters()).toMatchObject([{ ERROR_CODE: { StringValue: 'NO_RESOURCE' } }]);
  });

  test('a changed address and secret count from the next attempt on, a changed target does not', async () => {
    accept(bus, acme, 'e1');
    await bus.dispatchDue();
    const destination = { ...destinationOfAcme(), InvocationEndpoint: 'https://new.example/' };
    bus.records.destinations.put('acme', destination);
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
});

describe('a removed target', () => {
  test('what waits for it is dead at once, whatever its wait', async () => {
    accept(bus, acme, 'e1');
    await bus.dispatchDue();
    await bus.answer(0, 429, '600');
    accept(bus, acme, 'e2');

    bus.removeTarget(acmeRule, 'partner');

    expect(await attributesOfDeadLetters()).toMatchObject([
      {
        ERROR_CODE: { StringValue: 'NO_RESOURCE' },
        ERROR_MESSAGE: { StringValue: 'The target of the rule was removed.' },
        RETRY_ATTEMPTS: { StringValue: '0' },
      },
      { ERROR_CODE: { StringValue: 'NO_RESOURCE' } },
    ]);
  });

  test.each([
    ['delivered if the receiver takes it', 200, { delivered: true }, 0],
    ['dead instead of retried', 503, { delivered: false }, 1],
  ])('what is being sent is %s', async (_, status, record, deadLetters) => {
    accept(bus, acme, 'e1');
    await bus.dispatchDue();
    bus.removeTarget(acmeRule, 'partner');
    const early = await bus.deadLetters();
    await bus.answer(0, status);

    expect([early.length, (await bus.deadLetters()).length]).toEqual([0, deadLetters]);
    expect(bus.recorded).toMatchObject([record]);
  });

  test('another partner’s events stay', async () => {
    const other = addPartner(bus, 'other');
    accept(bus, other, 'e1');
    bus.removeTarget(acmeRule, 'partner');
    await bus.dispatchDue();

    expect(bus.sent).toHaveLength(1);
    expect(await bus.deadLetters()).toEqual([]);
  });
});

describe('S-52 one partner’s receiver holds up no other partner’s', () => {
  test('one that hangs holds ten connections; the others are served at once', async () => {
    const other = addPartner(bus, 'other');
    acceptMany(acme, 50);
    acceptMany(other, 5, 'other-');
    await bus.dispatchDue();

    const urls = bus.sent.map(({ url }) => url);
    expect(urls.filter((url) => url === 'https://acme.example/')).toHaveLength(10);
    expect(urls.filter((url) => url === 'https://other.example/')).toHaveLength(5);
  });

  test('an attempt that ends makes room for the next, oldest first', async () => {
    acceptMany(acme, 12);
    await bus.dispatchDue();
    await bus.answer(3, 200);
    await bus.answer(7, 200);

    expect(keysSent()).toEqual(Array.from({ length: 12 }, (_, index) => `e${index}`));
  });

  test('what has been due for longer begins first, though it came later', async () => {
    accept(bus, acme, 'e1');
    await bus.dispatchDue();
    await bus.answer(0, 429, '30');
    bus.clock.pass({ seconds: 20 });
    accept(bus, acme, 'e2');
    bus.clock.pass({ seconds: 10 });
    await bus.dispatchDue();

    expect(keysSent()).toEqual(['e1', 'e2', 'e1']);
  });

  test('the rate of a destination delays, and drops nothing', async () => {
    const slow = addPartner(bus, 'slow', 2);
    acceptMany(slow, 5);
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
    bus.records.destinations.put('acme', { ...destinationOfAcme(), InvocationRateLimitPerSecond: 2 });
    for (let index = 0; index < 10; index += 1) await bus.answer(index, 200);
    const begun = [bus.sent.length];
    bus.clock.pass({ ms: 1000 });
    await bus.dispatchDue();
    begun.push(bus.sent.length);

    expect(begun).toEqual([10, 12]);
  });
});

describe('a restart', () => {
  test('an attempt that it cut short is none: it is made again with the same bytes', async () => {
    accept(bus, acme, 'e1');
    await bus.dispatchDue();
    await bus.answer(0, 503);
    bus.clock.pass({ seconds: 1 });
    await bus.dispatchDue();
    const { recorded, sent } = bus;
    await bus.stop();

    bus = aDispatcher(bus.path);
    bus.clock.pass({ seconds: 1 });
    await bus.dispatchDue();
    await bus.answer(0, 200);

    expect(recorded).toHaveLength(1);
    expect(bus.sent).toMatchObject([{ headers: sent[1]?.headers, body: sent[1]?.body }]);
    expect(bus.recorded).toMatchObject([{ attempt: 2, delivered: true }]);
  });

  test('what the receiver takes while the stage cuts attempts short is delivered', async () => {
    accept(bus, acme, 'e1');
    await bus.dispatchDue();
    const [attempt] = bus.sent;
    attempt?.signal?.addEventListener('abort', () => attempt.answer(succeed({ status: 204 })));
    const { recorded } = bus;
    await bus.stop();

    bus = aDispatcher(bus.path);
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
    bus = aDispatcher(bus.path);
  });
});

describe('the log of the bus', () => {
  test('I13 one line an attempt, without bodies, secrets or the address', async () => {
    accept(bus, acme, 'e1');
    await bus.dispatchDue();
    bus.clock.pass({ ms: 40 });
    await bus.answer(0, 503);

    expect(bus.lines).toEqual([
      {
        at: '2026-11-21T12:00:00.000Z',
        event: 'bus-e1',
        delivery: 'e1',
        destination: 'acme',
        attempt: 1,
        status: 503,
        willRetryAtMs: 1_795_262_401_040,
        tookMs: 40,
        verdict: 'retry',
      },
    ]);
  });
});
