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
import { bothEventStores, type EventStores, engineEventStores } from '../../support/memory/event-stores.ts';

const engine = useEngine();
const at = (n: number) => claimedAtMs + n * 60_000;
const numbersOf = (deliveries: readonly { eventId: string }[]) =>
  deliveries.map(({ eventId }) => Number(eventId.slice('event-'.length)));

/** Event n is of the minute n, and sent to both partners; odd ones are of one transaction, even ones of another. */
const aDeliveryLog = async (newStores: () => Promise<EventStores>) => {
  const { deliveryLog } = await newStores();
  const recipients = ['P1', 'P2'];
  for (const n of [1, 2, 3, 4, 5]) {
    const facts = { eventId: `event-${n}`, uuid: uuidOf(n % 2), claimedAtMs: at(n) };
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
    pages.push(numbersOf(page.deliveries));
    after = page.next;
  } while (after && pages.length < 9);
  return pages.filter((page) => page.length > 0);
};

describe.each(bothEventStores(engine))('$name: a page of deliveries', ({ newStores }) => {
  const oldestFirst = true;
  const ofOne = { uuid: uuidOf(1) };
  const span = { sinceMs: at(2), untilMs: at(5) };
  test.each<[string, Partial<DeliveryPageAsked>, number[][]]>([
    ['of one partner, newest first, and goes on where the one before ended', {}, [[5, 4], [3, 2], [1]]],
    ['empty for a partner without any', { clientId: 'P3' }, []],
    ['oldest first where that is asked for', { clientId: 'P2', oldestFirst }, [[1, 2], [3, 4], [5]]],
    ['of one transaction alone, where it is named', ofOne, [[5, 3], [1]]],
    ['of one transaction, oldest first', { ...ofOne, limit: 9, oldestFirst }, [[1, 3, 5]]],
    ['of one transaction, and empty for a stranger to it', { ...ofOne, clientId: 'P3' }, []],
    ['of a span of time: its first moment is in it, its last is not', span, [[4, 3], [2]]],
    ['of a span of time, oldest first', { ...span, oldestFirst }, [[2, 3], [4]]],
    ['of a span of time of a transaction', { ...span, uuid: uuidOf(0), limit: 5 }, [[4, 2]]],
  ])('V2-7 is %s', async (_, asked, pages) => {
    const deliveryLog = await aDeliveryLog(newStores);

    expect(await pagesOf(deliveryLog, { clientId: 'P1', limit: 2, ...asked })).toEqual(pages);
  });

  test('V2-7 that ends with the last row names no next one', async () => {
    const deliveryLog = await aDeliveryLog(newStores);

    expect(await deliveryLog.deliveryPage({ ...ofOne, clientId: 'P1', limit: 3 })).not.toHaveProperty('next');
  });

  test('V2-7 shows each delivery of one instant once, however pages and spans divide them', async () => {
    const { deliveryLog } = await newStores();
    for (const n of [1, 2, 3, 4, 5]) {
      const eventId = `event-${n}`;
      await deliveryLog.addMissing({ event: anEvent({ eventId }), deliveries: [aDelivery({ eventId })] });
    }
    const spans = [{}, { sinceMs: claimedAtMs }, { sinceMs: claimedAtMs, untilMs: claimedAtMs + 1 }];
    const lists = [{}, { oldestFirst }, ofOne, { ...ofOne, oldestFirst }];

    for (const asked of spans.flatMap((some) => lists.map((list) => ({ ...some, ...list })))) {
      const pages = await pagesOf(deliveryLog, { clientId: 'P1', limit: 2, ...asked });
      expect(pages.flat().toSorted()).toEqual([1, 2, 3, 4, 5]);
    }
  });

  const third = { claimedAtMs: at(3), eventId: 'event-3' };
  const second = { claimedAtMs: at(2), eventId: 'event-2' };
  test.each<[string, Partial<DeliveryPageAsked>, number[]]>([
    ['goes on at a time alone', { after: { claimedAtMs: at(3) } }, [3, 2, 1]],
    ['goes on at a time alone, oldest first', { after: { claimedAtMs: at(3) }, oldestFirst }, [3, 4, 5]],
    ['goes on at a row that is not there', { after: { claimedAtMs: at(3) + 1, eventId: 'gone' } }, [3, 2, 1]],
    ['is empty for a span that ends before it begins', { sinceMs: at(9), untilMs: at(8) }, []],
    ['is empty behind a place that is before its span', { sinceMs: at(3), after: second }, []],
    ['is empty behind a time before its span', { sinceMs: at(3), after: { claimedAtMs: at(2) } }, []],
    ['is the span before which a place is', { sinceMs: at(3), after: second, oldestFirst }, [3, 4, 5]],
    ['is empty behind the first row of its span', { sinceMs: at(3), after: third }, []],
    ['goes on within its span', { untilMs: at(4), after: third }, [2, 1]],
    [
      'goes on in the last millisecond of its span',
      { untilMs: at(4) + 1, after: { claimedAtMs: at(4), eventId: 'event-4' } },
      [3, 2, 1],
    ],
  ])('ERR-4 V2-7 %s', async (_, asked, numbers) => {
    const deliveryLog = await aDeliveryLog(newStores);

    const { deliveries } = await deliveryLog.deliveryPage({ clientId: 'P1', limit: 9, ...asked });

    expect(numbersOf(deliveries)).toEqual(numbers);
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
  const { deliveryLog } = await engineEventStores(engine, (command) => void requests.push(command));
  const events = Array.from({ length: 301 }, (_, n) =>
    anEvent({
      ...{ eventId: `event-${n}`, uuid: uuidOf(1), claimedAtMs: at(2 * n) },
      recipients: [n === 0 ? 'P1' : 'P2'],
    }),
  );
  for (const some of chunksOf(events, 50))
    await Promise.all(some.map((event) => deliveryLog.addMissing({ event, deliveries: [] })));
  requests.length = 0;

  const asked = { clientId: 'P1', uuid: uuidOf(1), limit: 50 };
  const first = await deliveryLog.deliveryPage(asked);
  const requestsOfFirst = requests.length;
  const second = await deliveryLog.deliveryPage({ ...asked, ...(first.next && { after: first.next }) });

  expect([first.deliveries, first.next?.eventId]).toEqual([[], 'event-51']);
  expect(requestsOfFirst).toBe(1 + 5 * 2);
  expect([numbersOf(second.deliveries), second.next]).toEqual([[0], undefined]);
});
