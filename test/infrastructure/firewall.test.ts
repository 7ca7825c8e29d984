import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hasFilter } from '../../functions/shared/domain/query/filter.ts';
import { checkoutReadOf } from '../../functions/v1-transaction/request.ts';
import { routeOf } from '../../functions/v1-transaction/route.ts';
import { matchRoute } from '../../localstack/embedded/gateway.ts';
import { queryValues } from '../../localstack/embedded/proxy.ts';
import type { FunctionName, Route } from '../../localstack/embedded/wiring.ts';
import { propertyRun } from '../support/builders/property-run.ts';
import { firewallRules, firewalls, limitOf, rulesCounting } from '../support/engine/firewall.ts';
import { capacityOf, type WebRequest } from '../support/engine/firewall-statement.ts';
import { integrationsOf } from '../support/engine/routes.ts';
import { propertiesOf, resourcesOf, templatesOf } from '../support/engine/templates.ts';

const { service } = templatesOf('production');

describe('the firewall of production', () => {
  test('S-40 limits, in each minute, an address at the token service, at V1 and in total, and a value of Authorization', () => {
    const rates = firewallRules.map(({ Name, Statement: { RateBasedStatement } }) => {
      const { ScopeDownStatement, ...rate } = RateBasedStatement;
      return [Name, rate];
    });
    const perAddress = { AggregateKeyType: 'IP', EvaluationWindowSec: 60 };

    expect(rates).toEqual([
      ['TokensPerAddress', { ...perAddress, Limit: 120 }],
      ['CreationsPerAddress', { ...perAddress, Limit: 60 }],
      ['V1WritesPerAddress', { ...perAddress, Limit: 300 }],
      ['V1PerAddress', { ...perAddress, Limit: 1_200 }],
      [
        'PerAuthorization',
        {
          ...{ AggregateKeyType: 'CUSTOM_KEYS', EvaluationWindowSec: 60, Limit: 6_000 },
          CustomKeys: [
            { Header: { Name: 'authorization', TextTransformations: [{ Priority: 0, Type: 'NONE' }] } },
          ],
        },
      ],
      ['PerAddress', { ...perAddress, Limit: 12_000 }],
    ]);
  });

  test('S-78 its rules take less than the 1,500 units of capacity that a web ACL has', () => {
    const units = firewallRules.map(({ Statement: { RateBasedStatement } }) => {
      const { ScopeDownStatement, CustomKeys = [] } = RateBasedStatement;
      return 2 + 30 * CustomKeys.length + (ScopeDownStatement ? capacityOf(ScopeDownStatement) : 0);
    });

    expect(units.reduce((sum, one) => sum + one)).toBeLessThan(1_500);
  });

  test('S-40 blocks requests above a rate, and lets all others through', () => {
    expect(firewalls.map(({ DefaultAction, Scope }) => [DefaultAction, Scope])).toEqual([
      [{ Allow: {} }, 'REGIONAL'],
    ]);
    expect(firewallRules.map(({ Action, Priority }) => [Action, Priority])).toEqual(
      [0, 1, 2, 3, 4, 5].map((priority) => [{ Block: {} }, priority]),
    );
  });

  test('S-78 counts what each rule blocks, S-57 and keeps no samples of requests, because they contain tokens', () => {
    expect(firewallRules.map(({ VisibilityConfig }) => VisibilityConfig)).toEqual(
      firewallRules
        .map(({ Name }) => Name)
        .map((name) => ({
          CloudWatchMetricsEnabled: true,
          MetricName: name,
          SampledRequestsEnabled: false,
        })),
    );
  });

  test('S-78 stands before both APIs', () => {
    const stages = Object.keys(resourcesOf(service, 'AWS::ApiGateway::Stage'));
    const guarded = propertiesOf(service, 'AWS::WAFv2::WebACLAssociation').map(({ ResourceArn }) =>
      stages.filter((stage) => JSON.stringify(ResourceArn).includes(`"${stage}"`)),
    );

    expect(guarded.flat().sort()).toEqual(stages.sort());
    expect(stages).toHaveLength(2);
  });
});

test.each(['local', 'staging'])('stage %s has none, because emulators do not support it', (stage) => {
  const types = new Set(Object.values(templatesOf(stage).service.Resources).map(({ Type }) => Type));

  expect([...types].filter((type) => type.startsWith('AWS::WAFv2'))).toEqual([]);
});

