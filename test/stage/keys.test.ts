import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { KeyKind } from '../../functions/shared/domain/keys/key-ring.ts';
import { basic, decoded, grantBody } from '../support/apis/token-service.ts';
import { root } from '../support/repository.ts';
import { aBrowserOn } from '../support/stage/buyer-client.ts';
import { startStage, type TestStage } from '../support/stage/stage.ts';
import { openStageKeys } from '../support/stage/stage-keys.ts';

jest.setTimeout(240_000);

type Key = { kind: KeyKind; kid: string; state: string; clientSecrets?: number };
type Credentials = { clientId: string; clientSecret: string };
const shop = 'https://shop.example';

let stage: TestStage;
let partner: Credentials;

/** Runs one command of the operator's tool. */
const operate = async <Printed>(...args: string[]): Promise<Printed> => {
  const stack = ['--stack', join(stage.dataDir, 'stack.json'), '--json', '--yes'];
  const { stdout } = await promisify(execFile)(process.execPath, ['bin/operator.ts', ...args, ...stack], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  return JSON.parse(stdout) as Printed;
};

const keysOf = async (kind: KeyKind) =>
  (await operate<Key[]>('keys', 'list')).filter((key) => key.kind === kind);

/** The ring as it would be an hour later: a rotation then finds a key that was published for long enough. */
const age = (kind: KeyKind) => openStageKeys(stage).age(kind, 3_600_000);

const askToken = ({ clientId, clientSecret }: Credentials = partner) =>
  fetch(`${stage.authUrl}/oauth2/token`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: basic(clientId, clientSecret),
    },
    body: grantBody,
  });
const tokenOf = async (credentials = partner) =>
  ((await (await askToken(credentials)).json()) as { access_token: string }).access_token;
const statusOf = async (token: string) =>
  (await fetch(`${stage.baseUrl}/api/v2/transaction`, { headers: { authorization: `Bearer ${token}` } }))
    .status;
const kidOf = (token: string) => String(decoded(token).header.kid);

beforeAll(async () => {
  stage = await startStage();
  partner = await operate<Credentials>('partner', 'create', '--name', 'acme', '--grant', 'group=G');
  const owner = ['--group', 'G', '--franchise', 'F', '--location', 'L', '--branch', 'B'];
  await operate('storefront', 'create', '--name', 'leeds', ...owner, '--origin', shop);
}, 120_000);
afterAll(() => stage.stop());

/** Repeats an action with this concurrency until it is stopped. Counts the results. */
const keepAsking = (ask: () => Promise<string>, atOnce: number) => {
  const seen = new Map<string, number>();
  let isOver = false;
  const asking = Array.from({ length: atOnce }, async () => {
    while (!isOver) {
      const what = await ask();
      seen.set(what, (seen.get(what) ?? 0) + 1);
    }
  });
  return async () => {
    isOver = true;
    await Promise.all(asking);
    return Object.fromEntries(seen);
  };
};

/** Asks until it is so; the test's own limit ends what never is. */
const eventually = async (isSo: () => Promise<boolean>) => {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 250));
};

/** Seconds until an answer is another than 200. */
const secondsUntilRefused = async (ask: () => Promise<number>): Promise<number> => {
  const began = performance.now();
  while ((await ask()) === 200) await new Promise((resolve) => setTimeout(resolve, 200));
  return Math.round((performance.now() - began) / 100) / 10;
};

