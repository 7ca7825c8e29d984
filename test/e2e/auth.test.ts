import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as openidClient from 'openid-client';
import { basic, decoded, grantBody } from '../support/apis/token-service.ts';
import { describedFetch } from '../support/openapi/described-fetch.ts';
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

  test('I-01 V-01 R-42 a client introspects and revokes its token by what discovery told it', async () => {
    const configuration = await discover();
    const { access_token } = await openidClient.clientCredentialsGrant(configuration);
    const isActive = async () => (await openidClient.tokenIntrospection(configuration, access_token)).active;
    expect([await isActive(), await listStatus(access_token)]).toEqual([true, 200]);

    await openidClient.tokenRevocation(configuration, access_token);

    expect([await isActive(), await listStatus(access_token)]).toEqual([false, 401]);
  });
});
