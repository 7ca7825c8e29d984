import { describe, expect, test } from '@jest/globals';
import { chunksOf } from '../../../functions/shared/runtime/chunks.ts';
import type {
  DeliveryLogPages,
  DeliveryLogPosition,
  DeliveryPageAsked,
} from '../../../functions/shared/store/debounce/delivery-log-store.ts';
import { aDelivery, anEvent, claimedAtMs } from '../../support/builders/events.ts';
import { uuidOf } from '../../support/builders/transactions.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { type EventStores, engineEventStores, memoryEventStores } from '../../support/memory/event-stores.ts';

const engine = useEngine();

/** Event n is of the minute n, and sent to both partners; odd ones are of one transaction, even ones of another. */
const aDeliveryLog = async (newStores: () => Promise<EventStores>) => {
  const { deliveryLog } = await newStores();
  for (const n of [1, 2, 3, 4, 5]) {
    const facts = { eventId: `event-${n}`, uuid: uuidOf(n % 2), claimedAtMs: claimedAtMs + n * 60_000 };
    const recipients = ['P1', 'P2'];
    await deliveryLog.addMissing({
      event: anEvent({ ...facts, recipients }),
      deliveries: recipients.map((clientId) => aDelivery({ ...facts, clientId })),
    });
  }
  return deliveryLog;
};

/** All pages, as numbers of their events. */
const pagesOf = async (deliveryLog: DeliveryLogPages, asked: DeliveryPageAsked) => {
  const pages: number[][] = [];
  let after: DeliveryLogPosition | undefined;
  do {
    const page = await deliveryLog.deliveryPage({ ...asked, ...(after && { after }) });
    expect(page.deliveries.every(({ clientId }) => clientId === asked.clientId)).toBe(true);
    pages.push(page.deliveries.map(({ eventId }) => Number(eventId.slice(-1))));
    after = page.next;
  } while (after && pages.length < 9);
  return pages.filter((page) => page.length > 0);
};