describe('TOK-3 rotations of a running stage', () => {
  test('TOK-3 access keys rotate while clients fetch and use tokens: nobody is refused', async () => {
    const kids = new Set<string>();
    const old: string[] = [];
    const stop = keepAsking(async () => {
      const answer = await askToken();
      if (answer.status !== 200) return `token ${answer.status}`;
      const token = ((await answer.json()) as { access_token: string }).access_token;
      if (!kids.has(kidOf(token))) old.push(token);
      kids.add(kidOf(token));
      const [fresh, former] = await Promise.all([statusOf(token), statusOf(old[0] ?? token)]);
      return `V2 ${fresh} ${former}`;
    }, 4);

    for (let times = 1; times <= 2; times += 1) {
      await age('access');
      await operate('keys', 'rotate', 'access');
      await eventually(async () => kids.size > times);
    }
    const seen = await stop();
    console.info(`requests while access keys rotated: ${JSON.stringify(seen)}, signed by ${kids.size} keys`);

    expect(Object.keys(seen)).toEqual(['V2 200 200']);
    expect(kids.size).toBe(3);
  });

  test('TOK-3 session keys rotate and buyers keep their sessions', async () => {
    const buyer = aBrowserOn(stage, shop);
    const first = await buyer.send('/api/transaction');
    const kid = kidOf(buyer.state.token);

    await age('session');
    await operate('keys', 'rotate', 'session');
    const statuses = new Set<number>();
    await eventually(async () => {
      statuses.add((await buyer.send('/api/transaction')).status);
      const other = aBrowserOn(stage, shop);
      await other.send('/api/transaction');
      return kidOf(other.state.token) !== kid;
    });

    expect([first.status, [...statuses]]).toEqual([200, [200]]);
  });

  test('TOK-2 the pepper rotates and client secrets stay valid, the new ones under the new pepper', async () => {
    await age('pepper');
    await operate('keys', 'rotate', 'pepper');
    const later = await operate<Credentials>('partner', 'create', '--name', 'later', '--grant', 'group=G');
    const statuses = new Set<number>();
    await eventually(async () => {
      for (const client of [partner, later]) statuses.add((await askToken(client)).status);
      return (await keysOf('pepper'))[0]?.clientSecrets === 0;
    });

    expect([...statuses]).toEqual([200]);
    expect((await keysOf('pepper')).map(({ state, clientSecrets }) => [state, clientSecrets])).toEqual([
      ['verifies', 0],
      ['signs', 2],
      ['standby', 0],
    ]);
  });
});

describe('M-10 a leaked key of a running stage', () => {
  test('M-10 tokens of a removed access key are refused within 60 s, and new ones work at once', async () => {
    const token = await tokenOf();
    const kid = kidOf(token);
    expect(await statusOf(token)).toBe(200);

    await operate('keys', 'remove', kid);
    const stop = keepAsking(async () => `${(await askToken()).status}`, 1);
    const seconds = await secondsUntilRefused(() => statusOf(token));
    const seen = await stop();
    console.info(
      `seconds until a removed access key is refused: ${seconds}; token requests meanwhile: ${JSON.stringify(seen)}`,
    );

    expect(seconds).toBeLessThan(60);
    expect(Object.keys(seen)).toEqual(['200']);
    await eventually(async () => kidOf(await tokenOf()) !== kid);
    expect([await statusOf(await tokenOf()), await statusOf(token)]).toEqual([200, 401]);
    const { keys } = (await (await fetch(`${stage.authUrl}/oauth2/jwks`)).json()) as {
      keys: { kid: string }[];
    };
    expect(keys.map((key) => key.kid)).not.toContain(kid);
    expect(keys.length).toBeGreaterThanOrEqual(2);
  });

  test('M-10 sessions of a removed session key are refused within 60 s', async () => {
    const buyer = aBrowserOn(stage, shop);
    await buyer.send('/api/transaction');
    const token = buyer.state.token;
    const ask = async () =>
      (
        await fetch(`${stage.baseUrl}/api/transaction`, {
          headers: { Origin: shop, authorization: `Bearer ${token}` },
        })
      ).status;
    expect(await ask()).toBe(200);

    await operate('keys', 'remove', kidOf(token));
    const seconds = await secondsUntilRefused(ask);
    console.info(`seconds until a removed session key is refused: ${seconds}`);

    expect(seconds).toBeLessThan(60);
    const again = aBrowserOn(stage, shop);
    expect((await again.send('/api/transaction')).status).toBe(200);
  });
});
