import { expect, test } from '@jest/globals';
import type { Delivery } from '../../../../../functions/shared/domain/event/delivery.ts';
import { replaySince } from '../../../../../functions/shared/replay/replay.ts';
import { aV2Partner } from '../../../../support/apis/v2-partner.ts';
import { aPartner } from '../../../../support/builders/a-partner.ts';
import { aNewTransaction, uuidOf } from '../../../../support/builders/transactions.ts';

const noon = Date.parse('2026-03-01T12:00:00Z');
const second = 1_000;
const idOf = (n: number) => `00000000-0000-5000-8000-${String(n).padStart(12, '0')}`;
const { clientId } = aPartner();
const bodies = (uuid: string) => ({
  plain: JSON.stringify({ id: 'x', detail: { uuid, status: 0, ndMeta: null, vehicle: {} } }),
});

/** So many events, one a second, the last of them a second before noon: the n-th of transaction n. */
const aWorld = async (count: number, factsOf: (n: number) => Partial<Delivery> = () => ({})) => {
  const transactions = Array.from({ length: count }, (_, n) =>
    aNewTransaction({ uuid: uuidOf(n) }, { version: 9 }),
  );
  const world = await aV2Partner({ transactions });
  for (let n = 0; n < count; n += 1) {
    const facts = {
      ...{ eventId: idOf(n), uuid: uuidOf(n), state: 'ACCEPTED' as const },
      ...{ claimedAtMs: noon - (count - n) * second, from: 1, to: 2, ...factsOf(n) },
    };
    await world.tell(facts, bodies(facts.uuid));
  }
  let mostInMemory = 0;
  const ledger = {
    ...world.ledger,
    deliveriesOfPartner: async function* (...asked: Parameters<typeof world.ledger.deliveriesOfPartner>) {
      let rows = 0;
      for await (const row of world.ledger.deliveriesOfPartner(...asked)) {
        rows += 1;
        mostInMemory = Math.max(mostInMemory, rows);
        yield row;
      }
    },
  };
  const deps = { ...world, ledger, clock: () => world.time.now, stage: 'local' };
  return { ...world, deps, inMemory: () => mostInMemory };
};

test('V2-10 an operator’s replay has a thousand rows in memory at most, and sends each transaction once', async () => {
  const { deps, inMemory } = await aWorld(1_300);
  const parts: number[] = [];

  const done = await replaySince(clientId, noon - 1_400 * second, deps, {
    onReplayed: ({ events }) => parts.push(events),
  });

  expect(inMemory()).toBe(1_001);
  // Of 1,460 s the first half, which begins a hundred seconds before the events; nothing is told of the last part.
  expect(parts).toEqual([630]);
  expect(done.map(({ eventId, step }) => [eventId, step])).toEqual(
    Array.from({ length: 1_300 }, (_, n) => [idOf(n), 'again']),
  );
}, 60_000);

test('V2-10 what an event of an earlier part tells is ended by it, and not planned again; a plan alone ends nothing', async () => {
  const { deps, ledger } = await aWorld(1_100, (n) => {
    if (n === 0) return { uuid: uuidOf(0), from: 0, to: 1 };
    return n === 1_099 ? { uuid: uuidOf(0), state: 'DEAD' } : {};
  });

  await replaySince(clientId, noon - 1_400 * second, deps, { dryRun: true });
  const planned = await ledger.delivery({ eventId: idOf(1_099), clientId });
  const done = await replaySince(clientId, noon - 1_400 * second, deps);

  expect(planned).toMatchObject({ state: 'DEAD' });
  const ofFirst = done.filter(({ uuid }) => uuid === uuidOf(0));
  expect(ofFirst).toMatchObject([{ step: 'together', from: 0, to: 2, covers: [idOf(0)] }]);
  expect(done).toHaveLength(1_099);
  expect(await ledger.delivery({ eventId: idOf(1_099), clientId })).toMatchObject({
    state: 'SUPPRESSED',
    reason: 'COALESCED',
  });
}, 60_000);

test('V2-10 an event of an earlier part ends none that begins before it, and tells none where its body is gone', async () => {
  const { deps } = await aWorld(1_100, (n) => {
    if (n === 0) return { uuid: uuidOf(0), from: 4, to: 5 };
    if (n === 1_099) return { uuid: uuidOf(0), from: 0, to: 4, state: 'DEAD' };
    if (n === 1) return { uuid: uuidOf(1), from: 0, to: 3 };
    return n === 1_098 ? { uuid: uuidOf(1), from: 1, to: 2, state: 'DEAD' } : {};
  });
  const event: typeof deps.ledger.event = async (eventId) => {
    const found = await deps.ledger.event(eventId);
    return found && eventId === idOf(1) ? { ...found, bodies: undefined } : found;
  };

  const done = await replaySince(clientId, noon - 1_400 * second, {
    ...deps,
    ledger: { ...deps.ledger, event },
  });

  const ofFirst = done.filter(({ uuid }) => uuid === uuidOf(0));
  const ofSecond = done.filter(({ uuid }) => uuid === uuidOf(1));
  expect(ofFirst).toMatchObject([
    { step: 'again', from: 4, to: 5 },
    { step: 'together', from: 0, to: 5, covers: [idOf(1_099)] },
  ]);
  expect(ofSecond).toMatchObject([
    { step: 'expired', eventId: idOf(1) },
    { step: 'again', eventId: idOf(1_098) },
  ]);
}, 60_000);

test('V2-10 one that was cut short goes on from the time that it named', async () => {
  const { deps } = await aWorld(1_100);
  let reached = 0;
  const first = replaySince(clientId, noon - 1_400 * second, deps, {
    onReplayed: ({ untilMs }) => {
      reached = untilMs;
      throw new Error('cut short');
    },
  });
  await expect(first).rejects.toThrow('cut short');

  const rest = await replaySince(clientId, reached, deps);

  expect(rest.length).toBeLessThan(1_100);
  for (let n = 0; n < 1_100; n += 1)
    expect(await deps.ledger.delivery({ eventId: idOf(n), clientId })).toMatchObject({ state: 'READY' });
}, 60_000);

test('V2-10 an event counts as before now where the clock of who asks is up to a minute slow', async () => {
  const { deps } = await aWorld(2, (n) => ({ claimedAtMs: noon + (n === 0 ? 59_999 : 60_000) }));

  const done = await replaySince(clientId, noon - second, deps);

  expect(done.map(({ eventId }) => eventId)).toEqual([idOf(0)]);
});
