import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Delivery } from '../../../../../functions/shared/domain/event/delivery.ts';
import type { BusEntry } from '../../../../../functions/shared/outbound/event-bus.ts';
import { flushDue } from '../../../../../functions/shared/publish/flush.ts';
import { fold, planResend } from '../../../../../functions/shared/publish/fold.ts';
import { makeDue } from '../../../../../functions/shared/replay/make-due.ts';
import { sendKeptAgain } from '../../../../../functions/shared/replay/partner-walk.ts';
import { aPartner } from '../../../../support/builders/a-partner.ts';
import { propertyRun } from '../../../../support/builders/property-run.ts';
import { memoryEventStores } from '../../../../support/memory/event-stores.ts';
import { aBus } from '../../../../support/memory/publishing.ts';
import { aRedriveWorld, notifiedBy } from '../../../../support/operator/redrive-world.ts';

let world: Awaited<ReturnType<typeof aRedriveWorld>>;
beforeEach(async () => {
  world = await aRedriveWorld(await memoryEventStores());
});

const customer = (name: string) => expect.objectContaining({ name });
const ranges = (sent: readonly BusEntry[]) => sent.map(({ from, to }) => [from, to]);

/** What was sent of a change. */
const sentOf = async (change: Parameters<typeof world.change>[0]): Promise<BusEntry> => {
  await world.change(change);
  const [sent] = await world.rest();
  if (!sent) throw new Error('Nothing was sent');
  return sent;
};
/** What was sent of a change, and was refused. */
const refusedOf = async (change: Parameters<typeof world.change>[0], status = 410) => {
  const sent = await sentOf(change);
  await world.refuse(sent, status);
  return sent;
};
/** The newer event that brings what was refused. */
const sentTogether = async () => {
  const refused = await world.refusedAndOvertaken();
  const [together] = await world.later({ minutes: 15 });
  if (!together) throw new Error('Nothing was sent');
  return { refused, together };
};
const deliveryOf = ({ eventId }: { eventId: string }) =>
  world.deps.deliveryLog.delivery({ eventId, clientId: 'P' });
/** A flush whose requests to the bus get no answer. */
const flushInVain = () =>
  flushDue(
    { ...world.deps, bus: { put: async () => [] } },
    { beginUntilMs: world.deps.clock().getTime() + 6_000 },
  );

