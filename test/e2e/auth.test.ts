import { execFile } from 'node:child_process';
import { request } from 'node:http';
import { join } from 'node:path';
import { text as bodyOf } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as openidClient from 'openid-client';
import { basic, decoded, grantBody } from '../support/apis/token-service.ts';
import { assertDescribed, describedFetch } from '../support/openapi/described-fetch.ts';
import { root } from '../support/repository.ts';
import { type OpenStage, sharedStage } from '../support/stage/shared-stage.ts';

type Credentials = { clientId: string; clientSecret: string };

let stage: OpenStage;
let partner: Credentials;

/** Runs one command of the operator's tool. */
const operate = async (...args: string[]) => {
  const stack = ['--stack', join(stage.dataDir, 'stack.json'), '--json', '--yes'];
  const { stdout } = await promisify(execFile)(process.execPath, ['bin/operator.ts', ...args, ...stack], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  return JSON.parse(stdout) as Credentials;
};

beforeAll(async () => {
  stage = await sharedStage();
  partner = await operate('partner', 'create', '--name', 'Northgate', '--grant', 'group=of-tokens');
}, 300_000);

const askToken = ({ clientId, clientSecret }: Credentials, headers: Record<string, string> = {}) =>
  describedFetch(`${stage.authUrl}/oauth2/token`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: basic(clientId, clientSecret),
      ...headers,
    },
    body: grantBody,
  });
/** The same from another address of this machine. */
const statusFrom = (localAddress: string, { clientId, clientSecret }: Credentials) =>
  new Promise<number | undefined>((resolve, reject) => {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: basic(clientId, clientSecret),
    };
    const call = request(
      `${stage.authUrl}/oauth2/token`,
      { method: 'POST', headers, localAddress },
      (answer) => {
        bodyOf(answer)
          .then((text) => {
            const { statusCode: status = 0, headers: received } = answer;
            assertDescribed({
              ...{ method: 'POST', target: '/oauth2/token' },
              sent: { contentType: headers['content-type'], text: grantBody },
              answer: { status, headers: new Headers(received as Record<string, string>), text },
            });
            resolve(status);
          })
          .catch(reject);
      },
    );
    call.on('error', reject);
    call.end(grantBody);
  });
const tokenOf = async (credentials: Credentials) => {
  const { access_token } = (await (await askToken(credentials)).json()) as { access_token: string };
  return access_token;
};
const read = (path: string, token: string) =>
  describedFetch(`${stage.baseUrl}${path}`, { headers: { authorization: `Bearer ${token}` } });
const listStatus = async (token: string) => (await read('/api/v2/transaction', token)).status;

/** What openid-client learns from the address of the token service. */
const discover = () =>
  openidClient.discovery(new URL(stage.authUrl), partner.clientId, partner.clientSecret, undefined, {
    algorithm: 'oauth2',
    execute: [openidClient.allowInsecureRequests],
    [openidClient.customFetch]: (url, init) => describedFetch(url, init as RequestInit),
  });

describe('the token service of a running stage', () => {
  test('M-12 O-01 the address of the token service is all that a client needs beside its credentials', async () => {
    const configuration = await discover();
    const { access_token } = await openidClient.clientCredentialsGrant(configuration);

    expect(await listStatus(access_token)).toBe(200);
    expect(decoded(access_token).claims).toMatchObject({
      iss: stage.authUrl,
      aud: `${stage.baseUrl}/api/v2`,
      sub: partner.clientId,
    });
  });

  test('O-60 J-07 100 grants at 50 in flight have 100 token ids', async () => {
    const ids = new Set<unknown>();
    const asking = Array.from({ length: 50 }, async () => {
      for (let count = 0; count < 2; count += 1) ids.add(decoded(await tokenOf(partner)).claims.jti);
    });
    await Promise.all(asking);

    expect(ids.size).toBe(100);
  });

  test('O-25 after a rotation by the operator both secrets work, after one without overlap the new one alone', async () => {
    const first = await operate('partner', 'create', '--name', 'Rotating', '--grant', 'group=of-tokens');
    const second = await operate('partner', 'rotate-secret', 'Rotating');
    const statuses = async (...secrets: Credentials[]) =>
      Promise.all(
        secrets.map(async ({ clientSecret }) => (await askToken({ ...first, clientSecret })).status),
      );

    expect(await statuses(first, second)).toEqual([200, 200]);
    const third = await operate('partner', 'rotate-secret', 'Rotating', '--overlap-hours', '0');
    expect(await statuses(first, second, third)).toEqual([401, 401, 200]);
  }, 60_000);

  test('I-01 V-01 R-42 a client introspects and revokes its token by what discovery told it', async () => {
    const configuration = await discover();
    const { access_token } = await openidClient.clientCredentialsGrant(configuration);
    const isActive = async () => (await openidClient.tokenIntrospection(configuration, access_token)).active;
    expect([await isActive(), await listStatus(access_token)]).toEqual([true, 200]);

    await openidClient.tokenRevocation(configuration, access_token);

    expect([await isActive(), await listStatus(access_token)]).toEqual([false, 401]);
  });

  test('TOK-6 after revoke-tokens every token of before is refused, and the next one is served', async () => {
    const own = await operate('partner', 'create', '--name', 'Leaking', '--grant', 'group=G');
    const token = await tokenOf(own);
    expect(await listStatus(token)).toBe(200);

    await operate('partner', 'revoke-tokens', 'Leaking');

    expect([await listStatus(token), await listStatus(await tokenOf(own))]).toEqual([401, 200]);
  }, 60_000);

  test('O-55 guessing is 429 from the 21st wrong secret on, and the right one is served from another address', async () => {
    const own = await operate('partner', 'create', '--name', 'Guessed', '--grant', 'group=G');
    const statuses = new Map<number, number>();
    for (let count = 0; count < 30; count += 1) {
      const { status } = await askToken({ ...own, clientSecret: `wrong${count}` });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }

    expect([...statuses]).toEqual([
      [401, 20],
      [429, 10],
    ]);
    const waiting = await askToken(own);
    expect([waiting.status, Number(waiting.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(await statusFrom('127.0.0.2', own)).toBe(200);
    expect((await askToken(partner)).status).toBe(200);
  }, 60_000);

  test('TOK-5 R-43 O-17 a partner is refused from the moment it is disabled', async () => {
    const leaving = await operate('partner', 'create', '--name', 'Leaving', '--grant', 'group=of-tokens');
    const token = await tokenOf(leaving);
    expect(await listStatus(token)).toBe(200);

    await operate('partner', 'disable', 'Leaving');

    expect([await listStatus(token), (await askToken(leaving)).status]).toEqual([401, 401]);
  }, 60_000);
});
