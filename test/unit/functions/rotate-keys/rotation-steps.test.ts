import { describe, expect, test } from '@jest/globals';
import type { JWK } from 'jose';
import { ensureKeys } from '../../../../functions/rotate-keys/create-keys.ts';
import { createHandler } from '../../../../functions/rotate-keys/handler.ts';
import { generateKey, pepperText } from '../../../../functions/rotate-keys/key-material.ts';
import { createRotationStep, type RotationEvent } from '../../../../functions/rotate-keys/rotation-steps.ts';
import type { KeyKind } from '../../../../functions/shared/domain/keys/key-ring.ts';
import { remove } from '../../../../functions/shared/domain/keys/rotation.ts';
import { aClock } from '../../../support/builders/manual-clock.ts';
import { createMemoryRings } from '../../../support/memory/key-rings.ts';
import { createMemorySecrets } from '../../../support/memory/versioned-secrets.ts';

const secretIds = { access: 'arn:access', session: 'arn:session', pepper: 'arn:pepper' };
const steps = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const;
const version = (number: number) => `version-${number}`;

/** Keys of P-256 for all kinds: they are made in no time. */
const quickKey = async (_alg: string, kid?: string) => generateKey('ES256', kid);

/** The function over stores in memory, once keys were created. */
const setUp = async () => {
  const clock = aClock('1970-01-01T00:00:00.000Z');
  const logged: unknown[] = [];
  let byte = 0;
  const deps = {
    secrets: createMemorySecrets({ [secretIds.pepper]: 'drawn'.repeat(8) }),
    rings: createMemoryRings(),
    generateKey: quickKey,
    random: (size: number) => new Uint8Array(size).fill(++byte),
    clock: clock.now,
    log: (name: string, facts: object) => void logged.push({ name, ...facts }),
    createUserKey: async () => {},
    secretIds,
  };
  await ensureKeys(deps);
  const step = createRotationStep(deps);
  const rotate = async (kind: KeyKind, number: number, by = step) => {
    for (const Step of steps)
      await by({ Step, SecretId: secretIds[kind], ClientRequestToken: version(number) });
  };
  const kidsIn = async (kind: KeyKind) => {
    const { keys = [], peppers = {} } = JSON.parse((await deps.secrets.read(secretIds[kind])) ?? '');
    return kind === 'pepper' ? Object.keys(peppers) : (keys as JWK[]).map(({ kid }) => kid);
  };
  const kidsOf = async (kind: KeyKind) => (await deps.rings.read(kind))?.entries.map(({ kid }) => kid) ?? [];
  const rotateHourly = async (kind: KeyKind, times: number) => {
    for (let number = 1; number <= times; number += 1) {
      clock.pass({ seconds: 3600 });
      await rotate(kind, number);
    }
  };
  const removeKey = async (kind: KeyKind, kid: string) => {
    const ring = await deps.rings.read(kind);
    const removed = ring && remove(ring, kid, { nowMs: 0, times: { publishedMs: 1 } });
    if (removed?.ok) await deps.rings.replace(kind, removed.value);
  };
  return { deps, clock, step, rotate, rotateHourly, removeKey, kidsIn, kidsOf, logged };
};

describe('a rotation of signing keys', () => {
  test('TOK-3 signs with the standby key, and publishes a new one that the secret already holds', async () => {
    const { deps, clock, rotate, kidsIn, kidsOf, logged } = await setUp();
    const [first, second] = await kidsOf('access');
    clock.pass({ seconds: 3600 });

    await rotate('access', 1);

    const ring = await deps.rings.read('access');
    expect(ring).toMatchObject({ revision: 2, rotation: 'version-1' });
    expect(ring?.entries).toMatchObject([
      // 3,600 s from its creation to the rotation, as many of a token's life, 60 s of clocks and 60 s until all know.
      { kid: first, signsFromMs: 0, retiresAtMs: 7_320_000 },
      { kid: second, signsFromMs: 3_600_000 },
      { kid: 'version-1', jwk: { kid: 'version-1', kty: 'EC' }, madeAtMs: 3_600_000 },
    ]);
    expect(JSON.stringify(ring)).not.toContain('"d"');
    expect(await kidsIn('access')).toEqual([first, second, 'version-1']);
    expect(logged).toEqual([{ name: 'keysRotated', keyKind: 'access', kid: 'version-1' }]);
  });

  test('M-08 a new key signs 600 s after it was created, twice the time that caches may keep the key set', async () => {
    const { deps, clock, rotate } = await setUp();
    clock.pass({ seconds: 1 });

    await rotate('session', 1);

    expect((await deps.rings.read('session'))?.entries[1]?.signsFromMs).toBe(600_000);
  });

  test('TH-24 private keys that no longer sign are removed from the secret', async () => {
    const { rotateHourly, kidsIn, kidsOf } = await setUp();

    await rotateHourly('access', 3);

    expect(await kidsIn('access')).toEqual(['version-1', 'version-2', 'version-3']);
    expect(await kidsOf('access')).toEqual([expect.any(String), 'version-1', 'version-2', 'version-3']);
  });

  const late = { Step: 'finishSecret', SecretId: secretIds.access, ClientRequestToken: 'version-1' } as const;

  test('M-10 a rotation that ends after its key was removed does not bring it back', async () => {
    const { rotate, removeKey, step, kidsOf } = await setUp();
    await rotate('access', 1);
    await removeKey('access', 'version-1');

    await step(late);

    expect(await kidsOf('access')).not.toContain('version-1');
  });

  test('M-10 a late step, after another rotation, brings no removed key back', async () => {
    const { rotateHourly, removeKey, step, kidsOf, kidsIn } = await setUp();
    await rotateHourly('access', 2);
    await removeKey('access', 'version-1');
    const before = [await kidsOf('access'), await kidsIn('access')];

    await expect(step(late)).rejects.toThrow('Another rotation came after this one');

    expect([await kidsOf('access'), await kidsIn('access')]).toEqual(before);
  });
});

