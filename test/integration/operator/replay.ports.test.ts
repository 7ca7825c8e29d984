import { describe, expect, test } from '@jest/globals';
import { eventIdOf } from '../../../functions/shared/domain/event/event.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import type { StoredEvent } from '../../../functions/shared/replay/coalesce.ts';
import {
  type Replayed,
  replayOne,
  replaySince,
  resumeHeld,
} from '../../../functions/shared/replay/replay.ts';
import { aPartner } from '../../support/builders/a-partner.ts';
import { eventOf, messageIn } from '../../support/builders/sent-events.ts';
import { aNewTransaction, uuidOf } from '../../support/builders/transactions.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { type EventStores, engineEventStores, memoryEventStores } from '../../support/memory/event-stores.ts';
import { aLedgerWorld, rangeText } from '../../support/operator/ledger-world.ts';

const engine = useEngine();

const uuid = uuidOf(1);
const claimedAt = (version: number) => Date.parse('2026-11-21T12:00:00Z') + version * 180_000;

/** The transaction as of a version: each version sets the vehicle's make to its number, the fourth also the payments. */
const stateAt = (version: number, ofUuid = uuid): StoredTransaction => {
  const { elementVersions, ...rest } = aNewTransaction({
    uuid: ofUuid,
    vehicle: { make: `${version}` },
    payments: [{ id: 4, token: 'tok_1' }],
  });
  const versions = { ...elementVersions, vehicle: version, ...(version > 3 && { payments: 4 }) };
  return {
    ...rest,
    version,
    elementVersions: versions,
    updatedAtMs: claimedAt(version) - 120_000,
    position: 1,
  };
};
const updated = (from: number, to: number, ofUuid = uuid) =>
  eventOf(stateAt(to, ofUuid), from, { atMs: claimedAt(to) });
const completed = eventOf(stateAt(4), 3, { type: 'TransactionCompleted', atMs: claimedAt(4) });
const idOf = (from: number, to: number) => eventIdOf('local', 'TransactionUpdated', uuid, { from, to });

const inShort = (done: Replayed[]) =>
  done.map(
    (one) => `${one.step} ${rangeText(one)}${one.covers.length > 0 ? ` for ${one.covers.length}` : ''}`,
  );

/** Stores that fail before their n-th write. */
const dyingAt = (world: ReturnType<typeof aLedgerWorld>, write: number) => {
  let writes = 0;
  const dying =
    <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    async (...args: Args) => {
      writes += 1;
      if (writes === write) throw new Error('killed');
      return work(...args);
    };
  const { ledger } = world.deps;
  const mortal = { ...ledger, move: dying(ledger.move), addMissing: dying(ledger.addMissing) };
  return { ...world.deps, ledger: mortal };
};

