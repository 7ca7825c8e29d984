import { describe, expect, test } from '@jest/globals';
import { configOf, type StageConfig } from '../../../lib/config.ts';
import { arnIn } from '../../support/engine/account.ts';
import { readsOfData } from '../../support/engine/data-outputs.ts';
import { synthesise } from '../../support/engine/synthesis.ts';
import {
  propertiesOf,
  resourcesOf,
  type StackTemplate,
  templatesOf,
} from '../../support/engine/templates.ts';
import { rightsOfRole } from '../../support/rights/rights.ts';

/** What a trail logs, by the names of its selectors and the fields that they ask. */
const loggedIn = (service: StackTemplate) => {
  const [trail] = propertiesOf(service, 'AWS::CloudTrail::Trail') as {
    AdvancedEventSelectors: { Name: string; FieldSelectors: { Field: string }[] }[];
  }[];
  return (trail?.AdvancedEventSelectors ?? []).map(({ Name, FieldSelectors }) => [
    Name,
    Object.fromEntries(FieldSelectors.map(({ Field, ...asked }) => [Field, asked])),
  ]);
};
const atTables = {
  eventCategory: { Equals: ['Data'] },
  'resources.type': { Equals: ['AWS::DynamoDB::Table'] },
};
const changesOfTheAccount = [
  'changes of the account',
  { eventCategory: { Equals: ['Management'] }, readOnly: { Equals: ['false'] } },
];
/** Writes to the Audit table by anybody, and all that is done at these tables by nobody's function. */
const doneAtTables = (stage: string, service: StackTemplate, ...restored: string[]) => {
  const roles = propertiesOf(service, 'AWS::Lambda::Function').map(
    ({ Role }) => (Role as { 'Fn::GetAtt': [string, string] })['Fn::GetAtt'][0],
  );
  const sessionsOf = (role: string) => ({
    'Fn::Join': [
      '',
      [...['arn:', { Ref: 'AWS::Partition' }], ...[':sts::111122223333:assumed-role/', { Ref: role }, '/']],
    ],
  });
  const tableArn = (name: string) =>
    arnIn(stage, `:dynamodb:${configOf(stage).region}:<account>:table/${name}`);
  return [
    [
      'writes of audit records',
      {
        ...{ ...atTables, readOnly: { Equals: ['false'] } },
        'resources.ARN': { Equals: [readsOfData(/^PublishOutputFnGetAttAuditArn/)] },
      },
    ],
    [
      'all but functions at tables',
      {
        ...atTables,
        'resources.ARN': { StartsWith: [`transactions-${stage}-data-`, ...restored].map(tableArn) },
        'userIdentity.arn': { NotStartsWith: roles.map(sessionsOf) },
      },
    ],
  ];
};

describe.each(['staging', 'production'])('S-81 the trail of stage %s', (stage) => {
  const { service } = templatesOf(stage);

  test('S-70 S-81 logs changes of the account, writes of audit records, and access of people to the stage’s tables', () => {
    expect(loggedIn(service)).toEqual([changesOfTheAccount, ...doneAtTables(stage, service)]);
  });

  test('S-70 S-81 uses another key than the data', () => {
    const [trail] = propertiesOf(service, 'AWS::CloudTrail::Trail');
    const [[bucketId, bucket] = []] = Object.entries(resourcesOf(service, 'AWS::S3::Bucket'));

    expect(trail).toMatchObject({
      ...{ TrailName: `transactions-${stage}`, IsLogging: true, EnableLogFileValidation: true },
      ...{ IsMultiRegionTrail: false, S3BucketName: { Ref: bucketId } },
    });
    expect(trail).not.toHaveProperty('KMSKeyId');
    expect(bucket).toMatchObject({
      DeletionPolicy: 'RetainExceptOnCreate',
      Properties: {
        VersioningConfiguration: { Status: 'Enabled' },
        BucketEncryption: {
          ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
        },
      },
    });
    expect(service.Outputs.TrailBucket?.Value).toEqual({ Ref: bucketId });
  });

  test('S-81 is out of reach of the operator, who can neither stop nor read nor change it, and change no audit record', () => {
    const rights = rightsOfRole(service, 'TransactionsOperator');

    expect(rights.filter((right) => / (cloudtrail|s3|s3-object-lambda|kms):/.test(right))).toEqual([
      'DataKey kms:Decrypt',
      'DataKey kms:GenerateDataKey',
    ]);
    expect(rights.filter((right) => /\/(AUDIT|DONE)#\* dynamodb:(Update|Delete)/.test(right))).toEqual([]);
    expect(rights.filter((right) => /^(Audit|Partners) /.test(right))).toEqual([]);
  });
});

const production = (changes: Partial<StageConfig>) => synthesise({ ...configOf('production'), ...changes });

test('S-81 access of people to a restored table is logged as well', async () => {
  const { service } = await production({ restoredTables: { partners: { table: 'Partners-2' } } });

  expect(loggedIn(service).slice(1)).toEqual(doneAtTables('production', service, 'Partners-2'));
});

test('S-70 S-81 if a trail of the account logs changes, the stage’s trail logs its tables and keeps its rules', async () => {
  const { watch = { emails: [], monthlyUsd: 1, writeUnitsPerMinute: 1 } } = configOf('production');
  const { service } = await production({ watch: { ...watch, accountHasTrail: true } });
  const rules = propertiesOf(templatesOf('production').service, 'AWS::Events::Rule');

  expect(loggedIn(service)).toEqual(doneAtTables('production', service));
  expect(propertiesOf(service, 'AWS::Events::Rule')).toEqual(rules);
});

test('S-81 the local stage has none, because nobody reads it', () => {
  expect(resourcesOf(templatesOf('local').service, 'AWS::CloudTrail::Trail')).toEqual({});
});