describe('EV-12 an event that is sent again', () => {
  test('keeps its id and its bytes if nothing newer was sent', async () => {
    const refused = await refusedOf({ customer: 'old' });

    const sent = await world.later({ minutes: 15 });

    expect(sent).toEqual([refused]);
    expect(await world.states('P')).toEqual({ '0-2': 'ACCEPTED' });
  });

  test('brings what was sent since, so that no older value arrives last, and both timelines say so', async () => {
    const refused = await world.refusedAndOvertaken();

    const sent = await world.later({ minutes: 15 });

    expect(sent.map(notifiedBy)).toEqual([
      { from: 0, to: 3, elements: { customer: customer('new'), vehicle: customer('first') } },
    ]);
    expect(await world.states('P')).toEqual({
      '0-2': 'SUPPRESSED COALESCED',
      '2-3': 'ACCEPTED',
      '0-3': 'ACCEPTED',
    });
    const [together = refused] = sent;
    const old = await deliveryOf(refused);
    expect(old?.timeline.at(-1)?.note).toBe(`COALESCED: sent by ${together.eventId}`);
    expect(old).not.toHaveProperty('dueAtMs');
    const fresh = await deliveryOf(together);
    expect(fresh?.timeline.map(({ step, note }) => [step, note])).toEqual([
      ['changed', undefined],
      ['claimed', undefined],
      ['scheduled', `in place of ${refused.eventId}`],
      ['accepted', undefined],
    ]);
  });

  test('reads the deliveries of its own partner alone, of two days, in five requests at most', async () => {
    const refused = await world.refusedAndOvertaken();
    const { deliveryLog } = world.deps;
    const asked: unknown[] = [];
    const ofTransaction = deliveryLog.deliveriesOfTransaction;
    deliveryLog.deliveriesOfTransaction = (...one) => {
      asked.push(one);
      return ofTransaction(...one);
    };

    await world.later({ minutes: 15 });

    const sinceMs = ((await deliveryOf(refused))?.claimedAtMs ?? 0) - 2 * 24 * 60 * 60 * 1000;
    expect(asked[0]).toEqual([world.uuid, { clientId: 'P', sinceMs, atMostPages: 5 }]);
  });

  test('I2 is leased for twenty seconds from the start of its plan, however long that took', async () => {
    await world.refusedAndOvertaken();
    const { clock, debounceRows, deliveryLog } = world.deps;
    const { get } = debounceRows;
    const { lease } = deliveryLog;
    const leasedForMs: number[] = [];
    let beganAtMs = 0;
    debounceRows.get = (key) => {
      beganAtMs = clock().getTime();
      world.pass({ seconds: 5 });
      return get(key);
    };
    deliveryLog.lease = (delivery, until) => {
      leasedForMs.push(until.dueAtMs - beganAtMs);
      return lease(delivery, until);
    };

    await world.later({ minutes: 15 });

    expect(leasedForMs[0]).toBe(20_000);
  });

  test('has its five tries, even if the bus is silent during one of them', async () => {
    const refused = await refusedOf({ customer: 'old' }, 404);
    const { bus } = world.deps;
    world.deps.bus = { put: async () => [] };
    await world.later({ minutes: 15 + 20 });
    world.deps.bus = bus;
    expect(await world.later({ minutes: 2 })).toEqual([refused]);
    await world.refuse(refused, 404);

    expect(await world.later({ minutes: 59 })).toEqual([]);
    expect(await world.later({ minutes: 2 })).toEqual([refused]);
  });

  test('is sent although the event that covers it was withheld before', async () => {
    const refused = await world.refusedAndOvertaken();
    const [partner] = world.partners.splice(0, 1);
    await world.later({ minutes: 15 });
    if (partner) world.partners.push(partner);
    expect(await world.states('P')).toMatchObject({ '0-3': 'SUPPRESSED DISABLED' });
    await world.replay(refused);
    await world.flush();
    await world.refuse(refused, 404);

    const sent = await world.later({ minutes: 24 * 60 });

    expect(sent.map(notifiedBy)).toEqual([
      { from: 0, to: 3, elements: { customer: customer('new'), vehicle: customer('first') } },
    ]);
    expect(await world.states('P')).toMatchObject({ '0-2': 'SUPPRESSED COALESCED', '0-3': 'ACCEPTED' });
  });

  test('that failed like all before it becomes one that begins where they begin', async () => {
    const first = await sentOf({ customer: 'first' });
    const second = await sentOf({ customer: 'second' });
    for (const one of [second, first]) {
      await world.refuse(one, 404);
      world.pass({ seconds: 300 });
    }

    const sent = await world.later({ minutes: 20 });

    expect(sent.map(notifiedBy)).toEqual([{ from: 0, to: 3, elements: { customer: customer('second') } }]);
  });

  test('I2 waits while a newer change is about to be sent, and then includes it', async () => {
    await world.refusedAndOvertaken();
    world.pass({ seconds: 14 * 60 - 120 });
    await world.change({ customer: 'newest' });

    const sent = await world.later({ minutes: 5 });

    expect(sent.map(notifiedBy)).toEqual([
      { from: 3, to: 4, elements: { customer: customer('newest') } },
      { from: 0, to: 4, elements: { customer: customer('newest'), vehicle: customer('first') } },
    ]);
  });

  test('waits for an event that is being sent', async () => {
    await world.refusedAndOvertaken();
    world.pass({ seconds: 12 * 60 });
    await world.change({ customer: 'newest' });
    world.pass({ seconds: 120 });
    await flushInVain();
    world.pass({ seconds: 1 });

    expect(await world.flush()).toEqual([]);
    expect(ranges(await world.later({ minutes: 2 }))).toEqual([
      [3, 4],
      [0, 4],
    ]);
  });

  test('I6 whose body has expired is sent with its id and the present values, which are stored then', async () => {
    const refused = await refusedOf({ customer: 'old' });
    world.pass({ seconds: 61 * 24 * 60 * 60 });

    const [sent, ...more] = await world.flush();

    expect(more).toEqual([]);
    expect(sent).toMatchObject({ eventId: refused.eventId, from: 0, to: 2 });
    expect(sent && notifiedBy(sent).elements).toEqual({ customer: customer('old') });
    expect(await world.deps.deliveryLog.event(refused.eventId)).toMatchObject({
      ...{ bodies: { plain: sent?.message }, event: { recipients: ['P'] } },
    });
  });

  test('I5 has what changed since its own first version, and nothing from before', async () => {
    await sentOf({ customer: 'taken' });
    await refusedOf({ vehicle: 'refused' });
    await sentOf({ vehicle: 'newest' });

    const [sent] = await world.later({ minutes: 15 });

    expect(sent && notifiedBy(sent)).toEqual({ from: 2, to: 4, elements: { vehicle: customer('newest') } });
    const made = await world.deps.deliveryLog.event(sent?.eventId ?? '');
    expect(made?.event).toMatchObject({ elements: ['vehicle'], recipients: ['P'] });
  });

  test('continues with the highest number of tries of all that it covers', async () => {
    const first = await sentOf({ customer: 'first' });
    const second = await refusedOf({ vehicle: 'second' }, 404);
    await world.replay(second);
    await world.flush();
    await world.refuse(second, 404);
    await world.refuse(first, 404);

    const [sent] = await world.later({ minutes: 15 });

    expect(sent && (await deliveryOf(sent))).toMatchObject({ from: 0, to: 3, failures: 2 });
  });

  test('is one event if two callers made two deliveries of a transaction due', async () => {
    const { first, second } = await twoNotified();
    for (const one of [second, first]) await makeDue(one, world.deps);

    expect(ranges(await world.flush())).toEqual([[0, 3]]);
    expect(await world.later({ minutes: 2 })).toEqual([]);
    expect(await world.states('P')).toEqual({
      '0-2': 'SUPPRESSED COALESCED',
      '2-3': 'SUPPRESSED COALESCED',
      '0-3': 'ACCEPTED',
    });
  });

  test.each([
    ['was sent by a newer event', false],
    ['was sent by a newer event, which the bus gave up since', true],
  ])('that is made due again after it %s has that one sent again, with its bytes', async (_, isGivenUp) => {
    const { refused, together } = await sentTogether();
    await makeDue({ eventId: refused.eventId, clientId: 'P' }, world.deps);
    if (isGivenUp) {
      world.pass({ seconds: 1 });
      await world.refuse(together, 400);
    }

    expect(await world.flush()).toEqual([together]);
    expect(await world.states('P')).toMatchObject({ '0-2': 'SUPPRESSED COALESCED', '0-3': 'ACCEPTED' });
  });

  test('that was deferred is due again one lease after the pending change may be sent, and does not count as a try', async () => {
    const refused = await world.refusedAndOvertaken();
    world.pass({ seconds: 14 * 60 - 120 });
    const changedAtMs = world.deps.clock().getTime();
    await world.change({ customer: 'newest' });
    world.pass({ seconds: 119 });
    await world.flush();
    await makeDue(refused, world.deps);
    await world.flush();

    expect(await deliveryOf(refused)).toMatchObject({
      ...{ state: 'READY', redrives: 0, dueAtMs: changedAtMs + 140_000 },
    });
  });

  test('that waits for a person is not sent by itself, whatever was sent since', async () => {
    await world.refusedAndOvertaken(422);

    expect(await world.later({ minutes: 30 })).toEqual([]);
    expect(await world.states('P')).toMatchObject({ '0-2': 'DEAD HTTP_422' });
  });

  test('DEL-1 from before a deletion is withheld, and the deletion is not sent again', async () => {
    await refusedOf({ customer: 'old' });
    await world.change({ isDeleted: 1 });
    await world.rest();

    expect(await world.later({ minutes: 15 })).toEqual([]);
    expect(await world.states('P')).toMatchObject({ '0-2': 'SUPPRESSED DELETED' });
  });

  test('for two partners with the same gap is one event with one id and the same bytes', async () => {
    world.partners.push(aPartner({ clientId: 'Q', name: 'q', webhookUrl: 'https://q.example/' }));
    await world.change({ customer: 'old' });
    const refused = await world.rest();
    for (const one of refused) await world.refuse(one, 410);
    await world.change({ vehicle: 'new' });
    await world.rest();

    const sent = await world.later({ minutes: 15 });

    expect(sent.map(({ clientId }) => clientId).sort()).toEqual(['P', 'Q']);
    expect(new Set(sent.map(({ eventId, message }) => `${eventId} ${message}`)).size).toBe(1);
  });

  test.each<[string, (log: DeliveryLog) => Partial<DeliveryLog>]>([
    ['before the new event is there', () => ({ addMissing: killed })],
    [
      'after it has scheduled the new event',
      ({ move }) => ({ move: (asked) => (asked.reason === 'COALESCED' ? killed() : move(asked)) }),
    ],
  ])('an invocation that dies %s loses nothing and doubles nothing', async (_, dying) => {
    await world.refusedAndOvertaken();
    world.pass({ seconds: 14 * 60 });
    const { deliveryLog } = world.deps;
    world.deps.deliveryLog = { ...deliveryLog, ...dying(deliveryLog) };
    const first = await world.later({ minutes: 1 });
    world.deps.deliveryLog = deliveryLog;

    const then = await world.later({ minutes: 2 });

    expect(ranges([...first, ...then])).toEqual([[0, 3]]);
    expect(await world.states('P')).toMatchObject({ '0-2': 'SUPPRESSED COALESCED', '0-3': 'ACCEPTED' });
  });

  test('that is being sent ends by itself, and not by the new event that covers it', async () => {
    await world.refusedAndOvertaken();
    const { deliveryLog, clock } = world.deps;
    const atMs = clock().getTime();
    for await (const { eventId, clientId } of deliveryLog.deliveriesOfTransaction(world.uuid, {}))
      await deliveryLog.move({
        ...{ eventId, clientId, from: ['ACCEPTED'], to: 'READY', atMs, dueAtMs: atMs + 16 * 60_000 },
        entry: { atMs, step: 'scheduled' },
      });

    await world.later({ minutes: 15 });

    expect(await world.states('P')).toEqual({
      '0-2': 'SUPPRESSED COALESCED',
      '2-3': 'READY',
      '0-3': 'ACCEPTED',
    });
  });

  test('after a resume includes events between the resume and the next tick', async () => {
    const [partner] = world.partners;
    if (!partner) throw new Error('There is no partner');
    world.partners[0] = { ...partner, webhookPaused: 'operator' };
    await world.change({ customer: 'old' });
    await world.rest();
    world.partners[0] = partner;
    await sendKeptAgain('P', world.deps);
    await world.change({ customer: 'new' });

    // The first event is sent before redrives (EV-26), which then contain all of it.
    expect(ranges(await world.rest())).toEqual([
      [2, 3],
      [0, 3],
    ]);
    expect(await world.later({ minutes: 2 })).toEqual([]);
  });
});

