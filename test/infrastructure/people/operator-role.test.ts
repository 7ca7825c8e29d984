import { describe, expect, test } from '@jest/globals';
import { operatorRights } from '../../../bin/operator/command-groups.ts';
import { configOf, stageNames } from '../../../lib/config.ts';
import { arnIn } from '../../support/engine/account.ts';
import { ask, synthesise } from '../../support/engine/synthesis.ts';
import { type StageTemplates, templatesOf } from '../../support/engine/templates.ts';
import { askedOf } from '../../support/rights/asked.ts';
import { declaredIn } from '../../support/rights/declared.ts';
import { isAllowedToRole, rightsOfRole, statementsOf } from '../../support/rights/rights.ts';

/** Rights that no command uses itself, but services on behalf of the caller. */
const askedByServices = [
  // SQS encrypts and decrypts.
  ...['DataKey kms:Decrypt', 'DataKey kms:GenerateDataKey'],
  // RotateSecret calls it.
  'SigningKeysRotateKeysFunction lambda:InvokeFunction',
];

/** As long as IAM counts it. No ARN of ours has more than 120 characters. */
const charactersOf = (statements: readonly { Resource: unknown }[]) => {
  const arn = 'x'.repeat(120);
  const deployed = statements.map((one) => ({ ...one, Resource: [one.Resource].flat().map(() => arn) }));
  return JSON.stringify({ Version: '2012-10-17', Statement: deployed }).length;
};

const signature = { pk: { S: 'WEBHOOK#P1' }, sk: { S: 'SIGNATURE' } };

