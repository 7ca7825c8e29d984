import { describe, expect, test } from '@jest/globals';
import { createGuessLimiter } from '../../../../functions/issue-token/guess-limiter.ts';
import {
  basic,
  createTokenService,
  disabled,
  formHeaders,
  now,
  partner,
  reader,
  secret,
} from '../../../support/apis/token-service.ts';
import { createMemoryWrongSecrets } from '../../../support/memory/wrong-secrets.ts';

/** A token service whose clients present a secret from an address, and whose time a test moves. */
const aService = (wrongSecrets = createMemoryWrongSecrets()) => {
  let time = now.getTime();
  const clock = () => new Date(time);
  const service = createTokenService({ clock, limiter: createGuessLimiter(wrongSecrets) });
  const present = (clientId: string, password: string, sourceIp = '198.51.100.7', path = '/oauth2/token') => {
    const headers = { ...formHeaders, authorization: basic(clientId, password) };
    const body = 'grant_type=client_credentials&token=a';
    return service.ask({ path, headers, sourceIp, body });
  };
  return {
    ...service,
    present,
    wrong: async (count: number, { clientId = partner.clientId, sourceIp = '198.51.100.7' } = {}) => {
      const statuses: number[] = [];
      for (let tries = 0; tries < count; tries += 1)
        statuses.push((await present(clientId, `wrong${tries}`, sourceIp)).status);
      return statuses;
    },
    passTime: (ms: number) => {
      time += ms;
    },
  };
};

const times = (count: number, status: number) => Array.from({ length: count }, () => status);

