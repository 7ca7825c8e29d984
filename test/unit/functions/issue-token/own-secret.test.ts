import { describe, expect, test } from '@jest/globals';
import { isActive } from '../../../../functions/shared/domain/partner.ts';
import {
  type AskedFor,
  aPartner,
  aStoredSecret,
  basic,
  createTokenService,
  formHeaders,
  now,
  secret,
  partner as withoutScope,
} from '../../../support/apis/token-service.ts';

const manager = aPartner({
  ...{ clientId: 'PartnerThatManagesItself01', name: 'Manager' },
  oauthScopes: ['nop2/read', 'nop2/webhook'],
});
const { clientId } = manager;
const hour = 3_600_000;
const nowMs = now.getTime();
const keyed = { 'idempotency-key': 'one' };

const aService = (secrets = [aStoredSecret()], change: Parameters<typeof createTokenService>[0] = {}) => {
  const service = createTokenService(change, [{ partner: manager, secrets }]);
  const make = ({ by = secret, headers, ...more }: AskedFor & { by?: string } = {}) =>
    service.ask({
      ...{ path: '/oauth2/secret', body: 'overlap_hours=2' },
      headers: { ...formHeaders, authorization: basic(clientId, by), ...headers },
      ...more,
    });
  const secretsNow = async () => (await service.partners.credentialsOf(clientId))?.secrets ?? [];
  const counts = async (presented: string) => {
    const headers = { ...formHeaders, authorization: basic(clientId, presented) };
    const { status } = await service.ask({ headers, body: 'grant_type=client_credentials' });
    return status === 200;
  };
  return { ...service, make, secretsNow, counts };
};

