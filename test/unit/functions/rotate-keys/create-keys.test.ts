import { describe, expect, test } from '@jest/globals';
import type { JWK } from 'jose';
import { ensureKeys } from '../../../../functions/rotate-keys/create-keys.ts';
import { asCustomResource } from '../../../../functions/rotate-keys/custom-resource.ts';
import { generateKey } from '../../../../functions/rotate-keys/key-material.ts';
import { createMemoryRings } from '../../../support/memory/key-rings.ts';

const aKey = (kid: string): JWK => ({
  kty: 'RSA',
  kid,
  alg: 'RS256',
  use: 'sig',
  n: 'n',
  e: 'AQAB',
  d: 'private',
});

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
  const stored = (id: string) => JSON.parse(texts.get(id) ?? '') as { keys: JWK[] };
  return { deps, texts, rings, stored, made: () => made };
};

const publicKey = (kid: string) => ({ kty: 'RSA', kid, use: 'sig', alg: 'RS256', n: 'n', e: 'AQAB' });

describe('TOK-3: keys are created', () => {
  test('two of each kind; the first of each ring signs, and nothing private is published', async () => {
    const { deps, rings, stored, texts } = setUp();

    await ensureKeys(deps);

    expect(stored('access').keys.map(({ kid }) => kid)).toEqual(['RS256-1', 'RS256-2']);
    expect(await rings.read('access')).toEqual({
      revision: 1,
      entries: [
        { kid: 'RS256-1', jwk: publicKey('RS256-1'), madeAtMs: 5, signsFromMs: 5 },
        { kid: 'RS256-2', jwk: publicKey('RS256-2'), madeAtMs: 5 },
      ],
    });
    expect(stored('session').keys.map(({ kid }) => kid)).toEqual(['ES256-3', 'ES256-4']);
    expect((await rings.read('session'))?.entries.map(({ kid }) => kid)).toEqual(['ES256-3', 'ES256-4']);
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
    const { deps, texts, rings, made } = setUp();
    await ensureKeys(deps);
    const before = [new Map(texts), await rings.read('access'), await rings.read('pepper'), made()];

    await ensureKeys(deps);

    expect([texts, await rings.read('access'), await rings.read('pepper'), made()]).toEqual(before);
  });

  test('after a death behind the write of the secret, the next invocation publishes its keys', async () => {
    const { deps, rings, stored } = setUp();
    const dying = { ...rings, replace: async () => Promise.reject(new Error('died')) };
    await expect(ensureKeys({ ...deps, rings: dying })).rejects.toThrow('died');

    await ensureKeys(deps);

    expect(stored('access').keys.map(({ kid }) => kid)).toEqual(['RS256-1', 'RS256-2']);
    expect((await rings.read('access'))?.entries.map(({ kid }) => kid)).toEqual(['RS256-1', 'RS256-2']);
  });

  test.each(['', 'generated-placeholder', '{}', 'null', '7', '{"keys":[]}', '{"keys":[null]}'])(
    'if the secret holds %j',
    async (text) => {
      const { deps, stored } = setUp({ access: text });
      await ensureKeys(deps);
      expect(stored('access').keys).toHaveLength(2);
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
});

describe('as a custom resource', () => {
  const event = { StackId: 'stack', RequestId: 'request', LogicalResourceId: 'Keys' };
  const ResponseURL = 'https://answer.example/signed';
  const setUpResource = (work: () => Promise<void>) => {
    const sent: [string, unknown][] = [];
    const faults: unknown[] = [];
    const handler = asCustomResource({
      work,
      putResponse: async (url, body) => void sent.push([url, JSON.parse(body)]),
      isResponseAddress: (url) => url === ResponseURL,
      reportFault: (fault) => faults.push(fault),
    });
    return { handler, sent, faults };
  };
  const succeeding = async () => undefined;
  const failing = async () => {
    throw new TypeError('text that may quote a secret');
  };

  test.each(['Create', 'Update', 'Delete'] as const)('%s sends SUCCESS', async (RequestType) => {
    const { handler, sent } = setUpResource(succeeding);
    await handler({ ...event, RequestType, ResponseURL });
    expect(sent).toEqual([
      [
        ResponseURL,
        {
          Status: 'SUCCESS',
          Reason: 'Signing keys exist',
          PhysicalResourceId: 'signing-keys',
          ...event,
        },
      ],
    ]);
  });

  test('Create that fails sends FAILED with only the kind of the fault', async () => {
    const { handler, sent, faults } = setUpResource(failing);
    await handler({ ...event, RequestType: 'Create', ResponseURL });

    expect(sent[0]?.[1]).toMatchObject({
      Status: 'FAILED',
      Reason: 'Signing keys could not be created: TypeError',
    });
    expect(faults).toEqual([expect.any(TypeError)]);
  });

  test.each(['Create', 'Delete'] as const)(
    'TOK-7 %s with an address outside CloudFormation does and sends nothing',
    async (RequestType) => {
      let works = 0;
      const { handler, sent, faults } = setUpResource(async () => {
        works += 1;
      });

      await expect(handler({ ...event, RequestType, ResponseURL: 'https://other.example/' })).rejects.toThrow(
        'The ResponseURL does not belong to CloudFormation',
      );

      expect([works, sent, faults.length]).toEqual([0, [], 1]);
    },
  );

  test('Delete never fails and keeps its physical id', async () => {
    const { handler, sent } = setUpResource(failing);
    await handler({ ...event, RequestType: 'Delete', ResponseURL, PhysicalResourceId: 'earlier' });
    expect(sent[0]?.[1]).toMatchObject({ Status: 'SUCCESS', PhysicalResourceId: 'earlier' });
  });

  test('a direct invocation returns or throws, and sends nothing', async () => {
    const { handler, sent } = setUpResource(succeeding);
    await handler({ RequestType: 'Create' });
    expect(sent).toEqual([]);
    await expect(setUpResource(failing).handler({ RequestType: 'Create' })).rejects.toThrow(TypeError);
  });
});
