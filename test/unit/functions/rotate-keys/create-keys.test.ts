import { describe, expect, test } from '@jest/globals';
import type { JWK } from 'jose';
import { ensureKeys } from '../../../../functions/rotate-keys/create-keys.ts';
import {
  asCustomResource,
  type CustomResourceEvent,
} from '../../../../functions/rotate-keys/custom-resource.ts';
import { createMaterial, generateKey } from '../../../../functions/rotate-keys/key-material.ts';
import type { KeyKind } from '../../../../functions/shared/domain/keys/key-ring.ts';
import { createMemoryRings } from '../../../support/memory/key-rings.ts';

const publicKey = (kid: string) => ({ kty: 'RSA', kid, use: 'sig', alg: 'RS256', n: 'n', e: 'AQAB' });
const aKey = (kid: string): JWK => ({ ...publicKey(kid), d: 'private' });

const setUp = (initial: Record<string, string> = {}) => {
  const texts = new Map(Object.entries({ pepper: 'drawn', ...initial }));
  const rings = createMemoryRings();
  let made = 0;
  const deps = {
    secrets: {
      read: async (id: string) => texts.get(id),
      write: async (id: string, text: string) => void texts.set(id, text),
    },
    rings,
    generateKey: async (alg: 'RS256' | 'ES256') => ({ ...aKey(`${alg}-${++made}`), alg }),
    random: (size: number) => new Uint8Array(size).fill(++made),
    clock: () => new Date(5),
    createUserKey: async () => {},
    secretIds: { access: 'access', session: 'session', pepper: 'pepper' },
  };
  const kidsIn = (id: string) =>
    (JSON.parse(texts.get(id) ?? '') as { keys: JWK[] }).keys.map(({ kid }) => kid);
  const kidsOf = async (kind: KeyKind) => (await rings.read(kind))?.entries.map(({ kid }) => kid);
  return { deps, texts, rings, kidsIn, kidsOf };
};

describe('TOK-3: keys are created', () => {
  test('two of each kind; the first of each ring signs, and nothing private is published', async () => {
    const { deps, rings, kidsIn, kidsOf, texts } = setUp();

    await ensureKeys(deps);

    expect(kidsIn('access')).toEqual(['RS256-1', 'RS256-2']);
    expect(await rings.read('access')).toEqual({
      revision: 1,
      entries: [
        { kid: 'RS256-1', jwk: publicKey('RS256-1'), madeAtMs: 5, signsFromMs: 5 },
        { kid: 'RS256-2', jwk: publicKey('RS256-2'), madeAtMs: 5 },
      ],
    });
    expect([kidsIn('session'), await kidsOf('session')]).toEqual([
      ['ES256-3', 'ES256-4'],
      ['ES256-3', 'ES256-4'],
    ]);
    expect(texts.get('pepper')).toBe(`{"peppers":{"0":"drawn","${'F'.repeat(8)}":"${'G'.repeat(64)}"}}`);
    expect(await rings.read('pepper')).toEqual({
      revision: 1,
      entries: [
        { kid: '0', madeAtMs: 5, signsFromMs: 5 },
        { kid: 'FFFFFFFF', madeAtMs: 5 },
      ],
    });
  });

  test('only if there are none: a second invocation changes nothing', async () => {
    const { deps, texts, kidsOf } = setUp();
    const state = async () => [new Map(texts), await kidsOf('access'), await kidsOf('pepper')];
    await ensureKeys(deps);
    const before = await state();

    await ensureKeys(deps);

    expect(await state()).toEqual(before);
  });

  test('after a death behind the write of the secret, the next invocation publishes its keys', async () => {
    const { deps, rings, kidsIn, kidsOf } = setUp();
    const dying = { ...rings, replace: async () => Promise.reject(new Error('died')) };
    await expect(ensureKeys({ ...deps, rings: dying })).rejects.toThrow('died');

    await ensureKeys(deps);

    expect(kidsIn('access')).toEqual(['RS256-1', 'RS256-2']);
    expect(await kidsOf('access')).toEqual(['RS256-1', 'RS256-2']);
  });

  test.each(['', 'generated-placeholder', '{}', 'null', '7', '{"keys":[]}', '{"keys":[null]}'])(
    'if the secret holds %j',
    async (access) => {
      const { deps, kidsIn } = setUp({ access });
      await ensureKeys(deps);
      expect(kidsIn('access')).toHaveLength(2);
    },
  );

  test('but existing keys that cannot be read are never overwritten', async () => {
    const broken = JSON.stringify({ keys: [{ ...aKey('a'), alg: undefined }] });
    const { deps, texts } = setUp({ access: broken });

    await expect(ensureKeys(deps)).rejects.toThrow('A secret holds keys that cannot be read');
    expect(texts.get('access')).toBe(broken);
  });

  test('J-14: RSA keys have 2,048 bits, session keys are on P-256', async () => {
    const rsa = await generateKey('RS256');
    expect(rsa).toMatchObject({ kty: 'RSA', alg: 'RS256', use: 'sig', e: 'AQAB', kid: expect.any(String) });
    expect(Buffer.from(rsa.n ?? '', 'base64url')).toHaveLength(256);
    expect(await generateKey('ES256')).toMatchObject({ kty: 'EC', alg: 'ES256', crv: 'P-256', use: 'sig' });
  });

  test('J-14 access tokens are signed with RS256, session tokens with ES256', async () => {
    const material = createMaterial({ generateKey, random: (size) => new Uint8Array(size) });
    const algorithmOf = async (kind: 'access' | 'session') => {
      const ring = { revision: 1, rotation: 'r', entries: [] };
      const former = JSON.stringify({ keys: [await generateKey('ES256', 'former')] });
      const text = await material[kind].withFresh(former, { kid: 'k', ring, nowMs: 0 });
      return material[kind].keysOf(text).map(({ jwk }) => jwk?.alg);
    };

    expect([await algorithmOf('access'), await algorithmOf('session')]).toEqual([['RS256'], ['ES256']]);
  });
});

