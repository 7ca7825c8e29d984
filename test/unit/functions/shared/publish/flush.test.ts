import { describe, expect, test } from '@jest/globals';
import { eventIdOf } from '../../../../../functions/shared/domain/event/event.ts';
import type { Partner } from '../../../../../functions/shared/domain/partner.ts';
import type { BusEntry } from '../../../../../functions/shared/outbound/event-bus.ts';
import { allTurns, flushDue } from '../../../../../functions/shared/publish/flush.ts';
import type { PublishDeps } from '../../../../../functions/shared/publish/publish-deps.ts';
import type {
  DebounceRowStore,
  DueKey,
} from '../../../../../functions/shared/store/debounce/debounce-row-store.ts';
import { dueShardOf } from '../../../../../functions/shared/store/debounce/keys.ts';
import { aPartner } from '../../../../support/builders/a-partner.ts';
import { anOwner, uuidOf } from '../../../../support/builders/transactions.ts';
import { aCrowdedStage, afterCalls } from '../../../../support/memory/crowded-stage.ts';
import { aBus, oneByOne } from '../../../../support/memory/publishing.ts';

type Stage = Awaited<ReturnType<typeof aCrowdedStage>>;
type Due = DebounceRowStore['due'];

/** One changed transaction at rest, which two partners see. */
const aStage = () => aCrowdedStage({ transactions: 1, partners: 2 });
const uuid = uuidOf(1);
const [first, second] = ['P0000', 'P0001'];
const accepted = { outcome: 'accepted', busEventId: 'bus-1' } as const;
const aSilentBus = () => aBus(() => ({ outcome: 'unconfirmed' }));

/** What one flush gives to the bus. */
const sentBy = async (stage: Stage, parts: Partial<PublishDeps> = {}, beginWithinMs?: number) => {
  const bus = aBus();
  await stage.flush({ bus, ...parts }, beginWithinMs);
  return bus.taken;
};
const showing = ({ debounceRows }: Stage, due: Due) => ({ debounceRows: { ...debounceRows, due } });
const inPagesOfOne = (stage: Stage) =>
  showing(stage, (shard, nowMs, limit) => stage.debounceRows.due(shard, nowMs, Math.ceil(limit / 100)));
const only = (stage: Stage, uuids: readonly (string | undefined)[]) =>
  showing(stage, async (...asked) =>
    (await stage.debounceRows.due(...asked)).filter(({ key }) => 'uuid' in key && uuids.includes(key.uuid)),
  );
/** The index shows this row once, whatever has become of it. */
const showingLate = (stage: Stage, key: DueKey, dueAtMs: number) => {
  let shows = 1;
  return showing(stage, async (shard) => (shard === 0 && shows-- > 0 ? [{ key, dueAtMs }] : []));
};
const rowOf = ({ debounceRows }: Stage) => debounceRows.get({ uuid, kind: 'NOTIFY' });

/** What the bus has had is due once more. */
const makeDueAgain = async (stage: Stage, sent: readonly BusEntry[]) => {
  const atMs = stage.clock.now().getTime();
  for (const { eventId, clientId } of sent)
    await stage.deliveryLog.move({
      ...{ eventId, clientId, from: ['ACCEPTED'], to: 'READY', atMs, dueAtMs: atMs },
      entry: { atMs, step: 'scheduled' },
    });
};
const scheduledAgain = async (stage: Stage) => {
  const sent = await sentBy(stage);
  await makeDueAgain(stage, sent);
  return sent;
};

