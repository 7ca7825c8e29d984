import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Delivery, DeliveryState } from '../../../../../functions/shared/domain/event/delivery.ts';
import type { StoredTransaction } from '../../../../../functions/shared/domain/transaction/transaction.ts';
import { makeDue } from '../../../../../functions/shared/replay/make-due.ts';
import { type Leaders, sendAgain } from '../../../../../functions/shared/replay/send-again.ts';
import { eventOf } from '../../../../support/builders/sent-events.ts';
import { aNewTransaction, uuidOf } from '../../../../support/builders/transactions.ts';
import { memoryEventStores } from '../../../../support/memory/event-stores.ts';
import { aDeliveryLogWorld } from '../../../../support/operator/delivery-log-world.ts';

const uuid = uuidOf(1);
const stateAt = (version: number): StoredTransaction => ({
  ...aNewTransaction({ uuid, vehicle: { make: `${version}` } }, { version }),
  sequenceNumber: 1,
});
/** Deleted by version 4. */
const deleted = (): StoredTransaction => {
  const before = stateAt(4);
  return {
    ...before,
    transaction: { ...before.transaction, isDeleted: 1 },
    elementVersions: { ...before.elementVersions, own: 4 },
  };
};
const atMs = Date.parse('2026-11-21T13:00:00Z');
const updated = (from: number, to: number) => eventOf(stateAt(to), from, { atMs });

let world: ReturnType<typeof aDeliveryLogWorld>;
let stored: StoredTransaction[];
beforeEach(async () => {
  stored = [stateAt(9)];
  world = aDeliveryLogWorld(await memoryEventStores(), { stored });
});

const put = async (from: number, to: number, state: DeliveryState, clientId = 'P') => {
  const one = updated(from, to);
  await world.put(one, { [clientId]: state });
  return (await world.deps.deliveryLog.delivery({ eventId: one.event.eventId, clientId })) as Delivery;
};
const rangeOf = ({ from, to }: Delivery) => `${from}-${to}`;
const inShort = (sent: Awaited<ReturnType<typeof sendAgain>>) =>
  sent.map(({ outcome, delivery, covers }) => [outcome, rangeOf(delivery), covers.map(rangeOf)]);