test('TOK-2 a rotation of the pepper keeps all former ones, so that no client secret ends, but one that was removed', async () => {
  const { clock, rotate, removeKey, kidsIn, kidsOf } = await setUp();
  for (const number of [1, 2]) {
    clock.pass({ seconds: 86_400 * 365 });
    await rotate('pepper', number);
  }

  expect(await kidsIn('pepper')).toEqual(['0', expect.any(String), 'version-1', 'version-2']);
  expect(await kidsOf('pepper')).toEqual(await kidsIn('pepper'));
  await removeKey('pepper', '0');
  await rotate('pepper', 3);
  expect(await kidsIn('pepper')).toEqual([expect.any(String), 'version-1', 'version-2', 'version-3']);
  expect(await kidsOf('pepper')).toEqual(await kidsIn('pepper'));
});

/** The stores with one call that fails, before or after it was carried out. */
const dying = <Deps extends { secrets: object; rings: object }>(
  deps: Deps,
  at: number,
  when: string,
): Deps => {
  let calls = 0;
  const wrap = <Store extends object>(store: Store): Store =>
    Object.fromEntries(
      Object.entries(store).map(([name, method]) => [
        name,
        async (...args: unknown[]) => {
          calls += 1;
          if (calls === at && when === 'before') throw new Error('died');
          const answer = await method(...args);
          if (calls === at) throw new Error('died');
          return answer;
        },
      ]),
    ) as Store;
  return { ...deps, secrets: wrap(deps.secrets), rings: wrap(deps.rings) };
};

describe('TOK-3 a rotation that dies', () => {
  const calls = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  const deaths = calls.flatMap((at) => [['before', at] as const, ['after', at] as const]);

  test.each(deaths)('%s call %i and is repeated has the same result', async (when, at) => {
    const { deps, clock, rotate, kidsOf, kidsIn } = await setUp();
    clock.pass({ seconds: 3600 });
    const mortal = createRotationStep(dying(deps, at, when));

    await expect(rotate('access', 1, mortal)).rejects.toThrow('died');
    // At any moment the ring names only keys that the secret holds.
    expect(await kidsIn('access')).toEqual(expect.arrayContaining((await kidsOf('access')).slice(1)));
    await rotate('access', 1, mortal);

    expect((await kidsOf('access')).slice(2)).toEqual(['version-1']);
    expect((await kidsIn('access')).slice(2)).toEqual(['version-1']);
    expect((await deps.rings.read('access'))?.revision).toBe(2);
  });

  test('a whole rotation takes nine calls', async () => {
    const { deps, rotate } = await setUp();
    const call = (at: number) => rotate('access', at, createRotationStep(dying(deps, at, 'before')));

    await expect(call(9)).rejects.toThrow('died');
    await expect(call(10)).resolves.toBeUndefined();
  });
});

describe('testSecret', () => {
  const about = { Step: 'testSecret', ClientRequestToken: version(1) } as const;

  test('tries the current keys if the version has none, as Secrets Manager asks at a deployment', async () => {
    const { step } = await setUp();
    await expect(step({ ...about, SecretId: secretIds.access })).resolves.toBeUndefined();
  });

  test.each([
    ['a key whose halves do not belong together', secretIds.access, 'A key does not verify what it signs'],
    ['a pepper of fewer than 32 characters', secretIds.pepper, 'A pepper is too short'],
    ['a secret that is not ours', 'arn:other', 'This secret holds no keys'],
  ])('refuses %s', async (_, SecretId, message) => {
    const { deps, step } = await setUp();
    const [one, other] = [await generateKey('RS256', 'a'), await generateKey('RS256', 'a')];
    const mixed = JSON.stringify({ keys: [{ ...one, n: other.n }] });
    await deps.secrets.writePending(secretIds.access, version(1), mixed);
    const short = pepperText(new Map([['0', 'x'.repeat(31)]]));
    await deps.secrets.writePending(secretIds.pepper, version(1), short);

    await expect(step({ ...about, SecretId })).rejects.toThrow(message);
  });
});

test('TOK-3 a failed step is logged by its kind and fails the rotation', async () => {
  const lines: unknown[] = [];
  const handler = createHandler({
    create: async () => {},
    step: () => Promise.reject(new TypeError('may quote a secret')),
    putResponse: async () => {},
    isResponseAddress: () => true,
    log: (name, facts, fault) => void lines.push([name, facts, fault]),
  });
  const event: RotationEvent = { Step: 'setSecret', SecretId: 'a', ClientRequestToken: 'b' };

  await expect(handler(event)).rejects.toThrow(TypeError);
  expect(lines).toEqual([['keysFailed', {}, expect.any(TypeError)]]);
});
