import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type EventWorld, eventJourney } from '../journeys/events.ts';
import { readStore } from '../support/builders/store-record.ts';
import { anOwner } from '../support/builders/transactions.ts';
import { makeDueTogether } from '../support/stage/due-together.ts';
import {
  crowd,
  dormancyMs,
  type EventStage,
  type NotifiedMessage,
  startEventStage,
} from '../support/stage/event-stage.ts';
import { knownFrom, notifiedTwiceOtherwise } from '../support/stage/notified-state.ts';
import { startWebhookReceiver } from '../support/stage/webhook-receiver.ts';

jest.setTimeout(300_000);

const tickMs = 1_000;

let events: EventStage;
beforeAll(async () => {
  events = await startEventStage();
}, 180_000);
afterAll(() => events.stop(), 30_000);

type Case = Awaited<ReturnType<EventStage['aCase']>>;
const change = ({ program, uuid }: Pick<Case, 'program' | 'uuid'>, body: object) =>
  program.write('PATCH', `/api/v2/transaction/${uuid}`, body);
const rename = (one: Pick<Case, 'program' | 'uuid'>, lastName: string) =>
  change(one, { customer: { lastName } });

/** The versions that a message is about. */
const rangeOf = ({ headers }: NotifiedMessage) => ({
  from: headers['X-Transaction-From-Version'] ?? '',
  to: headers['X-Transaction-Version'] ?? '',
});
const requestsOf = (name: string) => events.receiver.received.filter(({ partner }) => partner === name);

test('I18 a completion is at the endpoint within seconds, even the first of a stage', async () => {
  const lags: number[] = [];
  for (const name of ['first', 'second', 'third']) {
    const { uuid, program } = await events.aCase(name);
    const paidAtMs = Date.now();
    await program.write('POST', '/api/v2/payment', { transaction: uuid, type: 1, value: '1.00', status: 1 });
    const [completed] = await events.whenNotified(name, 1);
    expect(completed?.message['detail-type']).toBe('TransactionCompleted');
    lags.push((completed?.receivedAtMs ?? 0) - paidAtMs);
  }

  // Two seconds on a machine that does nothing else; the simulation proves those.
  expect(lags.filter((ms) => ms > 10_000)).toEqual([]);
});

/** What the event journey asks for, on this stage. */
const world: EventWorld = {
  source: 'svc.local.online-payments',
  aCase: async (name) => {
    const { uuid, group, program } = await events.aCase(name);
    return {
      uuid,
      ndMeta: anOwner({ group }),
      write: async (...request) => (await program.write(...request)).json(),
      whenNotified: async (count) =>
        (await events.whenNotified(name, count)).map((one) => ({ ...one, ...rangeOf(one) })),
      rest: async () => {},
    };
  },
};

describe(eventJourney.name, () => {
  for (const { title, check } of eventJourney.steps) test(title, () => check(world));
});

test('EV-3 a value that was changed back is sent, and so is a property without an element', async () => {
  const returned = await events.aCase('returned');

  await change(returned, { customer: { firstName: 'Bea' } });
  await change(returned, { customer: { firstName: 'Ann' } });
  await events.whenNotified('returned', 1);
  await change(returned, { guestEmail: 'ann@example.org' });
  const notified = await events.whenNotified('returned', 2);

  expect(notified.map(rangeOf)).toEqual([
    { from: '1', to: '3' },
    { from: '3', to: '4' },
  ]);
  expect(notified[0]?.message.detail).toMatchObject({ customer: { firstName: 'Ann' } });
  expect(Object.keys(notified[1]?.message.detail ?? {})).toEqual(['uuid', 'status', 'ndMeta']);
});

test('interface 6 I7 a message is retried after Retry-After, with the same id and bytes, and the documented headers', async () => {
  const hiccup = await events.aCase('hiccup');
  events.receiver.answers('hiccup', (nth) => {
    if (nth === 1) return 503;
    return nth === 2 ? { status: 429, headers: { 'Retry-After': '2' } } : 204;
  });

  await rename(hiccup, 'Example');
  const [delivery] = await events.whenStates(hiccup.clientId, 'DELIVERED');

  const requests = requestsOf('hiccup');
  expect(requests.map(({ status }) => status)).toEqual([503, 429, 204]);
  expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
  expect((requests[2]?.receivedAtMs ?? 0) - (requests[1]?.receivedAtMs ?? 0)).toBeGreaterThanOrEqual(1990);
  for (const { headers } of requests) {
    expect(headers).toMatchObject({
      'Content-Type': 'application/json; charset=utf-8',
      'User-Agent': 'Amazon/EventBridge/ApiDestinations',
      'X-Webhook-Signature': hiccup.webhookSignature,
      'Idempotency-Key': delivery?.eventId,
      'X-Transaction-From-Version': '1',
      'X-Transaction-Version': '2',
      'X-Transaction-Omitted': '',
    });
    expect(headers).not.toHaveProperty('X-Webhook-Signature-Next');
  }
  // The bus may deliver before the delivery log records that it has accepted.
  const steps = delivery?.timeline.map(({ step }) => step).filter((step) => step !== 'accepted');
  expect(steps).toEqual(['changed', 'claimed', 'attempted', 'attempted', 'delivered']);
});

