import { describe, expect, test } from '@jest/globals';
import { eventIdOf } from '../../../../../functions/shared/domain/event/event.ts';
import type { Partner } from '../../../../../functions/shared/domain/partner.ts';
import { allTurns, flushDue } from '../../../../../functions/shared/publish/flush.ts';
import type { PublishDeps } from '../../../../../functions/shared/publish/publish-deps.ts';
import type { DebounceRowStore } from '../../../../../functions/shared/store/debounce/debounce-row-store.ts';
import { dueShardOf } from '../../../../../functions/shared/store/debounce/keys.ts';
import { aPartner } from '../../../../support/builders/a-partner.ts';
import { aDelivery, anEvent } from '../../../../support/builders/events.ts';
import { aClock } from '../../../../support/builders/manual-clock.ts';
import { aNewTransaction, anOwner, uuidOf } from '../../../../support/builders/transactions.ts';
import { aCrowdedStage } from '../../../../support/memory/crowded-stage.ts';
import { aBus, aPublishing, memoryStores, oneByOne } from '../../../../support/memory/publishing.ts';

const acme = aPartner({ clientId: 'A', name: 'acme', webhookUrl: 'https://acme.example/' });
const bert = aPartner({ clientId: 'B', name: 'bert', webhookUrl: 'https://bert.example/' });
const uuid = uuidOf(1);

/** One changed transaction at rest, which acme and bert see; `whileClaimed` happens between the claim and the sending. */
const aStage = async ({ whileClaimed = () => {} }: { whileClaimed?: () => void } = {}) => {
  const clock = aClock();
  const { deliveryLog, debounceRows, transactions } = memoryStores(clock.now);
  const partners: Partner[] = [acme, bert];
  let owner = anOwner();
  const changedAtMs = clock.now().getTime();
  await transactions.create(
    aNewTransaction({ uuid, customer: { firstName: 'A' } }, { updatedAtMs: changedAtMs }),
  );
  await debounceRows.recordChange({
    uuid,
    changed: ['customer'],
    dueAtMs: changedAtMs + 120_000,
  });
  clock.pass({ seconds: 120 });
  const deps = (parts: Partial<PublishDeps>, due: DebounceRowStore['due']): PublishDeps =>
    aPublishing({
      transactions: oneByOne(async (asked) => {
        const stored = await transactions.byUuid(asked);
        return stored && { ...stored, transaction: { ...stored.transaction, ndMeta: owner } };
      }),
      partners: {
        ofOwners: async () => partners,
        byClientIds: async () => new Map(partners.map((one) => [one.clientId, one])),
      },
      deliveryLog,
      debounceRows: {
        ...debounceRows,
        due,
        claim: async (wanted) => {
          const isClaimed = await debounceRows.claim(wanted);
          whileClaimed();
          return isClaimed;
        },
      },
      clock: clock.now,
      ...parts,
    });
  return {
    clock,
    partners,
    moveTo: (group: string) => {
      owner = anOwner({ group });
    },
    flush: async (parts: Partial<PublishDeps> = {}, due = debounceRows.due, beginWithinMs = 6_000) => {
      const bus = aBus();
      await flushDue(deps({ bus, ...parts }, due), { beginUntilMs: clock.now().getTime() + beginWithinMs });
      return bus.taken;
    },
    deliveryLog,
    due: debounceRows.due,
    debounceRow: () => debounceRows.get({ uuid, kind: 'NOTIFY' }),
    delivery: (eventId: string, clientId: string) => deliveryLog.delivery({ eventId, clientId }),
    stateOf: async (eventId: string, clientId: string) => {
      const delivery = await deliveryLog.delivery({ eventId, clientId });
      return [delivery?.state, delivery?.reason];
    },
  };
};

/** What the bus has had of this stage is due once more. */
const scheduledAgain = async ({ flush, deliveryLog, clock }: Awaited<ReturnType<typeof aStage>>) => {
  const sent = await flush();
  const atMs = clock.now().getTime();
  for (const { eventId, clientId } of sent)
    await deliveryLog.move({
      ...{ eventId, clientId, from: ['ACCEPTED'], to: 'READY', atMs, dueAtMs: atMs },
      entry: { atMs, step: 'scheduled' },
    });
  return sent;
};