type DeliveryLog = typeof world.deps.deliveryLog;
const killed = () => Promise.reject(new Error('killed'));

/** Two events that were sent. */
const twoNotified = async () => {
  const first = await sentOf({ customer: 'first' });
  const second = await sentOf({ vehicle: 'second' });
  world.pass({ seconds: 1 });
  return { first, second };
};

describe('EV-12 concurrent senders and callers', () => {
  /** The first of two events that were sent, and the one that the sender makes of it now. */
  const planOf = async (key: { eventId: string; clientId: string }) => {
    const delivery = await world.deps.deliveryLog.delivery(key);
    const nowMs = world.deps.clock().getTime();
    const plan = delivery && (await planResend(delivery, nowMs, world.deps));
    if (plan?.step !== 'fold') throw new Error(`The plan is ${plan?.step}`);
    return { delivery: { ...delivery, state: 'READY' } as Delivery, plan };
  };

  test.each([
    ['the one event', {}, [0, 3]],
    ['a standalone replay', { isStandalone: true }, [0, 2]],
  ] as const)('I4 two concurrent senders send %s once', async (_, facts, range) => {
    const { first } = await twoNotified();
    await makeDue(first, world.deps, facts);
    const beginUntilMs = world.deps.clock().getTime() + 6_000;
    const bus = aBus();
    const deps = { ...world.deps, bus };

    await Promise.all([flushDue(deps, { beginUntilMs }), flushDue(deps, { beginUntilMs })]);

    expect(ranges(bus.taken)).toEqual([range]);
  });

  test('another due delivery ends with it, and is not sent by itself', async () => {
    const { first, second } = await twoNotified();
    for (const one of [first, second]) await makeDue(one, world.deps);
    const { delivery, plan } = await planOf(first);

    await fold(delivery, plan, world.deps);

    expect(await world.states('P')).toMatchObject({ '2-3': 'SUPPRESSED COALESCED', '0-3': 'READY' });
  });

  test('another delivery that was leased meanwhile ends by itself', async () => {
    const { first, second } = await twoNotified();
    for (const one of [first, second]) await makeDue(one, world.deps);
    const { delivery, plan } = await planOf(first);
    const seen = await world.deps.deliveryLog.delivery(second);
    if (seen) await world.deps.deliveryLog.lease(seen, { dueAtMs: world.deps.clock().getTime() + 20_000 });

    await fold(delivery, plan, world.deps);

    expect(await world.states('P')).toMatchObject({ '2-3': 'READY', '0-3': 'READY' });
  });

  test('a delivery that was sent with a newer state than the plan knows is not ended', async () => {
    const { first } = await twoNotified();
    const old = await world.deps.transactions.byUuid(world.uuid);
    await refusedOf({ customer: 'third' });
    world.pass({ seconds: 1 });
    await makeDue(first, world.deps);
    const debounceRow = {
      ...{ uuid: world.uuid, kind: 'NOTIFY', revision: 1, changeCount: 1, notifiedVersion: 3 },
    };
    world.deps.transactions = { ...world.deps.transactions, byUuid: async () => old };
    world.deps.debounceRows = { ...world.deps.debounceRows, get: async () => debounceRow as never };
    const { delivery, plan } = await planOf(first);

    await fold(delivery, plan, world.deps);

    expect(plan.range).toEqual({ from: 0, to: 3 });
    expect(await world.states('P')).toMatchObject({ '3-4': 'DEAD HTTP_410' });
  });

  test('an event that is already under way is neither ended nor sent twice', async () => {
    const { refused, together } = await sentTogether();
    await makeDue(together, world.deps);
    world.pass({ seconds: 1 });
    await makeDue(refused, world.deps);
    const { delivery, plan } = await planOf(refused);

    expect(await fold(delivery, plan, world.deps)).toBeUndefined();

    expect(await world.states('P')).toMatchObject({ '0-2': 'SUPPRESSED COALESCED', '0-3': 'READY' });
    expect(await world.flush()).toEqual([together]);
  });
});