describe('S-54 TH-07 between claim and send', () => {
  test.each<[string, Partial<Partner>, string[]]>([
    ['loses its grant', { grants: [] }, ['SUPPRESSED', 'OUT_OF_SCOPE']],
    ['is disabled', { enabled: false }, ['SUPPRESSED', 'DISABLED']],
    ['may not read any more', { oauthScopes: ['nop2/write'] }, ['SUPPRESSED', 'MAY_NOT_READ']],
    ['is paused', { webhookPaused: 'operator' }, ['HELD']],
  ])('a partner that %s is sent nothing, and the other one is', async (_, changes, expected) => {
    const stage = await aStage();
    afterCalls(stage.debounceRows, 'claim', () => Object.assign(stage.partners[0] ?? {}, changes));

    const sent = await sentBy(stage);

    expect(sent.map(({ clientId }) => clientId)).toEqual([second]);
    const key = { eventId: sent[0]?.eventId ?? '', clientId: String(first) };
    const { state, reason } = (await stage.deliveryLog.delivery(key)) ?? {};
    expect([state, reason].filter(Boolean)).toEqual(expected);
    expect(await rowOf(stage)).not.toHaveProperty('inflight');
  });

  test('a transaction that moves away while its sender is dead is sent to nobody who may not see it now', async () => {
    const stage = await aStage();
    await stage.flush({ bus: { put: () => Promise.reject(new Error('killed')) } });
    stage.clock.pass({ seconds: 21 });
    const transactions = oneByOne(async (asked) => {
      const stored = await stage.transactions.byUuid(asked);
      return (
        stored && { ...stored, transaction: { ...stored.transaction, ndMeta: anOwner({ group: 'group-b' }) } }
      );
    });

    expect(await sentBy(stage, { transactions })).toEqual([]);

    expect(await rowOf(stage)).toMatchObject({ notifiedVersion: 1 });
  });
});

describe('S-70 the delay between a change and its event', () => {
  test.each([
    ['is counted once for all its partners', aBus(), 121_000],
    [
      'is counted when the last of them is sent',
      aBus(({ clientId }) => (clientId === first ? { outcome: 'unconfirmed' } : accepted)),
      142_000,
    ],
  ])('%s, and not of what is sent again', async (_, bus, delayMs) => {
    const stage = await aStage();
    const heard: unknown[] = [];
    const onNotified: PublishDeps['onNotified'] = (...notified) => heard.push(notified);
    await stage.flush({ onNotified, bus });
    stage.clock.pass({ seconds: 21 });
    await stage.flush({ onNotified });
    await makeDueAgain(stage, bus.taken);

    const again = await sentBy(stage, { onNotified });

    expect(again).toHaveLength(2);
    expect(heard).toEqual([['TransactionUpdated', delayMs]]);
  });
});

test('I4 a due row that is in flight is left alone, and its event is not read', async () => {
  const stage = await aStage();
  await stage.flush({ bus: aSilentBus() });
  const read: string[] = [];
  const event: PublishDeps['deliveryLog']['event'] = (eventId) => {
    read.push(eventId);
    return stage.deliveryLog.event(eventId);
  };
  const { dueAtMs = 0 } = (await rowOf(stage)) ?? {};
  const late = showingLate(stage, { uuid, kind: 'NOTIFY' }, dueAtMs);

  const sent = await sentBy(stage, { ...late, deliveryLog: { ...stage.deliveryLog, event } });

  expect([sent, read]).toEqual([[], []]);
  expect((await rowOf(stage))?.inflight?.attempts).toBe(1);
});

test('I21 rows in flight come first in the order, and hide no others', async () => {
  const stage = await aCrowdedStage({ transactions: 96, partners: 1 });
  const [early, others] = [stage.uuids.slice(0, 64), stage.uuids.slice(64)];
  await stage.flush({ ...only(stage, early), bus: aSilentBus() });

  await stage.flush(inPagesOfOne(stage));

  expect(await stage.completed()).toEqual(others);
  expect(await stage.inFlight()).toEqual(early);
});

test('EV-24 a poll reads a thousand rows of its shards, and at least a hundred of each', async () => {
  const stage = await aCrowdedStage({ transactions: 0, partners: 1 });
  const limitsOf = async (turns?: number[][]) => {
    const limits = new Set<number>();
    const { debounceRows } = showing(stage, async (_shard, _nowMs, limit) => {
      limits.add(limit);
      return [];
    });
    const beginUntilMs = stage.clock.now().getTime() + 6_000;
    await flushDue({ ...stage.deps, debounceRows }, { beginUntilMs, ...(turns && { turns }) });
    return [...limits];
  };

  expect(await limitsOf()).toEqual([100, 1_000]);
  expect(await limitsOf([[3, 11]])).toEqual([500]);
});

test('EV-24 an empty part of the index is read once in an invocation', async () => {
  const stage = await aCrowdedStage({ transactions: 3, partners: 1 });
  const asked: number[] = [];

  await stage.flush(
    showing(stage, (shard, ...bounds) => {
      asked.push(shard);
      return stage.debounceRows.due(shard, ...bounds);
    }),
  );

  const empty = allTurns.flat().filter((shard) => !stage.uuids.map(dueShardOf).includes(shard));
  expect(asked.filter((shard) => empty.includes(shard)).toSorted((one, other) => one - other)).toEqual(empty);
});