describe('S-54 TH-07 between claim and send', () => {
  test.each<[string, Partner, string[]]>([
    ['loses its grant', { ...acme, grants: [] }, ['SUPPRESSED', 'OUT_OF_SCOPE']],
    ['is disabled', { ...acme, enabled: false }, ['SUPPRESSED', 'DISABLED']],
    ['may not read any more', { ...acme, oauthScopes: ['nop2/write'] }, ['SUPPRESSED', 'MAY_NOT_READ']],
    ['is paused', { ...acme, webhookPaused: 'operator' }, ['HELD']],
  ])('a partner that %s is sent nothing, and the other one is', async (_, changed, state) => {
    const stage = await aStage({ whileClaimed: () => stage.partners.splice(0, 1, changed) });

    const sent = await stage.flush();

    expect(sent.map(({ clientId }) => clientId)).toEqual(['B']);
    expect((await stage.stateOf(sent[0]?.eventId ?? '', 'A')).filter(Boolean)).toEqual(state);
    expect(await stage.debounceRow()).not.toHaveProperty('inflight');
  });

  test('a transaction that moves away while its sender is dead is sent to nobody who may not see it now', async () => {
    const stage = await aStage();
    const dies = { put: () => Promise.reject(new Error('killed')) };
    await stage.flush({ bus: dies });
    stage.moveTo('group-b');
    stage.clock.pass({ seconds: 21 });

    expect(await stage.flush()).toEqual([]);

    expect(await stage.debounceRow()).toMatchObject({ notifiedVersion: 1 });
  });
});

describe('S-70 the delay between a change and its event', () => {
  const measured = async (tries: Partial<PublishDeps>[]) => {
    const stage = await aStage();
    const heard: unknown[] = [];
    const onNotified: PublishDeps['onNotified'] = (type, delayMs) => heard.push([type, delayMs]);
    for (const parts of tries) {
      await stage.flush({ onNotified, ...parts });
      stage.clock.pass({ seconds: 21 });
    }
    return heard;
  };

  test('is counted once for all its partners', async () => {
    expect(await measured([{}, {}])).toEqual([['TransactionUpdated', 120_000]]);
  });

  test('is not counted for events that are sent again', async () => {
    const stage = await aStage();
    await scheduledAgain(stage);
    stage.clock.pass({ seconds: 60 * 60 });
    const heard: unknown[] = [];

    const sent = await stage.flush({ onNotified: (...notified) => heard.push(notified) });

    expect([sent.length, heard]).toEqual([2, []]);
  });

  test('is counted when the last of them is sent', async () => {
    const silent = aBus(({ clientId }) =>
      clientId === 'A' ? { outcome: 'unconfirmed' } : { outcome: 'accepted', busEventId: 'b' },
    );

    expect(await measured([{ bus: silent }, {}])).toEqual([['TransactionUpdated', 141_000]]);
  });
});

test('I4 a due row that is in flight is left alone, and its event is not read', async () => {
  const stage = await aStage();
  const lost = aBus(() => ({ outcome: 'unconfirmed' }));
  await stage.flush({ bus: lost });
  const read: string[] = [];
  const event: PublishDeps['deliveryLog']['event'] = (eventId) => {
    read.push(eventId);
    return stage.deliveryLog.event(eventId);
  };
  const { dueAtMs = 0 } = (await stage.debounceRow()) ?? {};
  let shows = 1;

  const sent = await stage.flush({ deliveryLog: { ...stage.deliveryLog, event } }, async (shard) =>
    shard === 0 && shows-- > 0 ? [{ key: { uuid, kind: 'NOTIFY' }, dueAtMs }] : [],
  );

  expect([sent, read]).toEqual([[], []]);
  expect((await stage.debounceRow())?.inflight?.attempts).toBe(1);
});

test('I21 rows in flight come first in the order, and hide no others', async () => {
  const stage = await aCrowdedStage({ transactions: 96, partners: 1 });
  const { debounceRows } = stage;
  const [first, others] = [stage.uuids.slice(0, 64), stage.uuids.slice(64)];
  const ofFirst: DebounceRowStore['due'] = async (...asked) =>
    (await debounceRows.due(...asked)).filter(({ key }) => 'uuid' in key && first.includes(key.uuid));
  const inPagesOfOne: DebounceRowStore['due'] = (shard, nowMs, limit) =>
    debounceRows.due(shard, nowMs, Math.ceil(limit / 100));
  await stage.flush({
    debounceRows: { ...debounceRows, due: ofFirst },
    bus: aBus(() => ({ outcome: 'unconfirmed' })),
  });

  await stage.flush({ debounceRows: { ...debounceRows, due: inPagesOfOne } });

  expect(await stage.completed()).toEqual(others);
  expect(await stage.inFlight()).toEqual(first);
});

