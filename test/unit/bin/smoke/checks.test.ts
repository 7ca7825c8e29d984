import { describe, expect, test } from '@jest/globals';
import type { Result } from '../../../../bin/smoke/check.ts';
import { allChecks } from '../../../../bin/smoke/checks/all.ts';
import { exitCodeOf } from '../../../../bin/smoke/report.ts';
import { runSmoke } from '../../../../bin/smoke/run.ts';
import type { Visit } from '../../../../bin/smoke/visit.ts';
import {
  type Asked,
  type Fault,
  operatorOf,
  type Reply,
  visitOf,
} from '../../../support/smoke/stage-stub.ts';

/** A whole run, with everything that can be asked for. */
const run = (fault: Fault = {}, changes: Partial<Visit> = {}) =>
  runSmoke({
    visit: { ...visitOf(fault), receiver: 'https://hooks.example/smoke', burst: 20, ...changes },
    checks: allChecks,
    operator: operatorOf(fault).operator,
    id: '1',
    tell: () => {},
    isStopped: () => false,
  });

const failuresOf = (results: readonly Result[]) =>
  results.flatMap((one) => (one.state === 'failed' ? [one] : []));

/** Changes the answers to some requests. */
const onPath = (path: string | RegExp, change: (right: Reply, asked: Asked) => Reply | undefined): Fault => ({
  answers: (asked, right) => (asked.path.match(path)?.[0] === asked.path ? change(right, asked) : undefined),
});

const withHeaders = (right: Reply, headers: Record<string, string>): Reply => ({
  ...right,
  headers: { ...right.headers, ...headers },
});

const without = ({ headers = {}, ...right }: Reply, name: string): Reply => ({
  ...right,
  headers: Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name)),
});

const withBody = (right: Reply, members: object): Reply => ({
  ...right,
  body: { ...Object(right.body), ...members },
});

const gatewaysOwn = (status: number): Reply => ({
  status,
  headers: { 'Content-Type': 'application/json' },
  body: { message: 'Missing Authentication Token' },
});

const lists = '/api/v2/transaction';
const isRead = ({ headers }: Asked) => headers.has('Authorization');

/** What may be wrong with a deployed stage, and the check that says so, by the beginning of its title. */
const faults: [title: string, what: string, fault: Fault][] = [
  ['O-56 TLS 1.2', 'no TLS 1.3', { takes: (_, version) => (version === 'TLSv1.3' ? false : undefined) }],
  ['O-56 TLS 1.0', 'TLS 1.1', { takes: (_, version) => (version === 'TLSv1.1' ? true : undefined) }],
  ['O-56 nothing', 'a page without TLS', { servesPlain: true }],
  ['S-74', 'the default endpoint', onPath(/.*execute-api.*/, () => ({ status: 401 }))],
  [
    'S-75 ERR-5 an unknown route is 404 in',
    "the gateway's own body",
    onPath('/nothing-here', (_, { headers }) =>
      headers.has('Authorization') ? undefined : gatewaysOwn(404),
    ),
  ],
  [
    'S-75 ERR-5 an unknown route is 404 for',
    'a bad signature',
    onPath('auth/nothing-here', (_, { headers }) =>
      headers.has('Authorization') ? gatewaysOwn(403) : undefined,
    ),
  ],
  ['S-75 TH-10', 'a large body', onPath('/api/v2/payment', (_, { body }) => large(body))],
  ['R-01', 'no challenge', onPath(lists, (right) => without(right, 'x-amzn-remapped-www-authenticate'))],
  [
    'O-48',
    'a method that a header chose',
    onPath('auth/oauth2/token', (_, { headers }) =>
      headers.has('X-HTTP-Method-Override') ? { status: 400 } : undefined,
    ),
  ],
  [
    'TH-10',
    'a raw pipe',
    onPath(lists, (_, { query }) => (query === '?x=a|b' ? { status: 500 } : undefined)),
  ],
  [
    'QS-1',
    'repeated filters, the last of them alone',
    onPath(lists, (right) => (right.status === 422 ? { status: 200 } : undefined)),
  ],
  [
    'S-45',
    'no HSTS',
    onPath('auth/oauth2/jwks', (right) => withHeaders(right, { 'Strict-Transport-Security': '' })),
  ],
  ['ERR-5', 'no correlation id', onPath(lists, (right) => without(right, 'X-Correlation-Id'))],
  ['S-40', 'no Retry-After', onPath(lists, (right) => without(right, 'Retry-After'))],
  [
    'M-01',
    'another issuer',
    onPath('auth/.well-known/oauth-authorization-server', (right) => withBody(right, { issuer: 'x' })),
  ],
  [
    'M-11',
    'another resource',
    onPath('/.well-known/oauth-protected-resource/api/v2', (right) => withBody(right, { resource: 'x' })),
  ],
  [
    'M-05',
    'a private key',
    onPath('auth/oauth2/jwks', (right) => (right.status === 200 ? withPrivateMember(right) : undefined)),
  ],
  [
    'O-01',
    'a token that may be kept',
    onPath('auth/oauth2/token', (right) =>
      right.status === 200 ? without(right, 'Cache-Control') : undefined,
    ),
  ],
  [
    'J-01',
    'keys of another stage',
    onPath('auth/oauth2/jwks', (right) => (right.status === 200 ? withOtherKids(right) : undefined)),
  ],
  [
    'O-15',
    'a wrong secret that is taken',
    onPath('auth/oauth2/token', (right) => (right.status === 401 ? { status: 403 } : undefined)),
  ],
  ['R-42', 'a revocation without effect', onPath('auth/oauth2/revoke', () => ({ status: 503 }))],
  [
    "V1-7 S-44 O-57 a foreign page's",
    'any page',
    onPath('auth/oauth2/token', (right, { method }) =>
      method === 'OPTIONS' ? withHeaders(right, { 'Access-Control-Allow-Origin': '*' }) : undefined,
    ),
  ],
  [
    "V1-7 S-44 a registered shop's",
    'a page that may not read the token',
    onPath('/api/transaction', (right, { method }) =>
      method === 'HEAD' ? without(right, 'Access-Control-Expose-Headers') : undefined,
    ),
  ],
  [
    'LIST-1',
    'links to another host',
    onPath(lists, (right, { method }) =>
      right.status === 200 && method === 'GET'
        ? withBody(right, { _links: { self: { href: 'https://bbb.execute-api.example/x' } } })
        : undefined,
    ),
  ],
  [
    'R-41',
    'a list for everybody',
    onPath(lists, (right, asked) =>
      isRead(asked) ? withHeaders(right, { 'Cache-Control': 'public' }) : undefined,
    ),
  ],
  ['D-41', 'plain bytes', onPath(lists, (right) => without(right, 'Content-Encoding'))],
  [
    'VERB-1',
    'HEAD without totals',
    onPath(lists, (right, { method }) =>
      method === 'HEAD' ? without(right, 'X-Pagination-Total-Count') : undefined,
    ),
  ],
  [
    'R-40',
    'any scope',
    onPath(lists, (right) =>
      right.status === 403
        ? { status: 200, headers: { 'Content-Type': 'application/problem+json' } }
        : undefined,
    ),
  ],
  [
    'R-07',
    "a session's token on V2",
    onPath(lists, (_, { headers }) =>
      headers.get('Authorization') === 'Bearer session' ? { status: 200 } : undefined,
    ),
  ],
  [
    'V1-6',
    'a repeated request that is carried out',
    onPath('/api/transaction', (right) => without(right, 'Idempotency-Replayed')),
  ],
  [
    'V2-4',
    'a write that is denied',
    onPath('/api/v2/payment', (_, { headers }) =>
      headers.has('Idempotency-Key') ? { status: 500 } : undefined,
    ),
  ],
  [
    'interface 6.1',
    'an event on its way',
    { operator: ([, name]) => (name === 'list' ? [{ state: 'READY' }] : undefined) },
  ],
  ...[
    { webhook: 'verifying', webhookSince: '2026-11-21T12:00:00.000Z' },
    { webhook: 'on', webhookSince: '2999-01-01T00:00:00.000Z' },
  ].map((shown): (typeof faults)[number] => [
    'interface 6.1',
    `a webhook that is ${shown.webhook} since ${shown.webhookSince}`,
    { operator: ([, name]) => (name === 'show' ? shown : undefined) },
  ]),
  [
    'DEL-1',
    'a deletion that is refused',
    onPath(/\/api\/v2\/transaction\/u\d+/, (_, { method }) =>
      method === 'PATCH' ? { status: 403 } : undefined,
    ),
  ],
  [
    "RUN-5 the operator's",
    'a tool without rights',
    { operator: ([, name]) => (name === 'create' ? new Error('AccessDenied') : undefined) },
  ],
];

