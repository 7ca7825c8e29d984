import { afterAll, describe, expect, jest, test } from '@jest/globals';
import type { StatusEntry } from '../../functions/shared/domain/event/delivery.ts';
import { type EventWorld, eventJourney, type Told } from '../journeys/events.ts';
import { anOwner } from '../support/builders/transactions.ts';
import {
  crowd,
  type EventStage,
  type NotifiedMessage as Received,
  startEventStage,
} from '../support/stage/event-stage.ts';

jest.setTimeout(300_000);

/** Concurrent tests do not wait for `beforeAll`, so the first one starts the stage. */
let opened: Promise<EventStage> | undefined;
const open = () => {
  opened ??= startEventStage();
  return opened;
};
afterAll(async () => (await open()).stop(), 30_000);

/** What the event journey asks for, on this stage. */
const openWorld = async (): Promise<EventWorld> => {
  const { aCase, whenNotified } = await open();
  return {
    source: 'svc.local.online-payments',
    aCase: async (name) => {
      const { uuid, group, program } = await aCase(name);
      return {
        uuid,
        ndMeta: anOwner({ group }),
        write: async (...request) => (await program.write(...request)).json(),
        whenNotified: async (count) => (await whenNotified(name, count)).map(toNotified),
        rest: async () => {},
      };
    },
  };
};

const toNotified = ({ receivedAtMs, message, headers }: Received): Told => ({
  receivedAtMs,
  message,
  from: headers['X-Transaction-From-Version'] ?? '',
  to: headers['X-Transaction-Version'] ?? '',
});

describe(eventJourney.name, () => {
  for (const { title, check } of eventJourney.steps)
    test.concurrent(title, async () => check(await openWorld()));
});

describe('TransactionUpdated', () => {
  test.concurrent('interface 6 a message comes under the documented headers', async () => {
    const { aCase, whenNotified } = await open();
    const { uuid, webhookSignature, program } = await aCase('headed');

    await program.write('PATCH', `/api/v2/transaction/${uuid}`, { customer: { lastName: 'Example' } });
    const [notified] = await whenNotified('headed', 1);

    expect(notified?.headers).toMatchObject({
      'Content-Type': 'application/json; charset=utf-8',
      'User-Agent': 'Amazon/EventBridge/ApiDestinations',
      'X-Webhook-Signature': webhookSignature,
      'Idempotency-Key': notified?.message.id,
      'X-Transaction-From-Version': '1',
      'X-Transaction-Version': '2',
      'X-Transaction-Omitted': '',
    });
    expect(notified?.headers).not.toHaveProperty('X-Webhook-Signature-Next');
  });

  test.concurrent('interface 6.3 I2 changes within the rest are one message, after the last of them', async () => {
    const { aCase, whenNotified } = await open();
    const { uuid, program } = await aCase('combined');
    const change = (body: object) => program.write('PATCH', `/api/v2/transaction/${uuid}`, body);

    await change({ extras: [{ id: 2, name: 'Tow bar', price: '300.00' }] });
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await change({ customer: { lastName: 'Example' } });
    const changedAtMs = Date.now();
    const [notified, ...more] = await whenNotified('combined', 1);

    expect(Object.keys(notified?.message.detail ?? {})).toEqual([
      ...['uuid', 'status', 'ndMeta', 'extras', 'customer'],
    ]);
    expect(notified?.headers).toMatchObject({
      'X-Transaction-From-Version': '1',
      'X-Transaction-Version': '3',
    });
    expect((notified?.receivedAtMs ?? 0) - changedAtMs).toBeGreaterThan(1900);
    expect(more).toEqual([]);
  });

  test.concurrent('EV-3 a value that is what it was before is sent all the same, and so is a property without an element', async () => {
    const { aCase, whenNotified } = await open();
    const { uuid, program } = await aCase('returned');
    const change = (body: object) => program.write('PATCH', `/api/v2/transaction/${uuid}`, body);

    await change({ customer: { firstName: 'Bea' } });
    await change({ customer: { firstName: 'Ann' } });
    await whenNotified('returned', 1);
    await change({ guestEmail: 'ann@example.org' });
    const [back, own] = await whenNotified('returned', 2);

    expect(back?.message.detail).toMatchObject({ customer: { firstName: 'Ann' } });
    expect(back?.headers).toMatchObject({ 'X-Transaction-From-Version': '1', 'X-Transaction-Version': '3' });
    expect(Object.keys(own?.message.detail ?? {})).toEqual(['uuid', 'status', 'ndMeta']);
    expect(own?.headers).toMatchObject({ 'X-Transaction-From-Version': '3', 'X-Transaction-Version': '4' });
  });

  test.concurrent('interface 6.4 S-54 no partner hears of what it may not see', async () => {
    const { aCase, partner, whenNotified, notifiedTo, operate } = await open();
    const { uuid, group, clientId, program } = await aCase('witness');
    await partner('stranger', 'group=G-other');
    await partner('neighbour', `group=${group},location=elsewhere`);

    await program.write('PATCH', `/api/v2/transaction/${uuid}`, { customer: { lastName: 'Example' } });
    const [notified] = await whenNotified('witness', 1);

    const { deliveries } = (await operate('events', 'show', notified?.message.id ?? '')) as Shown;
    expect(deliveries.map((one) => one.clientId)).toEqual([clientId]);
    expect([notifiedTo('stranger'), notifiedTo('neighbour')]).toEqual([[], []]);
  });

  test.concurrent('TH-07 a grant that is revoked while a transaction does not rest ends what it would have shown', async () => {
    const { aCase, partner, operate, whenNotified, notifiedTo } = await open();
    const { uuid, group, program } = await aCase('staying');
    const { clientId } = await partner('leaving', `group=${group}`);
    const change = (lastName: string) =>
      program.write('PATCH', `/api/v2/transaction/${uuid}`, { customer: { lastName } });

    const revoked = operate('partner', 'revoke-grant', 'leaving', '--grant', `group=${group}`);
    await againAndAgain(change, revoked);
    const [notified] = await whenNotified('staying', 1);

    const { deliveries } = (await operate('events', 'show', notified?.message.id ?? '')) as Shown;
    expect(deliveries.map((one) => one.clientId)).not.toContain(clientId);
    expect(notifiedTo('leaving')).toEqual([]);
  });
});

