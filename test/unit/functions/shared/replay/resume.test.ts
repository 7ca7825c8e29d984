import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type {
  JsonObject,
  StoredTransaction,
} from '../../../../../functions/shared/domain/transaction/transaction.ts';
import { sendKeptAgain } from '../../../../../functions/shared/replay/partner-walk.ts';
import { histories } from '../../../../support/builders/histories.ts';
import { propertyRun } from '../../../../support/builders/property-run.ts';
import { eventOf, messageIn, type StoredEvent } from '../../../../support/builders/sent-events.ts';
import { memoryEventStores } from '../../../../support/memory/event-stores.ts';
import { aDeliveryLogWorld } from '../../../../support/operator/delivery-log-world.ts';

/** The state of an event's delivery, while the partner was paused at times and the transaction left its grants at times. */
type Fate = 'HELD' | 'ACCEPTED' | 'not for it';
type Told = { event: StoredEvent; fate: Fate; stored: StoredTransaction };

/** A deleted transaction is only sent as its deletion. */
const notDeleted = (stored: StoredTransaction): StoredTransaction => ({
  ...stored,
  transaction: { ...stored.transaction, isDeleted: 0 },
});

const fates = fc.constantFrom<Fate>('HELD', 'HELD', 'HELD', 'ACCEPTED', 'not for it');
const lives = fc
  .tuple(histories, fc.infiniteStream(fc.boolean()), fc.infiniteStream(fates))
  .map(([all, cuts, fate]): Told[] => {
    const states = all.map(notDeleted);
    const ends = states.slice(1).filter((_, index) => index === states.length - 2 || cuts.next().value);
    return ends.map((stored, index) => ({
      stored,
      event: eventOf(stored, ends[index - 1]?.version ?? 1),
      fate: fate.next().value,
    }));
  })
  .filter((notified) => notified.some(({ fate }) => fate === 'HELD'));

const runs = fc.array(fc.record({ diesAt: fc.nat(6), isFlushed: fc.boolean() }), { maxLength: 3 });

test('I1 I6 I19 a pause loses nothing and the last state comes last, wherever resuming is interrupted', async () => {
  await fc.assert(
    fc.asyncProperty(lives, runs, async (notified, interrupted) => {
      const { world, arrived, flush } = await pausedWorld(notified);

      for (const { diesAt, isFlushed } of interrupted) {
        await sendKeptAgain('P', world.dyingAt(diesAt));
        if (isFlushed) await flush();
        world.pass({ seconds: 30 });
      }
      await sendKeptAgain('P', world.deps);
      await flush();

      const states = Object.values(await world.states('P'));
      expect(states.filter((state) => state === 'HELD' || state === 'READY')).toEqual([]);
      expect(await sendKeptAgain('P', world.deps)).toEqual({ transactions: 0, asStored: 0 });
      expectAllNotified(notified, arrived);
      expect(bytesPerId(arrived)).toBe(new Set(arrived.map(({ eventId }) => eventId)).size);
    }),
    propertyRun('ends of pauses', 80, 600),
  );
}, 120_000);

type Arrived = { eventId: string; from: number; to: number; omitted: readonly string[]; message: string };

/** The delivery log at the end of the pause, and the events that the partner got before. */
const pausedWorld = async (notified: readonly Told[]) => {
  const stored = notified.slice(-1).map((last) => last.stored);
  const world = aDeliveryLogWorld(await memoryEventStores(), { stored });
  const arrived: Arrived[] = [];
  for (const { event, fate } of notified) {
    await world.put(event, fate === 'not for it' ? { Q: 'ACCEPTED' } : { P: fate });
    const { eventId, from, to, omitted } = event.event;
    if (fate === 'ACCEPTED') arrived.push({ eventId, from, to, omitted, message: event.bodies?.plain ?? '' });
  }
  const flush = async () => {
    arrived.push(...(await world.flush()).filter(({ clientId }) => clientId === 'P'));
  };
  return { world, arrived, flush };
};

/** A receiver that takes each message as the newest knows the last state of everything it was sent. */
const expectAllNotified = (notified: readonly Told[], arrived: readonly Arrived[]) => {
  const held = notified.filter(({ fate }) => fate === 'HELD').map(({ event }) => event.event);
  for (const { from, to } of held) expect(arrived.some((one) => one.from <= from && to <= one.to)).toBe(true);
  const lastTo = Math.max(...arrived.map(({ to }) => to));
  for (const { to } of arrived.slice(-1)) expect(to).toBe(lastTo);
  const last = notified.find(({ stored }) => stored.version === lastTo);
  const truth: JsonObject = last ? messageIn(eventOf(last.stored, 0).bodies.plain).detail : {};
  let known: JsonObject = {};
  let reached = 0;
  for (const { from, to, message, omitted } of arrived) {
    // Its range begins after the known versions, so the receiver reads the API (EV-4).
    if (from > reached) known = {};
    for (const name of omitted) delete known[name];
    Object.assign(known, messageIn(message).detail);
    reached = Math.max(reached, to);
  }
  for (const [name, value] of Object.entries(known))
    if (Object.hasOwn(truth, name)) expect([name, value]).toEqual([name, truth[name]]);
};

const bytesPerId = (arrived: readonly Arrived[]) =>
  new Set(arrived.map(({ eventId, message }) => `${eventId} ${message}`)).size;