describe('as a custom resource', () => {
  const event = { StackId: 'stack', RequestId: 'request', LogicalResourceId: 'Keys' };
  const ResponseURL = 'https://answer.example/signed';
  const asked = (work: () => Promise<void>, request: CustomResourceEvent) => {
    const sent: [string, unknown][] = [];
    const faults: unknown[] = [];
    const handler = asCustomResource({
      work,
      putResponse: async (url, body) => void sent.push([url, JSON.parse(body)]),
      isResponseAddress: (url) => url === ResponseURL,
      reportFault: (fault) => faults.push(fault),
    });
    return { answered: handler(request), sent, faults };
  };
  const succeeding = async () => undefined;
  const failing = () => Promise.reject(new TypeError('text that may quote a secret'));
  const success = { Status: 'SUCCESS', Reason: 'Signing keys exist', PhysicalResourceId: 'signing-keys' };
  // The kind of a fault alone, since its text may quote a secret.
  const failure = { ...success, Status: 'FAILED', Reason: 'Signing keys could not be created: TypeError' };

  test.each<[CustomResourceEvent['RequestType'], string, () => Promise<void>, object, number]>([
    ['Create', 'that works', succeeding, success, 0],
    ['Update', 'that works', succeeding, success, 0],
    ['Delete', 'that works', succeeding, success, 0],
    ['Create', 'that fails', failing, failure, 1],
    ['Delete', 'without any work', failing, success, 0],
  ])('%s %s is answered', async (RequestType, _how, work, answer, faulty) => {
    const { answered, sent, faults } = asked(work, { ...event, RequestType, ResponseURL });
    await answered;

    expect(sent).toEqual([[ResponseURL, { ...answer, ...event }]]);
    expect(faults).toEqual(Array(faulty).fill(expect.any(TypeError)));
  });

  test('keeps the name that it was given', async () => {
    const request = { ...event, RequestType: 'Delete', ResponseURL, PhysicalResourceId: 'earlier' } as const;
    const { answered, sent } = asked(failing, request);
    await answered;

    expect(sent[0]?.[1]).toMatchObject({ PhysicalResourceId: 'earlier' });
  });

  test.each(['Create', 'Delete'] as const)(
    'TOK-7 %s with an address outside CloudFormation does and sends nothing',
    async (RequestType) => {
      let works = 0;
      const work = async () => {
        works += 1;
      };
      const request = { ...event, RequestType, ResponseURL: 'https://other.example/' };
      const { answered, sent, faults } = asked(work, request);

      await expect(answered).rejects.toThrow('The ResponseURL does not belong to CloudFormation');

      expect([works, sent, faults.length]).toEqual([0, [], 1]);
    },
  );

  test('a direct invocation returns or throws, and sends nothing', async () => {
    const { answered, sent } = asked(succeeding, { RequestType: 'Create' });
    await answered;

    expect(sent).toEqual([]);
    await expect(asked(failing, { RequestType: 'Create' }).answered).rejects.toThrow(TypeError);
  });
});
