import { expect, test } from '@jest/globals';
import type { Delivery, DeliveryKey } from '../../../functions/shared/domain/event/delivery.ts';
import { createLedgerStore } from '../../../functions/shared/store/debounce/ledger.ts';
import type { DeliveryMove, LedgerStore } from '../../../functions/shared/store/debounce/ledger-store.ts';
import { anEvent, anUnnotedDelivery, claimedAtMs, someBodies } from '../../support/builders/events.ts';
import { addTables, clientOf, documentsOf } from '../../support/engine/engine.ts';
import { createOrders, createTurns } from '../../support/engine/turns.ts';
import { useEngine } from '../../support/engine/use-engine.ts';

const engine = useEngine();
const atMs = claimedAtMs + 1000;

type Note = (ledger: LedgerStore, key: DeliveryKey) => Promise<unknown>;
type Move = Omit<DeliveryMove, keyof DeliveryKey | 'atMs' | 'start'>;

/** By whoever has only the key, as the collector of dead letters and a restore have. */
const byKey =
  (move: Move): Note =>
  (ledger, key) =>
    ledger.move({ ...key, ...move, atMs });
/** By whoever has the delivery at hand, as it began. */
const byStart =
  (move: Move): Note =>
  (ledger, key) =>
    ledger.move({ ...key, ...move, atMs, start: anUnnotedDelivery(key) });

const deadLetter = byKey({
  ...{ from: ['READY', 'ACCEPTED'], to: 'DEAD', reason: 'HTTP_404', dueAtMs: 99 },
  entry: { atMs, step: 'dead' },
});
const undone = byKey({
  ...{ from: ['READY'], to: 'SUPPRESSED', reason: 'UNDONE' },
  entry: { atMs, step: 'suppressed' },
});
const accepted = byStart({
  ...{ from: ['READY'], to: 'ACCEPTED', busEventId: 'bus-1' },
  entry: { atMs, step: 'accepted', busEventId: 'bus-1' },
});
const outOfScope = byStart({
  ...{ from: ['READY'], to: 'SUPPRESSED', reason: 'OUT_OF_SCOPE' },
  entry: { atMs, step: 'suppressed' },
});
const held = byStart({ from: ['READY'], to: 'HELD', entry: { atMs, step: 'held' } });
const armed = byStart({
  ...{ from: ['HELD', 'ACCEPTED', 'DELIVERED', 'DEAD', 'SUPPRESSED'], to: 'READY', dueAtMs: 5 },
  entry: { atMs, step: 'armed' },
});
const refused: Note = (ledger, key) =>
  ledger.refused(anUnnotedDelivery(key), { atMs, step: 'refused', note: 'ThrottlingException' });
const attempted: Note = (ledger, key) =>
  ledger.recordAttempt({ ...key, atMs, isDelivered: false, note: '503' });

/** A ledger of which one request is under way at a time, in an order that is chosen. */
const aLedger = async (suffix: string) => {
  await addTables(engine.client, suffix, ['Debounce']);
  const turns = createTurns();
  const documents = documentsOf(clientOf(engine.endpoint));
  documents.middlewareStack.add((next) => ((request: never) => turns.inTurn(() => next(request))) as never, {
    step: 'initialize',
    name: 'inTurn',
  });
  const ledger = createLedgerStore({
    ...{ documents, debounceTable: `Debounce${suffix}`, clock: () => new Date(claimedAtMs) },
    retryDelays: { random: () => 0, sleep: async () => {} },
  });
  let events = 0;
  const unnoted = async (): Promise<DeliveryKey> => {
    events += 1;
    const eventId = `event-${events}`;
    await ledger.addMissing({ event: anEvent({ eventId }), bodies: someBodies, deliveries: [] });
    return { eventId, clientId: 'P1' };
  };
  return { ledger, turns, unnoted };
};

const summaryOf = (delivery: Delivery | undefined) => {
  const { state, reason, dueAtMs, busEventId, refusals, failures, timeline = [] } = delivery ?? {};
  const steps = timeline.map(({ step }) => step).join(' ');
  return JSON.stringify({ state, reason, dueAtMs, busEventId, refusals, failures, steps });
};

let ledgers = 0;

test.each([
  { what: 'a dead letter and the acceptance', one: deadLetter, other: accepted },
  { what: 'a dead letter and a refusal of another sending', one: deadLetter, other: refused },
  { what: 'a dead letter and a replay', one: deadLetter, other: armed },
  { what: 'a dead letter and a pause', one: deadLetter, other: held },
  { what: 'a dead letter and a grant that is gone', one: deadLetter, other: outOfScope },
  { what: 'a dead letter and an attempt that failed', one: deadLetter, other: attempted },
  { what: 'what a restore takes back and the acceptance', one: undone, other: accepted },
  { what: 'what a restore takes back and a replay', one: undone, other: armed },
])(
  'I16 first notes that meet, request by request, come to what one after the other would: $what',
  async ({ one, other }) => {
    ledgers += 1;
    const { ledger, turns, unnoted } = await aLedger(`-notes-${ledgers}`);
    const oneAfterTheOther = async (first: Note, second: Note) => {
      const key = await unnoted();
      await first(ledger, key);
      await second(ledger, key);
      return summaryOf(await ledger.delivery(key));
    };
    const right = [await oneAfterTheOther(one, other), await oneAfterTheOther(other, one)];

    const orders = createOrders();
    const wrong: string[] = [];
    do {
      const key = await unnoted();
      const notes = [one, other].map((note) => async () => void (await note(ledger, key)));
      await turns.run(notes, orders.choose);
      const found = summaryOf(await ledger.delivery(key));
      if (!right.includes(found)) wrong.push(found);
    } while (orders.advance());

    expect(wrong).toEqual([]);
  },
);
