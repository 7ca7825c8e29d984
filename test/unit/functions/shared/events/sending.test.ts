import { expect, test } from '@jest/globals';
import { flushDue } from '../../../../../functions/shared/events/flush.ts';
import type { SendDeps } from '../../../../../functions/shared/events/send.ts';
import { shards } from '../../../../../functions/shared/events/table.ts';
import type { BusEntry } from '../../../../../functions/shared/outbound/event-bus.ts';
import { aPartner } from '../../../../support/builders/a-partner.ts';
import { aNewTransaction, anOwner, uuidOf } from '../../../../support/builders/transactions.ts';
import { memoryStores } from '../../../../support/memory/stores.ts';

const nowMs = Date.parse('2026-03-01T12:00:00Z');
const clock = () => new Date(nowMs);

/** So many transactions at rest, each due, and partners that see their group. */
const aWorld = async (changes: number, recipients: number, overrides: Partial<SendDeps> = {}) => {
  const { transactions, debounceTable: table } = memoryStores(clock);
  const ndMeta = anOwner({ group: 'group-a' });
  for (let number = 0; number < changes; number += 1) {
    await transactions.create(aNewTransaction({ uuid: uuidOf(number), ndMeta }));
    await table.recordChange({ uuid: uuidOf(number), changed: ['own'], dueAtMs: nowMs });
  }
  const partners = Array.from({ length: recipients }, (_, index) =>
    aPartner({ clientId: `P${index}`, grants: [{ group: 'group-a' }], webhookUrl: 'https://p.example/' }),
  );
  const taken: BusEntry[] = [];
  const deps: SendDeps = {
    ...{ transactions, table, clock, stage: 'local', log: () => {}, pause: async () => {} },
    bus: {
      put: async (entries) => {
        taken.push(...entries);
        return entries.map(() => ({ outcome: 'accepted', busEventId: 'bus-1' }));
      },
    },
    partners: {
      ofOwners: async () => partners,
      byClientIds: async () => new Map(partners.map((partner) => [partner.clientId, partner])),
    },
    isStopped: async () => false,
    newId: () => String(table.sendings.length),
    settings: { dormancyMs: 120_000, leaseMs: 20_000, abandonMs: 12_000 },
    origin: { source: 'svc.local.online-payments', region: 'eu-west-2' },
    ...overrides,
  };
  const flush = () => flushDue(deps, { beginUntilMs: nowMs + 5_000 });
  return { deps, flush, taken, table };
};

test('EV-14 an invocation has at most four requests at the bus, for any number of rows and partners', async () => {
  let [atOnce, most] = [0, 0];
  const put: SendDeps['bus']['put'] = async (entries) => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    atOnce -= 1;
    return entries.map(() => ({ outcome: 'accepted', busEventId: 'bus-1' }));
  };
  const { flush } = await aWorld(75, 8, { bus: { put } });

  const { sent } = await flush();

  expect([sent, most]).toEqual([600, 4]);
});

test('EV-19 a due shard that does not answer is asked once, counts as a failure and delays no other', async () => {
  const asked: number[] = [];
  const { deps, flush, taken, table } = await aWorld(40, 1);
  const [dead] = await Promise.all(
    shards.first.map(async (one) => [one, await table.due(one, nowMs, 9)] as const),
  );
  deps.table = {
    ...table,
    due: async (shard, ...more) => {
      if (shard !== dead?.[0]) return table.due(shard, ...more);
      asked.push(shard);
      throw new Error('no answer');
    },
  };

  const { failed, sent } = await flush();

  expect(dead?.[1].length).toBeGreaterThan(0);
  expect([asked.length, failed]).toEqual([1, 1]);
  expect([sent, taken.length]).toEqual(Array(2).fill(40 - (dead?.[1].length ?? 0)));
});

test('EV-19 a flush that no due shard answers fails', async () => {
  const { deps, flush, table } = await aWorld(1, 1);
  deps.table = { ...table, due: () => Promise.reject(new Error('no answer')) };

  await expect(flush()).rejects.toThrow('No part of the index');
});

