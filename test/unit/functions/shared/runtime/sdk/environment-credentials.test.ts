import { describe, expect, test } from '@jest/globals';
import { defaultProvider } from '../../../../../../functions/shared/runtime/sdk/environment-credentials.ts';

describe('S-72 credentials of a function', () => {
  test('come from its environment', async () => {
    const environment = {
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'key',
      AWS_SESSION_TOKEN: 'session',
    };

    const credentials = await defaultProvider({}, environment)();

    expect(credentials).toEqual({ accessKeyId: 'id', secretAccessKey: 'key', sessionToken: 'session' });
  });

  test('have no session token if there is none', async () => {
    const credentials = await defaultProvider(
      {},
      { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key' },
    )();

    expect(credentials).toEqual({ accessKeyId: 'id', secretAccessKey: 'key' });
  });

  test('are missing at once, and not searched elsewhere', async () => {
    await expect(defaultProvider({}, {})()).rejects.toThrow('No AWS credentials in the environment');
  });
});
