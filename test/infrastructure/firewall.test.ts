import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkoutReadOf } from '../../functions/v1-transaction/request.ts';
import { routeOf } from '../../functions/v1-transaction/route.ts';
import { queryMaps } from '../../localstack/apigateway/query.ts';
import { propertyRun } from '../support/builders/property-run.ts';
import { isMatched, type WebRequest } from '../support/engine/firewall-statement.ts';
import { propertiesOf, resourcesOf, templatesOf } from '../support/engine/templates.ts';

type Rule = {
  Name: string;
  Priority: number;
  Action: object;
  Statement: { RateBasedStatement: Record<string, unknown> };
  VisibilityConfig: object;
};

const { service } = templatesOf('production');
const acls = propertiesOf(service, 'AWS::WAFv2::WebACL') as {
  Rules: Rule[];
  DefaultAction: object;
  Scope: string;
}[];
const rules = acls.flatMap(({ Rules }) => Rules);

const pathWith = (text: string, transformation = 'URL_DECODE') => ({
  ByteMatchStatement: {
    SearchString: text,
    PositionalConstraint: 'CONTAINS',
    FieldToMatch: { UriPath: {} },
    TextTransformations: [{ Priority: 0, Type: transformation }],
  },
});

describe('the firewall of production', () => {
  test('S-40 limits, in each minute, an address at V1 (in any spelling), at the token service and in total, and a value of Authorization', () => {
    const others = rules.filter(({ Name }) => Name !== 'CreationsPerAddress');

    expect(others.map(({ Name, Statement }) => [Name, Statement.RateBasedStatement])).toEqual([
      [
        'TokensPerAddress',
        {
          ...{ AggregateKeyType: 'IP', EvaluationWindowSec: 60, Limit: 120 },
          ScopeDownStatement: pathWith('/oauth2/'),
        },
      ],
      [
        'V1PerAddress',
        {
          ...{ AggregateKeyType: 'IP', EvaluationWindowSec: 60, Limit: 1_200 },
          ScopeDownStatement: {
            AndStatement: {
              // Not decoded: `/api/transaction/x%2Fv2%2Fy` is a path of V1.
              Statements: [
                { OrStatement: { Statements: [pathWith('/transaction'), pathWith('/session')] } },
                { NotStatement: { Statement: pathWith('/v2/', 'NONE') } },
              ],
            },
          },
        },
      ],
      [
        'PerAuthorization',
        {
          ...{ AggregateKeyType: 'CUSTOM_KEYS', EvaluationWindowSec: 60, Limit: 6_000 },
          CustomKeys: [
            { Header: { Name: 'authorization', TextTransformations: [{ Priority: 0, Type: 'NONE' }] } },
          ],
        },
      ],
      ['PerAddress', { AggregateKeyType: 'IP', EvaluationWindowSec: 60, Limit: 12_000 }],
    ]);
  });

  test('S-40 blocks requests above a rate, and lets all others through', () => {
    expect(acls.map(({ DefaultAction, Scope }) => [DefaultAction, Scope])).toEqual([
      [{ Allow: {} }, 'REGIONAL'],
    ]);
    expect(rules.map(({ Action, Priority }) => [Action, Priority])).toEqual(
      [0, 1, 2, 3, 4].map((priority) => [{ Block: {} }, priority]),
    );
  });

  test('S-78 counts what each rule blocks, S-57 and keeps no samples of requests, because they contain tokens', () => {
    expect(rules.map(({ VisibilityConfig }) => VisibilityConfig)).toEqual(
      rules
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

describe('S-79 the firewall rule for requests that create a transaction', () => {
  const [rule] = rules.filter(({ Name }) => Name === 'CreationsPerAddress');
  const { ScopeDownStatement: statement, ...rate } = rule?.Statement.RateBasedStatement ?? {};
  const isCounted = (request: WebRequest) => isMatched(statement as never, request);
  const uuid = '0b4f7a3e-7c5c-4e0b-9a57-2d8f1c0e6b11-Ab3';

  test('S-79 allows 60 of them a minute from one address, and comes before the rule for all of V1', () => {
    expect(rate).toEqual({ AggregateKeyType: 'IP', EvaluationWindowSec: 60, Limit: 60 });
    expect(rules.map(({ Name }) => Name)).toEqual([
      ...['TokensPerAddress', 'CreationsPerAddress', 'V1PerAddress', 'PerAuthorization', 'PerAddress'],
    ]);
  });

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

  test('S-79 counts every GET that V1 may answer with a new transaction', () => {
    const part = fc.oneof(
      fc.constantFrom(
        'uuid',
        'UUID',
        '%75uid',
        'uuid[',
        'filter',
        'filter[',
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
        const event = { ...queryMaps(request.query), route, httpMethod: 'GET', headers: {} };
        const { asks } = checkoutReadOf(event as never);
        if (asks !== 'newest-or-new') return;
        creating += 1;
        expect([request, isCounted({ method: 'GET', ...request })]).toEqual([request, true]);
      }),
      propertyRun('queries that make a transaction', 3_000, 100_000),
    );
    expect(creating).toBeGreaterThan(100);
  }, 120_000);
});
