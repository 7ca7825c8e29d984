import { request } from 'node:http';
import { join } from 'node:path';
import { text as bodyOf } from 'node:stream/consumers';
import { beforeAll, expect, test } from '@jest/globals';
import { createOperatorTool } from '../../localstack/demo/operator-tool.ts';
import { assertDescribed } from '../support/openapi/described-fetch.ts';
import { root } from '../support/repository.ts';
import { aBrowserOn } from '../support/stage/buyer-client.ts';
import { aPartnerProgram, type Credentials } from '../support/stage/partner-client.ts';
import { type OpenStage, sharedStage } from '../support/stage/shared-stage.ts';

const shop = 'https://paths.example';
let stage: OpenStage;
let tokens: Record<'partner' | 'session', string>;
let uuid: string;

beforeAll(async () => {
  stage = await sharedStage();
  const operate = createOperatorTool(root, join(stage.dataDir, 'stack.json'), 'ignore');
  const made = await operate('partner', 'create', '--name', 'of-paths', '--grant', 'group=of-paths');
  const owner = ['--group', 'of-paths', '--franchise', 'F', '--location', 'L', '--branch', 'B'];
  await operate('storefront', 'create', '--name', 'of-paths', ...owner, '--origin', shop);
  if (!made.ok) throw new Error(made.reason);
  const buyer = aBrowserOn(stage, shop);
  uuid = (await buyer.send('/api/transaction')).body.uuid;
  const { token } = await aPartnerProgram(stage, made.value as Credentials);
  tokens = { partner: token, session: buyer.state.token };
}, 120_000);

type Asked = { method: string; path: string; token: string; headers?: Record<string, string> };

/** The path goes out as it stands, which `fetch` would tidy up. */
const statusOf = ({ method, path, token, headers = {} }: Asked) =>
  new Promise<number>((resolve, reject) => {
    const { hostname, port } = new URL(stage.baseUrl);
    const sent = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers };
    const body = method === 'GET' ? '' : '{"isDeleted":0,"name":"of-paths","enabled":false}';
    const call = request({ hostname, port, method, path, headers: sent }, (answer) => {
      bodyOf(answer)
        .then((text) => {
          const { statusCode: status = 0, headers: received } = answer;
          assertDescribed({
            ...{ method, target: path, sent: { contentType: 'application/json', text: body } },
            answer: { status, headers: new Headers(received as Record<string, string>), text },
          });
          resolve(status);
        })
        .catch(reject);
    });
    call.on('error', reject);
    call.end(body || undefined);
  });

/** Another way to write a path that a lenient gateway or function takes for the same. */
const spellings: Record<string, (path: string) => string> = {
  'as it is': (path) => path,
  'with a slash behind': (path) => `${path}/`,
  'with two slashes before': (path) => `/${path}`,
  'with two slashes within': (path) => path.replace(/(.)\//, '$1//'),
  'in capitals': (path) => path.toUpperCase(),
  'with a dot': (path) => `/.${path}`,
  'from elsewhere': (path) => `/api/v2/transaction/..${path.replace('/api/v2', '')}`,
  'with an escaped dot': (path) => `/api/v2/transaction/%2e%2e${path.replace('/api/v2', '')}`,
  'with an escaped slash': (path) => path.replace(/(.)\//, '$1%2f'),
  'with an escaped letter': (path) =>
    path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  'with a parameter': (path) => `${path};x=1`,
  'with a backslash': (path) => path.replace(/(.)\//, '$1\\'),
  'with an escaped end': (path) => `${path}%00`,
};

/** Operators' actions, at addresses where they might be. */
const operations = () => [
  ...['/operator', '/api/operator', '/api/v2/operator', '/admin', '/api/v2/admin', '/internal'],
  ...['/api/v2/partners', '/api/v2/partner/of-paths', '/api/v2/partner/secret', '/api/v2/storefront'],
  ...['/api/v2/keys', '/oauth2/keys', '/api/v2/webhooks', '/api/v2/events', '/api/v2/export'],
  ...[`/api/v2/transaction/${uuid}/restore`, `/api/v2/session/${uuid}`, `/api/transaction/${uuid}/session`],
  '/2015-03-31/functions/rotate-keys/invocations',
];

const overriding = [
  {},
  { 'X-HTTP-Method-Override': 'DELETE' },
  { 'X-Original-URL': '/api/v2/partner' },
  { 'X-Rewrite-URL': '/api/v2/transaction', 'X-Forwarded-Prefix': '/api/v2' },
];

test.each(Object.entries(spellings))(
  'S-12 no operation of operators answers tokens of partners and sessions, its address written %s',
  async (_, spelling) => {
    const asked = operations().flatMap((path) =>
      ['GET', 'POST', 'DELETE'].flatMap((method) =>
        Object.values(tokens).map((token, index) => ({
          ...{ method, path: spelling(path), token },
          headers: overriding[(index + path.length) % overriding.length] ?? {},
        })),
      ),
    );
    const hits: string[] = [];
    for (const one of asked) {
      const status = await statusOf(one);
      if (status < 400 || status >= 500) hits.push(`${one.method} ${one.path}: ${status}`);
    }

    expect(asked.length).toBe(114);
    expect(hits).toEqual([]);
  },
  60_000,
);

test.each(Object.entries(spellings).slice(2))(
  'S-12 an address that there is answers nothing, written %s',
  async (_, spelling) => {
    const statuses = new Map<string, number>();
    for (const path of [
      '/api/v2/partner',
      '/api/v2/transaction',
      '/api/transaction',
      `/api/v2/transaction/${uuid}`,
    ])
      for (const token of Object.values(tokens))
        statuses.set(`${spelling(path)}`, await statusOf({ method: 'GET', path: spelling(path), token }));

    expect([...statuses].filter(([, status]) => status < 400 || status >= 500)).toEqual([]);
  },
);

test('S-12 O-48 TH-10 no header changes the method or the address of a request', async () => {
  const ask = (headers: Record<string, string>, path = '/api/v2/partner') =>
    statusOf({ method: 'GET', path, token: tokens.partner, headers });

  for (const headers of overriding) {
    expect([headers, await ask(headers)]).toEqual([headers, 200]);
    expect([headers, await ask(headers, '/api/v2/nothing')]).toEqual([headers, 404]);
  }
});