test('EV-24 a poll reads a thousand rows of its shards, and at least a hundred of each', async () => {
  const { deps, clock } = await aCrowdedStage({ transactions: 0, partners: 1 });
  const limitsOf = async (turns?: number[][]) => {
    const limits = new Set<number>();
    const due: DebounceRowStore['due'] = async (_shard, _nowMs, limit) => {
      limits.add(limit);
      return [];
    };
    await flushDue(
      { ...deps, debounceRows: { ...deps.debounceRows, due } },
      { beginUntilMs: clock.now().getTime() + 6_000, ...(turns && { turns }) },
    );
    return [...limits];
  };

  expect(await limitsOf()).toEqual([100, 1_000]);
  expect(await limitsOf([[3, 11]])).toEqual([500]);
});

test('EV-24 an empty part of the index is read once in an invocation', async () => {
  const { debounceRows, uuids, flush } = await aCrowdedStage({ transactions: 3, partners: 1 });
  const asked: number[] = [];
  const due: DebounceRowStore['due'] = (shard, ...bounds) => {
    asked.push(shard);
    return debounceRows.due(shard, ...bounds);
  };

  await flush({ debounceRows: { ...debounceRows, due } });

  const empty = allTurns.flat().filter((shard) => !uuids.map(dueShardOf).includes(shard));
  expect(asked.filter((shard) => empty.includes(shard)).toSorted((one, other) => one - other)).toEqual(empty);
});

test('I13 entries beyond the size of a request are sent by several', async () => {
  const stage = await aStage();
  const claimedAtMs = stage.clock.now().getTime();
  const eventIds = Array.from({ length: 6 }, (_, n) => `large-${n}`);
  for (const eventId of eventIds) {
    const facts = { eventId, type: 'WebhookTest', uuid: '', claimedAtMs } as const;
    await stage.deliveryLog.addMissing({
      event: anEvent({ ...facts, recipients: ['A'] }),
      bodies: { plain: 'x'.repeat(200_000) },
      deliveries: [aDelivery({ ...facts, clientId: 'A', dueAtMs: claimedAtMs })],
    });
  }
  const requests: number[] = [];
  const bus = aBus();
  const put: PublishDeps['bus']['put'] = (entries) => {
    requests.push(entries.length);
    return bus.put(entries);
  };

  await stage.flush({ bus: { put } });

  const notified = bus.taken.map(({ eventId }) => eventId).filter((eventId) => eventIds.includes(eventId));
  expect(notified.toSorted()).toEqual(eventIds);
  expect(Math.max(...requests)).toBeLessThan(6);
});

describe('I16 I16 the status entries of a delivery', () => {
  const notesOf = async (stage: Awaited<ReturnType<typeof aStage>>) => {
    const notes: (string | undefined)[][] = [];
    const move: PublishDeps['deliveryLog']['move'] = (asked) => {
      notes.push([asked.clientId, asked.to, asked.start?.state]);
      return stage.deliveryLog.move(asked);
    };
    await stage.flush({ deliveryLog: { ...stage.deliveryLog, move } });
    return notes.toSorted();
  };

  test('the first one is known to be first, so that it is one request', async () => {
    const stage = await aStage({
      whileClaimed: () => stage.partners.splice(0, 1, { ...acme, webhookPaused: 'operator' }),
    });

    expect(await notesOf(stage)).toEqual([
      ['A', 'HELD', 'READY'],
      ['B', 'ACCEPTED', 'READY'],
    ]);
  });

  test('a later one is known to be later when the delivery is sent again', async () => {
    const stage = await aStage();
    await scheduledAgain(stage);
    stage.partners.splice(0, 1, { ...acme, webhookPaused: 'operator' });

    expect(await notesOf(stage)).toEqual([
      ['A', 'HELD', undefined],
      ['B', 'ACCEPTED', undefined],
    ]);
  });
});

describe('I7 I7 a delivery that is sent again', () => {
  test('is sent only by the invocation that has its lease', async () => {
    const stage = await aStage();
    await scheduledAgain(stage);
    const lease: PublishDeps['deliveryLog']['lease'] = async (...asked) => {
      await stage.deliveryLog.lease(...asked);
      return stage.deliveryLog.lease(...asked);
    };

    expect(await stage.flush({ deliveryLog: { ...stage.deliveryLog, lease } })).toEqual([]);
  });

  test('is left alone if the index shows it as due while another invocation has its lease', async () => {
    const stage = await aStage();
    const [{ eventId = '' } = {}] = await scheduledAgain(stage);
    await stage.flush({ bus: aBus(() => ({ outcome: 'unconfirmed' })) });
    const dueAtMs = stage.clock.now().getTime();
    let shows = 1;

    const sent = await stage.flush({}, async () =>
      shows-- > 0 ? [{ key: { kind: 'DELIVERY', eventId, clientId: 'A' }, dueAtMs }] : [],
    );

    expect(sent).toEqual([]);
    expect(await stage.delivery(eventId, 'A')).toMatchObject({ redrives: 1 });
  });

  test('is left to its lease by an invocation whose lease took longer than 12 s to get', async () => {
    const stage = await aStage();
    await scheduledAgain(stage);
    const lease: PublishDeps['deliveryLog']['lease'] = async (...asked) => {
      const isLeased = await stage.deliveryLog.lease(...asked);
      stage.clock.pass({ seconds: 13 });
      return isLeased;
    };

    expect(await stage.flush({ deliveryLog: { ...stage.deliveryLog, lease } }, stage.due, 60_000)).toEqual(
      [],
    );
  });
});

