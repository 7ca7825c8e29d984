import { createSign, generateKeyPairSync } from 'node:crypto';
import type { Answer } from '../../../bin/smoke/answer.ts';
import type { Guest, TlsVersion, Visit } from '../../../bin/smoke/visit.ts';

/** One request as the stub sees it. */
export type Asked = { method: string; path: string; query: string; headers: Headers; body: string };

/** An answer of the stub, without what all have. */
export type Reply = { status: number; headers?: Record<string, string>; body?: unknown };

/** What is wrong with a stage: some answers are others, and so may the rest be that is reached otherwise. */
export type Fault = {
  /** Given the request and the right answer; undefined leaves it. */
  answers?: (asked: Asked, right: Reply) => Reply | undefined;
  takes?: (url: string, version: TlsVersion) => boolean | undefined;
  servesPlain?: true;
  /** What the operator's tool prints, by its first two words. */
  operator?: (words: readonly string[]) => unknown;
};

const baseUrl = 'https://api.shop.example';
const authUrl = 'https://auth.shop.example';
const gatewayUrls = ['https://aaa.execute-api.example/staging', 'https://bbb.execute-api.example/staging'];

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const key = { ...publicKey.export({ format: 'jwk' }), kid: 'k1', use: 'sig', alg: 'RS256' };
const nextKey = { ...key, kid: 'k2' };

/** A stage as it has to be, but for the fault. It knows just what the checks ask. */
export const visitOf = (fault: Fault = {}): Visit & { told: string[]; asked: Asked[] } => {
  const answer = service();
  const told: string[] = [];
  const asked: Asked[] = [];
  return {
    ...{ baseUrl, authUrl, gatewayUrls, told, asked },
    note: (text) => void told.push(text),
    wait: async () => {},
    now: () => new Date('2026-11-21T12:00:00Z'),
    isEmulated: false,
    takes: async (url, version) =>
      fault.takes?.(url, version) ?? (version === 'TLSv1.2' || version === 'TLSv1.3'),
    send: async (url, init = {}) => {
      if (url.startsWith('http:') && !fault.servesPlain) throw new Error('fetch failed');
      const request = await readRequest(url, init);
      asked.push(request);
      const right = answer(request);
      return answerOf(url, init, fault.answers?.(request, right) ?? right);
    },
  };
};

/** The operator's tool of such a stage, and what it was asked. */
export const operatorOf = (fault: Fault = {}) => {
  const commands: string[] = [];
  const operator: Guest['operator'] = async (...words) => {
    commands.push(words.join(' '));
    const own = fault.operator?.(words);
    if (own instanceof Error) throw own;
    return own ?? usual(words.slice(0, 2).join(' '));
  };
  return { operator, commands };
};

const usual = (command: string): unknown => {
  if (command === 'partner create')
    return { clientId: 'c', clientSecret: 'right', webhookSignature: 'the-signature' };
  if (command === 'partner show') return { webhook: 'on', webhookSince: '2026-11-21T12:00:00.000Z' };
  if (command === 'events list') return [{ state: 'ACCEPTED' }];
  return command === 'storefront list' ? [] : {};
};

const readRequest = async (url: string, init: RequestInit): Promise<Asked> => {
  const request = new Request(url, init);
  const { pathname, search } = new URL(url);
  const host = url.slice(0, url.length - pathname.length - search.length);
  return {
    method: request.method,
    path: host === baseUrl ? pathname : `${host.replace(authUrl, 'auth')}${pathname}`,
    query: decodeURIComponent(search.replace('%FF', '')),
    headers: new Headers(init.headers),
    body: await request.text(),
  };
};

const answerOf = (
  url: string,
  { method = 'GET' }: RequestInit,
  { status, headers, body }: Reply,
): Answer => ({
  request: `${method} ${url}`,
  status,
  headers: new Headers({ ...always, ...headers }),
  text: body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body),
});

const always = {
  'Request-Id': 'request-1',
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
};

const problem = (status: number, more: object = {}, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { 'Content-Type': 'application/problem+json', ...headers },
  body: { status, requestId: 'request-1', ...more },
});

const error = (status: number, name: string): Reply => ({
  status,
  headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
  body: { error: name },
});

const challenge = {
  'x-amzn-remapped-www-authenticate':
    'Bearer realm="api", resource_metadata="https://api.shop.example/metadata"',
};

/** The throttle of the stub; the other checks ask three times. */
const mostAnonymous = 10;

type Made = { uuid: string; status: 0 | 1; payments: object[]; isDeleted: boolean };