describe.each(stageNames)('the operator of stage %s', (stage) => {
  const { service } = templatesOf(stage);

  test('RUN-9 its role has the rights that commands declare, and no others', () => {
    const declared = new Set([...operatorRights.flatMap(declaredIn), ...askedByServices]);

    expect(rightsOfRole(service, 'TransactionsOperator')).toEqual([...declared].sort());
  });

  test('RUN-9 its policy has room for three more tables: IAM allows 10,240 characters in total', () => {
    const statements = statementsOf(service, 'TransactionsOperator');
    const ofAudit = statements.filter(({ Resource }) => JSON.stringify(Resource).includes('AuditArn'));

    expect(ofAudit).toHaveLength(3);
    expect(charactersOf(statements) + 3 * charactersOf(ofAudit)).toBeLessThanOrEqual(10_240);
  });

  test('RUN-9 S-28 it updates and deletes no audit record, in either table', () => {
    const rights = rightsOfRole(service, 'TransactionsOperator').filter((right) =>
      right.includes('/AUDIT#*'),
    );

    expect(rights).toEqual([
      'Audit/AUDIT#* dynamodb:PutItem',
      'Audit/AUDIT#* dynamodb:Query',
      'Partners/AUDIT#* dynamodb:PutItem',
      'Partners/AUDIT#* dynamodb:Query',
    ]);
  });

  test('RUN-9 S-66 it has no right to the bus, passes no role, and reads no signature', () => {
    const rights = rightsOfRole(service, 'TransactionsOperator');

    expect(rights.filter((right) => /events:|iam:|WEBHOOK#.*:(BatchGet|Get|Query|Scan)/.test(right))).toEqual(
      [],
    );
  });

  test.each([
    ['PutItem', { Item: signature }],
    ['UpdateItem', { Key: signature, UpdateExpression: 'SET signature = :mine' }],
    ['DeleteItem', { Key: signature }],
  ])('RUN-9 S-66 with %s it writes a signature, and gets none returned', (action, request) => {
    const may = (more: object) => {
      const body = JSON.stringify({ TableName: 'transactions-data-Partners', ...request, ...more });
      const [asked] = askedOf(`DynamoDB_20120810.${action}`, body);
      return asked && isAllowedToRole(service, 'TransactionsOperator', asked);
    };
    const values = ['NONE', 'ALL_OLD', 'UPDATED_OLD', 'ALL_NEW', 'UPDATED_NEW'];

    expect(may({})).toBe(true);
    expect(values.map((ReturnValues) => may({ ReturnValues }))).toEqual([true, false, false, false, false]);
  });

  test('RUN-9 a batch may name all partitions that batches may name, because IAM evaluates its keys together', () => {
    const Keys = ['PARTNER#P1', 'HASHES#P1', 'USE#P1'].map((pk) => ({ pk: { S: pk } }));
    const body = JSON.stringify({ RequestItems: { 'transactions-data-Partners': { Keys } } });
    const [asked] = askedOf('DynamoDB_20120810.BatchGetItem', body);

    expect(asked && isAllowedToRole(service, 'TransactionsOperator', asked)).toBe(true);
  });

  test('RUN-9 its ARN is an output', () => {
    expect(service.Outputs.OperatorRoleArn?.Value).toEqual({
      'Fn::GetAtt': ['TransactionsOperator', 'Arn'],
    });
  });
});

const accountOf = (stage: string) => ({ AWS: arnIn(stage, ':iam::<account>:root') });

/** Who may assume the role, with which condition. */
const trustIn = ({ service }: StageTemplates): unknown => {
  const { Properties } = service.Resources.TransactionsOperator ?? {};
  return (Properties?.AssumeRolePolicyDocument as { Statement: object[] } | undefined)?.Statement;
};

test('RUN-9 without operators in the configuration, a person needs MFA to assume it', () => {
  expect(stageNames.map((stage) => trustIn(templatesOf(stage)))).toEqual(
    stageNames.map((stage) => [
      {
        ...{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: accountOf(stage) },
        Condition: { Bool: { 'aws:MultiFactorAuthPresent': 'true' } },
      },
    ]),
  );
});

test('RUN-9 operators in the configuration are the only ones, and users among them need MFA', async () => {
  const role =
    'arn:aws:iam::111122223333:role/aws-reserved/sso.amazonaws.com/eu-west-2/AWSReservedSSO_Operator_*';
  const user = 'arn:aws:iam::111122223333:user/ada';

  const templates = await synthesise({ ...configOf('staging'), operators: [role, user] });

  expect(trustIn(templates)).toEqual([
    {
      ...{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: accountOf('staging') },
      Condition: { ArnLike: { 'aws:PrincipalArn': [role] } },
    },
    {
      ...{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: accountOf('staging') },
      Condition: {
        ArnLike: { 'aws:PrincipalArn': [user] },
        Bool: { 'aws:MultiFactorAuthPresent': 'true' },
      },
    },
  ]);
});

test.each<[readonly string[]]>([
  [['*']],
  [['arn:aws:iam::111122223333:root']],
  [['arn:aws:iam::111122223333:role/*']],
  [['arn:aws:iam::111122223333:role/a*']],
  [['arn:aws:iam::111122223333:role/?*']],
  [['arn:aws:iam::111122223333:user/ad?']],
  [['arn:aws:iam::111122223333:role/AWSReservedSSO_Operator_*']],
  [['arn:aws:iam::111122223333:role/aws-reserved/sso.amazonaws.com/*']],
  [['arn:aws:iam::111122223333:role/aws-reserved/sso.amazonaws.com/*/AWSReservedSSO_Operator_*']],
  [['arn:aws:iam::111122223333:role/aws-reserved/sso.amazonaws.com/AWSReservedSSO_*']],
  [['arn:aws:iam::111122223333:role/Operator', '']],
  [[]],
])('RUN-9 %j names no operator, and the stage is not synthesised', async (operators) => {
  await expect(ask('operators', { operators })).rejects.toThrow(
    'is no operator: give the ARN of a role or a user of the account.',
  );
});

test('RUN-9 an operator belongs to the stage’s own account, if it has one', async () => {
  const operators = ['arn:aws:iam::444455556666:role/Operator'];

  await expect(ask('operators', { operators, account: '111122223333' })).rejects.toThrow(
    '"arn:aws:iam::444455556666:role/Operator" is no operator',
  );
  await expect(ask('operators', { operators, account: '444455556666' })).resolves.toBe('sts:AssumeRole');
});
