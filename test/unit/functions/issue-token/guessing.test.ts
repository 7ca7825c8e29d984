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
import { aClock } from '../../../support/builders/manual-clock.ts';
import { createMemoryWrongSecrets } from '../../../support/memory/wrong-secrets.ts';

const { clientId } = partner;

/** A token service whose clients present a secret from an address, and whose time a test moves. */
const aService = (wrongSecrets = createMemoryWrongSecrets()) => {
  const { now: clock, pass } = aClock();
  const service = createTokenService({ clock, limiter: createGuessLimiter(wrongSecrets) });
  const present = (id: string, password: string, sourceIp = '198.51.100.7', path = '/oauth2/token') => {
    const headers = { ...formHeaders, authorization: basic(id, password) };
    return service.ask({ path, headers, sourceIp, body: 'grant_type=client_credentials&token=a' });
  };
  /** The statuses of so many wrong secrets. */
  const wrong = async (count: number, id = clientId, sourceIp?: string) => {
    const statuses: number[] = [];
    for (let tries = 0; tries < count; tries += 1)
      statuses.push((await present(id, `wrong${tries}`, sourceIp)).status);
    return statuses;
  };
  /** The status of the right one. */
  const right = async (sourceIp?: string) => (await present(clientId, secret, sourceIp)).status;
  return { ...service, present, wrong, right, passTime: (ms: number) => pass({ ms }) };
};

const times = (count: number, status: number) => Array<number>(count).fill(status);