describe('four endpoints that fail in four ways', () => {
  const healthy = ['healthy-1', 'healthy-2', 'healthy-3'];
  const rows = 40;
  const hangMs = 5_000;
  let batches = 0;

  /** How long after rows fell due in one moment each healthy partner had its message of each. */
  const lagsOfBatch = async (): Promise<number[]> => {
    // At a tick, so that no batch waits longer for one than another.
    const dueAtMs = Math.ceil(Date.now() / tickMs) * tickMs + 3 * tickMs;
    batches += 1;
    await makeDueTogether(events.stage(), {
      ...{ first: batches * 10_000, count: rows, group: 'beside', dueAtMs, dormancyMs },
    });
    const taken = await Promise.all(healthy.map((name) => events.whenNotified(name, batches * rows)));
    return taken.flatMap((messages) =>
      messages.slice((batches - 1) * rows).map(({ receivedAtMs }) => receivedAtMs - dueAtMs),
    );
  };
  const medianOf = (values: readonly number[]): number =>
    values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

  test('S-52 I21 do not delay healthy partners: their messages come as soon as beside healthy endpoints', async () => {
    const gone = await startWebhookReceiver();
    const partners = [...healthy, 'hanging', 'broken', 'busy'].map((name) => [name, events.receiver.url]);
    await Promise.all(
      [...partners, ['refused', gone.url]].map(([name = '', url]) =>
        events.operate(
          ...['partner', 'create', '--name', name, '--grant', 'group=beside'],
          ...['--webhook-url', `${url}/${name}`],
        ),
      ),
    );
    await lagsOfBatch();
    const before = await lagsOfBatch();

    await gone.stop();
    events.receiver.answers('hanging', () => 'never');
    events.receiver.answers('broken', () => 500);
    events.receiver.answers('busy', () => ({ status: 429, headers: { 'Retry-After': '60' } }));
    await lagsOfBatch();
    const beside = await lagsOfBatch();

    const statuses = ['hanging', 'broken', 'busy'].map((name) => requestsOf(name).at(-1)?.status);
    expect(statuses).toEqual([0, 500, 429]);
    expect([before.length, beside.length]).toEqual([3 * rows, 3 * rows]);
    // Behind an endpoint that hangs a message would wait for the five seconds of its connection.
    expect(medianOf(beside) - medianOf(before)).toBeLessThan(hangMs);
    expect(Math.max(...beside) - Math.max(...before)).toBeLessThan(hangMs);
  });
});

describe('a webhook that is paused during 300 changes, and resumed', () => {
  test('I1 EV-12 leaves no gap, and sends no older state after a newer one', async () => {
    const { clientId, program } = await events.partner('absent', 'group=crowd');
    const changeAll = (round: number) =>
      Promise.all(crowd.map((uuid) => rename({ program, uuid }, `${round}`)));

    await events.operate('partner', 'pause', 'absent');
    for (let round = 1; round <= 9; round += 1) {
      await changeAll(round);
      // Some rounds find rest, so that several events of each transaction are kept.
      if (round % 4 === 0) await pause(dormancyMs + 2 * tickMs);
    }
    const notifiedBefore = events.notifiedTo('absent').length;
    // The last round meets the resume.
    await Promise.all([events.operate('partner', 'resume', 'absent'), changeAll(10)]);
    const arrived = await whenAllHasEnded(clientId);

    const ofEach = Map.groupBy(arrived, ({ message }) => String(message.detail.uuid));
    const known = knownFrom(arrived);
    expect(notifiedBefore).toBe(0);
    expect(crowd.filter((uuid) => !hasEveryVersion(ofEach.get(uuid) ?? [], 11))).toEqual([]);
    expect(crowd.filter((uuid) => goesBack(ofEach.get(uuid) ?? []))).toEqual([]);
    expect(crowd.map((uuid) => known.get(uuid)?.elements.get('customer')?.value)).toEqual(
      crowd.map(() => ({ firstName: 'Ann', lastName: '10' })),
    );
  });

  /** What the partner was sent, once nothing of it is due or under way any more. */
  const whenAllHasEnded = async (clientId: string): Promise<NotifiedMessage[]> => {
    const isOpen = async () => {
      const { dueRows, deliveries } = await readStore(events.stage());
      const ofPartner = deliveries.filter((one) => one.clientId === clientId);
      return (
        dueRows.some(({ uuid, dueAtMs }) => crowd.includes(uuid) && dueAtMs !== undefined) ||
        ofPartner.some(
          ({ state, dueAtMs }) => dueAtMs !== undefined || !['DELIVERED', 'SUPPRESSED'].includes(state),
        )
      );
    };
    while (await isOpen()) await pause(500);
    return events.notifiedTo('absent');
  };

  /** Whether the messages of one transaction, imported as version 1, tell of each version up to the last. */
  const hasEveryVersion = (arrived: readonly NotifiedMessage[], last: number): boolean => {
    const ranges = arrived.map(rangeOf);
    const isTold = (version: number) =>
      ranges.some(({ from, to }) => Number(from) < version && version <= Number(to));
    return Array.from({ length: last - 1 }, (_, index) => index + 2).every(isTold);
  };

  /** Whether a message of one transaction ends at an earlier version than one before it. */
  const goesBack = (arrived: readonly NotifiedMessage[]): boolean => {
    const ends = arrived.map((one) => Number(rangeOf(one).to));
    return ends.some((to, index) => to < Math.max(1, ...ends.slice(0, index)));
  };
});

