import { CfnTrail } from 'aws-cdk-lib/aws-cloudtrail';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { CfnOutput, Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { busNameOf, type StageConfig } from '../../config.ts';
import type { DataStack } from '../../data-stack.ts';
import { removalPolicyOf } from '../../removal-policy.ts';
import { acknowledge } from '../acknowledge.ts';
import type { ServiceFunction } from '../service-function.ts';

type OwnTrailProps = { config: StageConfig; data: DataStack; functions: readonly ServiceFunction[] };

/**
 * For a year, the calls that change something in the account and region, and what people do at the tables (S-81). EventBridge
 * gets calls only where a trail logs them, and `StoreGuard` counts what it gets. Its files hang on no key of ours: they tell who
 * disabled one (decision 37). Whoever has all rights in the account can change them all the same; digests show it to who
 * compares them.
 */
export class OwnTrail extends Construct {
  constructor(scope: Construct, props: OwnTrailProps) {
    super(scope, 'OwnTrail');
    const { config } = props;
    const bucket = this.createBucket(config);
    const trailName = busNameOf(config);
    this.admitTrail(bucket, trailName);
    const trail = new CfnTrail(this, 'Trail', {
      ...{ trailName, s3BucketName: bucket.bucketName, isLogging: true },
      ...{ isMultiRegionTrail: false, includeGlobalServiceEvents: false, enableLogFileValidation: true },
      advancedEventSelectors: [
        ...(config.watch?.accountHasTrail ? [] : [changesOfTheAccount]),
        this.writesOfAudit(props),
        this.whatPeopleDo(props),
      ],
    });
    if (bucket.policy) trail.node.addDependency(bucket.policy);
    new CfnOutput(this, 'TrailBucket', { value: bucket.bucketName }).overrideLogicalId('TrailBucket');
  }

  /** No function has a right to the copy of the audit records, so a write of one is logged, too. */
  private writesOfAudit({ data }: OwnTrailProps): CfnTrail.AdvancedEventSelectorProperty {
    return selector('writes of audit records', {
      ...atTables,
      readOnly: { equalTo: ['false'] },
      'resources.ARN': { equalTo: [data.audit.tableArn] },
    });
  }

  /** What functions do is left out, by the names of their roles: it is all traffic, at 0.10 USD for 100,000 calls. */
  private whatPeopleDo({ config, data, functions }: OwnTrailProps): CfnTrail.AdvancedEventSelectorProperty {
    return selector('all but functions at tables', {
      ...atTables,
      'resources.ARN': { startsWith: tableArns(config, data) },
      'userIdentity.arn': { notStartsWith: functions.map((one) => this.sessionsOf(one)) },
    });
  }

  /** How the ARN of a caller begins that has the function's role. */
  private sessionsOf({ role }: ServiceFunction): string {
    return Stack.of(this).formatArn({
      ...{ service: 'sts', region: '', resource: 'assumed-role' },
      resourceName: `${role.roleName}/`,
    });
  }

  /** As the CloudTrail user guide has it, "Amazon S3 bucket policy for CloudTrail". */
  private admitTrail(bucket: Bucket, resourceName: string): void {
    const stack = Stack.of(this);
    const trailArn = stack.formatArn({ service: 'cloudtrail', resource: 'trail', resourceName });
    const allow = (action: string, resource: string, conditions: object) =>
      bucket.addToResourcePolicy(
        new PolicyStatement({
          principals: [new ServicePrincipal('cloudtrail.amazonaws.com')],
          ...{ actions: [action], resources: [resource] },
          conditions: { StringEquals: { 'aws:SourceArn': trailArn, ...conditions } },
        }),
      );
    allow('s3:GetBucketAcl', bucket.bucketArn, {});
    allow('s3:PutObject', bucket.arnForObjects(`AWSLogs/${stack.account}/*`), {
      's3:x-amz-acl': 'bucket-owner-full-control',
    });
  }

  private createBucket(config: StageConfig): Bucket {
    const bucket = new Bucket(this, 'Bucket', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      // A file that is written over or deleted is still there, for a year from then.
      versioned: true,
      lifecycleRules: [{ expiration: keptFor, noncurrentVersionExpiration: keptFor }],
      removalPolicy: removalPolicyOf(config),
    });
    acknowledge(
      bucket,
      'AwsSolutions-S1',
      'It is a log itself, of calls: a log of who reads it would want a bucket with a log in turn.',
    );
    return bucket;
  }
}

const keptFor = Duration.days(365);

/** How the ARNs of the stage's tables begin: those of the data stack have its name, restored ones their own. */
const tableArns = ({ restoredTables = {} }: StageConfig, data: DataStack): string[] =>
  [`${data.stackName}-`, ...Object.values(restoredTables).map(({ table }) => table)].map((resourceName) =>
    data.formatArn({ service: 'dynamodb', resource: 'table', resourceName }),
  );

/** What a selector asks of each field of an event; all must hold ("Filtering data events by using advanced event selectors"). */
type Fields = Record<string, Omit<CfnTrail.AdvancedFieldSelectorProperty, 'field'>>;

const selector = (name: string, fields: Fields): CfnTrail.AdvancedEventSelectorProperty => ({
  name,
  fieldSelectors: Object.entries(fields).map(([field, asked]) => ({ field, ...asked })),
});

/** What only reads is left out: each use of a key is such a call, too. */
const changesOfTheAccount = selector('changes of the account', {
  eventCategory: { equalTo: ['Management'] },
  readOnly: { equalTo: ['false'] },
});

const atTables: Fields = {
  eventCategory: { equalTo: ['Data'] },
  'resources.type': { equalTo: ['AWS::DynamoDB::Table'] },
};
