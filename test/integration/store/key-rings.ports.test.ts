import { describe, expect, test } from '@jest/globals';
import { firstRing } from '../../../functions/shared/domain/keys/key-ring.ts';
import {
  createPresentRingReader,
  createRingReader,
} from '../../../functions/shared/store/keys/ring-reader.ts';
import { createRingStore, type RingStore } from '../../../functions/shared/store/keys/ring-store.ts';
import { aClock } from '../../support/builders/manual-clock.ts';
import { newTables } from '../../support/engine/new-tables.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { createMemoryRings } from '../../support/memory/key-rings.ts';

const engine = useEngine();
const newTable = () => newTables(engine, ['Partners']);

const stores: [string, () => Promise<RingStore>][] = [
  ['in the table', async () => createRingStore(await newTable())],
  ['in memory', async () => createMemoryRings()],
];

const jwk = { kty: 'RSA', kid: 'a', alg: 'RS256', use: 'sig', n: 'n', e: 'AQAB' };
const ring = firstRing([{ kid: 'a', jwk }, { kid: 'b' }], 5);
const next = { ...ring, revision: 2, rotation: 'r', entries: ring.entries.slice(1) };

describe.each(stores)('rings %s', (_where, open) => {
  test('TOK-3 a ring is stored unchanged, each kind separately', async () => {
    const store = await open();

    expect(await store.read('access')).toBeUndefined();
    expect(await store.replace('access', ring)).toEqual({ ok: true, value: ring });
    expect(await store.read('access')).toEqual({
      revision: 1,
      entries: [
        { kid: 'a', jwk, madeAtMs: 5, signsFromMs: 5 },
        { kid: 'b', madeAtMs: 5 },
      ],
    });
    expect(await store.read('session')).toBeUndefined();
    expect(await store.replace('access', next)).toEqual({ ok: true, value: next });
    expect(await store.read('access')).toEqual(next);
  });

  test('TOK-3 of two changes of the same ring the later one is refused: no key is lost unseen', async () => {
    const store = await open();
    const refused = { ok: false, reason: 'changed-meanwhile' };

    expect(await store.replace('pepper', next)).toEqual(refused);
    await store.replace('pepper', ring);
    expect(await store.replace('pepper', ring)).toEqual(refused);
    expect(await store.replace('pepper', { ...next, revision: 3 })).toEqual(refused);
    await store.replace('pepper', next);
    expect(await store.replace('pepper', { ...next, entries: [] })).toEqual(refused);
    expect(await store.read('pepper')).toEqual(next);
  });
});

test('M-10 a caller that needs the present ring reads it', async () => {
  const table = await newTable();
  const read = createPresentRingReader(table, 'access');

  await createRingStore(table).replace('access', ring);
  expect(await read()).toEqual(ring);
  await createRingStore(table).replace('access', next);
  expect(await read()).toEqual(next);
});

test('M-10 a ring is read again after 20 s, and one that was never published is a fault', async () => {
  const { now: clock, pass } = aClock();
  const table = await newTable();
  const read = createRingReader({ ...table, clock }, 'session');

  await expect(read()).rejects.toThrow('No ring of session keys is published');
  await createRingStore(table).replace('session', ring);
  expect(await read()).toEqual(ring);
  await createRingStore(table).replace('session', next);
  pass({ ms: 19_999 });
  expect(await read()).toEqual(ring);
  pass({ ms: 1 });
  expect(await read()).toEqual(next);
});
