import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import {
  createDenylistReader,
  createDenylistWriter,
  type Denylist,
} from '../../../functions/shared/store/requests/denylist.ts';
import { newTables } from '../../support/engine/new-tables.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { createMemoryDenylist } from '../../support/memory/denylist.ts';

const engine = useEngine();

const inTable = async () => {
  const access = await newTables(engine, ['Requests']);
  return { ...createDenylistReader(access), ...createDenylistWriter(access), access };
};

const stores: [string, () => Promise<Denylist>][] = [
  ['in the table', inTable],
  ['in memory', async () => createMemoryDenylist()],
];

const end = new Date('2026-03-01T13:00:00.250Z');
const before = new Date(end.getTime() - 1);

describe.each(stores)('the denylist %s', (_where, open) => {
  test('R-42 S-60 has a token by its id until it expires, whenever the entry is removed', async () => {
    const denylist = await open();
    await denylist.add({ jti: 's1.a', expiresAtMs: end.getTime() });

    expect([await denylist.has('s1.a', before), await denylist.has('s1.a', end)]).toEqual([true, false]);
    expect([await denylist.has('s1.b', before), await denylist.has('s1.', before)]).toEqual([false, false]);
  });

  test('V-07 has a token once that is revoked twice', async () => {
    const denylist = await open();
    const token = { jti: 's1.a', expiresAtMs: end.getTime() };

    await Promise.all([denylist.add(token), denylist.add(token)]);

    expect(await denylist.has('s1.a', before)).toBe(true);
  });
});

test('an entry has an expiry', async () => {
  const { add, access } = await inTable();
  await add({ jti: 's1.a', expiresAtMs: end.getTime() });

  const Key = { pk: 'REVOKED#s1.a', sk: '0' };
  const { Item } = await engine.documents.send(new GetCommand({ TableName: access.requestsTable, Key }));

  expect(Item).toEqual({ ...Key, expiresAtMs: end.getTime(), expiresAt: 1_772_370_001 });
});
