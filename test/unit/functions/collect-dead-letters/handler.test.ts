import { describe, expect, test } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { createHandler } from '../../../../functions/collect-dead-letters/handler.ts';
import type { Delivery, StatusEntry } from '../../../../functions/shared/domain/event/delivery.ts';
import type { Partner } from '../../../../functions/shared/domain/partner.ts';
import type { EndpointMessage } from '../../../../functions/shared/outbound/endpoint-requests.ts';
import { aPartner } from '../../../support/builders/a-partner.ts';
import { aDeadLetter, busEventText } from '../../../support/builders/dead-letters.ts';
import { aDelivery, anEvent, claimedAtMs } from '../../../support/builders/events.ts';
import { createMemoryDeliveryLog, type MemoryDeliveryLog } from '../../../support/memory/delivery-log.ts';
import { createMemoryPartners, directoryOver } from '../../../support/memory/partners.ts';

const nowMs = claimedAtMs + 3_600_000;
const inMinutes = (minutes: number) => nowMs + minutes * 60_000;
const key = { eventId: 'event-1', clientId: 'P1' };
const acme = aPartner({ clientId: 'P1', webhookUrl: 'https://partner.example/hook' });

type Circumstances = {
  /** Undefined if it was deleted. */
  partner?: Partner | undefined;
  /** A delivery of this partner cannot be read. */
  failsFor?: string;
  /** The queue of `keep-endpoints` takes nothing. */
  isDeaf?: boolean;
};

const aDeliveryLog = () => createMemoryDeliveryLog({ clock: () => new Date(nowMs) });

/** A delivery log with one delivery, and what becomes of it by these letters. */
const collected = async (
  delivery: Partial<Delivery>,
  records: SQSRecord[],
  circumstances: Circumstances = {},
) => {
  const deliveryLog = aDeliveryLog();
  await deliveryLog.addMissing({ event: anEvent(), deliveries: [aDelivery(delivery)] });
  return collectedBy(deliveryLog, records, circumstances);
};

const collectedBy = async (
  deliveryLog: MemoryDeliveryLog,
  records: SQSRecord[],
  circumstances: Circumstances = {},
) => {
  const { failsFor, partner, isDeaf } = { partner: acme, ...circumstances };
  const asked: EndpointMessage[] = [];
  const logged: unknown[] = [];
  const reported: unknown[] = [];
  const handler = createHandler({
    deliveryLog: {
      ...deliveryLog,
      delivery: async (asked) => {
        if (asked.clientId === failsFor) throw new Error('no store');
        return deliveryLog.delivery(asked);
      },
    },
    partners: directoryOver(createMemoryPartners(partner ? [{ partner, secrets: [] }] : [])),
    endpointRequests: {
      send: async (messages) => {
        if (isDeaf) throw new Error('no queue');
        asked.push(...messages);
      },
    },
    clock: () => new Date(nowMs),
    log: (name, facts) => logged.push([name, facts]),
    report: (figures) => reported.push(figures),
  });
  const answer = await handler({ Records: records });
  return { answer, logged, reported, asked, left: await deliveryLog.delivery(key) };
};

const accepted: Partial<Delivery> = { state: 'ACCEPTED', busEventId: 'bus-1' };
const step = (name: StatusEntry['step'], facts: Partial<StatusEntry> = {}): StatusEntry => ({
  ...{ atMs: claimedAtMs, step: name },
  ...facts,
});
const undoneAndScheduled = [step('accepted', { busEventId: 'bus-0' }), step('undone'), step('scheduled')];
const sentTwice = [
  ...[step('accepted', { busEventId: 'bus-1' }), step('scheduled')],
  ...[step('accepted', { busEventId: 'bus-2' }), step('scheduled')],
];

const notFound = { code: 'SDK_CLIENT_ERROR', message: 'failed because status 404 was returned' };
const withoutTarget = { code: 'NO_RESOURCE' };
const allDone = { batchItemFailures: [] };
const isDead = ['deliveryDead', { ...key, reason: 'HTTP_404' }];

/** An event for the partner, before its delivery has a status entry. */
const withoutEntries = () => {
  const deliveryLog = aDeliveryLog();
  deliveryLog.put({ event: anEvent(), bodies: undefined });
  return deliveryLog;
};

