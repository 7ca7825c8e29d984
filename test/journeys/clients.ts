import assert from 'node:assert/strict';
import { at, json, list, text } from './answers.ts';
import type { Answer, Credentials, World } from './world.ts';

/** The list of V2. */
export const transactions = '/api/v2/transaction';

type Ask = { method?: string; headers?: Record<string, string>; body?: unknown };

const bothScopes = 'grant_type=client_credentials&scope=nop2%2Fread+nop2%2Fwrite';
const writeScope = 'grant_type=client_credentials&scope=nop2%2Fwrite';

export const basic = ({ clientId, clientSecret }: Credentials): string =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;

/** A token as a partner asks for it (interface 4.3). */
export const askForToken = (world: World, credentials = world.partner, body = bothScopes): Promise<Answer> =>
  world.send(`${world.authUrl}/oauth2/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Authorization: basic(credentials) },
    body,
  });

/** The access token of an answer, noted as a secret. */
export const accessTokenOf = (world: World, answer: Answer): string => {
  const token = text(at(json(answer), 'access_token'));
  world.secrets.add(signatureOf(token));
  return token;
};

/** Asks for the tokens that later steps show. */
export const takeTokens = async (world: World): Promise<void> => {
  const granted = async (body?: string) => {
    const answer = await askForToken(world, world.partner, body);
    assert.equal(answer.status, 200, answer.text);
    return accessTokenOf(world, answer);
  };
  world.tokens = { both: await granted(), writeOnly: await granted(writeScope) };
};

/** A partner's program: its token goes with every request; a path is taken from the service's base. */
export const programOf = (world: World, token = world.tokens.both) => {
  const ask = async (target: string, { headers, body, method = 'GET' }: Ask = {}): Promise<Answer> => {
    const url = target.startsWith('/') ? `${world.baseUrl}${target}` : target;
    // A token goes to its own service alone, wherever a link leads.
    assert.ok(url.startsWith(`${world.baseUrl}/`), `a link leads to ${url}`);
    return world.send(url, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...contentType(body), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  };
  return {
    ask,
    write: (method: 'PATCH' | 'POST' | 'PUT', path: string, body: object, headers = {}) =>
      ask(path, { method, body, headers }),
    uuids: async (query: string) => uuidsIn(await ask(`/api/v2/transaction?${query}`)),
    total: async (query = '') =>
      Number(at(json(await ask(`/api/v2/transaction?per-page=1&${query}`)), '_meta', 'totalCount')),
  };
};

export type Program = ReturnType<typeof programOf>;

/** The totals of a partner's lists: all, incomplete, complete. */
export const totalsOf = async ({ total }: Program): Promise<number[]> => [
  await total(),
  await total('filter[status]=0'),
  await total('filter[status]=1'),
];

export const uuidsIn = (answer: Answer): string[] =>
  list(at(json(answer), 'data')).map((record) => text(at(record, 'uuid')));

/** A buyer's browser on a shop's page: every request has the page's origin, and the token once there is one. */
export const aBuyer = (world: World, origin = world.shop.origin) => {
  let session = '';
  const send = async (path: string, { method = 'GET', headers, body }: Ask = {}) => {
    const answer = await world.send(`${world.baseUrl}/api/transaction${path}`, {
      method,
      headers: {
        Origin: origin,
        ...(session && { Authorization: `Bearer ${session}` }),
        ...contentType(body),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const token = answer.headers.get('authentication-token');
    session = token ?? session;
    if (token) world.secrets.add(signatureOf(token));
    return { ...answer, token };
  };
  return { send, session: () => session };
};

export type Buyer = ReturnType<typeof aBuyer>;

const contentType = (body: unknown) => (body === undefined ? {} : { 'Content-Type': 'application/json' });

const signatureOf = (token: string) => text(token.split('.')[2]);