/** What one stage answers, and remembers. */
const service = () => {
  const made: Made[] = [];
  const kept = new Map<string, Reply>();
  const revoked = new Set<string>();
  let anonymous = 0;
  const once = ({ headers }: Asked, make: () => Reply): Reply => {
    const name = headers.get('Idempotency-Key') ?? '';
    const former = name === '' ? undefined : kept.get(name);
    if (former) return { ...former, headers: { ...former.headers, 'Idempotency-Replayed': 'true' } };
    const reply = make();
    kept.set(name, reply);
    return reply;
  };
  const create = (): Reply => {
    const one: Made = { uuid: `u${made.length + 1}`, status: 0, payments: [], isDeleted: false };
    made.push(one);
    const headers = { 'authentication-token': 'session', Location: `${baseUrl}/transaction/${one.uuid}` };
    return { status: 201, headers, body: { uuid: one.uuid } };
  };
  const pay = ({ body }: Asked): Reply => {
    const { transaction } = JSON.parse(body);
    const one = made.find(({ uuid }) => uuid === transaction);
    one?.payments.push({});
    if (one) one.status = 1;
    return { status: 201, body: { id: 1 } };
  };

  const v2 = (asked: Asked): Reply => {
    const token = (asked.headers.get('Authorization') ?? '').replace('Bearer ', '');
    if (asked.method === 'OPTIONS') return { status: 204 };
    if (token === '') anonymous += 1;
    if (anonymous > mostAnonymous && token === '') return problem(429, {}, { 'Retry-After': '2' });
    if (!token.includes('.') || revoked.has(token)) return problem(401, {}, challenge);
    const { scope } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    if (asked.path === '/api/v2/payment') return once(asked, () => pay(asked));
    const one = made.find(({ uuid }) => asked.path.endsWith(uuid));
    if (one && asked.method === 'PATCH') {
      one.isDeleted = true;
      return { status: 200 };
    }
    if (scope !== 'nop2/read') return problem(403);
    return one ? { status: 200, body: { status: one.status, payments: one.payments } } : list(asked);
  };

  const list = ({ method, query, headers }: Asked): Reply => {
    if (query.split('filter[status]').length > 2)
      return problem(422, { errors: [{ field: 'filter[status]' }] });
    if (headers.get('If-None-Match') === 'W/"1"') return { status: 304 };
    const data = made
      .filter(({ isDeleted }) => !isDeleted)
      .filter(({ status }) => !query.includes('filter[status]=1') || status === 1)
      .filter(({ uuid }) => !query.includes('filter[uuid]=') || query.includes(`filter[uuid]=${uuid}&`));
    const self = { href: `${baseUrl}/v2/transaction?page=1` };
    return {
      status: 200,
      headers: {
        ...{ ETag: 'W/"1"', 'Cache-Control': 'private, no-cache', Vary: 'Authorization' },
        'X-Pagination-Total-Count': String(data.length),
        ...(headers.get('Accept-Encoding') === 'gzip' && { 'Content-Encoding': 'gzip' }),
      },
      ...(method !== 'HEAD' && {
        body: {
          ...{ _expand: '', data: data.map(({ uuid }) => ({ uuid })), _links: { self } },
          _meta: { totalCount: data.length },
        },
      }),
    };
  };

  const token = ({ method, body, headers }: Asked): Reply => {
    if (method === 'OPTIONS') return { status: 204 };
    if (method !== 'POST') return error(405, 'invalid_request');
    const basic = Buffer.from((headers.get('Authorization') ?? '').slice(6), 'base64').toString();
    if (basic !== 'c:right') return error(401, 'invalid_client');
    const scope = new URLSearchParams(body).get('scope') ?? '';
    const granted = { access_token: signed({ scope }), token_type: 'Bearer', expires_in: 3600 };
    return { ...error(200, ''), body: granted };
  };

  return (asked: Asked): Reply => {
    const { method, path, headers } = asked;
    if (path.includes('execute-api')) return { status: 403 };
    if (path === 'auth/oauth2/token') return token(asked);
    if (path === 'auth/oauth2/jwks') return keySet(headers);
    if (path === 'auth/oauth2/revoke') {
      revoked.add(new URLSearchParams(asked.body).get('token') ?? '');
      return { status: 200 };
    }
    if (path in documents) return { status: 200, body: documents[path] };
    if (path.startsWith('auth')) return error(404, 'invalid_request');
    if (asked.body.length > 10 * 1024 * 1024) return { status: 413, body: { message: 'Request Too Long' } };
    if (path === '/api/v2/payment' && method === 'GET') return problem(405);
    if (path.includes('/v2/')) {
      const reply = v2(asked);
      const correlation = headers.get('X-Correlation-Id');
      return correlation
        ? { ...reply, headers: { ...reply.headers, 'X-Correlation-Id': correlation } }
        : reply;
    }
    if (path !== '/api/transaction') return problem(404);
    const cors = {
      'Access-Control-Allow-Origin': 'https://smoke.invalid',
      'Access-Control-Expose-Headers': 'authentication-token, Location',
    };
    const known = headers.get('Origin') === 'https://smoke.invalid' ? cors : {};
    if (method === 'OPTIONS') return { status: 204, headers: known };
    return method === 'HEAD' ? { status: 200, headers: known } : once(asked, create);
  };
};

const documents: Record<string, unknown> = {
  'auth/.well-known/oauth-authorization-server': {
    issuer: authUrl,
    token_endpoint: `${authUrl}/oauth2/token`,
    jwks_uri: `${authUrl}/oauth2/jwks`,
  },
  '/.well-known/oauth-protected-resource/api/v2': {
    resource: `${baseUrl}/api/v2`,
    authorization_servers: [authUrl],
  },
};

const keySet = (headers: Headers): Reply =>
  headers.get('If-None-Match') === '"keys"'
    ? { status: 304 }
    : {
        status: 200,
        headers: { ETag: '"keys"', 'Cache-Control': 'public, max-age=300' },
        body: { keys: [key, nextKey] },
      };

let issued = 0;

const signed = (claims: object): string => {
  issued += 1;
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const all = { iss: authUrl, aud: `${baseUrl}/api/v2`, jti: issued, ...claims };
  const text = `${part({ alg: 'RS256', kid: 'k1' })}.${part(all)}`;
  return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey).toString('base64url')}`;
};