test('EV-17 a row that fails every time is looked at once, and stops none of its group or behind it', async () => {
  const { deps, flush } = await aWorld(40, 1);
  const { byUuids } = deps.transactions;
  deps.transactions = {
    byUuids: async (uuids) => {
      if (uuids.includes(uuidOf(7))) throw new Error('unreadable');
      return byUuids(uuids);
    },
  };

  const { failed, sent, polled } = await flush();

  expect({ failed, sent, polled }).toEqual({ failed: 1, sent: 39, polled: 40 });
});

test('EV-17 a row whose recipients cannot be found stops none of those that are leased with it', async () => {
  const { deps, flush, taken } = await aWorld(40, 1);
  const { ofOwners } = deps.partners;
  const { byUuids } = deps.transactions;
  const broken = anOwner({ group: 'group-b' });
  deps.transactions = {
    byUuids: async (uuids) => {
      const found = await byUuids(uuids);
      const one = found.get(uuidOf(7));
      if (one) found.set(uuidOf(7), { ...one, transaction: { ...one.transaction, ndMeta: broken } });
      return found;
    },
  };
  deps.partners.ofOwners = async (owners) => {
    if (owners.includes(broken)) throw new Error('unreadable');
    return ofOwners(owners);
  };

  const { failed, sent } = await flush();

  expect({ failed, sent, taken: taken.length }).toEqual({ failed: 1, sent: 39, taken: 39 });
});

test('EV-11 a deletion is told after an event that the bus left without an answer', async () => {
  const { deps, flush, taken, table } = await aWorld(1, 1);
  const { byUuids } = deps.transactions;
  let isDeleted: 0 | 1 = 0;
  deps.transactions = {
    byUuids: async (uuids) =>
      new Map(
        [...(await byUuids(uuids))].map(([uuid, one]) => {
          const version = one.version + isDeleted;
          const elementVersions = { ...one.elementVersions, own: version };
          const session = { id: 's', userExpiresAtMs: 0 } as unknown as NonNullable<typeof one.session>;
          return [
            uuid,
            { ...one, version, elementVersions, session, transaction: { ...one.transaction, isDeleted } },
          ];
        }),
      ),
  };
  let atMs = nowMs;
  deps.clock = () => new Date(atMs);
  const { put } = deps.bus;
  deps.bus = { put: async (entries) => (await put(entries)).map(() => ({ outcome: 'unconfirmed' })) };
  await flush();
  deps.bus = { put };
  isDeleted = 1;
  for (const pause of [30_000, 300_000]) {
    atMs += pause;
    await flushDue(deps, { beginUntilMs: atMs + 5_000 });
  }

  expect(taken).toHaveLength(2);
  expect(JSON.parse(taken[1]?.message ?? '').detail).toMatchObject({ isDeleted: 1 });
  expect(table.rowsOf(uuidOf(0)).map(({ dueAtMs }) => dueAtMs)).toEqual([undefined]);
});

test('S-54 TH-07 who lost its grant after recipients were found is not sent the event, and its log says so', async () => {
  const { deps, flush, taken, table } = await aWorld(1, 2);
  const [stays, goes] = await deps.partners.ofOwners([]);
  if (!stays || !goes) throw new Error('There are two partners');
  deps.partners.byClientIds = async () =>
    new Map([
      [stays.clientId, stays],
      [goes.clientId, { ...goes, grants: [] }],
    ]);

  await flush();

  expect(taken.map(({ clientId }) => clientId)).toEqual(['P0']);
  expect(table.lines.map(({ clientId, outcome }) => [clientId, outcome])).toEqual([
    ['P0', 'SENT'],
    ['P1', 'WITHHELD'],
  ]);
  expect(table.rowsOf(uuidOf(0)).map(({ kind }) => kind)).toEqual(['NOTIFY']);
});