describe('EV-12 EV-12 the updates of a transaction', () => {
  test('EV-12 the earliest is due at once, and kept or given up ones behind it end with a reference to it', async () => {
    const some = [await put(2, 3, 'DEAD'), await put(0, 1, 'HELD'), await put(1, 2, 'HELD')];

    const sent = await sendAgain(some, world.deps);

    expect(inShort(sent)).toEqual([['scheduled', '0-1', ['2-3', '1-2']]]);
    const { deliveryLog, clock } = world.deps;
    expect(await deliveryLog.delivery(some[1] as Delivery)).toMatchObject({
      state: 'READY',
      dueAtMs: clock().getTime(),
    });
    expect(await deliveryLog.delivery(some[0] as Delivery)).toMatchObject({
      ...{ state: 'SUPPRESSED', reason: 'COALESCED' },
      timeline: expect.arrayContaining([
        {
          atMs: clock().getTime(),
          step: 'suppressed',
          note: `COALESCED: sent by ${some[1]?.eventId}`,
        },
      ]),
    });
    expect(await world.states('P')).toMatchObject({ '1-2': 'SUPPRESSED COALESCED' });
  });

  test('TH-23 accepted, delivered and withheld ones keep their state beside the one that is due', async () => {
    const some = [
      await put(0, 1, 'ACCEPTED'),
      await put(1, 2, 'DELIVERED'),
      await put(2, 3, 'ACCEPTED'),
      await put(3, 4, 'SUPPRESSED'),
    ];

    await sendAgain(some, world.deps);

    expect(await world.states('P')).toEqual({
      ...{ '0-1': 'READY', '1-2': 'DELIVERED', '2-3': 'ACCEPTED', '3-4': 'SUPPRESSED' },
    });
  });

  test('of two that begin with the same version the longer one is due, because it may cover the other', async () => {
    const sent = await sendAgain([await put(0, 1, 'HELD'), await put(0, 5, 'ACCEPTED')], world.deps);

    expect(inShort(sent)).toEqual([['scheduled', '0-5', ['0-1']]]);
    expect(await world.states('P')).toEqual({ '0-1': 'SUPPRESSED COALESCED', '0-5': 'READY' });
  });

  test.each([1, 2, 3])('I1 a process that is killed before write %i loses nothing', async (write) => {
    const some = [await put(0, 1, 'HELD'), await put(1, 2, 'HELD'), await put(2, 3, 'HELD')];

    await expect(sendAgain(some, world.dyingAt(write))).rejects.toThrow('killed');

    expect(await world.states('P')).toMatchObject({
      '0-1': write === 1 ? 'HELD' : 'READY',
      '1-2': write === 3 ? 'SUPPRESSED COALESCED' : 'HELD',
      '2-3': 'HELD',
    });
  });

  test('I7 a delivery under way stays as it is, and the others end with it', async () => {
    const first = await put(0, 1, 'DEAD');
    await makeDue(first, world.deps);
    const underway = (await world.deps.deliveryLog.delivery(first)) as Delivery;
    world.pass({ seconds: 5 });

    const sent = await sendAgain([underway, await put(1, 2, 'HELD')], world.deps);

    expect(inShort(sent)).toEqual([['underway', '0-1', ['1-2']]]);
    expect(await world.deps.deliveryLog.delivery(first)).toEqual(underway);
    expect(await world.states('P')).toEqual({ '0-1': 'READY', '1-2': 'SUPPRESSED COALESCED' });
  });

  test('I1 a delivery that somebody else made due meanwhile is not ended', async () => {
    const some = [await put(0, 1, 'HELD'), await put(1, 2, 'HELD')];
    await makeDue(some[1] as Delivery, world.deps);

    await sendAgain(some, world.deps);

    expect(await world.states('P')).toEqual({ '0-1': 'READY', '1-2': 'READY' });
  });

  test('V2-9 I16 a delivery that became a standalone replay meanwhile is skipped: the next one is due', async () => {
    const some = [await put(1, 2, 'HELD'), await put(2, 3, 'HELD'), await put(3, 4, 'HELD')];
    await makeDue(some[0] as Delivery, world.deps, { isStandalone: true });

    const sent = await sendAgain(some, world.deps);

    expect(inShort(sent)).toEqual([
      ['underway', '1-2', []],
      ['scheduled', '2-3', ['3-4']],
    ]);
    expect(await world.states('P')).toEqual({
      ...{ '1-2': 'READY', '2-3': 'READY', '3-4': 'SUPPRESSED COALESCED' },
    });
  });

  test('I16 a delivery that was sent as stored meanwhile is skipped as well', async () => {
    const some = [await put(1, 2, 'HELD'), await put(2, 3, 'HELD')];
    await makeDue(some[0] as Delivery, world.deps, { isStandalone: true });
    await world.flush();

    await sendAgain(some, world.deps);

    expect(await world.states('P')).toEqual({ '1-2': 'ACCEPTED', '2-3': 'READY' });
  });

  test('I7 a kept delivery that was sent meanwhile is not sent again', async () => {
    const kept = await put(8, 9, 'DEAD');
    await makeDue(kept, world.deps);
    await world.flush();

    await sendAgain([kept], world.deps);

    expect(await world.states('P')).toEqual({ '8-9': 'ACCEPTED' });
  });

  test('V2-9 a standalone replay under way is sent as stored, and the others without it', async () => {
    const first = await put(0, 1, 'ACCEPTED');
    await makeDue(first, world.deps, { isStandalone: true });
    const standalone = (await world.deps.deliveryLog.delivery(first)) as Delivery;

    const sent = await sendAgain([standalone, await put(1, 2, 'ACCEPTED')], world.deps);

    expect(inShort(sent)).toEqual([
      ['underway', '0-1', []],
      ['scheduled', '1-2', []],
    ]);
    expect(await world.deps.deliveryLog.delivery(first)).toMatchObject({
      state: 'READY',
      isStandalone: true,
    });
  });

  test('DEL-1 events from before a deletion are separate: they end none that cover the deletion', async () => {
    stored[0] = deleted();
    const before = [await put(0, 2, 'HELD'), await put(2, 3, 'ACCEPTED')];
    const deletion = eventOf(deleted(), 3, { atMs });
    await world.put(deletion, { P: 'HELD' });
    const last = await world.deps.deliveryLog.delivery({ eventId: deletion.event.eventId, clientId: 'P' });

    const sent = await sendAgain([...before, last as Delivery], world.deps);

    expect(inShort(sent)).toEqual([['scheduled', '3-4', []]]);
    expect(await world.states('P')).toEqual({ '0-2': 'READY', '2-3': 'ACCEPTED', '3-4': 'READY' });
    await world.flush();
    expect(await world.states('P')).toEqual({
      ...{ '0-2': 'SUPPRESSED DELETED', '2-3': 'ACCEPTED', '3-4': 'ACCEPTED' },
    });
  });

  test('GRANT-3 deliveries of another partner stay as they are', async () => {
    const mine = await put(0, 1, 'HELD');
    const other = updated(1, 2);
    await world.put(other, { P: 'HELD', Q: 'HELD' });
    const both = await world.deps.deliveryLog.event(other.event.eventId);

    await sendAgain(
      [mine, ...(both?.deliveries ?? []).filter(({ clientId }) => clientId === 'P')],
      world.deps,
    );

    expect(await world.states('Q')).toEqual({ '1-2': 'HELD' });
  });
});