const uuid = '0b4f7a3e-7c5c-4e0b-9a57-2d8f1c0e6b11-Ab3';
const routes = integrationsOf(service);
/** The same as the embedded gateway, which matches as API Gateway does, has them. */
const matched = routes.map(
  ({ method, resource, functionId }): Route => ({
    api: 'transactions',
    path: resource,
    name: functionId as FunctionName,
    ...(method !== 'ANY' && { methods: [method] }),
  }),
);

describe('S-85 the firewall and the routes read one path alike', () => {
  const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'];

  /** The functions that get a path, whether the gateway compares it as sent or decoded. */
  const functionsBehind = (path: string) => {
    const spellings = [path, decodeURIComponent(path)].map((spelling) =>
      spelling.replace(/^\/production/, ''),
    );
    const matches = spellings.flatMap((spelling) =>
      methods.flatMap((method) => matchRoute(matched, method, spelling) ?? []),
    );
    return new Set(matches.map(({ route }) => route.name));
  };
  const isOfV1 = (path: string, query = '') =>
    methods.map((method) => rulesCounting({ method, path, query }).includes('V1PerAddress'));

  test.each([
    '/api/transaction',
    '/api/transaction/',
    '/transaction',
    '/transaction/',
    '/production/api/transaction',
    '/production/transaction/',
    `/api/transaction/${uuid}`,
    `/transaction/${uuid}/`,
    '/api/session',
    '/session/',
    '/production/session',
    '/api/%74ransaction',
    '/%61pi/transaction',
    '/%73ession',
    '/api%2Ftransaction',
    '/production/api/%74ransactio%6E',
    // V1 takes `v2` and what has it for a uuid.
    '/api/transaction/v2',
    '/api/transaction/v2/',
    '/transaction/v2/',
    '/production/transaction/v2/',
    '/api/transaction/%76%32/',
    '/api/transaction/x%2Fv2%2Fy',
    '/transaction/%2Fv2%2Ftransaction',
    '/api/transaction/session',
  ])('S-85 %s is a path of V1 to both, with any method', (path) => {
    expect([...functionsBehind(path)]).toEqual(['v1-transaction']);
    expect(new Set(isOfV1(path))).toEqual(new Set([true]));
  });

  test.each([
    '/api/v2/transaction',
    '/v2/transaction/',
    '/production/api/v2/transaction',
    `/api/v2/transaction/${uuid}`,
    `/v2/transaction/${uuid}/`,
    '/v2/transaction/session',
    '/api/v2/payment',
    '/api/v2/event/replay',
    '/oauth2/token',
    '/.well-known/oauth-protected-resource/api/v2',
    '/docs/transactions',
    '/openapi.json',
  ])('S-85 %s is no path of V1 to either', (path) => {
    expect([...functionsBehind(path)]).not.toEqual([]);
    expect([...functionsBehind(path)]).not.toContain('v1-transaction');
    expect(new Set(isOfV1(path))).toEqual(new Set([false]));
  });

  test.each([
    '/transaction/v2/transaction',
    '//api/transaction',
    '/api/v2/../transaction',
    '/api/%76%32/transaction',
    '/api/v2/transaction/%2e%2e',
  ])('S-85 %s, which nobody writes, counts for V1, whatever the gateway makes of it', (path) => {
    expect(new Set(isOfV1(path))).toEqual(new Set([true]));
  });

  test('S-85 every route of V1 is a path of V1 to the firewall, and no other route is', () => {
    const counted = routes.filter(({ resource }) => isOfV1(resource.replace('{uuid}', uuid)).includes(true));

    expect(counted.map(({ functionId }) => functionId)).toEqual(Array(6).fill('v1-transaction'));
    expect(routes.filter(({ functionId }) => functionId === 'v1-transaction')).toHaveLength(6);
  });
});

