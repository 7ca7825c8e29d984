import { describe, expect, test } from '@jest/globals';
import { stageNames } from '../../../lib/config.ts';
import { tablesFromTemplate } from '../../support/engine/tables.ts';
import {
  propertiesOf,
  resourcesOf,
  type StackTemplate,
  templatesOf,
} from '../../support/engine/templates.ts';

const templates = new Map(stageNames.map((name) => [name, templatesOf(name).data]));
type Index = { IndexName: string; KeySchema: { AttributeName: string }[]; Projection: object };
const keptStages = ['staging', 'production'] as const;
const tablesOf = (stage: (typeof stageNames)[number]) =>
  resourcesOf(templateOf(stage), 'AWS::DynamoDB::Table');
const templateOf = (stage: (typeof stageNames)[number]): StackTemplate => {
  const template = templates.get(stage);
  if (!template) throw new Error(`No template of ${stage}`);
  return template;
};
const keyArn = { 'Fn::GetAtt': [expect.stringMatching(/^DataKey/), 'Arn'] };

describe.each(stageNames)('the data stack of stage %s', (stage) => {
  const template = templateOf(stage);

  test('has the six tables by their names', () => {
    expect(Object.keys(tablesOf(stage))).toEqual([
      'Transactions',
      'Listing',
      'Partners',
      'Debounce',
      'Requests',
      'Audit',
    ]);
  });

  test('outputs name what the operator tool needs', () => {
    const outputs = template.Outputs;

    expect(outputs).toMatchObject({
      TransactionsTable: { Value: { Ref: 'Transactions' } },
      ListingTable: { Value: { Ref: 'Listing' } },
      PartnersTable: { Value: { Ref: 'Partners' } },
      DebounceTable: { Value: { Ref: 'Debounce' } },
      RequestsTable: { Value: { Ref: 'Requests' } },
      AuditTable: { Value: { Ref: 'Audit' } },
      DataKeyArn: { Value: keyArn },
      AccessKeysSecret: { Value: { Ref: 'AccessKeys' } },
      SessionKeysSecret: { Value: { Ref: 'SessionKeys' } },
      PepperSecret: { Value: { Ref: 'Pepper' } },
    });
  });

  test('S-27 EventBridge may encrypt the signatures in connections with the key', () => {
    const [key] = propertiesOf(template, 'AWS::KMS::Key');

    expect(key?.Tags).toContainEqual({ Key: 'EventBridgeApiDestinations', Value: 'true' });
  });

  test('S-55 every table is encrypted with the customer-managed key', () => {
    for (const { Properties } of Object.values(tablesOf(stage))) {
      expect(Properties.SSESpecification).toEqual({
        KMSMasterKeyId: keyArn,
        SSEEnabled: true,
        SSEType: 'KMS',
      });
    }
  });

  test('S-56 every table is restorable to a point in time', () => {
    for (const { Properties } of Object.values(tablesOf(stage))) {
      expect(Properties.PointInTimeRecoverySpecification).toEqual({ PointInTimeRecoveryEnabled: true });
    }
  });

  test('S-60 short-lived items expire by expiresAt, and no other table expires items', () => {
    const expiries = Object.entries(tablesOf(stage)).map(([name, { Properties }]) => [
      name,
      Properties.TimeToLiveSpecification,
    ]);

    expect(expiries).toEqual([
      ['Transactions', undefined],
      ['Listing', undefined],
      ['Partners', undefined],
      ['Debounce', { AttributeName: 'expiresAt', Enabled: true }],
      ['Requests', { AttributeName: 'expiresAt', Enabled: true }],
      ['Audit', undefined],
    ]);
  });

  test('S-64 indexes hold keys and versions, never customer data', () => {
    const indexes = Object.entries(tablesOf(stage)).flatMap(([name, { Properties }]) =>
      ((Properties.GlobalSecondaryIndexes ?? []) as Index[]).map(({ IndexName, KeySchema, Projection }) => [
        `${name}.${IndexName}`,
        ...KeySchema.map(({ AttributeName }) => AttributeName),
        Projection,
      ]),
    );

    expect(indexes).toEqual([
      [
        'Transactions.changed',
        'changedIn',
        'updatedAtMs',
        { ProjectionType: 'INCLUDE', NonKeyAttributes: ['version', 'notifyFromVersion'] },
      ],
      ['Debounce.due', 'dueShard', 'dueAtMs', { ProjectionType: 'KEYS_ONLY' }],
      ['Debounce.byPartner', 'clientId', 'claimedAtMs', { ProjectionType: 'KEYS_ONLY' }],
      ['Debounce.byTransaction', 'uuid', 'claimedAtMs', { ProjectionType: 'KEYS_ONLY' }],
    ]);
  });

  test('only the Transactions table has a stream, with both images', () => {
    const streams = Object.entries(tablesOf(stage)).filter(
      ([, { Properties }]) => Properties.StreamSpecification,
    );

    expect(streams.map(([name, { Properties }]) => [name, Properties.StreamSpecification])).toEqual([
      ['Transactions', { StreamViewType: 'NEW_AND_OLD_IMAGES' }],
    ]);
  });

  test('S-22 no secret has its value in the template', () => {
    const secrets = Object.entries(resourcesOf(template, 'AWS::SecretsManager::Secret'));

    expect(secrets.map(([name, { Properties }]) => [name, Object.keys(Properties).sort()])).toEqual([
      ['AccessKeys', ['Description', 'KmsKeyId']],
      ['SessionKeys', ['Description', 'KmsKeyId']],
      ['Pepper', ['Description', 'GenerateSecretString', 'KmsKeyId']],
    ]);
  });

  test('TOK-2 CloudFormation draws the pepper: 64 characters of [A-Za-z0-9]', () => {
    const drawn = propertiesOf(template, 'AWS::SecretsManager::Secret').flatMap(
      ({ GenerateSecretString }) => GenerateSecretString ?? [],
    );

    expect(drawn).toEqual([{ PasswordLength: 64, ExcludePunctuation: true }]);
  });

  test('S-55 the key rotates every year', () => {
    expect(propertiesOf(template, 'AWS::KMS::Key')).toEqual([
      expect.objectContaining({ EnableKeyRotation: true }),
    ]);
  });
});

