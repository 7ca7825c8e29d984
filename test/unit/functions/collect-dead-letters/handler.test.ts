import { describe, expect, test } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { createHandler } from '../../../../functions/collect-dead-letters/handler.ts';
import type {
  Delivery,
  DeliveryKey,
  StatusEntry,
} from '../../../../functions/shared/domain/event/delivery.ts';
import type { Partner } from '../../../../functions/shared/domain/partner.ts';
import type { EndpointMessage } from '../../../../functions/shared/outbound/endpoint-requests.ts';
import { recordAnswer } from '../../../../functions/shared/publish/record-answer.ts';
import { makeDue } from '../../../../functions/shared/replay/make-due.ts';
import { aPartner } from '../../../support/builders/a-partner.ts';
import { aDeadLetter, busEventText } from '../../../support/builders/dead-letters.ts';
import { aDelivery, anEvent, claimedAtMs } from '../../../support/builders/events.ts';
import { createMemoryDeliveryLog, type MemoryDeliveryLog } from '../../../support/memory/delivery-log.ts';
import { createMemoryPartners, directoryOver } from '../../../support/memory/partners.ts';
import { aPublishing, memoryStores } from '../../../support/memory/publishing.ts';

const nowMs = claimedAtMs + 3_600_000;
const key = { eventId: 'event-1', clientId: 'P1' };

type Circumstances = {
  failsAt?: (asked: DeliveryKey) => boolean;
  /** Undefined if it was deleted. */
  partner?: Partner | undefined;
  /** The queue of `keep-endpoints` takes nothing. */
  isDeaf?: boolean;
};
const acme = aPartner({ clientId: 'P1', webhookUrl: 'https://partner.example/hook' });

/** A delivery log with one delivery, and what becomes of it by these letters. */
const collected = async (
  delivery: Partial<Delivery>,
  records: SQSRecord[],
  circumstances: Circumstances = {},
) => {
  const deliveryLog = createMemoryDeliveryLog({ clock: () => new Date(nowMs) });
  await deliveryLog.addMissing({ event: anEvent(), deliveries: [aDelivery(delivery)] });
  return collectedBy(deliveryLog, records, circumstances);
};

const collectedBy = async (
  deliveryLog: MemoryDeliveryLog,
  records: SQSRecord[],
  circumstances: Circumstances = {},
) => {
  const { failsAt = () => false, partner, isDeaf } = { partner: acme, ...circumstances };
  const asked: EndpointMessage[] = [];
  const clock = () => new Date(nowMs);
  const logged: unknown[] = [];
  const reported: unknown[] = [];
  const handler = createHandler({
    deliveryLog: {
      ...deliveryLog,
      delivery: async (deliveryKey) => {
        if (failsAt(deliveryKey)) throw new Error('no store');
        return deliveryLog.delivery(deliveryKey);
      },
    },
    partners: directoryOver(createMemoryPartners(partner ? [{ partner, secrets: [] }] : [])),
    endpointRequests: {
      send: async (messages) => {
        if (isDeaf) throw new Error('no queue');
        asked.push(...messages);
      },
    },
    clock,
    log: (name, facts) => logged.push([name, facts]),
    report: (figures) => reported.push(figures),
  });
  const answer = await handler({ Records: records });
  return { answer, logged, reported, asked, left: await deliveryLog.delivery(key) };
};

const accepted: Partial<Delivery> = { state: 'ACCEPTED', busEventId: 'bus-1' };
const undoneAndScheduled: StatusEntry[] = [
  { atMs: claimedAtMs, step: 'accepted', busEventId: 'bus-0' },
  { atMs: claimedAtMs, step: 'undone' },
  { atMs: claimedAtMs, step: 'scheduled' },
];
const notFound = { code: 'SDK_CLIENT_ERROR', message: 'failed because status 404 was returned' };
const unprocessable = { code: 'SDK_CLIENT_ERROR', message: 'failed because status 422 was returned' };