const large = (body: string): Reply | undefined =>
  body.length > 1_000_000 ? { status: 413, headers: { 'Request-Id': '' } } : undefined;

const keysOf = ({ body }: Reply): object[] => Object(body).keys;
const withPrivateMember = (right: Reply) =>
  withBody(right, { keys: keysOf(right).map((key, index) => (index === 0 ? key : { ...key, d: 'secret' })) });
const withOtherKids = (right: Reply) =>
  withBody(right, { keys: keysOf(right).map((key, index) => ({ ...key, kid: `other${index}` })) });

describe('a stage that is as it has to be', () => {
  test('D-40 passes every check', async () => {
    const results = await run();

    expect(failuresOf(results)).toEqual([]);
    expect(results.map(({ state }) => state)).toEqual(results.map(() => 'passed'));
    expect(exitCodeOf(results)).toBe(0);
  });
});

describe('a stage with one fault', () => {
  test.each(faults)('D-40 fails the check that begins with "%s": %s', async (title, _, fault) => {
    const results = await run(fault);

    const failures = failuresOf(results);
    expect(failures.map((one) => one.title.slice(0, title.length))).toEqual([title]);
    expect(failures[0]?.mend.length).toBeGreaterThan(20);
    expect(exitCodeOf(results)).toBe(1);
  });

  test('D-40 whose links lead elsewhere gets no token there', async () => {
    const elsewhere = { self: { href: 'https://elsewhere.example/v2/transaction?page=1' } };
    const visit = visitOf(
      onPath(lists, (right, asked) =>
        isRead(asked) && asked.method === 'GET' ? withBody(right, { _links: elsewhere }) : undefined,
      ),
    );

    const failures = failuresOf(await run({}, visit));

    expect(visit.asked.filter(({ path }) => path.includes('elsewhere'))).toEqual([]);
    expect(failures.map(({ title, came }) => [title.slice(0, 13), came])).toEqual([
      ['LIST-1 LINK-2', 'https://elsewhere.example/v2/transaction?page=1'],
    ]);
  });

  test('D-40 has a fault here for every check', async () => {
    const titles = (await run()).map(({ title }) => title);

    expect(titles.filter((title) => !faults.some(([begin]) => title.startsWith(begin)))).toEqual([]);
  });
});