test.each(keptStages)(
  'S-56 D-03 tables, secrets and key of stage %s outlive their stack, unless it never came to be',
  (stage) => {
    const resources: Record<string, { DeletionPolicy?: string; UpdateReplacePolicy?: string }> =
      templateOf(stage).Resources;

    for (const { DeletionPolicy, UpdateReplacePolicy } of Object.values(resources)) {
      expect([DeletionPolicy, UpdateReplacePolicy]).toEqual(['RetainExceptOnCreate', 'Retain']);
    }
  },
);

test.each(keptStages)('S-56 tables of stage %s refuse deletion', (stage) => {
  for (const { Properties } of Object.values(tablesOf(stage))) {
    expect(Properties.DeletionProtectionEnabled).toBe(true);
  }
});

test('tests create their tables from the template', () => {
  const tables = tablesFromTemplate();

  expect(
    tables.map(({ TableName, KeySchema }) => [TableName, KeySchema?.map((key) => key.AttributeName)]),
  ).toEqual([
    ['Transactions', ['uuid']],
    ['Listing', ['pk', 'sk']],
    ['Partners', ['pk', 'sk']],
    ['Debounce', ['pk', 'sk']],
    ['Requests', ['pk', 'sk']],
    ['Audit', ['pk', 'sk']],
  ]);
  expect(tables[0]?.StreamSpecification).toEqual({
    StreamEnabled: true,
    StreamViewType: 'NEW_AND_OLD_IMAGES',
  });
});