test('S-77 one command stops all webhooks, including retries of the bus, and nothing is lost when they start', async () => {
  const [quiet, tried] = [await events.aCase('quiet'), await events.aCase('tried')];
  let isMended = false;
  events.receiver.answers('tried', () => (isMended ? 204 : 503));
  await rename(tried, 'Example');
  await events.whenAsked('tried', 1);

  const startedAtMs = performance.now();
  await events.operate('webhooks', 'stop', '--yes');
  const seconds = (performance.now() - startedAtMs) / 1_000;
  console.info(`all webhooks are stopped, retries of the bus among them: ${seconds.toFixed(1)} s`);
  const askedBefore = requestsOf('tried').length;
  await rename(quiet, 'Example');
  await events.whenStates(quiet.clientId, 'HELD');
  await events.whenStates(tried.clientId, 'HELD');
  expect([requestsOf('quiet').length, requestsOf('tried').length]).toEqual([0, askedBefore]);
  isMended = true;
  await events.operate('webhooks', 'start');

  expect(await events.whenNotified('quiet', 1)).toHaveLength(1);
  expect(await events.whenNotified('tried', 1)).toHaveLength(1);
});

test.each(['stop', 'kill'] as const)(
  'RUN-1 I1 a stage that ends by %s and starts again sends pending events, and retries refused ones',
  async (how) => {
    const refused = await events.aCase(`${how}-refused`);
    const resting = await events.aCase(`${how}-resting`);
    events.receiver.answers(`${how}-refused`, () => 503);
    await rename(refused, 'Example');
    await events.whenAsked(`${how}-refused`, 1);
    await rename(resting, 'Example');

    await events.restart(how);
    events.receiver.answers(`${how}-refused`, () => 204);
    for (const { name, uuid, clientId } of [refused, resting]) {
      const [notified] = await events.whenNotified(name, 1);
      expect(notified?.message.detail).toMatchObject({ uuid, customer: { lastName: 'Example' } });
      await events.whenStates(clientId, 'DELIVERED');
    }

    expect(new Set(requestsOf(`${how}-refused`).map(({ body }) => body)).size).toBe(1);
  },
);

test('I1 I7 after kill -9 of the stage during a flush of 500 due rows nothing is lost, and copies have the same id and bytes', async () => {
  const { clientId } = await events.partner('killed', 'group=killed');
  const uuids = await makeDueTogether(events.stage(), {
    ...{ first: 100_000, count: 500, group: 'killed', dueAtMs: Date.now() + 6_000, dormancyMs },
  });

  while (events.notifiedTo('killed').length === 0) await pause(5);
  const killedAtMs = Date.now();
  await events.restart('kill');
  await events.whenStates(clientId, ...uuids.map(() => 'DELIVERED' as const));

  const arrived = events.notifiedTo('killed');
  const claims = (await readStore(events.stage())).events.filter(({ uuid }) => uuids.includes(uuid));
  const claimedBefore = claims.filter(({ claimedAtMs }) => claimedAtMs <= killedAtMs).length;
  expect(new Set(arrived.map(({ message }) => message.detail.uuid))).toEqual(new Set(uuids));
  expect(new Set(arrived.map(({ message }) => message.id)).size).toBe(500);
  expect(notifiedTwiceOtherwise(arrived)).toEqual([]);
  expect([claims.length, claimedBefore > 0, claimedBefore < 500]).toEqual([500, true, true]);
});
