import { DeleteCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import type {
  KeptCopy,
  MovedSession,
  PersonalDataStore,
} from '../../../bin/operator/store/personal-data/personal-data-store.ts';
import { createPersonalDataStore } from '../../../bin/operator/store/personal-data/store.ts';
import { createRevokedSessions, type RevokedSessions } from '../../../bin/operator/store/session-ends.ts';
import { hasContent } from '../../../functions/shared/domain/transaction/erasure.ts';
import {
  type IdempotencyRecord,
  recordLifetimeMs,
} from '../../../functions/shared/store/requests/request-store.ts';
import { createRequestStore } from '../../../functions/shared/store/requests/requests.ts';
import {
  createSessionEnds,
  type SessionEnds,
} from '../../../functions/shared/store/sessions/session-record.ts';
import { createTransactionWriter } from '../../../functions/shared/store/transactions/writer.ts';
import { takeAll } from '../../support/builders/take-all.ts';
import { aNewTransaction, uuidOf } from '../../support/builders/transactions.ts';
import { newTables } from '../../support/engine/new-tables.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { createMemoryPersonalData } from '../../support/memory/personal-data.ts';
import { createMemorySessions } from '../../support/memory/sessions.ts';
import { createMemoryTransactions } from '../../support/memory/transactions.ts';

const engine = useEngine();
const now = new Date('2026-11-22T12:00:00Z');
const [one, two] = [uuidOf(1), uuidOf(2)];

/** The store, and what puts something into it. */
type World = {
  store: PersonalDataStore;
  create: (transaction: ReturnType<typeof aNewTransaction>) => Promise<unknown>;
  answer: (id: string, uuid: string, body: string) => Promise<void>;
  sessions: Pick<SessionEnds, 'endBySignIn'> & RevokedSessions;
};

const realWorld = async () => {
  const random = (size: number) => new Uint8Array(size).fill(7);
  const access = { ...(await newTables(engine)), clock: () => now, random };
  const remember = async (id: string, uuid: string, answer: IdempotencyRecord['answer']) => {
    const expiresAtMs = now.getTime() + recordLifetimeMs;
    await createRequestStore(access).remember({ id, bodyHash: 'b', uuid, answer, expiresAtMs }, now);
  };
  const world: World = {
    store: createPersonalDataStore(access),
    create: createTransactionWriter(access).create,
    answer: (id, uuid, body) => remember(id, uuid, { status: 200, headers: {}, body }),
    sessions: { ...createSessionEnds(access), ...createRevokedSessions(access) },
  };
  return { ...world, remember, requestsTable: access.requestsTable };
};

const memoryWorld = async (): Promise<World> => {
  const transactions = createMemoryTransactions();
  const sessions = createMemorySessions();
  const store = createMemoryPersonalData(transactions, sessions);
  return {
    store,
    create: transactions.create,
    answer: async (id, uuid, body) => {
      const copy = { key: { pk: id, sk: '0' }, uuid, content: JSON.parse(body), madeAtMs: now.getTime() };
      store.kept.push(copy);
    },
    sessions,
  };
};

const nothing = () => {};
const withContent = async ({ store }: World) =>
  (await takeAll(store.copies(nothing))).filter(({ content }) => hasContent(content));
const bySession = (one: MovedSession, other: MovedSession) => (one.session < other.session ? -1 : 1);
const shown = (copies: readonly KeptCopy[]) =>
  copies.map(({ uuid, content, madeAtMs }) => [uuid, content, madeAtMs - now.getTime()]).sort();

describe.each<[string, () => Promise<World>]>([
  ['stand-in in memory', memoryWorld],
  ['DynamoDB engine', realWorld],
])('%s', (_, aWorld) => {
  test('S-61 every transaction is found, even a deleted one', async () => {
    const world = await aWorld();
    await world.create(aNewTransaction({ uuid: one }));
    await world.create(aNewTransaction({ uuid: two, isDeleted: 1 }));

    const found = await takeAll(world.store.transactions(nothing));

    expect(found.map(({ transaction }) => transaction.uuid).sort()).toEqual([one, two]);
  });

  test('S-88 V1-10 anonymous sessions are found with the session of the user who signed in', async () => {
    const { store, sessions } = await aWorld();
    for (const session of ['one', 'two', 'three']) await sessions.endBySignIn(session, 'user-A', now);
    await sessions.revoke('three', now);
    await sessions.revoke('four', now);

    expect((await takeAll(store.movedSessions(nothing))).toSorted(bySession)).toEqual([
      { session: 'one', movedTo: 'user-A' },
      { session: 'two', movedTo: 'user-A' },
    ]);
  });

  test('S-61 S-62 copies are the stored responses, as they were sent', async () => {
    const world = await aWorld();
    await world.answer('IDEM', two, '{"uuid":"u","customer":{"firstName":"Ann"}}');

    expect(shown(await withContent(world))).toEqual([
      [two, { uuid: 'u', customer: { firstName: 'Ann' } }, 0],
    ]);
  });

  test('S-61 an erased copy has no content any more, and others keep theirs', async () => {
    const world = await aWorld();
    await world.answer('first', one, '{"vehicle":{"make":"Mini"}}');
    await world.answer('long', one, JSON.stringify({ vehicle: { make: 'x'.repeat(250_000) } }));
    await world.answer('other', two, '{"vehicle":{}}');

    for (const copy of await withContent(world)) {
      if (copy.uuid !== one) continue;
      await world.store.eraseCopy(copy);
      await world.store.eraseCopy(copy);
    }

    expect(shown(await withContent(world))).toEqual([[two, { vehicle: {} }, 0]]);
  });

  test('S-61 S-64 an erasure is found by a digest of the address, and not by another', async () => {
    const { store } = await aWorld();
    const [digestOf, again] = [await store.erasures.digester(), await store.erasures.digester()];

    expect(digestOf('ann@example.org')).toBe(again('ann@example.org'));
    expect(digestOf('bo@example.org')).not.toBe(digestOf('ann@example.org'));
    expect(digestOf('ann@example.org')).not.toContain('ann@example.org');
  });

  test('S-61 S-82 S-88 erasures are listed with what they found, by address, user or uuid, even unfinished ones', async () => {
    const { erasures } = (await aWorld()).store;
    const first = await erasures.add({ atMs: now.getTime(), digest: 'd1', uuids: [one, two] });
    await erasures.add({ atMs: now.getTime() + 1, userDigest: 'd2', uuids: [two] });

    await erasures.end(first.id, { endedAtMs: now.getTime() + 2, counts: { transactions: 2 } });

    const listed = (await erasures.all()).map((one) => [one.atMs, one.digest, one.userDigest, one.uuids]);
    expect(listed).toEqual([
      [now.getTime(), 'd1', undefined, [one, two]],
      [now.getTime() + 1, undefined, 'd2', [two]],
    ]);
  });
});

test('S-61 S-86 a record of a session is no copy, because it has no content', async () => {
  const world = await realWorld();
  const answer = { status: 200, headers: {}, selection: { fields: '', expand: 'customer' } };
  await world.remember('of-a-session', one, answer);
  await world.answer('of-a-partner', two, '{"vehicle":{}}');

  expect((await takeAll(world.store.copies(nothing))).map(({ uuid }) => uuid)).toEqual([two]);
});

test('S-61 a copy that expired before it was erased stays gone', async () => {
  const world = await realWorld();
  await world.answer('first', one, '{"vehicle":{}}');
  const [copy] = await withContent(world);
  const row = { TableName: world.requestsTable, Key: copy?.key };
  await engine.documents.send(new DeleteCommand(row));

  if (copy) await world.store.eraseCopy(copy);

  const { Item } = await engine.documents.send(new GetCommand({ ...row, ConsistentRead: true }));
  expect(Item).toBeUndefined();
});
