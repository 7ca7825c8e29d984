import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { publishingVariables } from '../../functions/shared/publish/open-publishing.ts';
import { stageNames } from '../../lib/config.ts';
import { rightsOf as rightsIn } from '../support/engine/rights.ts';
import { propertiesOf, resourcesOf, templatesOf } from '../support/engine/stacks.ts';
import { root } from '../support/repository.ts';

const names = [
  'capture-change',
  'collect-dead-letters',
  'create-keys',
  'issue-token',
  'publish-dormant',
  'reconcile',
  'sweep-untouched',
  'v1-transaction',
  'v2-read',
  'v2-write',
];

type FunctionProperties = {
  Description: string;
  Runtime: string;
  Architectures: string[];
  TracingConfig: unknown;
  ReservedConcurrentExecutions?: number;
  Role: { 'Fn::GetAtt': [role: string, attribute: 'Arn'] };
  Environment: { Variables: Record<string, unknown> };
};
type ScheduleProperties = {
  ScheduleExpression: string;
  Target: { Arn: unknown; RoleArn: { 'Fn::GetAtt': [role: string, attribute: 'Arn'] } };
};
type Statement = { Effect: string; Action: string | string[]; Resource: unknown };

describe.each(stageNames)('the functions of stage %s', (stage) => {
  const { service } = templatesOf(stage);
  const functions = propertiesOf(service, 'AWS::Lambda::Function') as FunctionProperties[];
  const policies = propertiesOf(service, 'AWS::IAM::Policy') as {
    Roles: { Ref: string }[];
    PolicyDocument: { Statement: Statement[] };
  }[];

  const called = (name: string): FunctionProperties => {
    const found = functions.find(({ Description }) => Description === name);
    if (!found) throw new Error(`No function ${name}`);
    return found;
  };
  const rightsOf = (name: string) => rightsIn(service, name);
  const whoMay = (right: string) => names.filter((name) => rightsOf(name).includes(right));

  test('are those of the folder, and no others', () => {
    const found = functions.map(({ Description }) => Description);

    expect(found.sort()).toEqual(names);
  });

  test.each(names)('%s has the variables that it asks for, and no others', (name) => {
    const source = readFileSync(join(root, `functions/${name}/index.ts`), 'utf8');
    const [, list = ''] = /readEnvironment\(\[([^\]]*)\]/.exec(source) ?? [];
    const named = [...list.matchAll(/'(\w+)'/g)].map(([, variable]) => variable);
    const asked = list.includes('...publishingVariables') ? [...publishingVariables, ...named] : named;

    const given = Object.keys(called(name).Environment.Variables);

    expect(asked.length).toBeGreaterThan(0);
    expect(given.sort()).toEqual([...asked, 'POWERTOOLS_LOG_LEVEL', 'POWERTOOLS_METRICS_NAMESPACE'].sort());
  });

  test('S-22 a secret is known to a function by its address only', () => {
    const secrets = functions
      .flatMap(({ Environment }) => Object.entries(Environment.Variables))
      .filter(([variable]) => variable.endsWith('_SECRET'));

    expect(secrets).toHaveLength(5);
    for (const [, value] of secrets) {
      expect(value).toEqual({
        'Fn::ImportValue': expect.stringMatching(
          /:ExportsOutputRef(AccessKeys|SessionKeys|Pepper)[0-9A-F]{8}$/,
        ),
      });
    }
  });

  test('S-23 private keys and pepper are read by the function that uses them and the one that makes them', () => {
    expect(whoMay('AccessKeys secretsmanager:GetSecretValue')).toEqual(['create-keys', 'issue-token']);
    expect(whoMay('SessionKeys secretsmanager:GetSecretValue')).toEqual(['create-keys', 'v1-transaction']);
    expect(whoMay('Pepper secretsmanager:GetSecretValue')).toEqual(['issue-token']);
  });

  test('S-66 S-67 v2-read may read and nothing else', () => {
    expect(rightsOf('v2-read')).toEqual([
      '* xray:PutTelemetryRecords',
      '* xray:PutTraceSegments',
      'Listing dynamodb:BatchGetItem',
      'Listing dynamodb:GetItem',
      'Listing dynamodb:Query',
      'Partners dynamodb:BatchGetItem',
      'Partners dynamodb:GetItem',
      'Partners dynamodb:Query',
      'Transactions dynamodb:BatchGetItem',
      'Transactions dynamodb:GetItem',
      'Transactions dynamodb:Query',
      'its own log logs:CreateLogStream',
      'its own log logs:PutLogEvents',
    ]);
  });

  test('S-66 S-67 issue-token reads partners and its two secrets', () => {
    expect(rightsOf('issue-token')).toEqual([
      '* xray:PutTelemetryRecords',
      '* xray:PutTraceSegments',
      'AccessKeys secretsmanager:GetSecretValue',
      'Partners dynamodb:BatchGetItem',
      'Partners dynamodb:GetItem',
      'Partners dynamodb:Query',
      'Pepper secretsmanager:GetSecretValue',
      'its own log logs:CreateLogStream',
      'its own log logs:PutLogEvents',
    ]);
  });

  test('S-66 create-keys fills two secrets and puts one item', () => {
    expect(rightsOf('create-keys')).toEqual([
      '* xray:PutTelemetryRecords',
      '* xray:PutTraceSegments',
      'AccessKeys secretsmanager:GetSecretValue',
      'AccessKeys secretsmanager:PutSecretValue',
      'Partners dynamodb:PutItem',
      'SessionKeys secretsmanager:GetSecretValue',
      'SessionKeys secretsmanager:PutSecretValue',
      'its own log logs:CreateLogStream',
      'its own log logs:PutLogEvents',
    ]);
  });

  test('create-keys is run by CloudFormation, after it has its rights, for two minutes at most', () => {
    const [keys] = Object.values(resourcesOf(service, 'Custom::SigningKeys'));
    const [role] = called('create-keys').Role['Fn::GetAtt'];

    expect(keys?.Properties).toEqual({
      ServiceToken: { 'Fn::GetAtt': [expect.stringContaining('CreateKeysFunction'), 'Arn'] },
      ServiceTimeout: '120',
    });
    expect(keys?.DependsOn).toEqual(
      expect.arrayContaining([role, expect.stringContaining('RoleDefaultPolicy')]),
    );
  });

  test('S-66 S-67 v2-write reads what it changes, puts it whole beside its listing and its record, and publishes', () => {
    expect(rightsOf('v2-write')).toEqual([
      '* xray:PutTelemetryRecords',
      '* xray:PutTraceSegments',
      'Debounce dynamodb:GetItem',
      'Debounce dynamodb:PutItem',
      'Debounce dynamodb:UpdateItem',
      'Listing dynamodb:DeleteItem',
      'Listing dynamodb:PutItem',
      'Listing dynamodb:UpdateItem',
      'PartnerBus events:DescribeEventBus',
      'PartnerBus events:PutEvents',
      'Partners dynamodb:BatchGetItem',
      'Partners dynamodb:GetItem',
      'Partners dynamodb:Query',
      'Requests dynamodb:GetItem',
      'Requests dynamodb:PutItem',
      'Transactions dynamodb:ConditionCheckItem',
      'Transactions dynamodb:GetItem',
      'Transactions dynamodb:PutItem',
      'its own log logs:CreateLogStream',
      'its own log logs:PutLogEvents',
    ]);
  });

  test('S-66 S-67 sweep-untouched removes transactions and changes none', () => {
    expect(rightsOf('sweep-untouched')).toEqual([
      '* xray:PutTelemetryRecords',
      '* xray:PutTraceSegments',
      'Listing dynamodb:BatchGetItem',
      'Listing dynamodb:DeleteItem',
      'Listing dynamodb:GetItem',
      'Listing dynamodb:Query',
      'Listing dynamodb:UpdateItem',
      'Transactions dynamodb:BatchGetItem',
      'Transactions dynamodb:DeleteItem',
      'Transactions dynamodb:GetItem',
      'Transactions dynamodb:Query',
      'its own log logs:CreateLogStream',
      'its own log logs:PutLogEvents',
    ]);
  });

  test('S-67 two functions put transactions, only the sweep removes any, and none writes partners', () => {
    expect(whoMay('Transactions dynamodb:PutItem')).toEqual(['v1-transaction', 'v2-write']);
    expect(whoMay('Transactions dynamodb:UpdateItem')).toEqual([]);
    expect(whoMay('Transactions dynamodb:DeleteItem')).toEqual(['sweep-untouched']);
    expect(whoMay('Listing dynamodb:UpdateItem')).toEqual(['sweep-untouched', 'v1-transaction', 'v2-write']);
    expect(whoMay('Requests dynamodb:PutItem')).toEqual(['v1-transaction', 'v2-write']);
    expect(whoMay('Requests dynamodb:DeleteItem')).toEqual([]);
    expect(whoMay('Partners dynamodb:UpdateItem')).toEqual([]);
  });

  test('V1-8 the sweep runs every hour, and its scheduler may call it and nothing else', () => {
    const schedule = (propertiesOf(service, 'AWS::Scheduler::Schedule') as ScheduleProperties[]).find(
      ({ ScheduleExpression }) => ScheduleExpression === 'rate(1 hour)',
    );
    const caller = schedule?.Target.RoleArn['Fn::GetAtt'][0] ?? '';
    const rights = policies.filter(({ Roles }) => Roles.some(({ Ref }) => Ref === caller));
    const sweep = { 'Fn::GetAtt': [expect.stringMatching(/^UntouchedSweepSweepUntouchedFunction/), 'Arn'] };

    expect(schedule?.Target.Arn).toEqual(sweep);
    expect(rights.flatMap(({ PolicyDocument }) => PolicyDocument.Statement)).toEqual([
      { Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: sweep },
    ]);
    expect(resourcesOf(service, 'AWS::IAM::Role')[caller]?.Properties.AssumeRolePolicyDocument).toMatchObject(
      {
        Statement: [
          {
            Principal: { Service: 'scheduler.amazonaws.com' },
            Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
          },
        ],
      },
    );
  });

  test('S-66 S-67 nobody scans, and no action has a wildcard', () => {
    const actions = policies.flatMap(({ PolicyDocument }) =>
      PolicyDocument.Statement.flatMap(({ Action }) => Action),
    );

    expect(actions.filter((action) => action === 'dynamodb:Scan' || action.includes('*'))).toEqual([]);
  });

  test('S-66 each function has a role of its own', () => {
    const roles = functions.map(({ Role }) => Role['Fn::GetAtt'][0]);

    expect(new Set(roles).size).toBe(names.length);
  });

  test('S-72 functions run on the newest long-term runtime, on arm64, traced', () => {
    for (const { Runtime, Architectures, TracingConfig } of functions) {
      expect([Runtime, Architectures, TracingConfig]).toEqual(['nodejs24.x', ['arm64'], { Mode: 'Active' }]);
    }
  });
});

test.each([
  ['local', {}],
  ['staging', { 'issue-token': 10, 'v1-transaction': 20, 'v2-write': 10, 'publish-dormant': 5 }],
  ['production', { 'issue-token': 50, 'v1-transaction': 200, 'v2-write': 100, 'publish-dormant': 10 }],
])('S-42 stage %s reserves concurrency', (stage, expected) => {
  const functions = propertiesOf(templatesOf(stage).service, 'AWS::Lambda::Function') as FunctionProperties[];
  const reserved = functions
    .filter(({ ReservedConcurrentExecutions }) => ReservedConcurrentExecutions !== undefined)
    .map(({ Description, ReservedConcurrentExecutions }) => [Description, ReservedConcurrentExecutions]);

  expect(Object.fromEntries(reserved)).toEqual(expected);
});