describe.each([
  { name: 'stand-in in memory', newStores: memoryEventStores },
  { name: 'DynamoDB engine', newStores: (): Promise<EventStores> => engineEventStores(engine) },
])('$name: a page of deliveries', ({ newStores }) => {
  test('V2-7 is of one partner, newest first, and continues where the one before ended', async () => {
    const deliveryLog = await aDeliveryLog(newStores);

    expect(await pagesOf(deliveryLog, { clientId: 'P1', limit: 2 })).toEqual([[5, 4], [3, 2], [1]]);
    expect(await pagesOf(deliveryLog, { clientId: 'P3', limit: 2 })).toEqual([]);
  });

  test('V2-7 can be oldest first', async () => {
    const deliveryLog = await aDeliveryLog(newStores);

    const pages = await pagesOf(deliveryLog, { clientId: 'P2', limit: 2, oldestFirst: true });

    expect(pages).toEqual([[1, 2], [3, 4], [5]]);
  });

  test('V2-7 can be of one transaction', async () => {
    const deliveryLog = await aDeliveryLog(newStores);

    expect(await pagesOf(deliveryLog, { clientId: 'P1', uuid: uuidOf(1), limit: 2 })).toEqual([[5, 3], [1]]);
    expect(
      await pagesOf(deliveryLog, { clientId: 'P1', uuid: uuidOf(1), limit: 9, oldestFirst: true }),
    ).toEqual([[1, 3, 5]]);
    expect(await pagesOf(deliveryLog, { clientId: 'P3', uuid: uuidOf(1), limit: 2 })).toEqual([]);
    expect(await deliveryLog.deliveryPage({ clientId: 'P1', uuid: uuidOf(1), limit: 3 })).not.toHaveProperty(
      'next',
    );
  });

  test('V2-7 shows each delivery of one instant once, however pages and spans divide them', async () => {
    const { deliveryLog } = await newStores();
    for (const n of [1, 2, 3, 4, 5]) {
      const eventId = `event-${n}`;
      await deliveryLog.addMissing({ event: anEvent({ eventId }), deliveries: [aDelivery({ eventId })] });
    }
    const spans = [{}, { sinceMs: claimedAtMs }, { sinceMs: claimedAtMs, untilMs: claimedAtMs + 1 }];
    const lists = [{}, { oldestFirst: true }, { uuid: uuidOf(1) }, { uuid: uuidOf(1), oldestFirst: true }];

    for (const asked of spans.flatMap((span) => lists.map((list) => ({ ...span, ...list })))) {
      const pages = await pagesOf(deliveryLog, { clientId: 'P1', limit: 2, ...asked });
      expect(pages.flat().toSorted()).toEqual([1, 2, 3, 4, 5]);
    }
  });

  test('V2-7 of a time span includes its first moment, and not its last', async () => {
    const deliveryLog = await aDeliveryLog(newStores);
    const sinceMs = claimedAtMs + 2 * 60_000;
    const untilMs = claimedAtMs + 5 * 60_000;

    const span = { clientId: 'P1', sinceMs, untilMs, limit: 2 };

    expect(await pagesOf(deliveryLog, span)).toEqual([[4, 3], [2]]);
    expect(await pagesOf(deliveryLog, { ...span, oldestFirst: true })).toEqual([[2, 3], [4]]);
    expect(
      await pagesOf(deliveryLog, { clientId: 'P1', uuid: uuidOf(0), sinceMs, untilMs, limit: 5 }),
    ).toEqual([[4, 2]]);
  });

  test('V2-7 continues at a time, or at a row that has expired', async () => {
    const deliveryLog = await aDeliveryLog(newStores);
    const from = async (after: DeliveryLogPosition, more: Partial<DeliveryPageAsked> = {}) =>
      (await deliveryLog.deliveryPage({ clientId: 'P1', limit: 9, after, ...more })).deliveries.map(
        ({ eventId }) => eventId,
      );
    const third = claimedAtMs + 3 * 60_000;

    expect(await from({ claimedAtMs: third })).toEqual(['event-3', 'event-2', 'event-1']);
    expect(await from({ claimedAtMs: third }, { oldestFirst: true })).toEqual([
      'event-3',
      'event-4',
      'event-5',
    ]);
    expect(await from({ claimedAtMs: third + 1, eventId: 'gone' })).toEqual([
      'event-3',
      'event-2',
      'event-1',
    ]);
  });

  test('ERR-4 V2-7 is empty for a span that ends before it begins, and continues if a place is outside', async () => {
    const deliveryLog = await aDeliveryLog(newStores);
    const at = (n: number) => claimedAtMs + n * 60_000;
    const of = async (asked: Partial<DeliveryPageAsked>) =>
      (await deliveryLog.deliveryPage({ clientId: 'P1', limit: 9, ...asked })).deliveries.map(({ eventId }) =>
        Number(eventId.slice(-1)),
      );

    expect(await of({ sinceMs: at(9), untilMs: at(8) })).toEqual([]);
    expect(await of({ sinceMs: at(3), after: { claimedAtMs: at(2), eventId: 'event-2' } })).toEqual([]);
    expect(await of({ sinceMs: at(3), after: { claimedAtMs: at(2) } })).toEqual([]);
    expect(
      await of({ sinceMs: at(3), after: { claimedAtMs: at(2), eventId: 'event-2' }, oldestFirst: true }),
    ).toEqual([3, 4, 5]);
    expect(await of({ sinceMs: at(3), after: { claimedAtMs: at(3), eventId: 'event-3' } })).toEqual([]);
    expect(await of({ untilMs: at(4) + 1, after: { claimedAtMs: at(4), eventId: 'event-4' } })).toEqual([
      3, 2, 1,
    ]);
  });

  test('V2-12 has a test of the webhook, which has no transaction', async () => {
    const { deliveryLog } = await newStores();
    const facts = { eventId: 'event-t', type: 'WebhookTest', uuid: '', from: 0, to: 0 } as const;
    await deliveryLog.addMissing({ event: anEvent(facts), deliveries: [aDelivery(facts)] });

    const { deliveries } = await deliveryLog.deliveryPage({ clientId: 'P1', limit: 5 });

    expect(deliveries).toEqual([aDelivery(facts)]);
    expect((await deliveryLog.event('event-t'))?.event).toEqual(anEvent(facts));
  });

  test('S-60 V2-7 leaves out expired rows', async () => {
    const { deliveryLog, time } = await newStores();
    await deliveryLog.addMissing({ event: anEvent(), deliveries: [aDelivery({ state: 'ACCEPTED' })] });

    time.nowMs += 31 * 24 * 60 * 60 * 1000;

    expect(await deliveryLog.deliveryPage({ clientId: 'P1', limit: 5 })).toEqual({ deliveries: [] });
    expect(await deliveryLog.deliveryPage({ clientId: 'P1', uuid: uuidOf(1), limit: 5 })).toEqual({
      deliveries: [],
    });
  });
});

test('V2-7 of a transaction reads a limited number of events of others, and continues at its place', async () => {
  const requests: string[] = [];
  const { deliveryLog } = await engineEventStores(engine, (command) => {
    requests.push(command);
    return undefined;
  });
  const events = Array.from({ length: 301 }, (_, n) =>
    anEvent({
      ...{ eventId: `event-${n}`, uuid: uuidOf(1), claimedAtMs: claimedAtMs + n * 120_000 },
      recipients: [n === 0 ? 'P1' : 'P2'],
    }),
  );
  for (const some of chunksOf(events, 50))
    await Promise.all(some.map((event) => deliveryLog.addMissing({ event, deliveries: [] })));
  requests.length = 0;

  const first = await deliveryLog.deliveryPage({ clientId: 'P1', uuid: uuidOf(1), limit: 50 });
  const ofFirst = [...requests];
  const after = first.next;
  const second =
    after && (await deliveryLog.deliveryPage({ clientId: 'P1', uuid: uuidOf(1), limit: 50, after }));

  expect(first.deliveries).toEqual([]);
  expect(after?.eventId).toBe('event-51');
  expect(ofFirst).toHaveLength(1 + 5 * 2);
  expect(second?.deliveries.map(({ eventId }) => eventId)).toEqual(['event-0']);
  expect(second?.next).toBeUndefined();
});