describe('what a walk finds later', () => {
  test('V2-10 ends with the delivery that is already due, and is not made due itself', async () => {
    const leaders: Leaders = new Map();
    await sendAgain([await put(0, 1, 'HELD')], world.deps, leaders);

    const sent = await sendAgain([await put(1, 2, 'HELD'), await put(2, 3, 'ACCEPTED')], world.deps, leaders);

    expect(inShort(sent)).toEqual([['underway', '0-1', ['1-2', '2-3']]]);
    expect(await world.states('P')).toEqual({
      ...{ '0-1': 'READY', '1-2': 'SUPPRESSED COALESCED', '2-3': 'ACCEPTED' },
    });
  });

  test('V2-10 is made due itself if it begins earlier', async () => {
    const leaders: Leaders = new Map();
    await sendAgain([await put(4, 5, 'ACCEPTED')], world.deps, leaders);

    const sent = await sendAgain([await put(0, 4, 'DEAD')], world.deps, leaders);

    expect(inShort(sent)).toEqual([['scheduled', '0-4', []]]);
    expect(leaders.get(uuid)).toMatchObject({ from: 0, timeline: [] });
  });

  test('I1 is not ended if it may be the event that the sender made of the due delivery', async () => {
    const leaders: Leaders = new Map();
    await sendAgain([await put(0, 1, 'HELD')], world.deps, leaders);

    await sendAgain([await put(0, 9, 'HELD')], world.deps, leaders);

    expect(await world.states('P')).toEqual({ '0-1': 'READY', '0-9': 'HELD' });
  });
});

test('I8 each completion is due by itself, beside the updates', async () => {
  const completed = eventOf(stateAt(2), 1, { type: 'TransactionCompleted' });
  await world.put(completed, { P: 'HELD' });
  const completion = await world.deps.deliveryLog.delivery({
    eventId: completed.event.eventId,
    clientId: 'P',
  });

  const sent = await sendAgain([completion as Delivery, await put(0, 2, 'HELD')], world.deps);

  expect(inShort(sent)).toEqual([
    ['scheduled', '1-2', []],
    ['scheduled', '0-2', []],
  ]);
});

test.each([98, 99, 150])(
  'TH-26 a timeline with %i later entries keeps the first and the latest, 100 in all',
  async (count) => {
    const one = await put(0, 1, 'DEAD');
    const steps = Array.from({ length: count }, (_, n) => ({ atMs: n, step: 'accepted' as const }));

    await makeDue({ ...one, timeline: [{ atMs: 0, step: 'claimed' }, ...steps] }, world.deps);

    const { timeline = [] } = (await world.deps.deliveryLog.delivery(one)) ?? {};
    const isShortened = count > 98;
    expect(timeline.length).toBe(isShortened ? 100 : 3);
    if (isShortened) expect(timeline.slice(1, -1)).toEqual(steps.slice(-98));
  },
);
