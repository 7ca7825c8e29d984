import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { stageNames } from '../../../lib/config.ts';
import { createTableInput, tableIds } from '../../../lib/tables.ts';
import { propertiesOf, resourcesOf, templatesOf } from '../../support/engine/templates.ts';

type Index = { IndexName: string; KeySchema: { AttributeName: string }[]; Projection: object };
const tablesOf = (stage: string) => resourcesOf(templatesOf(stage).data, 'AWS::DynamoDB::Table');
const keyArn = { 'Fn::GetAtt': [expect.stringMatching(/^DataKey/), 'Arn'] };
const names = ['Transactions', 'Listing', 'Partners', 'Debounce', 'Requests', 'Audit'];

/** What CreateTable and a template have in common; attributes in one order, since a template has them as they are used. */
const shapeOf = ({
  KeySchema,
  AttributeDefinitions,
  GlobalSecondaryIndexes,
  StreamSpecification,
}: Record<string, unknown>) => ({
  ...{ KeySchema, GlobalSecondaryIndexes, StreamSpecification },
  AttributeDefinitions: (AttributeDefinitions as { AttributeName: string }[]).toSorted((a, b) =>
    a.AttributeName < b.AttributeName ? -1 : 1,
  ),
});

/** A template enables a stream by naming its view. */
const asTemplate = ({ StreamSpecification, ...input }: CreateTableCommandInput) =>
  shapeOf({
    ...input,
    StreamSpecification: StreamSpecification && { StreamViewType: StreamSpecification.StreamViewType },
  });

describe.each(stageNames)('the data stack of stage %s', (stage) => {
  const template = templatesOf(stage).data;
  const tables = Object.entries(tablesOf(stage)).map(([name, { Properties }]) => [name, Properties] as const);
  const each = (properties: object) => names.map((name) => [name, expect.objectContaining(properties)]);

  test('outputs name what the operator tool needs', () => {
    expect(template.Outputs).toMatchObject({
      ...Object.fromEntries(names.map((name) => [`${name}Table`, { Value: { Ref: name } }])),
      DataKeyArn: { Value: keyArn },
      AccessKeysSecret: { Value: { Ref: 'AccessKeys' } },
      SessionKeysSecret: { Value: { Ref: 'SessionKeys' } },
      PepperSecret: { Value: { Ref: 'Pepper' } },
    });
  });

  test('S-55 the key rotates every year, and S-27 EventBridge may encrypt the signatures in connections with it', () => {
    expect(propertiesOf(template, 'AWS::KMS::Key')).toMatchObject([
      { EnableKeyRotation: true, Tags: [{ Key: 'EventBridgeApiDestinations', Value: 'true' }] },
    ]);
  });

  test('S-55 each of the six tables is encrypted with the customer-managed key', () => {
    const key = { KMSMasterKeyId: keyArn, SSEEnabled: true, SSEType: 'KMS' };

    expect(tables).toEqual(each({ SSESpecification: key }));
  });

  test('S-56 every table is restorable to a point in time', () => {
    expect(tables).toEqual(each({ PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } }));
  });

  test('RUN-1 the tables of the embedded stage and of tests have the keys, indexes and streams of the template', () => {
    const made = tableIds.map((id) => [id, asTemplate(createTableInput(id))]);

    expect(tables.map(([name, properties]) => [name, shapeOf(properties)])).toEqual(made);
  });

  test('S-60 short-lived items expire by expiresAt, and no other table expires items', () => {
    const expiring = tables.filter(([, { TimeToLiveSpecification: of }]) => of !== undefined);
    const byIt = { TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true } };

    expect(expiring).toEqual(['Debounce', 'Requests'].map((name) => [name, expect.objectContaining(byIt)]));
  });

  test('S-64 indexes hold keys and versions, never customer data', () => {
    const indexes = tables.flatMap(([name, { GlobalSecondaryIndexes = [] }]) =>
      (GlobalSecondaryIndexes as Index[]).map(({ IndexName, KeySchema, Projection }) => [
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
    ]);
  });

  test('only the Transactions table has a stream, with both images', () => {
    const streams = tables.flatMap(([name, { StreamSpecification: of }]) => (of ? [[name, of]] : []));

    expect(streams).toEqual([['Transactions', { StreamViewType: 'NEW_AND_OLD_IMAGES' }]]);
  });

  test('S-22 no secret has its value in the template', () => {
    const secrets = Object.entries(resourcesOf(template, 'AWS::SecretsManager::Secret'));

    expect(secrets.map(([name, { Properties }]) => [name, Object.keys(Properties).sort()])).toEqual([
      ['AccessKeys', ['Description', 'KmsKeyId']],
      ['SessionKeys', ['Description', 'KmsKeyId']],
      ['Pepper', ['Description', 'GenerateSecretString', 'KmsKeyId']],
    ]);
  });

  test('TOK-2 CloudFormation generates the pepper: 64 characters of [A-Za-z0-9]', () => {
    const drawn = propertiesOf(template, 'AWS::SecretsManager::Secret').flatMap(
      ({ GenerateSecretString }) => GenerateSecretString ?? [],
    );

    expect(drawn).toEqual([{ PasswordLength: 64, ExcludePunctuation: true }]);
  });
});

test.each(['staging', 'production'])(
  'S-56 D-03 tables, secrets and key of stage %s outlive their stack, unless it was never created, and tables refuse deletion',
  (stage) => {
    const kept = { DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' };

    for (const resource of Object.values(templatesOf(stage).data.Resources))
      expect(resource).toMatchObject(kept);
    for (const { Properties } of Object.values(tablesOf(stage)))
      expect(Properties.DeletionProtectionEnabled).toBe(true);
  },
);