test('EV-12 one event for two partners is sent to both in one invocation, although they are on different pages', async () => {
  const stage = await aStage();
  await scheduledAgain(stage);

  const sent = await stage.flush({}, (shard, nowMs, limit) =>
    stage.due(shard, nowMs, Math.ceil(limit / 100)),
  );

  expect(sent.map(({ clientId }) => clientId).toSorted()).toEqual(['A', 'B']);
});

test('I8 an update and the completion of one transaction are sent in one invocation, although they are on different pages', async () => {
  const { debounceRows, clock, bus, flush, uuids } = await aCrowdedStage({ transactions: 1, partners: 1 });
  const [only = ''] = uuids;
  const dueAtMs = clock.now().getTime();
  debounceRows.leave({ uuid: only, kind: 'COMPLETED', revision: 0, changeCount: 0, dueAtMs, version: 1 });
  const inPagesOfOne: DebounceRowStore['due'] = (shard, nowMs, limit) =>
    debounceRows.due(shard, nowMs, Math.ceil(limit / 100));

  await flush({ debounceRows: { ...debounceRows, due: inPagesOfOne } });

  expect(bus.taken.map(({ type }) => type).toSorted()).toEqual([
    'TransactionCompleted',
    'TransactionUpdated',
  ]);
});

describe('I6 I6 an event that may have been sent', () => {
  test('is sent again after its lease, not before, with the same id and bytes', async () => {
    const stage = await aStage();
    const lost = aBus(() => ({ outcome: 'unconfirmed' }));
    await stage.flush({ bus: lost });

    stage.clock.pass({ seconds: 19 });
    const early = await stage.flush();
    stage.clock.pass({ seconds: 1 });
    const again = await stage.flush();

    expect(early).toEqual([]);
    expect(again).toEqual(lost.taken);
    expect(again).toHaveLength(2);
  });

  test('I16 is sent by the invocation that takes it over, however late, even to recipients without an entry after a month', async () => {
    const stage = await aStage();
    const lost = aBus(() => ({ outcome: 'unconfirmed' }));
    await stage.flush({ bus: lost });
    stage.clock.pass({ seconds: 31 * 24 * 60 * 60 });

    expect(await stage.flush()).toEqual(lost.taken);
  });

  test.each([
    [13, 0, 10],
    [7, 6, 10],
    [7, 6, 1],
  ])(
    'is left to its lease after %i s and %i s more, while later claims are sent, %i at a time',
    async (renewSeconds, judgeSeconds, mostAtOnce) => {
      const { debounceRows, clock, uuids, flush, deps, ...stage } = await aCrowdedStage({
        transactions: 3,
        partners: 1,
      });
      const [first, ...others] = uuids;
      const ofFirst: DebounceRowStore['due'] = async (...asked) =>
        (await debounceRows.due(...asked)).filter(({ key }) => 'uuid' in key && key.uuid === first);
      await flush({
        debounceRows: { ...debounceRows, due: ofFirst },
        bus: aBus(() => ({ outcome: 'unconfirmed' })),
      });
      clock.pass({ seconds: 20 });
      const renewLease: DebounceRowStore['renewLease'] = async (...asked) => {
        const renewed = await debounceRows.renewLease(...asked);
        clock.pass({ seconds: renewSeconds });
        return renewed;
      };
      let judged = 0;
      const byClientIds: PublishDeps['partners']['byClientIds'] = (clientIds) => {
        clock.pass({ seconds: judged === 0 ? judgeSeconds : 0 });
        judged += 1;
        return deps.partners.byClientIds(clientIds);
      };
      const put: PublishDeps['bus']['put'] = async (entries) =>
        entries.length > mostAtOnce
          ? entries.map(() => ({ outcome: 'refused-together', code: 'ValidationException' }))
          : stage.bus.put(entries);

      await flush(
        {
          debounceRows: { ...debounceRows, renewLease },
          partners: { ...deps.partners, byClientIds },
          bus: { put },
        },
        60_000,
      );

      expect(await stage.completed()).toEqual(others);
      expect(await stage.inFlight()).toEqual([first]);
    },
  );

  test('is left to its lease by a sender whose lease took longer than 12 s to get', async () => {
    const { debounceRows, clock, bus, flush } = await aCrowdedStage({ transactions: 1, partners: 1 });
    await flush({ bus: aBus(() => ({ outcome: 'unconfirmed' })) });
    clock.pass({ seconds: 20 });
    const renewLease: DebounceRowStore['renewLease'] = async (...asked) => {
      const renewed = await debounceRows.renewLease(...asked);
      clock.pass({ seconds: 13 });
      return renewed;
    };

    await flush({ debounceRows: { ...debounceRows, renewLease } }, 60_000);

    expect(bus.taken).toEqual([]);
  });

  test('is sent again only to those whose entry was not confirmed', async () => {
    const stage = await aStage();
    const half = aBus(({ clientId }) =>
      clientId === 'A' ? { outcome: 'accepted', busEventId: 'bus-1' } : { outcome: 'unconfirmed' },
    );
    await stage.flush({ bus: half });
    stage.clock.pass({ seconds: 20 });

    const again = await stage.flush();

    expect(again.map(({ clientId }) => clientId)).toEqual(['B']);
  });

  test('is left to its lease by a sender that continues more than 12 s after the claim', async () => {
    let naps = 0;
    const stage = await aStage({
      whileClaimed: () => {
        if (naps++ === 0) stage.clock.pass({ seconds: 13 });
      },
    });

    const late = await stage.flush();
    stage.clock.pass({ seconds: 7 });
    const again = await stage.flush();

    expect([late.length, again.length]).toEqual([0, 2]);
  });
});