describe('V2-13 POST /oauth2/secret', () => {
  test('V2-13 TOK-2 S-20 creates a second secret, and the present one works until the overlap ends', async () => {
    const { make, secretsNow, counts } = aService();

    const answer = await make();
    const { client_secret: fresh, secret_id: id, ...rest } = answer.json();

    const { headers } = answer;
    expect([answer.status, headers['cache-control'], headers.pragma]).toEqual([201, 'no-store', 'no-cache']);
    expect(fresh).toMatch(/^nop2[A-Za-z0-9]{60}$/);
    expect(rest).toEqual({
      client_id: clientId,
      client_secret_expires_at: 0,
      former_secret_id: 's1',
      former_secret_expires_at: (nowMs + 2 * hour) / 1000,
    });
    const [made, former] = await secretsNow();
    expect(made).toMatchObject({ id, madeBy: 'Manager', createdAtMs: nowMs });
    expect(former).toMatchObject({ id: 's1', expiresAtMs: nowMs + 2 * hour });
    expect([await counts(String(fresh)), await counts(secret)]).toEqual([true, true]);
    expect(former && isActive(former, nowMs + 2 * hour)).toBe(false);
  });

  test.each([
    ['', 24],
    ['overlap_hours=', 24],
    ['overlap_hours=1', 1],
    ['overlap_hours=168', 168],
  ])('V2-13 the form %j ends the present secret after %i hours', async (body, hours) => {
    const { make } = aService();

    expect((await make({ body })).json().former_secret_expires_at).toBe((nowMs + hours * hour) / 1000);
  });

  const bounds = 'The parameter overlap_hours is a whole number from 1 to 168.';
  test.each(['0', '169', '-1', '1.5', '1e2', '01', 'day', '9999'])(
    'V2-13 overlap_hours=%s is refused with the bounds, and nothing is created',
    async (hours) => {
      const { make, secretsNow } = aService();

      const { status, json } = await make({ body: `overlap_hours=${hours}` });

      expect([status, json()]).toEqual([400, { error: 'invalid_request', error_description: bounds }]);
      expect(await secretsNow()).toHaveLength(1);
    },
  );

  test('S-20 V2-13 two secrets work at most: the presented one stays, and one that may have been lost ends', async () => {
    const { make, counts } = aService();
    const lost = String((await make()).json().client_secret);

    const kept = String((await make()).json().client_secret);

    expect([await counts(secret), await counts(kept), await counts(lost)]).toEqual([true, true, false]);
  });

  test('S-20 V2-13 a secret that is about to end gets no more time', async () => {
    const { make } = aService([aStoredSecret({ expiresAtMs: nowMs + hour })]);

    expect((await make()).json().former_secret_expires_at).toBe((nowMs + hour) / 1000);
  });

  test('S-20 V2-13 a secret whose successor is in use creates no other, and the successor stays', async () => {
    const { make, audit, counts } = aService();
    const successor = String((await make({ headers: keyed })).json().client_secret);
    expect(await counts(successor)).toBe(true);

    const { status, json } = await make();
    const again = await make({ headers: keyed });

    const words = 'This secret was replaced: authenticate with the new one.';
    expect([status, json()]).toEqual([400, { error: 'unauthorized_client', error_description: words }]);
    expect([again.status, audit.records.length]).toEqual([200, 1]);
    expect([await counts(successor), (await make({ by: successor })).status]).toEqual([true, 201]);
  });

  test('S-20 V2-13 a secret that the operator replaced creates no other until its successor has ended', async () => {
    const former = aStoredSecret({ expiresAtMs: nowMs + hour });
    const successor = aStoredSecret({ id: 's2', hash: 'another', createdAtMs: nowMs - 1 });
    const replaced = aService([successor, former]);
    const left = aService([{ ...successor, expiresAtMs: nowMs }, former]);

    expect([(await replaced.make()).status, (await left.make()).status]).toEqual([400, 201]);
    expect(await replaced.secretsNow()).toEqual([successor, former]);
  });

  test('V2-13 takes nop2/webhook, and Basic alone', async () => {
    const { ask, make, audit, partners, secretsNow } = aService();
    const { authorization: _, ...nobody } = formHeaders;
    const before = await partners.credentialsOf(withoutScope.clientId);

    const without = await ask({ path: '/oauth2/secret', body: '' });
    const inBody = await make({
      headers: { ...nobody, authorization: [] },
      body: `client_id=${clientId}&client_secret=${secret}`,
    });

    expect([without.status, without.json().error]).toEqual([400, 'unauthorized_client']);
    const words = 'Authenticate by HTTP Basic at this address.';
    expect([inBody.status, inBody.json().error_description]).toEqual([400, words]);
    const uses = { s1: '2026-11-21' };
    expect(await partners.credentialsOf(withoutScope.clientId)).toEqual({ ...before, uses });
    expect([await secretsNow(), audit.records]).toMatchObject([[{ id: 's1' }], []]);
  });

  test('V2-13 S-40 the eleventh request in ten minutes is 429 as an OAuth error', async () => {
    const { make } = aService();
    for (let n = 0; n < 10; n += 1) expect((await make()).status).toBe(201);

    const { status, headers, json } = await make();

    expect([status, json().error, headers['retry-after']]).toEqual([429, 'temporarily_unavailable', '600']);
    expect(headers['ratelimit-policy']).toBe('"self-service";q=10;w=600');
  });

  test('WR-1 V2-13 a repeat under its key is 200 without the secret, which is not stored', async () => {
    const kept: unknown[] = [];
    const { make, requests, seen, audit, secretsNow } = aService();
    const put = requests.put;
    requests.put = (record) => {
      kept.push(record);
      put(record);
    };

    const first = await make({ headers: keyed });
    const again = await make({ headers: keyed });

    const { client_secret: made, ...facts } = first.json();
    expect([again.status, again.headers['idempotency-replayed'], again.json()]).toEqual([200, 'true', facts]);
    expect(again.headers['cache-control']).toBe('no-store');
    expect(kept).toHaveLength(1);
    expect(await secretsNow()).toHaveLength(2);
    const texts = JSON.stringify([kept, seen.log, audit.records, await secretsNow()]);
    for (const one of [String(made), secret]) expect(texts).not.toContain(one);
  });

  test.each([
    ['with space', 'overlap_hours=2', 'Idempotency-Key must be one value of 1 to 255'],
    ['one', 'overlap_hours=3', 'The Idempotency-Key was used with another body.'],
  ])('WR-1 ERR-6 V2-13 the key %j with %s is 400 in the words of OAuth', async (key, body, words) => {
    const { make } = aService();
    await make({ headers: keyed });

    const { status, json } = await make({ headers: { 'idempotency-key': key }, body });

    expect([status, json().error]).toEqual([400, 'invalid_request']);
    expect(json().error_description).toContain(words);
  });

  test('S-28 V2-13 the audit record comes first and names the partner and the secret that stays, without a value', async () => {
    const { make, audit } = aService();

    await make();

    const given = { name: 'Manager', clientId, by: 'partner', overlapHours: 2, secretId: 's1' };
    const about = { who: 'Manager', caller: `partner/${clientId}`, atMs: nowMs };
    expect(audit.records).toEqual([{ ...about, command: 'partner rotate-secret', arguments: given }]);
    expect(audit.done).toEqual(['partner rotate-secret']);
  });

  test('S-28 V2-13 a change whose record fails has no effect', async () => {
    const append = () => Promise.reject(new Error('injected'));
    const { make, secretsNow } = aService(undefined, { audit: { append } });

    expect((await make()).status).toBe(500);
    expect(await secretsNow()).toHaveLength(1);
  });

  test('V2-13 TOK-3 a secret that was rehashed meanwhile does not count as changed', async () => {
    const service = aService();
    const append = service.audit.append;
    service.audit.append = async (record) => {
      await service.partners.rehash(clientId, aStoredSecret(), { hash: 'anew', pepperId: '1' });
      return append(record);
    };

    expect((await service.make()).status).toBe(201);
    expect((await service.secretsNow())[1]).toMatchObject({ id: 's1', hash: 'anew' });
  });

  test('V2-13 S-20 of two parallel requests one is refused, so that no secret ends unseen', async () => {
    const { make, secretsNow } = aService();

    const answers = await Promise.all([make(), make()]);

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(await secretsNow()).toHaveLength(2);
  });
});