describe('EV-12 an operator who replays one event', () => {
  test('sends only that event after a sender died as well', async () => {
    const refused = await world.refusedAndOvertaken();
    await world.replay(refused);
    await flushInVain();

    expect(await world.later({ minutes: 1 })).toEqual([refused]);
  });

  test('sends only that event even if an invocation is about to redrive it', async () => {
    const refused = await world.refusedAndOvertaken();
    const { debounceRows } = world.deps;
    const { get } = debounceRows;
    let isAsked = false;
    debounceRows.get = async (key) => {
      if (!isAsked) await world.replay(refused);
      isAsked = true;
      return get(key);
    };

    expect(await world.later({ minutes: 15 })).toEqual([refused]);
  });

  test('sends it once: if the endpoint refuses it again, the next try includes newer changes', async () => {
    const refused = await world.refusedAndOvertaken();
    await world.replay(refused);
    await world.flush();
    await world.refuse(refused, 410);

    expect(ranges(await world.later({ minutes: 61 }))).toEqual([[0, 3]]);
  });
});

type Act =
  | { act: 'change'; member: 'customer' | 'vehicle' }
  | { act: 'refuse'; which: number; status: 404 | 410 }
  | { act: 'wait'; ticks: number }
  | { act: 'be silent'; ticks: number };