describe.each([
  { name: 'stand-in in memory', newStores: memoryEventStores },
  { name: 'DynamoDB engine', newStores: (): Promise<EventStores> => engineEventStores(engine) },
])('$name', ({ newStores }) => {
  const aWorld = async (changes: Parameters<typeof aLedgerWorld>[1] = {}) =>
    aLedgerWorld(await newStores(), { stored: [stateAt(9)], ...changes });

  describe('resuming what a later event covers', () => {
    test.each(['ACCEPTED', 'DELIVERED', 'DEAD'] as const)(
      'EV-6 one that is %s is not sent again, and what was kept before it ends',
      async (state) => {
        const world = await aWorld();
        await world.put(updated(0, 1), { P: 'HELD' });
        await world.put(updated(0, 2), { P: state });

        const done = await resumeHeld('P', world.deps);

        expect(inShort(done)).toEqual(['told 0-2 for 1']);
        expect(await world.flush()).toEqual([]);
        expect(await world.states('P')).toEqual({ '0-1': 'SUPPRESSED COALESCED', '0-2': state });
      },
    );
  });

  describe('replaying one event', () => {
    test.each(['ACCEPTED', 'DELIVERED', 'DEAD', 'SUPPRESSED', 'HELD'] as const)(
      'EV-6 one that is %s is sent by the next flush with its id and its bytes, and judged again',
      async (state) => {
        const world = await aWorld();
        const event = updated(0, 1);
        await world.put(event, { P: state });

        const done = await replayOne(event.event.eventId, 'P', world.deps);

        expect(inShort(done)).toEqual(['again 0-1']);
        expect(await world.states('P')).toEqual({ '0-1': 'READY' });
        expect(await world.flush()).toMatchObject([
          { clientId: 'P', eventId: event.event.eventId, message: event.bodies.plain },
        ]);
        expect(await world.states('P')).toEqual({ '0-1': 'ACCEPTED' });
        expect(await world.flush()).toEqual([]);
      },
    );

    test('sends it to all its partners, or to one', async () => {
      const both = ['P', 'Q'].map((clientId) => aPartner({ clientId, webhookUrl: 'https://p.example/' }));
      const world = await aWorld({ partners: both });
      const event = updated(0, 1);
      await world.put(event, { P: 'ACCEPTED', Q: 'ACCEPTED' });

      await replayOne(event.event.eventId, 'Q', world.deps);
      const toOne = await world.flush();
      await replayOne(event.event.eventId, 'all', world.deps);
      const toAll = await world.flush();

      expect(toOne.map(({ clientId }) => clientId)).toEqual(['Q']);
      expect(toAll.map(({ clientId }) => clientId).sort()).toEqual(['P', 'Q']);
    });

    test('I9 sends nothing to a partner that has lost its grant', async () => {
      const world = await aWorld({
        partners: [aPartner({ clientId: 'P', webhookUrl: 'https://p.example/', grants: [] })],
      });
      const event = updated(0, 1);
      await world.put(event, { P: 'DELIVERED' });

      await replayOne(event.event.eventId, 'P', world.deps);

      expect(await world.flush()).toEqual([]);
      expect(await world.states('P')).toEqual({ '0-1': 'SUPPRESSED OUT_OF_SCOPE' });
    });

    test('I7 does not send a second copy of a delivery that is on its way', async () => {
      const world = await aWorld();
      const event = updated(0, 1);
      await world.put(event, { P: 'DEAD' });
      await replayOne(event.event.eventId, 'P', world.deps);

      const done = await replayOne(event.event.eventId, 'P', world.deps);

      expect(inShort(done)).toEqual(['told 0-1']);
      expect(await world.flush()).toHaveLength(1);
    });

    test('a dry run changes nothing', async () => {
      const world = await aWorld();
      const event = updated(0, 1);
      await world.put(event, { P: 'DEAD' });

      const done = await replayOne(event.event.eventId, 'P', world.deps, { dryRun: true });

      expect(inShort(done)).toEqual(['again 0-1']);
      expect(await world.states('P')).toEqual({ '0-1': 'DEAD' });
    });
  });

  describe('resuming after a pause', () => {
    test('sends one event per transaction and ends the deliveries that it covers', async () => {
      const world = await aWorld({ stored: [stateAt(9), stateAt(9, uuidOf(2))] });
      for (const event of [updated(0, 1), updated(1, 2), updated(2, 4)])
        await world.put(event, { P: 'HELD' });
      await world.put(updated(0, 3, uuidOf(2)), { P: 'HELD' });

      const done = await resumeHeld('P', world.deps);
      const sent = await world.flush();

      expect(inShort(done)).toEqual(['together 0-4 for 3', 'again 0-3']);
      expect(sent.map(({ eventId }) => eventId).sort()).toEqual(
        [idOf(0, 4), updated(0, 3, uuidOf(2)).event.eventId].sort(),
      );
      const { message } = sent.find(({ eventId }) => eventId === idOf(0, 4)) ?? { message: '' };
      expect(messageIn(message)).toMatchObject({
        time: '2026-11-21T12:12:00Z',
        detail: { vehicle: { make: '4' }, payments: [{ id: 4, token: null }] },
      });
      expect(await world.states('P')).toMatchObject({
        '0-1': 'SUPPRESSED COALESCED',
        '1-2': 'SUPPRESSED COALESCED',
        '2-4': 'SUPPRESSED COALESCED',
        '0-4': 'ACCEPTED',
        '0-3': 'ACCEPTED',
      });
    });

    test('I8 sends a completion by itself', async () => {
      const world = await aWorld();
      for (const event of [updated(2, 3), completed, updated(3, 4)]) await world.put(event, { P: 'HELD' });

      const done = await resumeHeld('P', world.deps);

      expect(inShort(done)).toEqual(['again completed 3-4', 'together 2-4 for 2']);
      expect((await world.flush()).map(({ type }) => type).sort()).toEqual([
        'TransactionCompleted',
        'TransactionUpdated',
      ]);
    });

    test('I7 does nothing when it is run again', async () => {
      const world = await aWorld();
      for (const event of [updated(0, 1), updated(1, 2)]) await world.put(event, { P: 'HELD' });
      await resumeHeld('P', world.deps);

      const again = await resumeHeld('P', world.deps);

      expect(again).toEqual([]);
      expect((await world.flush()).map(({ eventId }) => eventId)).toEqual([idOf(0, 2)]);
    });

    test('I4 includes an event that was sent after the pause, so that the last state arrives last', async () => {
      const world = await aWorld();
      await world.put(updated(0, 1), { P: 'HELD' });
      await world.put(updated(1, 2), { P: 'ACCEPTED' });

      const done = await resumeHeld('P', world.deps);

      expect(inShort(done)).toEqual(['together 0-2 for 1']);
      expect(await world.states('P')).toEqual({
        '0-1': 'SUPPRESSED COALESCED',
        '1-2': 'ACCEPTED',
        '0-2': 'READY',
      });
    });

    test('I7 sends nothing that an event which was sent already tells', async () => {
      const world = await aWorld();
      await world.put(updated(1, 2), { P: 'HELD' });
      await world.put(updated(0, 3), { P: 'DELIVERED' });

      expect(inShort(await resumeHeld('P', world.deps))).toEqual(['told 0-3 for 1']);
      expect(await world.flush()).toEqual([]);
      expect(await world.states('P')).toEqual({ '1-2': 'SUPPRESSED COALESCED', '0-3': 'DELIVERED' });
    });

    test('I6 includes events in between that the partner did not get, so that the range means the same to all', async () => {
      const both = ['P', 'Q'].map((clientId) => aPartner({ clientId, webhookUrl: 'https://p.example/' }));
      const world = await aWorld({ partners: both });
      await world.put(updated(0, 1), { P: 'HELD', Q: 'HELD' });
      await world.put(updated(1, 4), { Q: 'HELD' });
      await world.put(updated(4, 5), { P: 'HELD', Q: 'HELD' });

      await resumeHeld('P', world.deps);
      world.pass({ seconds: 5 });
      await resumeHeld('Q', world.deps);

      const sent = await world.flush();
      expect(sent.map(({ clientId, eventId }) => [clientId, eventId]).sort()).toEqual([
        ['P', idOf(0, 5)],
        ['Q', idOf(0, 5)],
      ]);
      expect(sent[0]?.message).toBe(sent[1]?.message);
      expect(Object.keys(messageIn(sent[0]?.message ?? '').detail)).toContain('payments');
    });

    test('I6 leaves out an event that reaches beyond the range', async () => {
      const world = await aWorld();
      await world.put(updated(0, 1), { P: 'HELD' });
      await world.put(updated(1, 4), { Q: 'SUPPRESSED' });
      await world.put(updated(1, 7), { Q: 'ACCEPTED' });
      await world.put(updated(4, 5), { P: 'HELD' });

      const done = await resumeHeld('P', world.deps);

      expect(inShort(done)).toEqual(['together 0-5 for 2']);
      expect((await world.flush())[0]?.message).toContain('"vehicle":{"make":"5"}');
    });

    test('I19 finds the event of an earlier run although the index is late', async () => {
      const world = await aWorld();
      for (const event of [updated(0, 1), updated(1, 2)]) await world.put(event, { P: 'HELD' });
      const { ledger } = world.deps;
      const isOld = ({ eventId }: { eventId: string }) => eventId !== idOf(0, 2);
      const late: typeof ledger = {
        ...ledger,
        async *deliveriesOfTransaction(...asked) {
          for await (const one of ledger.deliveriesOfTransaction(...asked)) if (isOld(one)) yield one;
        },
        move: async () => {
          throw new Error('killed');
        },
      };
      await expect(resumeHeld('P', { ...world.deps, ledger: late })).rejects.toThrow('killed');
      world.partners.splice(0, 1);
      await world.flush();
      expect(await world.states('P')).toMatchObject({ '0-2': 'SUPPRESSED DISABLED' });

      await resumeHeld('P', { ...world.deps, ledger: { ...late, move: ledger.move } });

      expect(await world.states('P')).toMatchObject({ '0-2': 'READY' });
    });

    test('DEL-1 TH-08 keeps changes from before a deletion apart from the deletion', async () => {
      const before = stateAt(3);
      const deleted: StoredTransaction = {
        ...before,
        transaction: { ...before.transaction, isDeleted: 1 },
        version: 4,
        elementVersions: { ...before.elementVersions, own: 4 },
      };
      const world = await aWorld({ stored: [deleted] });
      await world.put(updated(0, 3), { P: 'HELD' });
      await world.put(eventOf(deleted, 3, { atMs: claimedAt(4) }), { P: 'HELD' });

      const done = await resumeHeld('P', world.deps);
      const sent = await world.flush();

      expect(inShort(done)).toEqual(['again 0-3', 'again 3-4']);
      expect(sent.map(({ message }) => Object.keys(messageIn(message).detail))).toEqual([
        ['uuid', 'status', 'isDeleted', 'ndMeta'],
      ]);
      expect(await world.states('P')).toEqual({ '0-3': 'SUPPRESSED DELETED', '3-4': 'ACCEPTED' });
    });

    test('sends the transaction that waits longest first', async () => {
      const world = await aWorld();
      await world.put(updated(0, 1, uuidOf(2)), { P: 'HELD' });
      await world.put(updated(0, 3, uuidOf(3)), { P: 'HELD' });
      await world.put(updated(0, 2), { P: 'HELD' });

      expect(inShort(await resumeHeld('P', world.deps))).toEqual(['again 0-1', 'again 0-2', 'again 0-3']);
    });

    test('I1 names versions of which no event is kept', async () => {
      const world = await aWorld();
      await world.put(updated(0, 1), { P: 'HELD' });
      await world.put(updated(2, 3), { P: 'HELD' });

      const [done] = await resumeHeld('P', world.deps);

      expect(done?.gaps).toEqual([{ from: 1, to: 2 }]);
      const delivery = await world.deps.ledger.delivery({ eventId: idOf(0, 3), clientId: 'P' });
      expect(delivery?.timeline.at(-1)).toEqual({
        atMs: Date.parse('2026-11-21T14:00:00Z'),
        step: 'armed',
        note: 'for 2 events; nothing is kept of what came after version 1 up to 2',
      });
    });

    test('ends an event whose body is not kept as EXPIRED', async () => {
      const world = await aWorld();
      await world.put(updated(0, 1), { P: 'HELD' });
      world.pass({ seconds: 61 * 24 * 60 * 60 });

      const done = await resumeHeld('P', world.deps);

      expect(inShort(done)).toEqual(['expired 0-1']);
      expect(await world.states('P')).toEqual({ '0-1': 'SUPPRESSED EXPIRED' });
    });

    test('I12 S-60 gives a scheduled delivery no expiry, so that it is sent however late', async () => {
      const world = await aWorld();
      for (const event of [updated(0, 1), updated(1, 2)]) await world.put(event, { P: 'HELD' });
      await resumeHeld('P', world.deps);
      world.pass({ seconds: 40 * 24 * 60 * 60 });

      expect((await world.flush()).map(({ eventId }) => eventId)).toEqual([idOf(0, 2)]);
    });

    test('keeps the event of a partner that is paused again', async () => {
      const paused = aPartner({ clientId: 'P', webhookUrl: 'https://p.example/', webhookPaused: 'operator' });
      const world = await aWorld({ partners: [paused] });
      for (const event of [updated(0, 1), updated(1, 2)]) await world.put(event, { P: 'HELD' });

      await resumeHeld('P', world.deps);
      await world.flush();

      expect(await world.states('P')).toMatchObject({ '0-2': 'HELD' });
      expect(inShort(await resumeHeld('P', world.deps))).toEqual(['again 0-2']);
    });
  });

  describe('replaying everything since a time', () => {
    test('TH-23 sends one event, and the ledger keeps what it says about the earlier ones', async () => {
      const world = await aWorld();
      await world.put(updated(0, 1), { P: 'DELIVERED' });
      await world.put(updated(1, 2), { P: 'ACCEPTED' });
      await world.put(updated(2, 3), { P: 'DEAD' });

      const done = await replaySince('P', claimedAt(2), world.deps);

      expect(inShort(done)).toEqual(['together 1-3 for 2']);
      expect((await world.flush()).map(({ eventId }) => eventId)).toEqual([idOf(1, 3)]);
      expect(await world.states('P')).toEqual({
        '0-1': 'DELIVERED',
        '1-2': 'ACCEPTED',
        '2-3': 'SUPPRESSED COALESCED',
        '1-3': 'ACCEPTED',
      });
    });

    test('EV-6 sends the same id and bytes when it is run again', async () => {
      const world = await aWorld();
      for (const event of [updated(0, 1), updated(1, 2)]) await world.put(event, { P: 'ACCEPTED' });
      await replaySince('P', 0, world.deps);
      const first = await world.flush();
      world.pass({ seconds: 3_600 });

      const done = await replaySince('P', 0, world.deps);

      expect(inShort(done)).toEqual(['again 0-2 for 2']);
      expect(await world.flush()).toEqual(first);
    });

    test('I7 sends once when it is run twice before a flush', async () => {
      const world = await aWorld();
      for (const event of [updated(0, 1), updated(1, 2)]) await world.put(event, { P: 'ACCEPTED' });

      await replaySince('P', 0, world.deps);
      const done = await replaySince('P', 0, world.deps);

      expect(inShort(done)).toEqual(['told 0-2 for 2']);
      expect(await world.flush()).toHaveLength(1);
    });

    test('includes a newer event together with an earlier combined one', async () => {
      const world = await aWorld();
      for (const event of [updated(0, 1), updated(1, 2)]) await world.put(event, { P: 'ACCEPTED' });
      await replaySince('P', 0, world.deps);
      await world.flush();
      await world.put(updated(2, 3), { P: 'ACCEPTED' });

      expect(inShort(await replaySince('P', 0, world.deps))).toEqual(['together 0-3 for 4']);
    });
  });

  const dyingRuns = [1, 2, 3, 4, 5].flatMap((write) =>
    (['flushed in between', 'not flushed'] as const).map((flushed) => ({ write, flushed })),
  );

  test.each(dyingRuns)(
    'I6 I19 killed before write $write and run again, $flushed, sends the same id once and loses nothing',
    async ({ write, flushed }) => {
      const world = await aWorld();
      const held: StoredEvent[] = [updated(0, 1), updated(1, 2), updated(2, 3)];
      for (const event of held) await world.put(event, { P: 'HELD' });
      const isKilled = await resumeHeld('P', dyingAt(world, write)).then(
        () => false,
        () => true,
      );
      const sent = flushed === 'not flushed' ? [] : await world.flush();
      world.pass({ seconds: 60 });

      await resumeHeld('P', world.deps);

      sent.push(...(await world.flush()));
      expect(isKilled).toBe(write <= 4);
      expect(sent.map(({ eventId }) => eventId)).toEqual([idOf(0, 3)]);
      expect(await world.states('P')).toEqual({
        '0-1': 'SUPPRESSED COALESCED',
        '1-2': 'SUPPRESSED COALESCED',
        '2-3': 'SUPPRESSED COALESCED',
        '0-3': 'ACCEPTED',
      });
    },
  );
});