describe('S-85 S-86 how many requests of a kind an address may send in a minute', () => {
  const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'];
  const limits = (request: Omit<WebRequest, 'method'>) =>
    methods.map((method) => limitOf({ ...request, method }));

  const all = '/api/transaction';
  test.each([
    //                                        GET    HEAD  OPTIONS POST PUT  PATCH DELETE
    ['S-79', all, '', [/*                 */ 60, 1_200, 1_200, 60, 300, 300, 300]],
    ['S-79', all, 'location=north', [/*   */ 60, 1_200, 1_200, 60, 300, 300, 300]],
    ['S-79', all, `uuid=${uuid}`, [/*  */ 1_200, 1_200, 1_200, 60, 300, 300, 300]],
    ['S-86', all, 'filter[status]=0', [/* */ 300, 300, 300, 60, 300, 300, 300]],
    ['S-86', all, 'FILTER%5Bstatus%5D', [/**/ 60, 300, 300, 60, 300, 300, 300]],
    ['S-86', all, '%66ilter[status]=0', [/**/ 60, 300, 300, 60, 300, 300, 300]],
    ['S-86', `${all}/${uuid}`, '', [/* */ 1_200, 1_200, 1_200, 60, 300, 300, 300]],
    ['S-86', '/api/transaction/v2/', '', [/**/ 60, 1_200, 1_200, 60, 300, 300, 300]],
    ['S-86', '/api/session', '', [/*      */ 60, 1_200, 1_200, 60, 300, 300, 300]],
    ['S-40', '/api/v2/transaction', 'filter[status]=0', Array(7).fill(12_000)],
    ['S-40', `/api/v2/transaction/${uuid}`, '', Array(7).fill(12_000)],
    ['S-40', '/api/v2/payment', '', Array(7).fill(12_000)],
    ['S-40', '/oauth2/token', '', Array(7).fill(120)],
  ])('%s %s?%s', (_, path, query, expected) => {
    expect(limits({ path, query })).toEqual(expected);
  });

  const override = ['X-HTTP-Method-Override', 'POST'] as const;
  const many = (count: number) => Array.from({ length: count }, (_, at) => [`h${at}`, ''] as const);
  const withHeaders: [string, NonNullable<WebRequest['headers']>][] = [
    ['X-HTTP-Method-Override: POST', [override]],
    ['X-HTTP-Method-Override: GET', [['X-HTTP-Method-Override', 'GET']]],
    ['x-http-method-override', [['x-http-method-override', 'put']]],
    ['the header twice', [override, ['X-Http-Method-Override', 'GET']]],
    ['the header after 201 others', [...many(201), override]],
    ['more than 200 headers', many(201)],
    ['more than 8 KB of headers', [['cookie', 'x'.repeat(8_192)]]],
  ];
  const ofV1 = [
    { path: all, query: '' },
    { path: all, query: `uuid=${uuid}` },
    { path: all, query: 'filter[status]=0' },
    { path: `${all}/${uuid}`, query: '' },
    { path: '/api/transaction/v2/', query: '' },
    { path: '/session', query: '' },
  ];
  test.each(withHeaders)(
    'S-85 a V1 request with %s is a creation and a write, whatever its method and query; no other request is',
    (_, headers) => {
      const requests = ofV1.flatMap((request) => methods.map((method) => ({ ...request, method, headers })));

      for (const request of requests)
        expect([request.method, request.path, request.query, rulesCounting(request)]).toEqual([
          ...[request.method, request.path, request.query],
          ['CreationsPerAddress', 'V1WritesPerAddress', 'V1PerAddress', 'PerAddress'],
        ]);
      expect(limits({ path: `/api/v2/transaction/${uuid}`, query: '', headers })).toEqual(
        Array(7).fill(12_000),
      );
      expect(limits({ path: '/oauth2/token', query: '', headers })).toEqual(Array(7).fill(120));
    },
  );

  test('S-85 200 headers of 8 KB together are seen by the firewall, so they say nothing', () => {
    const headers = [...many(199), ['authorization', `Bearer ${'x'.repeat(6_000)}`] as const];

    expect(limitOf({ method: 'GET', path: all, query: `uuid=${uuid}`, headers })).toBe(1_200);
  });
});

