import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Sha256 as SdkSha256 } from '@smithy/core/checksum';
import fc from 'fast-check';
import { defaultProvider } from '../../../../../../functions/shared/runtime/sdk/environment-credentials.ts';
import {
  NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS,
  resolveEndpointDiscoveryConfig,
} from '../../../../../../functions/shared/runtime/sdk/no-endpoint-discovery.ts';
import { Md5, Sha256 } from '../../../../../../functions/shared/runtime/sdk/node-checksums.ts';
import { propertyRun } from '../../../../../support/builders/property-run.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe('credentials of a function', () => {
  test('are those of its environment', async () => {
    const environment = {
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'key',
      AWS_SESSION_TOKEN: 'session',
    };

    const credentials = await defaultProvider({}, environment)();

    expect(credentials).toEqual({ accessKeyId: 'id', secretAccessKey: 'key', sessionToken: 'session' });
  });

  test('have no session token where there is none', async () => {
    const credentials = await defaultProvider(
      {},
      { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key' },
    )();

    expect(credentials).toEqual({ accessKeyId: 'id', secretAccessKey: 'key' });
  });

  test('are missed at once, not sought elsewhere', async () => {
    await expect(defaultProvider({}, {})()).rejects.toThrow('No AWS credentials in the environment');
  });
});

describe('SHA-256', () => {
  test('of text is that of FIPS 180-2, "abc"', async () => {
    const hash = new Sha256();
    hash.update('abc');

    expect(hex(await hash.digest())).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  test('with a key is HMAC of RFC 4231, test case 2', async () => {
    const hash = new Sha256('Jefe');
    hash.update('what do ya want for nothing?');

    expect(hex(await hash.digest())).toBe('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843');
  });

  test('takes bytes, part of a larger buffer too, and starts anew after reset', async () => {
    const hash = new Sha256(new Uint8Array([1, 2, 3]).buffer);
    hash.update('forgotten');
    hash.reset();
    hash.update(new Uint8Array([9, 8, 7, 6]).subarray(1, 3));

    const expected = createHmac('sha256', Buffer.from([1, 2, 3]))
      .update(Buffer.from([8, 7]))
      .digest('hex');
    expect(hex(await hash.digest())).toBe(expected);
  });

  test('is that of the SDK for any key and data', async () => {
    const keyAndParts = fc.tuple(
      fc.option(fc.uint8Array({ minLength: 1 }), { nil: undefined }),
      fc.array(fc.uint8Array()),
    );

    await fc.assert(
      fc.asyncProperty(keyAndParts, async ([key, parts]) => {
        expect(await digestBy(new Sha256(key), parts)).toBe(await digestBy(new SdkSha256(key), parts));
      }),
      propertyRun('checksums', 500),
    );
  });
});

describe('MD5', () => {
  test('of text is that of RFC 1321, "abc"', async () => {
    const hash = new Md5();
    hash.update('ab');
    hash.update('c');

    expect(hex(await hash.digest())).toBe('900150983cd24fb0d6963f7d28e17f72');
  });
});

describe('endpoint discovery', () => {
  test('stays off, whatever the environment says', async () => {
    expect(NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS.environmentVariableSelector()).toBeUndefined();
    expect(await resolveEndpointDiscoveryConfig({}).endpointDiscoveryEnabled()).toBe(false);
  });
});

const digestBy = async (hash: Pick<Sha256, 'update' | 'digest'>, parts: Uint8Array[]) => {
  for (const part of parts) hash.update(part);
  return hex(await hash.digest());
};
