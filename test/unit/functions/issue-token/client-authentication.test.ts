import { describe, expect, test } from '@jest/globals';
import { authenticateClient } from '../../../../functions/issue-token/authenticate-client.ts';
import { rotateSecrets, toStoredSecret } from '../../../../functions/shared/auth/client-secret.ts';
import {
  aPartner,
  aStoredSecret,
  basic,
  createTokenService,
  disabled,
  formHeaders,
  grantBody,
  now,
  pepper,
  secret,
} from '../../../support/apis/token-service.ts';
import { onePepper } from '../../../support/builders/key-rings.ts';
import {
  ask,
  asked,
  bodyCredentials,
  clientId,
  expect400,
  expect401Basic,
  without,
} from '../../../support/builders/token-asking.ts';
import { createMemoryPartners } from '../../../support/memory/partners.ts';

const partners = createMemoryPartners(
  [aPartner(), disabled].map((partner) => ({ partner, secrets: [aStoredSecret()] })),
);

describe('client authentication', () => {
  test('O-08: the scheme is case-insensitive', async () => {
    expect((await asked(basic(clientId, secret).replace('Basic', 'bAsIc'))).status).toBe(200);
  });

  test('O-09: form-encoded Basic parts are decoded', async () => {
    const encoded = (text: string) =>
      [...Buffer.from(text)].map((byte) => `%${byte.toString(16).toUpperCase()}`).join('');
    expect((await asked(basic(encoded(clientId), encoded(secret)))).status).toBe(200);
  });

  test('O-10: raw Basic parts work for issued client ids', async () => {
    expect((await asked(basic(clientId, secret))).status).toBe(200);
  });

  test('O-11: credentials in the body work', async () => {
    const answer = await ask({
      headers: without('authorization'),
      body: bodyCredentials(clientId, secret),
    });
    expect(answer.status).toBe(200);
  });

  test('O-12: the same client_id in the body is allowed', async () => {
    expect((await ask({ body: `${grantBody}&client_id=${clientId}` })).status).toBe(200);
  });

  test('O-13: another client_id in the body is refused', async () => {
    expect400(await ask({ body: `${grantBody}&client_id=other` }), 'invalid_request');
  });

  test('O-14: two methods in one request are refused', async () => {
    expect400(await ask({ body: bodyCredentials(clientId, secret) }), 'invalid_request');
    const twoHeaders = { ...formHeaders, authorization: [basic(clientId, secret), basic(clientId, secret)] };
    expect400(await ask({ headers: twoHeaders }), 'invalid_request');
  });

  test.each([
    ['O-15: a wrong secret', basic(clientId, 'wrong')],
    ['O-16: an unknown client', basic('nobody', 'wrong')],
    ['O-17: a disabled client with its right secret', basic(disabled.clientId, secret)],
    ['O-20: what is not base64', 'Basic !!!!'],
    ['O-21: no colon', 'Basic Zm9v'],
    ['O-22: an empty secret', basic(clientId, '')],
    ['O-23: another scheme', 'Bearer eyJ0.e30.c2ln'],
    ['O-24: bytes that are no UTF-8', `Basic ${Buffer.from('ff003aff', 'hex').toString('base64')}`],
    ['O-24: NUL bytes', basic(`${clientId}\u0000`, secret)],
    ['a broken escape', basic(`${clientId}%zz`, secret)],
    ['an id longer than a key may be', basic('A'.repeat(4000), secret)],
    ['a cut-off scheme', 'Basic'],
  ])('%s is 401-Basic', async (_, authorization) => {
    expect401Basic(await asked(authorization));
  });

  test('O-04: a refusal is not cacheable', async () => {
    const { headers } = await asked(basic(clientId, 'wrong'));
    expect([headers['cache-control'], headers.pragma]).toEqual(['no-store', 'no-cache']);
  });

  test('a client_id that was never issued is not looked up, because keys of the store have a limit', async () => {
    const service = createTokenService();
    for (const id of ['A'.repeat(65), 'with space', 'PARTNER#x', 'é', '../x']) {
      const authorization = basic(encodeURIComponent(id), secret);
      expect401Basic(await service.ask({ headers: { ...formHeaders, authorization } }));
    }

    expect(service.seen.storeCalls).toEqual([]);
  });

  test('O-16, O-17: wrong, unknown and disabled clients get the same bytes after the same work', async () => {
    const observed = await Promise.all(
      [basic(clientId, 'wrong'), basic('nobody', 'wrong'), basic(disabled.clientId, secret)].map(
        async (authorization) => {
          const service = createTokenService();
          const answer = await service.ask({ headers: { ...formHeaders, authorization } });
          const { storeCalls, pepperReads } = service.seen;
          return { answer: { ...answer, json: 0 }, storeCalls: storeCalls.length, pepperReads };
        },
      ),
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
  ])('TOK-2, O-16: %s is hashed as well', async (_, id, password) => {
    // No hash can be made under it, so a response means that nothing was hashed.
    const readPeppers = async () => ({ newest: '0', texts: new Map([['0', 7 as unknown as string]]) });
    const client = { clientId: id, clientSecret: password };

    const nothing = async () => undefined;
    const limiter = { remembered: () => undefined, afterRight: nothing, afterWrong: nothing };

    const deps = { partners, readPeppers, limiter };
    const authentication = authenticateClient(client, { network: '198.51.100.7', now }, deps);

    await expect(authentication).rejects.toThrow('"key" argument');
  });

  test('O-18: a wrong secret in the body gets a challenge as well', async () => {
    expect401Basic(
      await ask({ headers: without('authorization'), body: bodyCredentials(clientId, 'wrong') }),
    );
  });

  test.each([
    ['none at all', grantBody],
    ['an id without a secret', `${grantBody}&client_id=${clientId}`],
    ['a secret without an id', `${grantBody}&client_secret=${secret}`],
  ])('O-19: %s is 401-Basic', async (_, body) => {
    expect401Basic(await ask({ headers: without('authorization'), body }));
  });

  test('O-25: after a rotation both secrets work until the old one ends', async () => {
    const about = { id: 's2', madeBy: 'tester', peppers: onePepper(pepper), nowMs: now.getTime() };
    const fresh = toStoredSecret('FreshSecret', about);
    const secrets = rotateSecrets([aStoredSecret()], fresh, { nowMs: now.getTime(), overlapMs: 60_000 });
    const rotated = { partner: aPartner({ clientId: 'Rotated', name: 'Rotated' }), secrets };
    const at = async (ms: number, password: string) => {
      const service = createTokenService({ clock: () => new Date(now.getTime() + ms) }, [rotated]);
      return service.ask({ headers: { ...formHeaders, authorization: basic('Rotated', password) } });
    };

    expect((await at(59_999, secret)).status).toBe(200);
    expect((await at(59_999, 'FreshSecret')).status).toBe(200);
    expect401Basic(await at(60_000, secret));
    expect((await at(60_000, 'FreshSecret')).status).toBe(200);
  });

  test('O-42: credentials in the URL are ignored', async () => {
    const query = { client_id: clientId, client_secret: secret };
    expect401Basic(await ask({ headers: without('authorization'), query }));
  });
});