/** Makes a change every half second until a promise settles, so that the transaction never rests. */
const againAndAgain = async (change: (value: string) => Promise<unknown>, until: Promise<unknown>) => {
  let isOver = false;
  const over = until.finally(() => {
    isOver = true;
  });
  for (let count = 1; !isOver; count += 1) {
    await change(`${count}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  await over;
};

describe('an endpoint that does not take what comes', () => {
  test.concurrent('I7 is asked again, with the same id and the same bytes, when Retry-After wants it', async () => {
    const { aCase, receiver, whenStates, operate } = await open();
    const { uuid, clientId, program } = await aCase('hiccup');
    receiver.answers('hiccup', (nth) => {
      if (nth === 1) return 503;
      return nth === 2 ? { status: 429, headers: { 'Retry-After': '2' } } : 204;
    });

    await program.write('PATCH', `/api/v2/transaction/${uuid}`, { customer: { lastName: 'Example' } });
    const [delivery] = await whenStates(clientId, 'DELIVERED');

    const requests = receiver.received.filter(({ partner }) => partner === 'hiccup');
    const { deliveries } = (await operate('events', 'show', delivery?.eventId ?? '')) as Shown;
    expect(requests.map(({ status }) => status)).toEqual([503, 429, 204]);
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
    expect((requests[2]?.receivedAtMs ?? 0) - (requests[1]?.receivedAtMs ?? 0)).toBeGreaterThanOrEqual(1990);
    // The bus may deliver before the delivery log records that it has accepted.
    const steps = deliveries[0]?.timeline.map(({ step }) => step).filter((step) => step !== 'accepted');
    expect(steps).toEqual(['changed', 'dormant', 'claimed', 'attempted', 'attempted', 'delivered']);
  });

  test.concurrent('TH-23 EV-6 and refuses for good is DEAD in the delivery log; replayed, it is the same message', async () => {
    const { aCase, receiver, whenStates, whenNotified, operate } = await open();
    const { uuid, clientId, program } = await aCase('refusing');
    receiver.answers('refusing', (nth) => (nth === 1 ? 400 : 204));

    await program.write('PATCH', `/api/v2/transaction/${uuid}`, { customer: { lastName: 'Example' } });
    const [dead] = await whenStates(clientId, 'DEAD');
    await operate('events', 'replay', dead?.eventId ?? '', '--partner', 'refusing');
    const [notified] = await whenNotified('refusing', 1);
    await whenStates(clientId, 'DELIVERED');

    const [refused] = receiver.received.filter(({ partner }) => partner === 'refusing');
    expect(dead).toMatchObject({ type: 'TransactionUpdated', uuid, reason: 'HTTP_400' });
    expect(notified?.body).toBe(refused?.body);
    expect(notified?.headers['Idempotency-Key']).toBe(dead?.eventId);
  });

  test.concurrent('S-52 delays no other partner, even where it holds all the connections that it may have', async () => {
    const { partner, receiver, whenStates } = await open();
    const { clientId, program } = await partner('prompt', 'group=crowd');
    await partner('hanging', 'group=crowd');
    receiver.answers('hanging', () => 'never');

    for (const uuid of crowd)
      await program.write('PATCH', `/api/v2/transaction/${uuid}`, { customer: { lastName: 'Example' } });
    const delivered = await whenStates(clientId, ...crowd.map(() => 'DELIVERED' as const));

    // A message behind connections that hang would wait until the five seconds of one are over: 20 of 30 would.
    const waited = delivered.filter(
      ({ timeline }) => atStep(timeline, 'delivered') - atStep(timeline, 'claimed') > 4_500,
    );
    expect(waited.length).toBeLessThan(10);
  });
});

const atStep = (timeline: readonly StatusEntry[], wanted: StatusEntry['step']): number =>
  timeline.find(({ step }) => step === wanted)?.atMs ?? Number.POSITIVE_INFINITY;

describe('what the operator does', () => {
  test.concurrent('V2-6 set-webhook moves messages to another address, and the partner reads that it has a webhook', async () => {
    const { aCase, operate, receiver, whenNotified, notifiedTo } = await open();
    const { uuid, program } = await aCase('moving');

    await operate('partner', 'set-webhook', 'moving', '--url', `${receiver.url}/moved`);
    await program.write('PATCH', `/api/v2/transaction/${uuid}`, { customer: { firstName: 'Bea' } });

    expect(await whenNotified('moved', 1)).toHaveLength(1);
    expect(notifiedTo('moving')).toEqual([]);
    expect(await operate('partner', 'show', 'moving')).toMatchObject({
      webhookUrl: `${receiver.url}/moved`,
      webhook: 'on',
    });
    expect((await program.get('/api/v2/partner')).json().webhook).toMatchObject({
      nextSignature: null,
    });
  });

  test.concurrent('pause keeps events; resume sends each transaction once, as it is then', async () => {
    const { aCase, operate, whenStates, whenNotified } = await open();
    const { uuid, clientId, program } = await aCase('resting');
    const change = (body: object) => program.write('PATCH', `/api/v2/transaction/${uuid}`, body);

    await operate('partner', 'pause', 'resting');
    await change({ customer: { lastName: 'One' } });
    await whenStates(clientId, 'HELD');
    await change({ extras: null });
    await whenStates(clientId, 'HELD', 'HELD');
    await operate('partner', 'resume', 'resting');
    const [notified, ...more] = await whenNotified('resting', 1);
    const [together] = await whenStates(clientId, 'DELIVERED', 'SUPPRESSED', 'SUPPRESSED');

    expect(notified?.message.id).toBe(together?.eventId);
    expect(notified?.message.detail).toMatchObject({
      customer: { firstName: 'Ann', lastName: 'One' },
      extras: null,
    });
    expect(notified?.headers).toMatchObject({
      'X-Transaction-From-Version': '1',
      'X-Transaction-Version': '3',
    });
    expect(more).toEqual([]);
  });

  test.concurrent('I22 S-27 a signature is rotated without a message that carries a value not yet known', async () => {
    const { aCase, operate, whenNotified } = await open();
    const { uuid, webhookSignature, program } = await aCase('rotating');
    const change = (lastName: string) =>
      program.write('PATCH', `/api/v2/transaction/${uuid}`, { customer: { lastName } });

    const { nextWebhookSignature: next } = (await operate('partner', 'rotate-signature', 'rotating')) as {
      nextWebhookSignature: string;
    };
    await change('One');
    await whenNotified('rotating', 1);
    await operate('partner', 'rotate-signature', 'rotating', '--finish');
    await change('Two');
    const [announced, switched] = await whenNotified('rotating', 2);

    expect(next).toMatch(/^[A-Za-z0-9]{64}$/);
    expect(announced?.headers).toMatchObject({
      'X-Webhook-Signature': webhookSignature,
      'X-Webhook-Signature-Next': next,
    });
    expect(switched?.headers['X-Webhook-Signature']).toBe(next);
    expect(switched?.headers).not.toHaveProperty('X-Webhook-Signature-Next');
  });

  test.concurrent('events list and explain say what was sent, and why another was not', async () => {
    const { aCase, partner, operate, whenStates } = await open();
    const { uuid, clientId, program } = await aCase('notified');
    await partner('unnotified', 'group=G-other');

    await program.write('PATCH', `/api/v2/transaction/${uuid}`, { customer: { lastName: 'Example' } });
    const [delivery] = await whenStates(clientId, 'DELIVERED');

    expect(await operate('events', 'list', '--transaction', uuid)).toMatchObject([
      {
        eventId: delivery?.eventId,
        partner: 'notified',
        type: 'TransactionUpdated',
        uuid,
        state: 'DELIVERED',
      },
    ]);
    expect(await sentences(operate, 'notified', uuid)).toContain('delivered');
    expect(await sentences(operate, 'unnotified', uuid)).toContain('may not see');
  });
});

/** `events show --json`, as far as tests read it. */
type Shown = { deliveries: { clientId: string; timeline: { step: string }[] }[] };

const sentences = async (operate: EventStage['operate'], partner: string, uuid: string): Promise<string> => {
  const { findings } = (await operate('explain', partner, uuid)) as { findings: { sentence: string }[] };
  return findings.map(({ sentence }) => sentence).join('\n');
};