describe('S-79 the firewall rule for requests that create a transaction', () => {
  const isCounted = (request: WebRequest) => rulesCounting(request).includes('CreationsPerAddress');

  test.each([
    ['POST', '/api/transaction', ''],
    ['POST', '/transaction/', ''],
    ['POST', '/production/api/transaction', `uuid=${uuid}&filter[status]=1`],
    ['POST', '/api/%74ransaction', ''],
    ['post', '/api/transaction', ''],
    ['POST', '/api/session', ''],
    ['POST', '/production/session/', ''],
    ['GET', '/api/transaction', ''],
    ['GET', '/transaction', ''],
    ['GET', '/api/transaction/', 'location=north'],
    ['GET', '/production/api/%74ransactio%6E', ''],
    // A path of V1, since its slashes are written as their codes.
    ['GET', '/api/transaction/x%2Fv2%2Fy', ''],
    // No parameter of ours, however much it looks like one.
    ['GET', '/api/transaction', 'x=uuid'],
    ['GET', '/api/transaction', `xuuid=${uuid}`],
    ['GET', '/api/transaction', `UUID=${uuid}`],
    ['GET', '/api/transaction', `x=%26uuid=${uuid}`],
    ['GET', '/api/transaction', `x?uuid=${uuid}`],
    ['GET', '/api/transaction', `x;uuid=${uuid}`],
    ['GET', '/api/transaction', 'x=filter[status]=1'],
    ['GET', '/api/transaction', 'xfilter[status]=1'],
    ['GET', '/api/transaction', 'x=%26filter[status]=1'],
    // They create nothing, and count nevertheless, because nobody writes them so.
    ['GET', '/api/transaction', `%75uid=${uuid}`],
    ['GET', '/api/transaction', 'uuid='],
    ['GET', '/api/transaction', 'uuid=%zz'],
    ['GET', '/api/transaction/short', ''],
  ])('S-79 counts %s %s?%s', (method, path, query) => {
    expect(isCounted({ method, path, query })).toBe(true);
  });

  test.each([
    ['GET', '/api/transaction', `uuid=${uuid}`],
    ['GET', '/transaction', `expand=vehicle&uuid=${uuid}&fields=uuid`],
    ['GET', '/api/transaction', 'filter[status]=0'],
    ['GET', '/api/transaction', 'page=2&filter%5Bidentifiers%5D%5Bndstockid%5D=A%201'],
    ['GET', `/api/transaction/${uuid}`, ''],
    ['GET', `/production/transaction/${uuid}/`, 'expand=vehicle'],
    ['HEAD', '/api/transaction', ''],
    ['PATCH', `/api/transaction/${uuid}`, ''],
    ['PUT', `/api/transaction/${uuid}`, ''],
    ['OPTIONS', '/api/transaction', ''],
    ['POST', '/api/v2/payment', ''],
    ['GET', '/api/v2/transaction', ''],
    ['POST', '/oauth2/token', ''],
  ])('S-79 ignores %s %s?%s, which creates nothing', (method, path, query) => {
    expect(isCounted({ method, path, query })).toBe(false);
  });

  test('S-79 S-86 counts every GET that V1 may answer with a new transaction, and every one that it reads with a filter as a write', () => {
    const part = fc.oneof(
      fc.constantFrom(
        'uuid',
        'UUID',
        '%75uid',
        'uuid[',
        'filter',
        'filter[',
        'fil%74eR[',
        'filter%5B',
        'status',
        ']',
        '%5d',
      ),
      fc.constantFrom('=', '&', '%26', '%3D', '?', ';', '+', '%', '%zz', '#', uuid, 'x'),
    );
    const query = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
    const path = fc
      .array(fc.constantFrom('/api', '/transaction', '/%74ransaction', '/', `/${uuid}`, '/x'), {
        maxLength: 4,
      })
      .map((parts) => parts.join(''));
    const asked = fc.record({ query, path: fc.oneof(fc.constant('/api/transaction'), path) });
    let creating = 0;

    fc.assert(
      fc.property(asked, (request) => {
        const route = routeOf(request.path);
        if (!route) return;
        const multiValueQueryStringParameters = queryValues(request.query);
        const event = { multiValueQueryStringParameters, route, httpMethod: 'GET', headers: {} };
        const counting = rulesCounting({ method: 'GET', ...request });
        if (hasFilter(event.multiValueQueryStringParameters ?? {}))
          expect([request, counting]).toEqual([request, expect.arrayContaining(['V1WritesPerAddress'])]);
        const { asks } = checkoutReadOf(event as never);
        if (asks !== 'newest-or-new') return;
        creating += 1;
        expect([request, counting]).toEqual([request, expect.arrayContaining(['CreationsPerAddress'])]);
      }),
      propertyRun('queries that make a transaction', 3_000, 100_000),
    );
    expect(creating).toBeGreaterThan(100);
  }, 120_000);
});
