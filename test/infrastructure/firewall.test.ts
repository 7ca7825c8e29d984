import { describe, expect, test } from '@jest/globals';
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
  test('S-40 bounds an address at V1, however it is written, at the token service and in all, and a value of Authorization, a minute', () => {
    expect(rules.map(({ Name, Statement }) => [Name, Statement.RateBasedStatement])).toEqual([
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
                pathWith('/transaction'),
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

  test('S-40 turns away what is over a rate, and lets everything else through', () => {
    expect(acls.map(({ DefaultAction, Scope }) => [DefaultAction, Scope])).toEqual([
      [{ Allow: {} }, 'REGIONAL'],
    ]);
    expect(rules.map(({ Action, Priority }) => [Action, Priority])).toEqual(
      [0, 1, 2, 3].map((priority) => [{ Block: {} }, priority]),
    );
  });

  test('S-78 counts what each rule turns away, S-57 and keeps no sample of a request, which would have its token', () => {
    expect(rules.map(({ VisibilityConfig }) => VisibilityConfig)).toEqual(
      ['TokensPerAddress', 'V1PerAddress', 'PerAuthorization', 'PerAddress'].map((name) => ({
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

test.each(['local', 'staging'])('stage %s has none: an emulator does not know it', (stage) => {
  const types = new Set(Object.values(templatesOf(stage).service.Resources).map(({ Type }) => Type));

  expect([...types].filter((type) => type.startsWith('AWS::WAFv2'))).toEqual([]);
});
