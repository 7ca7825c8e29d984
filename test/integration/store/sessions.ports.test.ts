import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { createRevokedSessions } from '../../../bin/operator/store/session-ends.ts';
import { createSessionEnds } from '../../../functions/shared/store/sessions/session-record.ts';
import { createTransactionWriter } from '../../../functions/shared/store/transactions/writer.ts';
import { aNewTransaction, uuidOf } from '../../support/builders/transactions.ts';
import { newTables } from '../../support/engine/new-tables.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { createMemorySessions } from '../../support/memory/sessions.ts';

const engine = useEngine();

const realStore = async () => {
  const access = await newTables(engine, ['Requests', 'Transactions', 'Listing']);
  return { ...createSessionEnds(access), ...createRevokedSessions(access), access };
};

const now = new Date('2026-03-01T12:00:00Z');
const later = new Date('2026-03-01T12:00:01Z');

describe.each([
  ['DynamoDB engine', realStore],
  ['memory', async () => createMemorySessions()],
])('%s', (_name, newStore) => {
  test('V1-9 an ended session is known at once, and others continue', async () => {
    const store = await newStore();
    const before = await store.endOf('one');
    await store.revoke('one', now);

    expect([before, await store.endOf('one'), await store.endOf('two')]).toEqual([
      undefined,
      { endedAtMs: now.getTime() },
      undefined,
    ]);
  });

  test('V1-10 of two sign-ins that end a session, the first one counts', async () => {
    const store = await newStore();
    const ends = [
      await store.endBySignIn('one', 'user-A', now),
      await store.endBySignIn('one', 'user-B', later),
      await store.endBySignIn('one', 'user-A', later),
    ];

    expect(ends).toEqual(Array(3).fill({ endedAtMs: now.getTime(), movedTo: 'user-A' }));
    expect(await store.endOf('one')).toEqual(ends[0]);
  });

  test('V1-10 of many parallel sign-ins, one ends the session', async () => {
    const store = await newStore();
    const users = ['user-A', 'user-B', 'user-C', 'user-D'];

    const ends = await Promise.all(users.map((user) => store.endBySignIn('one', user, now)));

    expect(new Set(ends.map(({ movedTo }) => movedTo)).size).toBe(1);
  });

  test('V1-9 V1-10 no user continues a session that the operator revoked, whichever comes first', async () => {
    const store = await newStore();
    await store.revoke('one', now);
    await store.endBySignIn('two', 'user-A', now);
    await store.revoke('two', later);

    expect(await store.endBySignIn('one', 'user-A', later)).toEqual({ endedAtMs: now.getTime() });
    expect(await store.endBySignIn('two', 'user-A', later)).toEqual({ endedAtMs: later.getTime() });
  });
});

test('V1-9 an end expires after 90 days, when the last token of the session has expired', async () => {
  const { access, revoke, endBySignIn } = await realStore();
  const expiryOf = async (session: string) => {
    const Key = { pk: `SESSION#${session}`, sk: '0' };
    const { Item } = await engine.documents.send(new GetCommand({ TableName: access.requestsTable, Key }));
    return Item?.expiresAt;
  };
  await revoke('one', now);
  await endBySignIn('two', 'user-A', now);

  const expiry = Date.parse('2026-05-30T12:00:00Z') / 1000;
  expect([await expiryOf('one'), await expiryOf('two')]).toEqual([expiry, expiry]);
});

test('V1-9 if an end cannot be read nobody is accepted', async () => {
  const { endOf } = createSessionEnds({ documents: engine.documents, requestsTable: 'gone' });

  await expect(endOf('one')).rejects.toThrow();
});

test('V1-10 an ended anonymous session creates nothing more; a user continues', async () => {
  const { access, revoke } = await realStore();
  const { create } = createTransactionWriter(access);
  const createFor = (session: string, number: number) =>
    create(aNewTransaction({ uuid: uuidOf(number) }, { session }), { sessionLimit: 20 });
  await revoke('anonymous', now);
  await revoke('user-A', now);

  expect(await createFor('anonymous', 1)).toEqual({ ok: false, reason: 'session-full' });
  expect((await createFor('user-A', 2)).ok).toBe(true);
});
