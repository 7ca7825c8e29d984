import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Replayed, replayOne, resumeHeld } from '../../../functions/shared/replay/replay.ts';
import { eventOf } from '../../support/builders/sent-events.ts';
import { aNewTransaction, uuidOf } from '../../support/builders/transactions.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { type EventStores, engineEventStores, memoryEventStores } from '../../support/memory/event-stores.ts';
import { aLedgerWorld, rangeText } from '../../support/operator/ledger-world.ts';

const engine = useEngine();

/** The clock of the world. */
const nowMs = Date.parse('2026-11-21T14:00:00Z');
const minute = 60_000;
const stateAt = (version: number) => ({
  ...aNewTransaction({ uuid: uuidOf(1), vehicle: { make: `${version}` } }, { version }),
  updatedAtMs: nowMs - 400 * minute,
  position: 1,
});
const told = (from: number, to: number, minutesAgo = 300) =>
  eventOf(stateAt(to), from, { atMs: nowMs - minutesAgo * minute });
const inShort = (done: readonly Replayed[]) => done.map((one) => `${one.step} ${rangeText(one)}`);

describe.each([
  { name: 'stand-in in memory', newStores: memoryEventStores },
  { name: 'DynamoDB engine', newStores: (): Promise<EventStores> => engineEventStores(engine) },
])('an event whose delivery a release before never put, $name', ({ newStores }) => {
  let world: ReturnType<typeof aLedgerWorld>;
  beforeEach(async () => {
    world = aLedgerWorld(await newStores(), { stored: [stateAt(9)] });
  });
  const putAlone = ({ event, bodies }: ReturnType<typeof told>) =>
    world.deps.ledger.addMissing({ event, bodies, deliveries: [] });
  const held = async () => {
    await world.put(told(0, 1), { P: 'HELD' });
    await world.put(told(1, 2), { P: 'HELD' });
  };

  test('I16 is sent when a person asks for it', async () => {
    const one = told(0, 1, 60);
    await putAlone(one);

    expect(inShort(await replayOne(one.event.eventId, 'P', world.deps))).toEqual(['again 0-1']);

    expect(await world.flush()).toMatchObject([
      { clientId: 'P', eventId: one.event.eventId, message: one.bodies.plain },
    ]);
    expect(await world.states('P')).toEqual({ '0-1': 'ACCEPTED' });
  });

  test('I7 is on its way for an hour after its claim', async () => {
    const one = told(0, 1, 59);
    await putAlone(one);

    expect(inShort(await replayOne(one.event.eventId, 'P', world.deps))).toEqual(['told 0-1']);

    expect(await world.flush()).toEqual([]);
  });

  test('I16 I1 is sent for those that it covers, which end with it', async () => {
    await held();
    await putAlone(told(0, 2));

    expect(inShort(await resumeHeld('P', world.deps))).toEqual(['again 0-2']);

    expect((await world.flush()).map(({ from, to }) => [from, to])).toEqual([[0, 2]]);
    expect(await world.states('P')).toEqual({
      '0-1': 'SUPPRESSED COALESCED',
      '1-2': 'SUPPRESSED COALESCED',
      '0-2': 'ACCEPTED',
    });
  });

  test('I16 I1 is sent, too, where the index does not know of it yet', async () => {
    await held();
    const whole = told(0, 2);
    await putAlone(whole);
    const { ledger } = world.deps;
    const late: typeof ledger = {
      ...ledger,
      async *deliveriesOfTransaction(...asked) {
        for await (const one of ledger.deliveriesOfTransaction(...asked))
          if (one.eventId !== whole.event.eventId) yield one;
      },
    };

    expect(inShort(await resumeHeld('P', { ...world.deps, ledger: late }))).toEqual(['together 0-2']);

    expect(await world.flush()).toMatchObject([
      { eventId: whole.event.eventId, message: whole.bodies.plain },
    ]);
  });
});
