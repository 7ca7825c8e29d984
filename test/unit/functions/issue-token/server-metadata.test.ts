import { describe, expect, test } from '@jest/globals';
import { resourceMetadataOf } from '../../../../functions/shared/auth/bearer-token.ts';
import type { RingEntry } from '../../../../functions/shared/domain/keys/key-ring.ts';
import { createTokenService, now } from '../../../support/apis/token-service.ts';

const metadataPath = '/.well-known/oauth-authorization-server';
const { ask } = createTokenService();
const get = (path: string, headers: Record<string, string> = {}) => ask({ method: 'GET', path, headers });

describe('metadata', () => {
  test('J-08, M-01, M-02, M-04: lists what the service has, under the requested issuer', async () => {
    const answer = await get(metadataPath);

    expect([answer.status, answer.headers['request-id']]).toEqual([200, 'request-1']);
    expect(answer.json()).toEqual({
      issuer: 'https://auth.example',
      token_endpoint: 'https://auth.example/oauth2/token',
      jwks_uri: 'https://auth.example/oauth2/jwks',
      scopes_supported: ['nop2/read', 'nop2/write', 'nop2/webhook'],
      response_types_supported: ['none'],
      grant_types_supported: ['client_credentials'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      introspection_endpoint: 'https://auth.example/oauth2/introspect',
      introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      revocation_endpoint: 'https://auth.example/oauth2/revoke',
      revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    });
  });

  test('M-03: for an issuer with a path, the well-known path comes before that path', async () => {
    const service = createTokenService({ issuer: 'https://h.example/x' });
    const answer = await service.ask({ method: 'GET', path: `${metadataPath}/x` });

    expect(answer.json()).toMatchObject({
      issuer: 'https://h.example/x',
      jwks_uri: 'https://h.example/x/oauth2/jwks',
    });
    expect((await service.ask({ path: '/x/oauth2/token' })).status).toBe(200);
    expect((await get(`${metadataPath}/x`)).status).toBe(404);
  });
});

describe('the metadata of the protected resource', () => {
  test.each(['', '/', '/api/v2'])('M-11: at %s it names the audience and issuer of tokens', async (path) => {
    const answer = await get(`/.well-known/oauth-protected-resource${path}`);

    expect([answer.status, answer.json()]).toEqual([
      200,
      {
        resource: 'https://api.example/api/v2',
        authorization_servers: ['https://auth.example'],
        scopes_supported: ['nop2/read', 'nop2/write', 'nop2/webhook'],
        bearer_methods_supported: ['header'],
      },
    ]);
  });

  test('M-11: for a resource behind a path the well-known path comes first, and challenges name it where a gateway has it', async () => {
    const audience = 'https://api.example/production/api/v2';
    const service = createTokenService({ audience });
    const path = '/.well-known/oauth-protected-resource/production/api/v2';

    expect((await service.ask({ method: 'GET', path })).json().resource).toBe(audience);
    expect(resourceMetadataOf(audience)).toBe(
      'https://api.example/production/.well-known/oauth-protected-resource/api/v2',
    );
    expect(resourceMetadataOf('https://api.example/api/v2')).toBe(
      'https://api.example/.well-known/oauth-protected-resource/api/v2',
    );
  });
});

test('M-08: the key set has each verifying key, from before its first signature until it retires', async () => {
  const entry = (kid: string, times: Partial<RingEntry> = {}) => ({
    ...{ kid, jwk: { kty: 'RSA', kid, alg: 'RS256' }, madeAtMs: 0 },
    ...times,
  });
  const entries = [
    entry('retired', { signsFromMs: 0, retiresAtMs: now.getTime() }),
    entry('retires', { signsFromMs: 0, retiresAtMs: now.getTime() + 1 }),
    entry('stands by'),
  ];
  const service = createTokenService({ readRing: async () => ({ revision: 1, entries }) });

  const answer = await service.ask({ method: 'GET', path: '/oauth2/jwks' });

  expect(answer.json().keys).toMatchObject([{ kid: 'retires' }, { kid: 'stands by' }]);
});

describe.each([
  [metadataPath, 3600],
  // Less than a new key waits before it signs.
  ['/oauth2/jwks', 300],
  ['/.well-known/oauth-protected-resource/api/v2', 3600],
])('%s', (path, maxAge) => {
  test('M-05, M-07: is JSON, may be cached, is not sent again to a client that has it, and is answered at a trailing slash', async () => {
    const { headers } = await get(path);
    expect(headers['content-type']).toBe('application/json; charset=UTF-8');
    expect(headers['cache-control']).toBe(`public, max-age=${maxAge}`);

    const again = await get(path, { 'if-none-match': String(headers.etag) });
    expect([again.status, again.body]).toEqual([304, '']);
    expect((await get(`${path}/`)).status).toBe(200);
  });

  test('VERB-1: HEAD has the headers of GET and no body, OPTIONS lists the methods, others are 405', async () => {
    const [head, options, post] = await Promise.all(
      ['HEAD', 'OPTIONS', 'POST'].map((method) => ask({ method, path, headers: {} })),
    );

    expect([head?.status, head?.body, head?.headers]).toEqual([200, '', (await get(path)).headers]);
    expect([options?.status, options?.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS']);
    expect([post?.status, post?.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});
