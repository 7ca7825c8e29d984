import { describe, expect, test } from '@jest/globals';
import { createHandler } from '../../../functions/collect-dead-letters/handler.ts';
import type { Delivery, DeliveryKey } from '../../../functions/shared/domain/event/delivery.ts';
import { createDeliveryLogStore } from '../../../functions/shared/store/debounce/delivery-log.ts';
import type {
  DeliveryLogStore,
  DeliveryMove,
} from '../../../functions/shared/store/debounce/delivery-log-store.ts';
import { aDeadLetter, busEventText } from '../../support/builders/dead-letters.ts';
import { anEvent, aPendingDelivery, claimedAtMs, someBodies } from '../../support/builders/events.ts';
import { randomFrom, seedOfRun } from '../../support/builders/random.ts';
import { newTables } from '../../support/engine/new-tables.ts';
import { createOrders, createTurns, sampledOrders, type Turns } from '../../support/engine/turns.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { createMemoryDeliveryLog } from '../../support/memory/delivery-log.ts';
import { createMemoryPartners, directoryOver } from '../../support/memory/partners.ts';

const engine = useEngine();
const atMs = claimedAtMs + 1000;

type Step = (deliveryLog: DeliveryLogStore, key: DeliveryKey) => Promise<unknown>;
type Move = Omit<DeliveryMove, keyof DeliveryKey | 'atMs' | 'start'>;

/** By a caller that has only the key, as a restore. */
const byKey =
  (move: Move): Step =>
  (deliveryLog, key) =>
    deliveryLog.move({ ...key, ...move, atMs });
/** By a caller that has the delivery as it began. */
const byStart =
  (move: Move): Step =>
  (deliveryLog, key) =>
    deliveryLog.move({ ...key, ...move, atMs, start: aPendingDelivery(key) });

/** By the collector, which has read the delivery before it has a status entry. */
const deadLetter = byKey({
  ...{ from: ['READY'], seen: aPendingDelivery(), to: 'DEAD', reason: 'HTTP_404', dueAtMs: 99 },
  entry: { atMs, step: 'dead' },
});
const undone = byKey({
  ...{ from: ['READY'], to: 'SUPPRESSED', reason: 'UNDONE' },
  entry: { atMs, step: 'suppressed' },
});
const acceptanceOf = (busEventId: string): Move => ({
  ...{ from: ['READY'], to: 'ACCEPTED', busEventId },
  entry: { atMs, step: 'accepted', busEventId },
});
const accepted = byStart(acceptanceOf('bus-1'));
const acceptedAgain = byKey(acceptanceOf('bus-2'));
/** As `restore adopt` marks a completion that the bus has. */
const markedUndone = byKey({ from: ['ACCEPTED'], to: 'ACCEPTED', entry: { atMs, step: 'undone' } });
const outOfScope = byStart({
  ...{ from: ['READY'], to: 'SUPPRESSED', reason: 'OUT_OF_SCOPE' },
  entry: { atMs, step: 'suppressed' },
});
const held = byStart({ from: ['READY'], to: 'HELD', entry: { atMs, step: 'held' } });
const scheduled = byKey({
  ...{ from: ['HELD', 'ACCEPTED', 'DELIVERED', 'DEAD', 'SUPPRESSED'], to: 'READY', dueAtMs: 5 },
  entry: { atMs, step: 'scheduled' },
});
const refused: Step = (deliveryLog, key) =>
  deliveryLog.refused(aPendingDelivery(key), { atMs, step: 'refused', note: 'ThrottlingException' });
const attempted: Step = (deliveryLog, key) =>
  deliveryLog.recordAttempt({ ...key, atMs, isDelivered: false, note: '503' });

/** What the collector makes of the letter of one sending. */
const letterOf =
  (busEventId: string, status: number): Step =>
  async (deliveryLog, { eventId, clientId }) => {
    const collect = createHandler({
      ...{ deliveryLog, clock: () => new Date(atMs), log: () => {}, report: () => {} },
      ...{ partners: directoryOver(createMemoryPartners()), endpointRequests: { send: async () => {} } },
    });
    const body = busEventText({ eventId, clientId, busEventId });
    const { batchItemFailures } = await collect({
      Records: [aDeadLetter({ message: `status ${status}`, body })],
    });
    expect(batchItemFailures).toEqual([]);
  };

/** A delivery log with one request at a time, in a chosen order. */
type InTurns = { deliveryLog: DeliveryLogStore; turns: Turns };
const clock = () => new Date(claimedAtMs);

const overMemory = async (): Promise<InTurns> => {
  const turns = createTurns();
  const deliveryLog = createMemoryDeliveryLog({ clock });
  return {
    turns,
    deliveryLog: {
      ...deliveryLog,
      delivery: (...asked) => turns.inTurn(() => deliveryLog.delivery(...asked)),
      move: (...asked) => turns.inTurn(() => deliveryLog.move(...asked)),
      refused: (...asked) => turns.inTurn(() => deliveryLog.refused(...asked)),
      recordAttempt: (...asked) => turns.inTurn(() => deliveryLog.recordAttempt(...asked)),
    },
  };
};

const overEngine = async (): Promise<InTurns> => {
  const access = await newTables(engine, ['Debounce']);
  const turns = createTurns();
  access.documents.middlewareStack.add(
    (next) => ((request: never) => turns.inTurn(() => next(request))) as never,
    { step: 'initialize', name: 'inTurn' },
  );
  return { deliveryLog: createDeliveryLogStore({ ...access, clock }), turns };
};

