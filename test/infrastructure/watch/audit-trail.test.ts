import { describe, expect, test } from '@jest/globals';
import { configOf } from '../../../lib/config.ts';
import { synthesise } from '../../support/engine/synthesis.ts';
import {
  propertiesOf,
  resourcesOf,
  type StackTemplate,
  templatesOf,
} from '../../support/engine/templates.ts';
import { rightsOfRole } from '../../support/rights/rights.ts';

type Value =
  | string
  | { Ref: string }
  | { 'Fn::Join': [separator: string, parts: Value[]] }
  | { 'Fn::GetStackOutput': { OutputName: string } };
type Selector = { FieldSelectors: ({ Field: string } & Record<string, Value[] | string>)[] };
/** An event as CloudTrail would log it, by the fields that selectors ask. */
type Event = {
  'resources.ARN': string;
  'userIdentity.arn': string;
  readOnly: 'true' | 'false';
  eventCategory?: string;
};

const pseudo: Record<string, string> = { 'AWS::Partition': 'aws', 'AWS::AccountId': '111122223333' };

/** A value of the template as AWS would have it; a role has its logical id as its name, and the one output is the Audit table's. */
const textOf = (value: Value): string => {
  if (typeof value === 'string') return value;
  if ('Ref' in value) return pseudo[value.Ref] ?? value.Ref;
  if ('Fn::Join' in value) return value['Fn::Join'][1].map(textOf).join('');
  expect(value['Fn::GetStackOutput'].OutputName).toMatch(/^PublishOutputFnGetAttAuditArn/);
  return own('Audit');
};

const operators: Record<string, (asked: string, given: string[]) => boolean> = {
  Equals: (asked, given) => given.includes(asked),
  StartsWith: (asked, given) => given.some((start) => asked.startsWith(start)),
  NotStartsWith: (asked, given) => !given.some((start) => asked.startsWith(start)),
};

/** Whether the trail of a stage logs an event at a table, as CloudTrail judges its selectors. */
const isLogged = (service: StackTemplate, { eventCategory = 'Data', ...event }: Event): boolean => {
  const [trail] = propertiesOf(service, 'AWS::CloudTrail::Trail') as { AdvancedEventSelectors: Selector[] }[];
  const fields: Record<string, string> = {
    ...event,
    ...{ eventCategory, 'resources.type': 'AWS::DynamoDB::Table' },
  };
  return (trail?.AdvancedEventSelectors ?? []).some(({ FieldSelectors }) =>
    FieldSelectors.every(({ Field, ...conditions }) =>
      Object.entries(conditions).every(([operator, given]) =>
        operators[operator]?.(fields[Field] ?? '', [given].flat().map(textOf)),
      ),
    ),
  );
};

const tableArn = (name: string) =>
  `arn:aws:dynamodb:${configOf('production').region}:111122223333:table/${name}`;
const own = (name: string) => tableArn(`transactions-production-data-${name}-1ABC`);
const as = (role: string) => `arn:aws:sts::111122223333:assumed-role/${role}/session`;
const operator = as('TransactionsOperator');

describe('S-81 what people do at the tables', () => {
  const { service } = templatesOf('production');
  const roles = propertiesOf(service, 'AWS::Lambda::Function').map(({ Role }) => {
    const [role = ''] = (Role as { 'Fn::GetAtt': string[] })['Fn::GetAtt'];
    return role;
  });

  test.each(['Transactions', 'Listing', 'Partners', 'Debounce', 'Requests', 'Audit'])(
    'S-81 is logged where it is an operator or anybody else who reads or writes the table %s',
    (table) => {
      for (const caller of [operator, as('Admin'), 'arn:aws:iam::111122223333:user/ada'])
        for (const readOnly of ['true', 'false'] as const)
          expect(
            isLogged(service, { 'resources.ARN': own(table), 'userIdentity.arn': caller, readOnly }),
          ).toBe(true);
    },
  );

  test('S-81 is not what any function does, which is all traffic', () => {
    const logged = roles.filter((role) =>
      (['true', 'false'] as const).some((readOnly) =>
        isLogged(service, { 'resources.ARN': own('Transactions'), 'userIdentity.arn': as(role), readOnly }),
      ),
    );

    expect(roles).toHaveLength(14);
    expect(logged).toEqual([]);
  });

  test('S-81 is not what happens at tables of others', () => {
    const scan = { 'resources.ARN': tableArn('of-another-service'), 'userIdentity.arn': as('Admin') };

    expect(isLogged(service, { ...scan, readOnly: 'true' })).toBe(false);
  });

  test('S-81 a write of an audit record is logged even by the role of a function', () => {
    const audit = { 'resources.ARN': own('Audit') };
    const asked = roles.map((role) => ({ ...audit, 'userIdentity.arn': as(role) }));

    expect(asked.every((one) => isLogged(service, { ...one, readOnly: 'false' }))).toBe(true);
    expect(asked.some((one) => isLogged(service, { ...one, readOnly: 'true' }))).toBe(false);
  });

  test('S-81 is logged of a restored table, too', async () => {
    const restoredTables = { partners: { table: 'Partners-2' } };
    const { service: restored } = await synthesise({ ...configOf('production'), restoredTables });
    const scan = { 'resources.ARN': tableArn('Partners-2'), 'userIdentity.arn': operator };

    expect(isLogged(restored, { ...scan, readOnly: 'true' })).toBe(true);
    expect(isLogged(service, { ...scan, readOnly: 'true' })).toBe(false);
  });

  test('S-70 S-81 is logged by the stage, also where a trail of the account logs what changes the account', async () => {
    const { watch = { emails: [], monthlyUsd: 1 } } = configOf('production');
    const { service: beside } = await synthesise({
      ...configOf('production'),
      watch: { ...watch, accountHasTrail: true },
    });
    const call = {
      'resources.ARN': own('Partners'),
      'userIdentity.arn': operator,
      readOnly: 'false',
    } as const;

    expect(isLogged(beside, call)).toBe(true);
    expect(isLogged(beside, { ...call, eventCategory: 'Management' })).toBe(false);
    expect(isLogged(service, { ...call, eventCategory: 'Management' })).toBe(true);
    expect(isLogged(service, { ...call, eventCategory: 'Management', readOnly: 'true' })).toBe(false);
    expect(propertiesOf(beside, 'AWS::Events::Rule')).toEqual(propertiesOf(service, 'AWS::Events::Rule'));
  });
});

describe('S-81 the trail', () => {
  test.each(['staging', 'production'])('S-70 S-81 of %s hangs on another key than the data', (stage) => {
    const { service } = templatesOf(stage);
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

  test.each(['staging', 'production'])(
    'S-81 of %s is beyond the operator, who neither stops nor reads nor changes it, and changes no audit record',
    (stage) => {
      const rights = rightsOfRole(templatesOf(stage).service, 'TransactionsOperator');

      expect(rights.filter((right) => / (cloudtrail|s3|s3-object-lambda|kms):/.test(right))).toEqual([
        'DataKey kms:Decrypt',
        'DataKey kms:GenerateDataKey',
      ]);
      expect(rights.filter((right) => /\/(AUDIT|DONE)#\* dynamodb:(Update|Delete)/.test(right))).toEqual([]);
      expect(rights.filter((right) => /^(Audit|Partners) /.test(right))).toEqual([]);
    },
  );

  test('S-81 the local stage has none, since nobody watches it', () => {
    expect(resourcesOf(templatesOf('local').service, 'AWS::CloudTrail::Trail')).toEqual({});
  });
});