test('I9 partners are read again right before each send: one that is disabled between two events gets only the first', async () => {
  const stage = await aCrowdedStage({ transactions: 2, partners: 1 });
  const [partner = acme] = await stage.deps.partners.ofOwners([]);
  const partners = [partner];
  const [, later = ''] = stage.uuids;
  const debounceRow = await stage.debounceRows.get({ uuid: later, kind: 'NOTIFY' });
  await stage.debounceRows.reschedule(
    { uuid: later, kind: 'NOTIFY' },
    debounceRow ?? { revision: 0 },
    stage.clock.now().getTime() + 10_000,
  );
  const directory = {
    ofOwners: async () => [partner],
    byClientIds: async () => new Map(partners.map((one) => [one.clientId, one])),
  };

  await stage.flush({ partners: directory });
  partners[0] = { ...partner, enabled: false };
  stage.clock.pass({ seconds: 10 });
  await stage.flush({ partners: directory });

  expect(stage.bus.taken.map(({ message }) => JSON.parse(message).detail.uuid)).toEqual([stage.uuids[0]]);
});

test('TH-23 the delivery log stores the id under which the bus accepted an entry', async () => {
  const stage = await aStage();

  const [sent] = await stage.flush();

  expect(await stage.delivery(sent?.eventId ?? '', 'A')).toMatchObject({
    state: 'ACCEPTED',
    busEventId: 'bus-0',
  });
});

test('I10 the time of a message is that of its publication, not that of the change', async () => {
  const stage = await aStage();

  const [sent] = await stage.flush();

  expect(JSON.parse(sent?.message ?? '').time).toBe('2026-11-21T12:02:00Z');
});

test('S-57 the bodies of an event that no partner may see are not stored', async () => {
  const stage = await aCrowdedStage({ transactions: 1, partners: 0 });

  await stage.flush();

  const uuid = stage.uuids[0] ?? '';
  const eventId = eventIdOf('local', 'TransactionUpdated', uuid, { from: 0, to: 1 });
  expect(await stage.deliveryLog.event(eventId)).toMatchObject({ event: { recipients: [] }, deliveries: [] });
  expect((await stage.deliveryLog.event(eventId))?.bodies).toBeUndefined();
});

test('EV-4 a partner that registers during the dormancy gets the next event', async () => {
  const stage = await aStage();
  const carl = aPartner({ clientId: 'C', name: 'carl', webhookUrl: 'https://carl.example/' });
  stage.partners.push(carl);

  const sent = await stage.flush();

  expect(sent.map(({ clientId, from, to }) => [clientId, from, to])).toEqual([
    ['A', 0, 1],
    ['B', 0, 1],
    ['C', 0, 1],
  ]);
});
