import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { authenticateClient } from '../../../../functions/issue-token/authenticate-client.ts';
import {
  type AskedFor,
  aPartner,
  aStoredSecret,
  basic,
  createTokenService,
  decoded,
  disabled,
  formHeaders,
  grantBody,
  now,
  reader,
  secret,
  withoutScopes,
} from '../../../support/apis/token-service.ts';
import { cpuMsOf } from '../../../support/builders/cpu-time.ts';
import {
  ask,
  bodyCredentials,
  clientId,
  expect400,
  expect401Basic,
  refusal,
  without,
} from '../../../support/builders/token-asking.ts';
import { createMemoryPartners } from '../../../support/memory/partners.ts';

const nobody = without('authorization');
const by = (authorization: string) => ({ headers: { ...formHeaders, authorization } });
const ofType = (type: string) => ({ headers: { ...formHeaders, 'content-type': type } });
const form = 'application/x-www-form-urlencoded';
const escaped = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).toUpperCase()}`).join('');
const base64 = (text: string, encoding?: BufferEncoding) => Buffer.from(text, encoding).toString('base64');

describe('a grant', () => {
  test('O-01, O-05, O-06, O-10: a valid Basic request is granted with exactly three members, without a refresh token', async () => {
    const answer = await ask();

    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'Bearer',
      expires_in: 3600,
    });
  });

  test('O-02, O-03, O-57: the response is JSON, not cacheable, and has no CORS headers', async () => {
    const { headers } = await ask({ headers: { ...formHeaders, origin: 'https://evil.example' } });

    expect(headers['content-type']).toMatch(/^application\/json(;|$)/);
    expect([headers['cache-control'], headers.pragma]).toEqual(['no-store', 'no-cache']);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test.each<[string, AskedFor]>([
    ['O-08: the scheme in any letter case', by(basic(clientId, secret).replace('Basic', 'bAsIc'))],
    ['O-09: form-encoded Basic parts', by(basic(escaped(clientId), escaped(secret)))],
    ['O-11: credentials in the body', { headers: nobody, body: bodyCredentials(clientId, secret) }],
    ['O-12: the same client_id in the body', { body: `${grantBody}&client_id=${clientId}` }],
    ['O-33: an unknown parameter', { body: `${grantBody}&foo=bar` }],
    ['O-45: a content type with charset', ofType(`${form};charset=UTF-8`)],
    ['O-45: a content type in upper case', ofType(`${form.toUpperCase()} ;`)],
    ...[
      ...[';', ';charset=utf-8;', '; odata.metadata=minimal', '; charset=utf-8; charset=utf-8'],
      ...['\t; charset=iso-8859-1', '; charset="iso-8859-1"; version=1', '; UTF-8', ';charset="utf-8'],
    ].map((parameters): [string, AskedFor] => [
      `O-45: a content type with ${JSON.stringify(parameters)}`,
      ofType(`${form}${parameters}`),
    ]),
    ['O-50: a body that the gateway carries as base64', { body: base64(grantBody), isBase64Encoded: true }],
  ])('%s is taken', async (_, request) => {
    expect((await ask(request)).status).toBe(200);
  });

  test.each([
    ['O-07, O-34: without a scope, all scopes of the client', '', { scope: 'nop2/read nop2/write' }],
    ['O-35: for an empty scope, all scopes of the client', '&scope=', { scope: 'nop2/read nop2/write' }],
    ['O-40: for scopes in any order, twice', '&scope=nop2/write+nop2/read+nop2/read', {}],
  ])('%s are granted, and named where they were not asked for', async (_, scope, named) => {
    const { access_token, ...rest } = (await ask({ body: `grant_type=client_credentials${scope}` })).json();

    expect(rest).toEqual({ token_type: 'Bearer', expires_in: 3600, ...named });
    expect(decoded(access_token).claims.scope).toBe('nop2/read nop2/write');
  });

  test.each([
    // A token of the last half second says one second, for no client takes none.
    [600_500, 600],
    [500, 1],
  ])(
    'TOK-1, J-06: the token of a secret that ends in %d ms ends in %d s, and the grant says so',
    async (ms, seconds) => {
      const secrets = [aStoredSecret({ expiresAtMs: now.getTime() + ms })];
      const service = createTokenService({}, [{ partner: aPartner({ clientId: 'Ending' }), secrets }]);

      const grant = (await service.ask(by(basic('Ending', secret)))).json();

      expect(grant.expires_in).toBe(seconds);
      const iat = 1_795_262_400;
      expect(decoded(grant.access_token).claims).toMatchObject({ iat, exp: iat + seconds });
    },
  );

  test('TOK-6: a token issued after a revocation of all tokens in the same second is valid', async () => {
    const service = createTokenService();
    await service.partners.endTokens(clientId, now.getTime() + 5_000);

    const { access_token } = (await service.ask()).json();

    expect(decoded(access_token).claims).toMatchObject({ iat: 1_795_262_405, exp: 1_795_266_005 });
  });

  test('O-60, J-07: 1,000 requests, 50 at a time, get 1,000 different random UUIDs', async () => {
    const service = createTokenService({ makeUuid: randomUUID });
    const ids = new Set<string>();
    for (let round = 0; round < 20; round += 1) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => service.ask()));
      for (const answer of answers) ids.add(String(decoded(answer.json().access_token).claims.jti));
    }

    expect(ids.size).toBe(1000);
    for (const id of ids)
      expect(id).toMatch(/^s1\.[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }, 60_000);
});

describe('client authentication', () => {
  const wrong = basic(clientId, 'wrong');
  const query = { client_id: clientId, client_secret: secret };

  test.each<[string, AskedFor]>([
    ['O-15: a wrong secret', by(wrong)],
    ['O-16: an unknown client', by(basic('nobody', 'wrong'))],
    ['O-17: a disabled client with its right secret', by(basic(disabled.clientId, secret))],
    ['O-18: a wrong secret in the body', { headers: nobody, body: bodyCredentials(clientId, 'wrong') }],
    ['O-19: nothing at all', { headers: nobody }],
    ['O-19: an id without a secret', { headers: nobody, body: `${grantBody}&client_id=${clientId}` }],
    ['O-19: a secret without an id', { headers: nobody, body: `${grantBody}&client_secret=${secret}` }],
    ['O-20: what is not base64', by('Basic !!!!')],
    ['O-21: no colon', by('Basic Zm9v')],
    ['O-22: an empty secret', by(basic(clientId, ''))],
    ['O-23: another scheme', by('Bearer eyJ0.e30.c2ln')],
    ['O-24: bytes that are no UTF-8', by(`Basic ${base64('ff003aff', 'hex')}`)],
    ['O-24: NUL bytes', by(basic(`${clientId}\u0000`, secret))],
    ['a broken escape', by(basic(`${clientId}%zz`, secret))],
    ['an id longer than a key may be', by(basic('A'.repeat(4000), secret))],
    ['a cut-off scheme', by('Basic')],
    ['O-31: a wrong secret, before a grant that is none', { ...by(wrong), body: 'grant_type=password' }],
    ['O-42: credentials in the URL', { headers: nobody, query }],
  ])('%s is 401-Basic', async (_, request) => {
    expect401Basic(await ask(request));
  });

  test('a client_id that was never issued is not looked up, because keys of the store have a limit', async () => {
    const service = createTokenService();
    for (const id of ['A'.repeat(65), 'with space', 'PARTNER#x', 'é', '../x'])
      expect401Basic(await service.ask(by(basic(encodeURIComponent(id), secret))));

    expect(service.seen.storeCalls).toEqual([]);
  });

  test('O-16, O-17: wrong, unknown and disabled clients get the same bytes after the same work', async () => {
    const observed = await Promise.all(
      [wrong, basic('nobody', 'wrong'), basic(disabled.clientId, secret)].map(async (authorization) => {
        const service = createTokenService();
        const answer = await service.ask(by(authorization));
        const { storeCalls, pepperReads } = service.seen;
        return { answer: { ...answer, json: 0 }, storeCalls: storeCalls.length, pepperReads };
      }),
    );

    expect(observed[0]).toMatchObject({ storeCalls: 1, pepperReads: 1 });
    expect(observed[1]).toEqual(observed[0]);
    expect(observed[2]).toEqual(observed[0]);
  });

  test.each([
    ['the right secret', clientId, secret],
    ['a wrong secret', clientId, 'wrong'],
    ['an unknown client', 'nobody', 'wrong'],
    ['a disabled client', disabled.clientId, secret],
  ])('TOK-2, O-16: %s is hashed as well', async (_, id, clientSecret) => {
    const partners = createMemoryPartners(
      [aPartner(), disabled].map((partner) => ({ partner, secrets: [aStoredSecret()] })),
    );
    // No hash can be made under it, so a response means that nothing was hashed.
    const readPeppers = async () => ({ newest: '0', texts: new Map([['0', 7 as unknown as string]]) });
    const nothing = async () => undefined;
    const limiter = { remembered: () => undefined, afterRight: nothing, afterWrong: nothing };

    const authentication = authenticateClient(
      { clientId: id, clientSecret },
      { network: '198.51.100.7', now },
      { partners, readPeppers, limiter },
    );

    await expect(authentication).rejects.toThrow('"key" argument');
  });
});

describe('the request', () => {
  const twice = { ...formHeaders, authorization: [basic(clientId, secret), basic(clientId, secret)] };
  const json = { ...ofType('application/json'), body: '{"grant_type":"client_credentials"}' };

  test.each<[string, AskedFor, string]>([
    ['O-13: another client_id in the body', { body: `${grantBody}&client_id=other` }, 'invalid_request'],
    ['O-14: a secret in the body, too', { body: bodyCredentials(clientId, secret) }, 'invalid_request'],
    ['O-14: two headers', { headers: twice }, 'invalid_request'],
    ['O-26: no grant_type', { body: 'scope=nop2%2Fread' }, 'invalid_request'],
    ['O-27: an empty grant_type', { body: 'grant_type=&scope=nop2%2Fread' }, 'invalid_request'],
    ['O-28: password', { body: 'grant_type=password' }, 'unsupported_grant_type'],
    ['O-28: authorization_code', { body: 'grant_type=authorization_code' }, 'unsupported_grant_type'],
    ['O-28: refresh_token', { body: 'grant_type=refresh_token' }, 'unsupported_grant_type'],
    ['O-28: an extension', { body: 'grant_type=urn:x' }, 'unsupported_grant_type'],
    ['O-29: another letter case', { body: 'grant_type=CLIENT_CREDENTIALS' }, 'unsupported_grant_type'],
    ['O-30: no OAuth scope', by(basic(withoutScopes.clientId, secret)), 'unauthorized_client'],
    ['O-32: grant_type twice', { body: `${grantBody}&grant_type=client_credentials` }, 'invalid_request'],
    ['O-32: scope twice', { body: `${grantBody}&scope=nop2%2Fread` }, 'invalid_request'],
    ['O-32: client_id twice', { body: `${grantBody}&client_id=a&client_id=a` }, 'invalid_request'],
    ['O-37: a scope too much, without a partial grant', by(basic(reader.clientId, secret)), 'invalid_scope'],
    [
      'O-43: a form in the URL',
      { query: { grant_type: 'client_credentials' }, body: null },
      'invalid_request',
    ],
    ['O-44: another content type', json, 'invalid_request'],
    ['O-44: a longer content type', ofType(`${form}x`), 'invalid_request'],
    ['O-44: a content type without its semicolon', ofType(`${form} charset=utf-8`), 'invalid_request'],
    ['O-44: a content type twice', ofType(`${form}, ${form}`), 'invalid_request'],
    ['O-46: no content type', { headers: without('content-type') }, 'invalid_request'],
    ['a broken escape', { body: `${grantBody}&x=%zz` }, 'invalid_request'],
  ])('%s is refused', async (_, request, error) => {
    expect400(await ask(request), error);
  });

  test.each([
    ['O-36: an unknown scope', 'nope%2Fx'],
    ['O-38: a line feed', 'nop2%2Fread%0Ax'],
    ['O-38: a quote', 'nop2%2Fread%22'],
    ['O-38: a backslash', 'nop2%2Fread%5C'],
    ['O-38: NUL', 'nop2%2Fread%00'],
    ['O-38: a letter beyond ASCII', 'nop2%2Fr%C3%A9ad'],
    ['O-38: a raw letter beyond ASCII', 'nop2/réad'],
    ['O-38: a tab', 'nop2%2Fread%09nop2%2Fwrite'],
    ['O-39: another letter case', 'NOP2%2FREAD'],
    ['O-41: two spaces', 'nop2%2Fread++nop2%2Fwrite'],
    ['O-41: a space at the end', 'nop2%2Fread+'],
    ['a name of every object', 'constructor'],
  ])('%s is invalid_scope', async (_, scope) => {
    expect400(await ask({ body: `grant_type=client_credentials&scope=${scope}` }), 'invalid_scope');
  });

  test.each(['token', 'introspect', 'revoke', 'secret'])(
    'O-47, O-48, TH-10, I-06, V2-13: %s takes POST alone, and honours no method override',
    async (name) => {
      const path = `/oauth2/${name}`;
      const headers = { ...formHeaders, 'X-Http-Method-Override': 'POST' };
      const refused = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'].map((method): AskedFor => ({ method }));
      // The gateway hands a method override on as the method before it, or as the one that it names.
      const overridden = ['GET', 'POST', 'OPTIONS'].map((method): AskedFor => ({ method, headers }));

      for (const request of [...refused, ...overridden]) {
        const { status, headers: answered } = await ask({ path, query: { token: 'a' }, ...request });
        expect([status, answered.allow]).toEqual([405, 'POST, OPTIONS']);
      }
      const options = await ask({ path, method: 'OPTIONS' });
      expect([options.status, options.headers.allow, options.body]).toEqual([204, 'POST, OPTIONS', '']);
    },
  );

  test.each([
    '/oauth2/jwks',
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-protected-resource',
  ])('O-48, TH-10: %s honours no method override, either', async (path) => {
    for (const [method, override] of [
      ['GET', 'GET'],
      ['HEAD', 'GET'],
      ['OPTIONS', 'GET'],
      ['GET', ''],
    ] as const) {
      const { status, headers } = await ask({
        path,
        method,
        headers: { 'x-http-method-override': override },
      });
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
    }
  });

  test('O-49: a large body is refused before it is parsed', async () => {
    const body = `x=${'a'.repeat(2_000_000)}`;
    let answer: Awaited<ReturnType<typeof ask>> | undefined;

    const cpuMs = await cpuMsOf(async () => {
      answer = await ask({ body });
    });

    expect([answer?.status, answer?.json().error]).toEqual([413, 'invalid_request']);
    expect(cpuMs).toBeLessThan(1000);
  });
});

describe('every refusal', () => {
  const script = encodeURIComponent('<script>alert(1)</script>');
  const cases: AskedFor[] = [
    { body: `grant_type=${script}` },
    { body: `grant_type=client_credentials&scope=${script.repeat(20)}` },
    { body: `grant_type=client_credentials&scope=x&scope=${script}` },
    { body: 'x='.repeat(5000) },
    { headers: {} },
    by(basic('<alert>', '<alert>')),
    by(basic(withoutScopes.clientId, secret)),
    { body: bodyCredentials(clientId, secret) },
    { body: '' },
    { method: 'DELETE' },
    { path: '/oauth2/<alert>' },
  ];

  test('O-04, O-52, O-53, O-54: is plain JSON, is not cacheable, is in the alphabet of RFC 6749 and repeats no input', async () => {
    for (const one of cases) {
      const answer = await ask(one);
      const { error, error_description } = answer.json();

      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
      expect(answer.headers['content-type']).toMatch(/^application\/json(;|$)/);
      expect(`${error}${error_description}`).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
      expect(answer.body).not.toContain('alert');
      expect(answer.headers['request-id']).toBe('request-1');
    }
  });
});

describe('faults', () => {
  const failing = (fault: Error) =>
    createTokenService({
      partners: { ...createMemoryPartners(), credentialsOf: () => Promise.reject(fault) },
    });

  test('O-58: while the store is down the answer is 503 and neither a token nor invalid_client', async () => {
    const down = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const answer = await failing(down).ask();

    expect(answer.status).toBe(503);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(answer.json()).toEqual(refusal('temporarily_unavailable'));
    expect(answer.headers['content-type']).toMatch(/^application\/json(;|$)/);
  });

  test('ERR-4: a fault is 500 without its cause', async () => {
    const answer = await failing(new Error('secret cause')).ask();

    expect([answer.status, answer.json()]).toEqual([500, refusal('server_error')]);
    expect(answer.body).not.toContain('cause');
  });

  test('O-59: no secret is logged, neither plain nor encoded', async () => {
    const service = createTokenService();
    await service.ask();
    await service.ask(by(basic(clientId, `wrong${secret}`)));
    await service.ask({ body: bodyCredentials(clientId, secret) });
    const logged = JSON.stringify(service.seen.log);

    expect(service.seen.log).toHaveLength(4);
    expect(logged).not.toContain(secret);
    expect(logged).not.toContain(basic(clientId, secret).slice(10, 60));
  });
});
