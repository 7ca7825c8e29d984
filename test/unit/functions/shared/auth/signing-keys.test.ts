import { describe, expect, test } from '@jest/globals';
import type { JWK } from 'jose';
import { createPepperReader } from '../../../../../functions/shared/auth/peppers.ts';
import { createSigningKeys } from '../../../../../functions/shared/auth/signing-keys.ts';
import { createKeySet } from '../../../../../functions/shared/auth/verification-key.ts';
import { firstRing, type KeyRing } from '../../../../../functions/shared/domain/keys/key-ring.ts';
import { remove, rotate } from '../../../../../functions/shared/domain/keys/rotation.ts';
import { cached } from '../../../../../functions/shared/runtime/cached.ts';
import { ringKeptMs } from '../../../../../functions/shared/store/keys/ring-reader.ts';
import { createSecretReader } from '../../../../../functions/shared/store/secrets/secrets.ts';
import { aClock } from '../../../../support/builders/manual-clock.ts';

const aKey = (kid: string): JWK => ({ kty: 'EC', kid, alg: 'ES256', crv: 'P-256', x: 'x', y: 'y', d: 'd' });

/** A ring and a secret that a test changes, as a function reads them. */
const setUp = (ring: KeyRing, text: string) => {
  const clock = aClock('1970-01-01T00:00:00.000Z');
  const stored = { ring, text, reads: 0 };
  const store = {
    read: async () => {
      stored.reads += 1;
      return stored.text;
    },
    write: async () => undefined,
  };
  const readSecret = createSecretReader(store, 'id', clock.now);
  const readRing = async () => stored.ring;
  return { stored, clock, deps: { readRing, readSecret, clock: clock.now, onFault: () => {} } };
};

const ringOf = (...kids: string[]) =>
  firstRing(
    kids.map((kid) => ({ kid })),
    0,
  );
const keysText = (...kids: string[]) => JSON.stringify({ keys: kids.map(aKey) });

describe('the key that signs', () => {
  const opened = (ring: KeyRing, text: string) => {
    const { deps, ...rest } = setUp(ring, text);
    const { active } = createSigningKeys(deps);
    return { ...rest, active, kid: async () => (await active()).kid };
  };

  test('M-08 is the newest whose time has come; time alone brings the next one', async () => {
    const ring = ringOf('a', 'b');
    const [a, b] = ring.entries as [KeyRing['entries'][0], KeyRing['entries'][0]];
    const { kid, clock } = opened(
      {
        ...ring,
        entries: [
          { ...a, retiresAtMs: 90_000 },
          { ...b, signsFromMs: 60_000 },
        ],
      },
      keysText('a', 'b'),
    );

    expect(await kid()).toBe('a');
    clock.pass({ ms: 59_999 });
    expect(await kid()).toBe('a');
    clock.pass({ ms: 1 });
    expect(await kid()).toBe('b');
  });

  test('M-10 is read from the secret again if the cached secret lacks it, at most once in 10 s', async () => {
    const { kid, stored, clock } = opened(ringOf('a', 'b'), keysText('a', 'b'));
    expect(await kid()).toBe('a');
    stored.ring = ringOf('c', 'b');

    expect([await kid(), await kid(), stored.reads]).toEqual(['b', 'b', 1]);
    clock.pass({ seconds: 10 });
    expect([await kid(), await kid(), stored.reads]).toEqual(['b', 'b', 2]);
    stored.text = keysText('c', 'b');
    clock.pass({ seconds: 10 });
    expect([await kid(), await kid(), stored.reads]).toEqual(['c', 'c', 3]);
  });

  test('M-10 is always one of the key ring, S-70 and its absence is logged', async () => {
    const { deps } = setUp(ringOf('c'), keysText('a', 'b'));
    const heard: unknown[] = [];
    const { active } = createSigningKeys({ ...deps, onFault: (fault) => heard.push(fault) });

    await expect(active()).rejects.toThrow('The secret holds no signing keys');
    expect(heard).toEqual([new Error('The secret holds no signing keys')]);
  });

  test('M-10 takes over at once after a removal, and every verifier knows it 20 s later', async () => {
    const publicKey = (kid: string) => ({ kid, jwk: { kty: 'EC', kid, alg: 'ES256' } });
    const first = firstRing([publicKey('a'), publicKey('b')], 0);
    const { kid, stored, clock } = opened(first, keysText('a', 'b', 'c'));
    const readRing = cached(async () => stored.ring, { forMs: ringKeptMs, clock: clock.now });
    const find = createKeySet({ readRing, clock: clock.now });
    await find('a');
    clock.pass({ seconds: 1 });
    const about = { nowMs: clock.now().getTime(), times: { publishedMs: 0 } };
    const rotated = rotate(first, publicKey('c'), { rotation: 'r', ...about });
    const removed = remove(rotated, 'b', about);
    if (removed.ok) stored.ring = removed.value;

    expect(await kid()).toBe('c');
    expect(await find('c')).toBeUndefined();
    clock.pass({ seconds: 19 });
    expect([await find('b'), (await find('c'))?.jwk.kid]).toEqual([undefined, 'c']);
  });

  test('is parsed once for each text of the secret', async () => {
    const { active } = opened(ringOf('a'), keysText('a'));

    expect((await active()).jwk).toBe((await active()).jwk);
  });
});

describe('peppers', () => {
  test('TOK-2 a drawn text is the first one', async () => {
    const { deps } = setUp(ringOf('0', 'b'), 'drawn');

    expect(await createPepperReader(deps)()).toEqual({ newest: '0', texts: new Map([['0', 'drawn']]) });
  });

  test('M-08 the newest whose time has come is used, and all of the ring count', async () => {
    const ring = ringOf('0', 'b', 'c');
    const entries = ring.entries.map((entry) => (entry.kid === 'b' ? { ...entry, signsFromMs: 10 } : entry));
    const { deps, clock } = setUp(
      { ...ring, entries },
      '{"peppers":{"0":"zero","b":"bee","c":"see","x":"ex"}}',
    );
    const read = createPepperReader(deps);
    const texts = new Map([
      ['0', 'zero'],
      ['b', 'bee'],
      ['c', 'see'],
    ]);

    expect(await read()).toEqual({ newest: '0', texts });
    clock.pass({ ms: 10 });
    expect(await read()).toEqual({ newest: 'b', texts });
  });

  test('M-10 a pepper that the cached secret lacks is read again; a secret without any is a fault', async () => {
    const { deps, stored, clock } = setUp(ringOf('0'), 'drawn');
    const read = createPepperReader(deps);
    await read();
    stored.ring = ringOf('0', 'b');
    stored.text = '{"peppers":{"0":"drawn","b":"bee"}}';
    clock.pass({ seconds: 10 });

    expect((await read()).texts.get('b')).toBe('bee');
    stored.ring = ringOf('c');
    await expect(read()).rejects.toThrow('The secret holds no pepper of the ring');
  });
});
