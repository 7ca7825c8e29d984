import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  type AskedFor,
  aPartner,
  aStoredSecret,
  basic,
  createTokenService,
  decoded,
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
  asked,
  bodyCredentials,
  clientId,
  expect400,
  expect401Basic,
  refusal,
  without,
} from '../../../support/builders/token-asking.ts';
import { createMemoryPartners } from '../../../support/memory/partners.ts';

describe('a grant', () => {
  test('O-01, O-06: a valid Basic request is granted with exactly three members', async () => {
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

  test('O-05: there is no refresh token', async () => {
    expect((await ask()).json()).not.toHaveProperty('refresh_token');
  });

  test('O-07, O-34, O-35: without a scope, or with an empty one, all scopes of the client are granted and named', async () => {
    for (const body of ['grant_type=client_credentials', 'grant_type=client_credentials&scope=']) {
      const grant = (await ask({ body })).json();

      expect(grant.scope).toBe('nop2/read nop2/write');
      expect(decoded(grant.access_token).claims.scope).toBe('nop2/read nop2/write');
    }
  });

  test('O-40: order and repetition of scopes do not matter', async () => {
    const body = 'grant_type=client_credentials&scope=nop2/write+nop2/read+nop2/read';
    const grant = (await ask({ body })).json();

    expect(Object.keys(grant)).toEqual(['access_token', 'token_type', 'expires_in']);
    expect(decoded(grant.access_token).claims.scope).toBe('nop2/read nop2/write');
  });

  test('TOK-1, J-06: a token ends with its secret, which expires_in shows', async () => {
    const expiresAtMs = now.getTime() + 600_500;
    const secrets = [aStoredSecret({ expiresAtMs })];
    const ending = { partner: aPartner({ clientId: 'Ending', name: 'Ending' }), secrets };
    const authorization = basic('Ending', secret);

    const grant = (
      await createTokenService({}, [ending]).ask({ headers: { ...formHeaders, authorization } })
    ).json();

    expect(grant.expires_in).toBe(600);
    expect(decoded(grant.access_token).claims).toMatchObject({ iat: 1_795_262_400, exp: 1_795_263_000 });
  });

  test('TOK-1: a token in the last half second of its secret says one second, because clients refuse 0', async () => {
    const secrets = [aStoredSecret({ expiresAtMs: now.getTime() + 500 })];
    const ending = { partner: aPartner({ clientId: 'Ending', name: 'Ending' }), secrets };
    const authorization = basic('Ending', secret);

    const answer = await createTokenService({}, [ending]).ask({ headers: { ...formHeaders, authorization } });

    expect(answer.json().expires_in).toBe(1);
  });

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

describe('the request', () => {
  test.each([
    ['O-26: no grant_type', 'scope=nop2%2Fread', 'invalid_request'],
    ['O-27: an empty grant_type', 'grant_type=&scope=nop2%2Fread', 'invalid_request'],
    ['O-28: password', 'grant_type=password', 'unsupported_grant_type'],
    ['O-28: authorization_code', 'grant_type=authorization_code', 'unsupported_grant_type'],
    ['O-28: refresh_token', 'grant_type=refresh_token', 'unsupported_grant_type'],
    ['O-28: an extension', 'grant_type=urn:x', 'unsupported_grant_type'],
    ['O-29: another letter case', 'grant_type=CLIENT_CREDENTIALS', 'unsupported_grant_type'],
    ['O-32: grant_type twice', `${grantBody}&grant_type=client_credentials`, 'invalid_request'],
    ['O-32: scope twice', `${grantBody}&scope=nop2%2Fread`, 'invalid_request'],
    ['O-32: client_id twice', `${grantBody}&client_id=a&client_id=a`, 'invalid_request'],
    ['a broken escape', `${grantBody}&x=%zz`, 'invalid_request'],
  ])('%s is refused', async (_, body, error) => {
    expect400(await ask({ body }), error);
  });

  test('O-30: a client without OAuth scopes may not use the grant', async () => {
    expect400(await asked(basic(withoutScopes.clientId, secret)), 'unauthorized_client');
  });

  test('O-31: authentication is checked before the grant', async () => {
    expect401Basic(await asked(basic(clientId, 'wrong'), { body: 'grant_type=password' }));
  });

  test('O-33: unknown parameters are ignored', async () => {
    expect((await ask({ body: `${grantBody}&foo=bar` })).status).toBe(200);
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

  test('O-37: a scope that the client may not have is refused, without a partial grant', async () => {
    expect400(await asked(basic(reader.clientId, secret)), 'invalid_scope');
  });

  test('O-43: parameters in the URL are ignored', async () => {
    expect400(await ask({ query: { grant_type: 'client_credentials' }, body: null }), 'invalid_request');
  });

  test('O-44, O-46: another content type, or none, is refused', async () => {
    const json = { ...formHeaders, 'content-type': 'application/json' };
    expect400(await ask({ headers: json, body: '{"grant_type":"client_credentials"}' }), 'invalid_request');
    expect400(await ask({ headers: without('content-type') }), 'invalid_request');
  });

  test('O-45: a content type with charset is accepted', async () => {
    const headers = { ...formHeaders, 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' };
    expect((await ask({ headers })).status).toBe(200);
  });

  test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'])('O-47: %s is 405', async (method) => {
    const answer = await ask({ method });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST, OPTIONS']);
  });

  test('O-47: OPTIONS is 204', async () => {
    const answer = await ask({ method: 'OPTIONS' });
    expect([answer.status, answer.headers.allow, answer.body]).toEqual([204, 'POST, OPTIONS', '']);
  });

  test.each(['GET', 'POST'])(
    'O-48, TH-10: a method override is ignored, even if the gateway passes it on as %s',
    async (method) => {
      const headers = { ...formHeaders, 'X-Http-Method-Override': 'POST' };
      const answer = await ask({ method, headers });

      expect([answer.status, answer.headers.allow]).toEqual([405, 'POST, OPTIONS']);
    },
  );

  test('O-49: a large body is refused before it is parsed', async () => {
    const body = `x=${'a'.repeat(2_000_000)}`;
    let answer: Awaited<ReturnType<typeof ask>> | undefined;

    const cpuMs = await cpuMsOf(async () => {
      answer = await ask({ body });
    });

    expect([answer?.status, answer?.json().error]).toEqual([413, 'invalid_request']);
    expect(cpuMs).toBeLessThan(1000);
  });

  test('O-50: a body that the gateway passes on in base64 is decoded', async () => {
    const body = Buffer.from(grantBody).toString('base64');
    expect((await ask({ body, isBase64Encoded: true })).status).toBe(200);
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
    { headers: { ...formHeaders, authorization: basic('<alert>', '<alert>') } },
    { headers: { ...formHeaders, authorization: basic(withoutScopes.clientId, secret) } },
    { body: bodyCredentials(clientId, secret) },
    { body: '' },
    { method: 'DELETE' },
    { path: '/oauth2/<alert>' },
  ];

  test('O-52, O-53, O-54: is plain JSON in the alphabet of RFC 6749 and repeats no input', async () => {
    for (const one of cases) {
      const answer = await ask(one);
      const { error, error_description } = answer.json();

      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
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
    await service.ask({ headers: { ...formHeaders, authorization: basic(clientId, `wrong${secret}`) } });
    await service.ask({ body: bodyCredentials(clientId, secret) });
    const logged = JSON.stringify(service.seen.log);

    expect(service.seen.log).toHaveLength(4);
    expect(logged).not.toContain(secret);
    expect(logged).not.toContain(basic(clientId, secret).slice(10, 60));
  });
});