const acts = fc.array(
  fc.oneof(
    fc.record({ act: fc.constant('change' as const), member: fc.constantFrom('customer', 'vehicle') }),
    fc.record({ act: fc.constant('refuse' as const), which: fc.nat(20), status: fc.constantFrom(404, 410) }),
    fc.record({ act: fc.constant('wait' as const), ticks: fc.constantFrom(1, 2, 5, 6, 15, 45, 90) }),
    fc.record({ act: fc.constant('be silent' as const), ticks: fc.constantFrom(1, 2) }),
  ),
  { minLength: 5, maxLength: 30 },
) as fc.Arbitrary<Act[]>;

test('EV-12 with any changes, refusals and two concurrent invocations, no version arrives after a higher one', async () => {
  let resent = 0;
  await fc.assert(
    fc.asyncProperty(acts, async (some) => {
      const world = await aRedriveWorld(await memoryEventStores());
      const arrived: BusEntry[] = [];
      let isSilent = false;
      world.deps.bus = {
        put: async (entries) => {
          if (isSilent) return entries.map(() => ({ outcome: 'unconfirmed' }));
          arrived.push(...entries);
          return entries.map(() => ({ outcome: 'accepted', busEventId: `bus-${arrived.length}` }));
        },
      };
      const tick = async () => {
        world.pass({ seconds: 20 });
        const beginUntilMs = world.deps.clock().getTime() + 6_000;
        await Promise.all([flushDue(world.deps, { beginUntilMs }), flushDue(world.deps, { beginUntilMs })]);
      };

      for (const [index, one] of some.entries()) {
        isSilent = one.act === 'be silent';
        if (one.act === 'change') await world.change({ [one.member]: `${index}` });
        const refused = one.act === 'refuse' ? arrived[one.which % (arrived.length || 1)] : undefined;
        if (refused && one.act === 'refuse') await world.refuse(refused, one.status);
        const ticks = 'ticks' in one ? one.ticks : 0;
        for (let count = 0; count < ticks; count += 1) await tick();
      }
      isSilent = false;
      for (let count = 0; count < 60; count += 1) await tick();

      const versions = arrived.map(({ to }) => to);
      resent += new Set(versions).size < versions.length ? 1 : 0;
      expect(versions).toEqual(versions.toSorted((a, b) => a - b));
    }),
    propertyRun('refused events', 25),
  );
  expect(resent).toBeGreaterThan(0);
});