describe('O-55 guessing', () => {
  test('from the 21st wrong secret in 60 s the response is 429 with Retry-After', async () => {
    const { wrong, present } = aService();

    expect(await wrong(30)).toEqual([...times(20, 401), ...times(10, 429)]);
    const { status, headers, json } = await present(clientId, 'wrong');
    expect([status, headers['retry-after'], headers['cache-control']]).toEqual([429, '60', 'no-store']);
    expect(headers['content-type']).toMatch(/^application\/json(;|$)/);
    expect(headers['www-authenticate']).toBeUndefined();
    expect(json()).toEqual({
      error: 'temporarily_unavailable',
      error_description: 'Too many wrong secrets. Try again after the time in Retry-After.',
    });
  });

  test('the right secret waits too from there, but not from another address, and no other client does', async () => {
    const { wrong, right, present, passTime } = aService();
    await wrong(21);

    expect([await right(), await right('198.51.100.8')]).toEqual([429, 200]);
    expect((await present(reader.clientId, secret)).status).toBe(200);
    passTime(60_000);
    expect(await right()).toBe(200);
  });

  test('twenty wrong secrets a minute are never refused, however long they continue', async () => {
    const { wrong, passTime, right } = aService();
    for (let minute = 0; minute < 5; minute += 1) {
      expect([...(await wrong(20)), await right()]).toEqual([...times(20, 401), 200]);
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
    const { wrong, passTime, right, present } = aService();
    await wrong(10);
    passTime(20_000);
    await wrong(11);

    expect((await present(clientId, 'wrong')).headers['retry-after']).toBe('40');
    passTime(39_999);
    expect((await present(clientId, secret)).headers['retry-after']).toBe('1');
    passTime(1);
    expect(await right()).toBe(200);
  });

  test('O-16 unknown and disabled clients are slowed down in the same way, byte for byte', async () => {
    const { wrong, present } = aService();
    const answers: unknown[] = [];
    for (const id of [clientId, disabled.clientId, 'nobody']) {
      expect(await wrong(21, id)).toEqual([...times(20, 401), 429]);
      answers.push({ ...(await present(id, secret)), json: 0 });
    }

    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  test('O-15 V2-13 it holds over many processes, and all endpoints count together', async () => {
    const shared = createMemoryWrongSecrets();
    const [one, other] = [aService(shared), aService(shared)];
    for (const path of ['/oauth2/introspect', '/oauth2/revoke', '/oauth2/secret', '/oauth2/token'])
      for (let tries = 0; tries < 5; tries += 1)
        expect((await one.present(clientId, 'x', undefined, path)).status).toBe(401);

    expect(await one.wrong(1)).toEqual([429]);
    expect(await other.right()).toBe(429);
    expect((await other.present(clientId, secret, undefined, '/oauth2/secret')).status).toBe(429);
  });

  test.each([
    ['2001:db8:1:2:3::1', '2001:db8:1:2:ffff::1', 429],
    ['2001:db8:1:2:3::1', '2001:db8:1:3:3::1', 200],
    ['::ffff:198.51.100.7', '198.51.100.7', 429],
    ['::1', '0:0:0:0:1:2:3:4', 429],
    ['fe80::1%eth0', 'fe80:0:0:0::2', 429],
    ['1:2:3::198.51.100.7', '1:2:3:0:5:6:7:8', 429],
  ])('after too many tries from %s the right secret from %s is %d', async (guessing, asking, expected) => {
    const { wrong, right } = aService();
    await wrong(21, clientId, guessing);

    expect(await right(asking)).toBe(expected);
  });
});

describe('TH-14 cost', () => {
  test('a wrong secret takes one write, a right one one read; what is known to wait, and an impossible id, nothing', async () => {
    const counted = createMemoryWrongSecrets();
    const { wrong, right, seen } = aService(counted);
    const costs = () => [counted.reads(), counted.writes(), seen.storeCalls.length];

    expect(await wrong(30, 'x'.repeat(33))).toEqual(times(30, 401));
    expect(costs()).toEqual([0, 0, 0]);
    await right();
    expect(costs()).toEqual([1, 0, 1]);
    await wrong(21);
    expect(costs()).toEqual([1, 21, 22]);
    await wrong(1000);
    await right();
    expect(costs()).toEqual([1, 21, 22]);
  });

  test('a process remembers a limited number of waiting clients, and forgets the oldest', async () => {
    const nowMs = now.getTime();
    const tooMany = times(21, nowMs);
    const limiter = createGuessLimiter({ timesOf: async () => tooMany, add: async () => tooMany });
    const guesser = (index: number) => ({ clientId: `client${index}`, network: 'a' });
    for (let index = 0; index <= 10_000; index += 1)
      await limiter.afterWrong(guesser(index), 'pepper', nowMs);

    const remembered = [0, 1, 10_000].map((index) => limiter.remembered(guesser(index), nowMs));
    expect(remembered).toEqual([undefined, nowMs + 60_000, nowMs + 60_000]);
  });
});

describe('S-64 logs and the store', () => {
  test('O-55 a log line names the client and the cause, and the metric only the cause', async () => {
    const { wrong, present, seen, partners } = aService();
    await present(clientId, 'wrong');
    await present('nobody', 'wrong');
    await present(disabled.clientId, secret);
    const { secrets: before = [] } = (await partners.credentialsOf(reader.clientId)) ?? {};
    const after = before.map((one) => ({ ...one, expiresAtMs: now.getTime() }));
    await partners.replaceSecrets(reader.clientId, { before, after });
    await present(reader.clientId, secret);
    await wrong(20);

    const causes = ['wrong-secret', 'unknown-client', 'disabled-client', 'ended-secret', 'guessing'];
    expect([...new Set(seen.causes)]).toEqual(causes);
    expect(seen.log).toContainEqual({
      name: 'clientRefused',
      facts: { requestId: 'request-1', clientId, reason: 'guessing' },
      fault: 'undefined',
    });
  });

  test('O-55 each log line names the client, and none holds a secret', async () => {
    const { present, seen } = aService();
    await present(clientId, secret);
    await present(secret, clientId);

    const answered = seen.log.map((line) => (line as { facts: Record<string, unknown> }).facts.clientId);
    expect(answered).toEqual([clientId, undefined, undefined]);
    expect(JSON.stringify(seen.log)).not.toContain(secret);
  });

  test('no key of the store holds an address or a client', async () => {
    const ids: string[] = [];
    const add = async (id: string) => {
      ids.push(id);
      return [];
    };
    const limiter = createGuessLimiter({ timesOf: async () => [], add });
    const guesser = { clientId: 'client', network: '198.51.100.7' };

    await limiter.afterWrong(guesser, 'pepper', 0);
    await limiter.afterWrong(guesser, 'another pepper', 0);

    expect(ids[0]).toMatch(/^[\w-]{43}$/);
    expect(ids[1]).not.toBe(ids[0]);
  });
});