let events = 0;

/** A delivery without a status entry. */
const pendingIn = async ({ deliveryLog }: InTurns): Promise<DeliveryKey> => {
  events += 1;
  const eventId = `event-${events}`;
  await deliveryLog.addMissing({ event: anEvent({ eventId }), bodies: someBodies, deliveries: [] });
  return { eventId, clientId: 'P1' };
};

const summaryOf = (delivery: Delivery | undefined) => {
  const { state, reason, dueAtMs, busEventId, refusals, failures, timeline = [] } = delivery ?? {};
  const steps = timeline.map(({ step }) => step).join(' ');
  return JSON.stringify({ state, reason, dueAtMs, busEventId, refusals, failures, steps });
};

const pairs = [
  { what: 'a dead letter and the acceptance', one: deadLetter, other: accepted },
  { what: 'a dead letter and a refusal of another sending', one: deadLetter, other: refused },
  { what: 'a dead letter and a replay', one: deadLetter, other: scheduled },
  { what: 'a dead letter and a pause', one: deadLetter, other: held },
  { what: 'a dead letter and a grant that is gone', one: deadLetter, other: outOfScope },
  { what: 'a dead letter and an attempt that failed', one: deadLetter, other: attempted },
  { what: 'what a restore takes back and the acceptance', one: undone, other: accepted },
  { what: 'what a restore takes back and a replay', one: undone, other: scheduled },
];

/** The engine takes a while for the hundreds of orders: `ORDERS=all` tries each. */
const manyOrders = () =>
  process.env.ORDERS === 'all'
    ? createOrders()
    : sampledOrders(30, randomFrom(seedOfRun('orders of letters')));

describe.each([
  { store: 'stand-in in memory', open: overMemory, ordersOfLetters: createOrders },
  { store: 'DynamoDB engine', open: overEngine, ordersOfLetters: manyOrders },
])('$store', ({ open, ordersOfLetters }) => {
  test.each(pairs)(
    'I16 concurrent first status entries have the result of one after the other: $what',
    async ({ one, other }) => {
      const world = await open();
      const { deliveryLog, turns } = world;
      const oneAfterTheOther = async (first: Step, second: Step) => {
        const key = await pendingIn(world);
        await first(deliveryLog, key);
        await second(deliveryLog, key);
        return summaryOf(await deliveryLog.delivery(key));
      };
      const right = [await oneAfterTheOther(one, other), await oneAfterTheOther(other, one)];

      const orders = createOrders();
      const wrong: string[] = [];
      do {
        const key = await pendingIn(world);
        const notes = [one, other].map((note) => async () => void (await note(deliveryLog, key)));
        await turns.run(notes, orders.choose);
        const found = summaryOf(await deliveryLog.delivery(key));
        if (!right.includes(found)) wrong.push(found);
      } while (orders.advance());

      expect(wrong).toEqual([]);
    },
  );

  test('I16 EV-13 a delivery that is undone, scheduled and sent again ends by the last letter, in any order of status entries and letters', async () => {
    const world = await open();
    const { deliveryLog, turns } = world;

    const orders = ordersOfLetters();
    const ends = new Set<string>();
    do {
      const key = await pendingIn(world);
      await accepted(deliveryLog, key);
      let isSent = false;
      const sendAgain = async () => {
        await markedUndone(deliveryLog, key);
        await scheduled(deliveryLog, key);
        isSent = true;
        await acceptedAgain(deliveryLog, key);
      };
      const firstLetter = async () => void (await letterOf('bus-1', 422)(deliveryLog, key));
      const secondLetter = async () => {
        await turns.inTurn(async () => {});
        await letterOf('bus-2', 404)(deliveryLog, key);
      };
      const isPossible = (writer: number) => isSent || writer !== 2;
      await turns.run([sendAgain, firstLetter, secondLetter], (waiting) =>
        orders.choose(waiting.filter(isPossible)),
      );
      const { state, reason, timeline = [] } = (await deliveryLog.delivery(key)) ?? {};
      ends.add(`${state} ${reason} after ${timeline.at(-1)?.step}`);
    } while (orders.advance());

    expect([...ends]).toEqual(['DEAD HTTP_404 after dead']);
  }, 120_000);

  test('I16 a letter that overtakes its acceptance, and is received again after the redrive, ends no later sending in any order', async () => {
    const world = await open();
    const { deliveryLog, turns } = world;

    const orders = createOrders();
    const ends = new Set<string>();
    do {
      const key = await pendingIn(world);
      // Gives it a row, which saves orders.
      await attempted(deliveryLog, key);
      const overtakes = async () => {
        await letterOf('bus-1', 404)(deliveryLog, key);
        await scheduled(deliveryLog, key);
        await acceptedAgain(deliveryLog, key);
      };
      const shownAgain = async () => void (await letterOf('bus-1', 404)(deliveryLog, key));
      await turns.run([overtakes, shownAgain], orders.choose);
      await letterOf('bus-2', 422)(deliveryLog, key);
      const { state, reason, timeline = [] } = (await deliveryLog.delivery(key)) ?? {};
      const died = timeline.flatMap(({ step, busEventId }) => (step === 'dead' ? [busEventId] : []));
      ends.add(`${state} ${reason}, dead: ${died.join(' ')}`);
    } while (orders.advance());

    expect([...ends]).toEqual(['DEAD HTTP_422, dead: bus-1 bus-2']);
  }, 120_000);
});