describe('a dead letter', () => {
  test.each<[string, Partial<Delivery>]>([
    ['that the bus has accepted', accepted],
    ['EV-6 that the bus never named', { state: 'ACCEPTED' }],
    ['whose acceptance is not recorded yet', { state: 'READY' }],
    ['sent again, whose acceptance is not recorded yet', { state: 'READY', busEventId: 'bus-0' }],
    [
      'I16 that was undone and sent again, whose acceptance is not recorded yet',
      { state: 'READY', busEventId: 'bus-0', timeline: undoneAndScheduled },
    ],
  ])('EV-12 of a delivery %s makes it DEAD, and due in 15 minutes', async (_, delivery) => {
    const { left, ...told } = await collected(delivery, [aDeadLetter(notFound)]);

    expect(left).toMatchObject({ state: 'DEAD', reason: 'HTTP_404', dueAtMs: inMinutes(15), failures: 1 });
    expect(left?.timeline.at(-1)).toEqual({
      ...{ atMs: nowMs, step: 'dead', note: 'HTTP_404', busEventId: 'bus-1' },
    });
    expect(told).toEqual({
      answer: allDone,
      logged: [isDead],
      reported: [{ deadLetters: 1 }],
      asked: [{ clientId: 'P1', isUndelivered: true }],
    });
  });

  const scheduled = { state: 'READY', busEventId: 'bus-1', dueAtMs: nowMs, redrives: 1 } as const;
  test.each<[string, Partial<Delivery>, string]>([
    ['EV-6 of an earlier sending, where a replay is to be sent', scheduled, 'bus-1'],
    [
      'EV-6 of the sending before the last, where a replay is to be sent',
      { ...scheduled, busEventId: 'bus-2', timeline: sentTwice },
      'bus-1',
    ],
    [
      'DR-10 of the sending that was undone, where a replay is to be sent',
      { ...scheduled, busEventId: 'bus-0', timeline: undoneAndScheduled },
      'bus-0',
    ],
    ['EV-6 of an earlier sending, where the bus has accepted a later one', accepted, 'bus-0'],
    ['of a delivery that is DELIVERED', { state: 'DELIVERED', busEventId: 'bus-1' }, 'bus-1'],
    ['of a delivery that is SUPPRESSED', { state: 'SUPPRESSED', busEventId: 'bus-1' }, 'bus-1'],
    ['of a delivery that is HELD', { state: 'HELD', busEventId: 'bus-1' }, 'bus-1'],
  ])('%s changes nothing, and has nothing checked', async (_, delivery, busEventId) => {
    const letter = aDeadLetter({ ...notFound, body: busEventText({ busEventId }) });

    expect(await collected(delivery, [letter])).toEqual({
      answer: allDone,
      logged: [],
      reported: [{ deadLetters: 0 }],
      asked: [],
      left: aDelivery(delivery),
    });
  });

  test('EV-12 after three failures is due in 12 hours, however often it was leased', async () => {
    const { left } = await collected({ ...accepted, failures: 3, redrives: 9 }, [aDeadLetter(notFound)]);

    expect(left?.dueAtMs).toBe(inMinutes(12 * 60));
  });

  test('EV-12 of a day of failures waits for a person, and the timeline says how it ended', async () => {
    const facts = { condition: 'MaximumRetryAttempts', retries: 185 };
    const letter = aDeadLetter({ code: 'SDK_CLIENT_ERROR', message: 'status 503', ...facts });

    const { left } = await collected(accepted, [letter]);

    expect(left).toMatchObject({ state: 'DEAD', reason: 'EXHAUSTED' });
    expect(left?.timeline.at(-1)?.note).toBe('EXHAUSTED: HTTP_503 after 185 retries');
    expect(left?.dueAtMs).toBeUndefined();
  });

  test.each<[string, Partner | undefined, unknown[]]>([
    ['EV-12 that still has one', acme, ['DEAD', 'TARGET_REMOVED', inMinutes(15), 'TARGET_REMOVED']],
    [
      'EV-13 that has paused it',
      { ...acme, webhookPaused: 'partner' },
      ['HELD', undefined, undefined, 'TARGET_REMOVED'],
    ],
    [
      'S-77 that is paused with all others',
      { ...acme, webhookPaused: 'operator' },
      ['HELD', undefined, undefined, 'TARGET_REMOVED'],
    ],
    [
      'EV-13 that is disabled',
      { ...acme, enabled: false, webhookPaused: 'operator' },
      ['SUPPRESSED', 'DISABLED', undefined, 'DISABLED: TARGET_REMOVED'],
    ],
    [
      'EV-13 that has no address',
      aPartner({ clientId: 'P1' }),
      ['SUPPRESSED', 'NO_ENDPOINT', undefined, 'NO_ENDPOINT: TARGET_REMOVED'],
    ],
    ['EV-13 that is gone', undefined, ['SUPPRESSED', 'DISABLED', undefined, 'DISABLED: TARGET_REMOVED']],
  ])('for want of a target uses up no try and has nothing checked: a partner %s', async (_, partner, end) => {
    const delivery = { ...accepted, failures: 4 };

    const { left, asked, reported } = await collected(delivery, [aDeadLetter(withoutTarget)], { partner });

    const { atMs, busEventId, note } = left?.timeline.at(-1) ?? {};
    expect([left?.state, left?.reason, left?.dueAtMs, note]).toEqual(end);
    expect([left?.failures, atMs, busEventId, asked]).toEqual([4, nowMs, 'bus-1', []]);
    expect(reported).toEqual([{ deadLetters: 1 }]);
  });

  test('I16 before the first status entry creates the row of the delivery', async () => {
    const { left, logged } = await collectedBy(withoutEntries(), [aDeadLetter(notFound)]);

    expect(left).toMatchObject({
      ...{ state: 'DEAD', reason: 'HTTP_404', failures: 1 },
      timeline: [{ step: 'changed' }, { step: 'claimed' }, { atMs: nowMs, step: 'dead', note: 'HTTP_404' }],
    });
    expect(logged).toEqual([isDead]);
  });

  test('I16 for a missing target before a status entry creates the row of a kept delivery', async () => {
    const { left } = await collectedBy(withoutEntries(), [aDeadLetter(withoutTarget)], {
      partner: { ...acme, webhookPaused: 'partner' },
    });

    expect(left).toMatchObject({ state: 'HELD', failures: 0 });
  });

  test('EV-21 of an endpoint has its address checked, once for each partner of a batch', async () => {
    const deliveryLog = aDeliveryLog();
    const eventIds = ['event-1', 'event-2'];
    for (const eventId of eventIds)
      await deliveryLog.addMissing({
        event: anEvent({ eventId }),
        deliveries: [aDelivery({ ...accepted, eventId })],
      });
    const letters = eventIds.map((eventId) => aDeadLetter({ ...notFound, body: busEventText({ eventId }) }));

    const { asked, reported } = await collectedBy(deliveryLog, letters);

    expect(asked).toEqual([{ clientId: 'P1', isUndelivered: true }]);
    expect(reported).toEqual([{ deadLetters: 2 }]);
  });

  test('is handled even if the check cannot be requested', async () => {
    const { answer, left, logged } = await collected(accepted, [aDeadLetter(notFound)], { isDeaf: true });

    expect([answer, left?.state]).toEqual([allDone, 'DEAD']);
    expect(logged).toEqual([isDead, ['checkNotAsked', {}]]);
  });

  test('DR-10 of an event that a restore undid ends it, whatever the letter says', async () => {
    const timeline = [step('accepted', { busEventId: 'bus-1' }), step('undone')];

    const { left } = await collected({ ...accepted, timeline }, [aDeadLetter(notFound)]);

    expect(left).toMatchObject({ state: 'SUPPRESSED', reason: 'UNDONE' });
  });

  test('I16 counted before its acceptance was recorded does not cancel a later sending', async () => {
    const deliveryLog = aDeliveryLog();
    await deliveryLog.addMissing({ event: anEvent(), deliveries: [aDelivery()] });
    const { left: dead } = await collectedBy(deliveryLog, [aDeadLetter(notFound)]);
    if (dead) await deliveryLog.lease(dead, { dueAtMs: nowMs });

    const { left, reported } = await collectedBy(deliveryLog, [aDeadLetter(notFound)]);

    expect(left).toMatchObject({ state: 'READY', failures: 1, redrives: 1 });
    expect(reported).toEqual([{ deadLetters: 0 }]);
  });

  test('I7 that comes twice counts once', async () => {
    const letters = ['m1', 'm2'].map((messageId) => aDeadLetter({ ...notFound, messageId }));

    const { left, logged, reported } = await collected(accepted, letters);

    expect(left?.timeline).toHaveLength(2);
    expect([logged, reported]).toEqual([[isDead], [{ deadLetters: 1 }]]);
  });

  test('of an unknown delivery is logged and done', async () => {
    const body = busEventText({ eventId: 'event-0' });

    const { answer, logged } = await collected(accepted, [aDeadLetter({ ...notFound, body })]);

    expect(answer).toEqual(allDone);
    expect(logged).toEqual([['deadLetterUnknown', { eventId: 'event-0', clientId: 'P1' }]]);
  });

  test('S-57 S-69 that cannot be read stays in its queue, which rings: it may be all that is left of an event', async () => {
    const unreadable = aDeadLetter({ body: 'Canary', messageId: 'unreadable' });
    const fine = aDeadLetter({ ...notFound, message: 'Canary status 404' });

    const { answer, logged, left } = await collected(accepted, [unreadable, fine]);

    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'unreadable' }] });
    expect(logged).toEqual([['recordFailed', { record: 'unreadable' }], isDead]);
    expect(left?.state).toBe('DEAD');
    expect(JSON.stringify(left)).not.toContain('Canary');
  });

  test('EV-17 that the store fails at comes again, and only that one', async () => {
    const fine = aDeadLetter({ ...notFound, messageId: 'fine' });
    const body = busEventText({ clientId: 'P2' });
    const failing = aDeadLetter({ ...notFound, messageId: 'failing', body });

    const { answer, left } = await collected(accepted, [failing, fine], { failsFor: 'P2' });

    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'failing' }] });
    expect(left?.state).toBe('DEAD');
  });
});