describe('O-55 guessing', () => {
  test('from the 21st wrong secret in 60 s the response is 429 with Retry-After', async () => {
    const { wrong, present } = aService();

    expect(await wrong(30)).toEqual([...times(20, 401), ...times(10, 429)]);
    const { status, headers, json } = await present(partner.clientId, 'wrong');
    expect([status, headers['retry-after'], headers['cache-control']]).toEqual([429, '60', 'no-store']);
    expect(headers['content-type']).toMatch(/^application\/json(;|$)/);
    expect(headers['www-authenticate']).toBeUndefined();
    expect(json()).toEqual({
      error: 'temporarily_unavailable',
      error_description: 'Too many wrong secrets. Try again after the time in Retry-After.',
    });
  });

  test('the right secret is refused from that network as well, and accepted from another one', async () => {
    const { wrong, present, passTime } = aService();
    await wrong(21);

    expect((await present(partner.clientId, secret)).status).toBe(429);
    expect((await present(partner.clientId, secret, '198.51.100.8')).status).toBe(200);
    passTime(60_000);
    expect((await present(partner.clientId, secret)).status).toBe(200);
  });

  test('another client is not slowed down, even from the same address', async () => {
    const { wrong, present } = aService();
    await wrong(21);

    expect((await present(reader.clientId, secret)).status).toBe(200);
  });

  test('twenty wrong secrets a minute are never refused, however long they continue', async () => {
    const { wrong, passTime, present } = aService();
    for (let minute = 0; minute < 5; minute += 1) {
      expect(await wrong(20)).toEqual(times(20, 401));
      expect((await present(partner.clientId, secret)).status).toBe(200);
      passTime(60_000);
    }
  });

  test('the limit counts any 60 s, not minutes of the clock', async () => {
    const { wrong, passTime } = aService();
    await wrong(5);
    passTime(50_000);
    await wrong(15);
    passTime(9_999);
    expect(await wrong(1)).toEqual([429]);
    passTime(1);

    expect(await wrong(5)).toEqual([...times(4, 401), 429]);
  });

  test('further tries are not counted, and Retry-After says when the first of the 21 expires', async () => {
    const { wrong, passTime, present } = aService();
    await wrong(10);
    passTime(20_000);
    await wrong(11);

    expect((await present(partner.clientId, 'wrong')).headers['retry-after']).toBe('40');
    passTime(39_999);
    expect((await present(partner.clientId, secret)).headers['retry-after']).toBe('1');
    passTime(1);
    expect((await present(partner.clientId, secret)).status).toBe(200);
  });

  test('O-16 unknown and disabled clients are slowed down in the same way, byte for byte', async () => {
    const { wrong, present } = aService();
    const answers: unknown[] = [];
    for (const clientId of [partner.clientId, disabled.clientId, 'nobody']) {
      expect(await wrong(21, { clientId })).toEqual([...times(20, 401), 429]);
      answers.push({ ...(await present(clientId, secret)), json: 0 });
    }

    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  test('the limit holds over many processes and all endpoints', async () => {
    const shared = createMemoryWrongSecrets();
    const [one, other] = [aService(shared), aService(shared)];
    for (let tries = 0; tries < 10; tries += 1) {
      expect((await one.present(partner.clientId, 'x', undefined, '/oauth2/introspect')).status).toBe(401);
      expect((await other.present(partner.clientId, 'x', undefined, '/oauth2/revoke')).status).toBe(401);
    }

    expect(await one.wrong(1)).toEqual([429]);
    expect((await other.present(partner.clientId, secret)).status).toBe(429);
  });

  test.each([
    ['2001:db8:1:2:3::1', '2001:db8:1:2:ffff::1', 429],
    ['2001:db8:1:2:3::1', '2001:db8:1:3:3::1', 200],
    ['::ffff:198.51.100.7', '198.51.100.7', 429],
    ['::1', '0:0:0:0:1:2:3:4', 429],
    ['fe80::1%eth0', 'fe80:0:0:0::2', 429],
    ['1:2:3::198.51.100.7', '1:2:3:0:5:6:7:8', 429],
  ])('after too many tries from %s the right secret from %s is %d', async (guessing, asking, expected) => {
    const { wrong, present } = aService();
    await wrong(21, { sourceIp: guessing });

    expect((await present(partner.clientId, secret, asking)).status).toBe(expected);
  });
});

describe('TH-14 cost', () => {
  test('a wrong secret costs one write, a right one one read, and a client known to wait nothing', async () => {
    const counted = createMemoryWrongSecrets();
    const { wrong, present, seen } = aService(counted);

    await present(partner.clientId, secret);
    expect([counted.reads(), counted.writes(), seen.storeCalls.length]).toEqual([1, 0, 1]);
    await wrong(21);
    expect([counted.reads(), counted.writes(), seen.storeCalls.length]).toEqual([1, 21, 22]);
    await wrong(1000);
    await present(partner.clientId, secret);
    expect([counted.reads(), counted.writes(), seen.storeCalls.length]).toEqual([1, 21, 22]);
  });

  test('a client_id that was never issued costs nothing', async () => {
    const counted = createMemoryWrongSecrets();
    const { wrong, seen } = aService(counted);

    expect(await wrong(30, { clientId: 'x'.repeat(33) })).toEqual(times(30, 401));
    expect([counted.reads(), counted.writes(), seen.storeCalls.length]).toEqual([0, 0, 0]);
  });

  test('a process remembers a limited number of waiting clients, and forgets the oldest', async () => {
    const tooMany = Array.from({ length: 21 }, () => now.getTime());
    const limiter = createGuessLimiter({ timesOf: async () => tooMany, add: async () => tooMany });
    const guesser = (index: number) => ({ clientId: `client${index}`, network: 'a' });
    for (let index = 0; index <= 10_000; index += 1)
      await limiter.afterWrong(guesser(index), 'pepper', now.getTime());

    expect(limiter.remembered(guesser(0), now.getTime())).toBeUndefined();
    expect(limiter.remembered(guesser(1), now.getTime())).toBe(now.getTime() + 60_000);
    expect(limiter.remembered(guesser(10_000), now.getTime())).toBe(now.getTime() + 60_000);
  });
});

describe('S-64 logs and the store', () => {
  test('O-55 a log line names the client and the cause, and the metric only the cause', async () => {
    const { wrong, present, seen, partners } = aService();
    await present(partner.clientId, 'wrong');
    await present('nobody', 'wrong');
    await present(disabled.clientId, secret);
    const { secrets: before = [] } = (await partners.credentialsOf(reader.clientId)) ?? {};
    const after = before.map((one) => ({ ...one, expiresAtMs: now.getTime() }));
    await partners.replaceSecrets(reader.clientId, { before, after });
    await present(reader.clientId, secret);
    await wrong(20);

    expect([...new Set(seen.causes)]).toEqual([
      'wrong-secret',
      'unknown-client',
      'disabled-client',
      'ended-secret',
      'guessing',
    ]);
    expect(seen.log).toContainEqual({
      name: 'clientRefused',
      facts: { requestId: 'request-1', clientId: partner.clientId, reason: 'guessing' },
      fault: 'undefined',
    });
  });

  test('O-55 each log line names the client, and none holds a secret', async () => {
    const { present, seen } = aService();
    await present(partner.clientId, secret);
    await present(secret, partner.clientId);

    const answered = seen.log.map((line) => (line as { facts: Record<string, unknown> }).facts.clientId);
    expect(answered).toEqual([partner.clientId, undefined, undefined]);
    expect(JSON.stringify(seen.log)).not.toContain(secret);
  });

  test('no key of the store holds an address or a client', async () => {
    const ids: string[] = [];
    const add = async (id: string) => {
      ids.push(id);
      return [];
    };
    const limiter = createGuessLimiter({ timesOf: async () => [], add });

    await limiter.afterWrong({ clientId: 'client', network: '198.51.100.7' }, 'pepper', 0);
    await limiter.afterWrong({ clientId: 'client', network: '198.51.100.7' }, 'another pepper', 0);

    expect(ids[0]).toMatch(/^[\w-]{43}$/);
    expect(ids[1]).not.toBe(ids[0]);
  });
});