test('I13 entries beyond the size of a request are sent by several', async () => {
  const stage = await aCrowdedStage({ transactions: 0, partners: 1 });
  const eventIds = Array.from({ length: 6 }, (_, n) => `large-${n}`);
  await stage.sendTestsAgain(eventIds, 'x'.repeat(200_000));
  const requests: number[] = [];
  const put: PublishDeps['bus']['put'] = (entries) => {
    requests.push(entries.length);
    return stage.bus.put(entries);
  };

  await stage.flush({ bus: { put } });

  expect(stage.bus.taken.map(({ eventId }) => eventId).toSorted()).toEqual(eventIds);
  expect(requests).toEqual([4, 2]);
});

test.each([
  ['known to be the first where there is none, so that it is one request', async () => [], 'READY'],
  ['known to be a later one where the delivery is sent again', scheduledAgain, undefined],
])('I16 a status entry is %s', async (_, before, startState) => {
  const stage = await aStage();
  await before(stage);
  const noted: unknown[] = [];
  const move: PublishDeps['deliveryLog']['move'] = (asked) => {
    noted.push([asked.clientId, asked.to, asked.start?.state]);
    return stage.deliveryLog.move(asked);
  };
  Object.assign(stage.partners[0] ?? {}, { webhookPaused: 'operator' });

  await stage.flush({ deliveryLog: { ...stage.deliveryLog, move } });

  expect(noted.toSorted()).toEqual([
    [first, 'HELD', startState],
    [second, 'ACCEPTED', startState],
  ]);
});

describe('I7 I7 a delivery that is sent again', () => {
  test('is sent only by the invocation that has its lease', async () => {
    const stage = await aStage();
    await scheduledAgain(stage);
    const { lease } = stage.deliveryLog;
    stage.deliveryLog.lease = async (...asked) => {
      await lease(...asked);
      return lease(...asked);
    };

    expect(await sentBy(stage)).toEqual([]);
  });

  test('is left alone if the index shows it as due while another invocation has its lease', async () => {
    const stage = await aStage();
    const [{ eventId = '' } = {}] = await scheduledAgain(stage);
    await stage.flush({ bus: aSilentBus() });
    const key = { eventId, clientId: String(first) };
    const late = showingLate(stage, { kind: 'DELIVERY', ...key }, stage.clock.now().getTime());

    expect(await sentBy(stage, late)).toEqual([]);
    expect(await stage.deliveryLog.delivery(key)).toMatchObject({ redrives: 1 });
  });

  test('is left to its lease by an invocation whose lease took longer than 12 s to get', async () => {
    const stage = await aStage();
    await scheduledAgain(stage);
    afterCalls(stage.deliveryLog, 'lease', () => stage.clock.pass({ seconds: 13 }));

    expect(await sentBy(stage, {}, 60_000)).toEqual([]);
  });
});

test('EV-12 one event for two partners is sent to both in one invocation, although they are on different pages', async () => {
  const stage = await aStage();
  await scheduledAgain(stage);

  const sent = await sentBy(stage, inPagesOfOne(stage));

  expect(sent.map(({ clientId }) => clientId).toSorted()).toEqual([first, second]);
});

test('I8 an update and the completion of one transaction are sent in one invocation, although they are on different pages', async () => {
  const stage = await aCrowdedStage({ transactions: 1, partners: 1 });
  const dueAtMs = stage.clock.now().getTime();
  stage.debounceRows.leave({ uuid, kind: 'COMPLETED', revision: 0, changeCount: 0, dueAtMs, version: 1 });

  const sent = await sentBy(stage, inPagesOfOne(stage));

  expect(sent.map(({ type }) => type).toSorted()).toEqual(['TransactionCompleted', 'TransactionUpdated']);
});