describe('a dead letter', () => {
  test('of an endpoint that answers 404 makes the delivery DEAD, due again in 15 minutes', async () => {
    const { answer, left, logged, reported } = await collected(accepted, [aDeadLetter(notFound)]);

    expect(left).toMatchObject({
      state: 'DEAD',
      reason: 'HTTP_404',
      dueAtMs: nowMs + 15 * 60_000,
      timeline: [{ step: 'claimed' }, { atMs: nowMs, step: 'dead', note: 'HTTP_404', busEventId: 'bus-1' }],
    });
    expect(answer).toEqual({ batchItemFailures: [] });
    expect(logged).toEqual([['deliveryDead', { ...key, reason: 'HTTP_404' }]]);
    expect(reported).toEqual([{ deadLetters: 1 }]);
  });

  test('after three failures makes it due in 12 hours, however often it was leased', async () => {
    const { left } = await collected({ ...accepted, failures: 3, redrives: 9 }, [aDeadLetter(notFound)]);

    expect(left?.dueAtMs).toBe(nowMs + 12 * 3_600_000);
  });

  test('EV-12 for a missing target does not count as a try, because the endpoint was not called', async () => {
    const { left } = await collected({ ...accepted, failures: 4 }, [aDeadLetter({ code: 'NO_RESOURCE' })]);

    expect(left).toMatchObject({ reason: 'TARGET_REMOVED', failures: 4, dueAtMs: nowMs + 15 * 60_000 });
  });

  test.each<[string, Partial<Partner>, Partial<Delivery>, StatusEntry]>([
    [
      'paused is kept with the rest',
      { webhookPaused: 'partner' },
      { state: 'HELD' },
      { atMs: nowMs, step: 'held', note: 'TARGET_REMOVED', busEventId: 'bus-1' },
    ],
    [
      'disabled ends it',
      { enabled: false, webhookPaused: 'operator' },
      { state: 'SUPPRESSED', reason: 'DISABLED' },
      { atMs: nowMs, step: 'suppressed', note: 'DISABLED: TARGET_REMOVED', busEventId: 'bus-1' },
    ],
  ])('EV-13 for want of a target of a partner that is %s', async (_what, changes, expected, entry) => {
    const partner = { ...acme, ...changes };

    const { left, reported, asked, logged } = await collected(
      { ...accepted, failures: 4 },
      [aDeadLetter({ code: 'NO_RESOURCE' })],
      { partner },
    );

    expect(left).toMatchObject({ ...expected, failures: 4 });
    expect(left?.timeline.at(-1)).toEqual(entry);
    expect(left?.dueAtMs).toBeUndefined();
    expect([reported, asked, logged]).toEqual([[{ deadLetters: 1 }], [], []]);
  });

  test.each<[string, Partner | undefined, string]>([
    ['without an address', aPartner({ clientId: 'P1' }), 'NO_ENDPOINT'],
    ['that is gone', undefined, 'DISABLED'],
  ])('EV-13 for want of a target of a partner %s ends it', async (_what, partner, reason) => {
    const { left } = await collected(accepted, [aDeadLetter({ code: 'NO_RESOURCE' })], { partner });

    expect(left).toMatchObject({ state: 'SUPPRESSED', reason });
  });

  test('S-77 for a missing target while all webhooks are stopped keeps the delivery', async () => {
    const { left } = await collected(accepted, [aDeadLetter({ code: 'NO_RESOURCE' })], {
      partner: { ...acme, webhookPaused: 'operator' },
    });

    expect(left?.state).toBe('HELD');
  });

  test('I16 for a missing target before a status entry creates the row of a kept delivery', async () => {
    const deliveryLog = createMemoryDeliveryLog({ clock: () => new Date(nowMs) });
    deliveryLog.put({ event: anEvent(), bodies: undefined });

    const { left } = await collectedBy(deliveryLog, [aDeadLetter({ code: 'NO_RESOURCE' })], {
      partner: { ...acme, webhookPaused: 'partner' },
    });

    expect(left).toMatchObject({ state: 'HELD', failures: 0 });
  });

  test('of an endpoint requests a check of its address, once for each partner in a batch', async () => {
    const letters = ['event-1', 'event-2'].map((eventId, index) =>
      aDeadLetter({ ...notFound, messageId: `m${index}`, body: busEventText({ eventId }) }),
    );
    const deliveryLog = createMemoryDeliveryLog({ clock: () => new Date(nowMs) });
    for (const eventId of ['event-1', 'event-2'])
      await deliveryLog.addMissing({
        event: anEvent({ eventId }),
        deliveries: [aDelivery({ ...accepted, eventId })],
      });

    const { asked, reported } = await collectedBy(deliveryLog, letters);

    expect(asked).toEqual([{ clientId: 'P1', isUndelivered: true }]);
    expect(reported).toEqual([{ deadLetters: 2 }]);
  });

  test('without effect requests no check', async () => {
    const { asked } = await collected({ state: 'DELIVERED', busEventId: 'bus-1' }, [aDeadLetter(notFound)]);

    expect(asked).toEqual([]);
  });

  test('is handled even if the check cannot be requested', async () => {
    const { answer, left, logged } = await collected(accepted, [aDeadLetter(notFound)], { isDeaf: true });

    expect(answer).toEqual({ batchItemFailures: [] });
    expect(left?.state).toBe('DEAD');
    expect(logged).toContainEqual(['checkNotAsked', {}]);
  });

  test('DR-10 of an event that a restore undid ends it, whatever the letter says', async () => {
    const timeline: StatusEntry[] = [
      { atMs: claimedAtMs, step: 'accepted', busEventId: 'bus-1' },
      { atMs: claimedAtMs, step: 'undone' },
    ];

    const { left } = await collected({ ...accepted, timeline }, [aDeadLetter(notFound)]);

    expect(left).toMatchObject({ state: 'SUPPRESSED', reason: 'UNDONE' });
  });

  test('of an endpoint that answers 422 waits for a replay', async () => {
    const { left } = await collected(accepted, [aDeadLetter(unprocessable)]);

    expect(left).toMatchObject({ state: 'DEAD', reason: 'HTTP_422' });
    expect(left?.dueAtMs).toBeUndefined();
  });

  test('after a day of failures waits for a replay, and the timeline says how it ended', async () => {
    const said = {
      code: 'SDK_CLIENT_ERROR',
      message: 'status 503',
      condition: 'MaximumRetryAttempts',
      retries: 185,
    };

    const { left } = await collected(accepted, [aDeadLetter(said)]);

    expect(left?.reason).toBe('EXHAUSTED');
    expect(left?.timeline.at(-1)?.note).toBe('EXHAUSTED: HTTP_503 after 185 retries');
    expect(left?.dueAtMs).toBeUndefined();
  });

  test('before the acceptance is recorded counts', async () => {
    const { left } = await collected({ state: 'READY' }, [aDeadLetter(notFound)]);

    expect(left?.state).toBe('DEAD');
  });

  test('I16 before the first status entry creates the row of the delivery', async () => {
    const deliveryLog = createMemoryDeliveryLog({ clock: () => new Date(nowMs) });
    deliveryLog.put({ event: anEvent(), bodies: undefined });

    const { left, logged } = await collectedBy(deliveryLog, [aDeadLetter(notFound)]);

    expect(left).toMatchObject({
      ...{ state: 'DEAD', reason: 'HTTP_404', failures: 1 },
      timeline: [{ step: 'changed' }, { step: 'claimed' }, { atMs: nowMs, step: 'dead', note: 'HTTP_404' }],
    });
    expect(logged).toEqual([['deliveryDead', { ...key, reason: 'HTTP_404' }]]);
  });

  test('of a delivery that is sent again counts, whatever the bus called the earlier sending', async () => {
    const { left } = await collected({ state: 'READY', busEventId: 'bus-0' }, [aDeadLetter(notFound)]);

    expect(left?.state).toBe('DEAD');
  });

  test('EV-6 of an earlier sending does not cancel a pending replay', async () => {
    const scheduled = { state: 'READY', busEventId: 'bus-1', dueAtMs: nowMs, redrives: 1 } as const;

    const { left, answer, logged } = await collected(scheduled, [aDeadLetter(notFound)]);

    expect(left).toMatchObject({ state: 'READY', dueAtMs: nowMs });
    expect(answer).toEqual({ batchItemFailures: [] });
    expect(logged).toEqual([]);
  });

  test('EV-6 of the sending before the last does not cancel a replay either', async () => {
    const clock = () => new Date(nowMs);
    const partners = directoryOver(createMemoryPartners([]));
    const deps = aPublishing({ ...memoryStores(clock), partners, clock });
    await deps.deliveryLog.addMissing({ event: anEvent(), deliveries: [aDelivery()] });
    for (const busEventId of ['bus-1', 'bus-2']) {
      await recordAnswer(aDelivery({ timeline: [] }), { outcome: 'accepted', busEventId }, deps);
      const accepted = await deps.deliveryLog.delivery(key);
      if (accepted) await makeDue(accepted, deps);
    }
    const handler = createHandler({
      ...deps,
      endpointRequests: { send: async () => {} },
      report: () => {},
    });

    await handler({ Records: [aDeadLetter(notFound)] });

    expect(await deps.deliveryLog.delivery(key)).toMatchObject({ state: 'READY', dueAtMs: nowMs });
  });

  test('I16 counted before its acceptance was recorded does not cancel a later sending', async () => {
    const deliveryLog = createMemoryDeliveryLog({ clock: () => new Date(nowMs) });
    await deliveryLog.addMissing({ event: anEvent(), deliveries: [aDelivery()] });
    const { left: dead } = await collectedBy(deliveryLog, [aDeadLetter(notFound)]);
    if (dead) await deliveryLog.lease(dead, { dueAtMs: nowMs });

    const { left, reported } = await collectedBy(deliveryLog, [aDeadLetter(notFound)]);

    expect(left).toMatchObject({ state: 'READY', failures: 1, redrives: 1 });
    expect(reported).toEqual([{ deadLetters: 0 }]);
  });

  test('I16 before the acceptance of an undone event that was sent again is recorded counts', async () => {
    const timeline = undoneAndScheduled;

    const { left, reported } = await collected({ state: 'READY', busEventId: 'bus-0', timeline }, [
      aDeadLetter(notFound),
    ]);

    expect(left).toMatchObject({ state: 'DEAD', reason: 'HTTP_404', dueAtMs: nowMs + 15 * 60_000 });
    expect(reported).toEqual([{ deadLetters: 1 }]);
  });

  test('DR-10 of an undone sending does not cancel a replay', async () => {
    const body = busEventText({ busEventId: 'bus-0' });
    const scheduled = {
      state: 'READY',
      busEventId: 'bus-0',
      dueAtMs: nowMs,
      timeline: undoneAndScheduled,
    } as const;

    const { left } = await collected({ ...scheduled }, [aDeadLetter({ ...notFound, body })]);

    expect(left).toMatchObject({ state: 'READY', dueAtMs: nowMs });
  });

  test('of a sending that the bus never confirmed counts', async () => {
    const { left } = await collected({ state: 'ACCEPTED' }, [aDeadLetter(notFound)]);

    expect(left?.state).toBe('DEAD');
  });

  test('counts once if it comes twice', async () => {
    const letters = [
      aDeadLetter({ ...notFound, messageId: 'm1' }),
      aDeadLetter({ ...notFound, messageId: 'm2' }),
    ];

    const { left, logged, reported } = await collected(accepted, letters);

    expect(left?.timeline).toHaveLength(2);
    expect(logged).toHaveLength(1);
    expect(reported).toEqual([{ deadLetters: 1 }]);
  });

  test('of an earlier sending changes nothing after the bus accepted a later one', async () => {
    const body = busEventText({ busEventId: 'bus-0' });

    const { left, answer } = await collected(accepted, [aDeadLetter({ ...notFound, body })]);

    expect(left).toMatchObject({ state: 'ACCEPTED', busEventId: 'bus-1' });
    expect(answer).toEqual({ batchItemFailures: [] });
  });

  test.each(['DELIVERED', 'SUPPRESSED', 'HELD'] as const)(
    'of a delivery in state %s changes nothing',
    async (state) => {
      const { left } = await collected({ state, busEventId: 'bus-1' }, [aDeadLetter(notFound)]);

      expect(left?.state).toBe(state);
    },
  );

  test('of an unknown delivery is logged and done', async () => {
    const body = busEventText({ eventId: 'event-0' });

    const { answer, logged } = await collected(accepted, [aDeadLetter({ ...notFound, body })]);

    expect(answer).toEqual({ batchItemFailures: [] });
    expect(logged).toEqual([['deadLetterUnknown', { eventId: 'event-0', clientId: 'P1' }]]);
  });

  test('S-69 that cannot be parsed stays in the queue, where an alarm counts it: it may be all that is left of an event', async () => {
    const unreadable = aDeadLetter({ body: 'Canary', messageId: 'unreadable' });

    const { answer, logged, left } = await collected(accepted, [unreadable, aDeadLetter(notFound)]);

    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'unreadable' }] });
    expect(logged).toEqual([
      ['recordFailed', { record: 'unreadable' }],
      ['deliveryDead', { ...key, reason: 'HTTP_404' }],
    ]);
    expect(left?.state).toBe('DEAD');
  });

  test('returns to the queue if the store fails, without the others', async () => {
    const fine = aDeadLetter({ ...notFound, messageId: 'fine' });
    const body = busEventText({ clientId: 'P2' });
    const failing = aDeadLetter({ ...notFound, messageId: 'failing', body });

    const { answer, left } = await collected(accepted, [failing, fine], {
      failsAt: ({ clientId }) => clientId === 'P2',
    });

    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'failing' }] });
    expect(left?.state).toBe('DEAD');
  });

  test('S-57 is neither logged nor stored with its message', async () => {
    const said = { ...notFound, message: 'Canary status 404' };

    const { logged, left } = await collected(accepted, [aDeadLetter(said), aDeadLetter({ body: 'Canary' })]);

    expect(JSON.stringify([logged, left])).not.toContain('Canary');
  });
});