describe('I6 I6 an event that may have been sent', () => {
  test('is sent again after its lease, not before, with the same id and bytes', async () => {
    const stage = await aStage();
    const lost = aSilentBus();
    await stage.flush({ bus: lost });

    stage.clock.pass({ seconds: 19 });
    const early = await sentBy(stage);
    stage.clock.pass({ seconds: 1 });
    const again = await sentBy(stage);

    expect(early).toEqual([]);
    expect(again).toEqual(lost.taken);
    expect(again).toHaveLength(2);
  });

  test('I16 is sent by the invocation that takes it over, however late, even to recipients without an entry after a month', async () => {
    const stage = await aStage();
    const lost = aSilentBus();
    await stage.flush({ bus: lost });
    stage.clock.pass({ seconds: 31 * 24 * 60 * 60 });

    expect(await sentBy(stage)).toEqual(lost.taken);
  });

  test.each([
    [13, 0, 10],
    [7, 6, 10],
    [7, 6, 1],
  ])(
    'is left to its lease after %i s and %i s more, while later claims are sent, %i at a time',
    async (renewSeconds, judgeSeconds, mostAtOnce) => {
      const stage = await aCrowdedStage({ transactions: 3, partners: 1 });
      const [early, ...others] = stage.uuids;
      await stage.flush({ ...only(stage, [early]), bus: aSilentBus() });
      stage.clock.pass({ seconds: 20 });
      afterCalls(stage.debounceRows, 'renewLease', () => stage.clock.pass({ seconds: renewSeconds }));
      let judging = judgeSeconds;
      afterCalls(stage.deps.partners, 'byClientIds', () => {
        stage.clock.pass({ seconds: judging });
        judging = 0;
      });
      const put: PublishDeps['bus']['put'] = async (entries) =>
        entries.length > mostAtOnce
          ? entries.map(() => ({ outcome: 'refused-together', code: 'ValidationException' }))
          : stage.bus.put(entries);

      await stage.flush({ bus: { put } }, 60_000);

      expect(await stage.completed()).toEqual(others);
      expect(await stage.inFlight()).toEqual([early]);
    },
  );

  test('is left to its lease by a sender that continues more than 12 s after the claim', async () => {
    const stage = await aStage();
    afterCalls(stage.debounceRows, 'claim', () => stage.clock.pass({ seconds: 13 }));

    const late = await sentBy(stage, {}, 60_000);
    stage.clock.pass({ seconds: 7 });
    const again = await sentBy(stage);

    expect([late.length, again.length]).toEqual([0, 2]);
  });
});

test('I9 partners are read again right before each send: one that is disabled between two events gets only the first', async () => {
  const stage = await aCrowdedStage({ transactions: 2, partners: 1 });
  const [early, later = ''] = stage.uuids;
  await stage.flush(only(stage, [early]));
  const [enabled = aPartner()] = stage.partners;
  stage.partners[0] = { ...enabled, enabled: false };
  stage.clock.pass({ seconds: 10 });

  await stage.flush({ partners: { ...stage.deps.partners, ofOwners: async () => [enabled] } });

  expect(stage.bus.taken.map(({ message }) => JSON.parse(message).detail.uuid)).toEqual([early]);
  expect(await stage.completed()).toContain(later);
});

test('TH-23 the delivery log records the id under which the bus has accepted an entry, with its sending, too', async () => {
  const stage = await aStage();

  const [sent] = await sentBy(stage);

  const key = { eventId: sent?.eventId ?? '', clientId: String(first) };
  const delivery = await stage.deliveryLog.delivery(key);
  expect(delivery).toMatchObject({ state: 'ACCEPTED', busEventId: 'bus-0' });
  expect(delivery?.timeline.at(-1)).toMatchObject({ step: 'accepted', busEventId: 'bus-0' });
});

test('I10 the time of a message is that of its publication, not that of the change', async () => {
  const [sent] = await sentBy(await aStage());

  expect(JSON.parse(sent?.message ?? '').time).toBe('2026-11-21T12:02:01Z');
});

test('S-57 the bodies of an event that no partner may see are not stored', async () => {
  const stage = await aCrowdedStage({ transactions: 1, partners: 0 });

  await stage.flush();

  const eventId = eventIdOf('local', 'TransactionUpdated', uuid, { from: 0, to: 1 });
  const kept = await stage.deliveryLog.event(eventId);
  expect(kept).toMatchObject({ event: { recipients: [] }, deliveries: [] });
  expect(kept?.bodies).toBeUndefined();
});

test('EV-4 a partner that registers during the dormancy gets the next event', async () => {
  const stage = await aStage();
  stage.partners.push(aPartner({ clientId: 'P0002', name: 'p0002', webhookUrl: 'https://p.example/' }));

  const sent = await sentBy(stage);

  expect(sent.map(({ clientId, from, to }) => [clientId, from, to])).toEqual([
    ['P0000', 0, 1],
    ['P0001', 0, 1],
    ['P0002', 0, 1],
  ]);
});
