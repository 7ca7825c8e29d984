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
 * Logs calls that change the account and region, and people's calls to the tables, for a year (S-81). EventBridge gets only
 * calls that a trail logs, and `StoreGuard` counts them. The files are not encrypted with our key, since they say who disabled
 * it (decision 37). An administrator can change the files; their digests show it.
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

  /** Writes to the Audit table, those of functions included, since they are rare. */
  private writesOfAudit({ data }: OwnTrailProps): CfnTrail.AdvancedEventSelectorProperty {
    return selector('writes of audit records', {
      ...atTables,
      readOnly: { equalTo: ['false'] },
      'resources.ARN': { equalTo: [data.audit.tableArn] },
    });
  }

  /** Calls to the tables but those of functions' roles, which are all traffic and would cost 0.10 USD for 100,000 calls. */
  private whatPeopleDo({ config, data, functions }: OwnTrailProps): CfnTrail.AdvancedEventSelectorProperty {
    return selector('all but functions at tables', {
      ...atTables,
      'resources.ARN': { startsWith: tableArns(config, data) },
      'userIdentity.arn': { notStartsWith: functions.map((called) => this.sessionsOf(called)) },
    });
  }

  /** The beginning of the ARNs of callers with the function's role. */
  private sessionsOf({ role }: ServiceFunction): string {
    return Stack.of(this).formatArn({
      ...{ service: 'sts', region: '', resource: 'assumed-role' },
      resourceName: `${role.roleName}/`,
    });
  }

  /** The policy of the CloudTrail user guide, "Amazon S3 bucket policy for CloudTrail". */
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
      // Overwritten and deleted files are kept for a year from then.
      versioned: true,
      lifecycleRules: [{ expiration: keptFor, noncurrentVersionExpiration: keptFor }],
      removalPolicy: removalPolicyOf(config),
    });
    acknowledge(
      bucket,
      'AwsSolutions-S1',
      'The bucket holds a log itself. An access log of it would need another bucket, with an access log in turn.',
    );
    return bucket;
  }
}

const keptFor = Duration.days(365);

/** The beginnings of the ARNs of the stage's tables: the data stack's name, and the names of restored tables. */
const tableArns = ({ restoredTables = {} }: StageConfig, data: DataStack): string[] =>
  [`${data.stackName}-`, ...Object.values(restoredTables).map(({ table }) => table)].map((resourceName) =>
    data.formatArn({ service: 'dynamodb', resource: 'table', resourceName }),
  );

/** Conditions by field; all must hold ("Filtering data events by using advanced event selectors"). */
type Fields = Record<string, Omit<CfnTrail.AdvancedFieldSelectorProperty, 'field'>>;

const selector = (name: string, fields: Fields): CfnTrail.AdvancedEventSelectorProperty => ({
  name,
  fieldSelectors: Object.entries(fields).map(([field, asked]) => ({ field, ...asked })),
});

/** Without reads, since each use of a key is one. */
const changesOfTheAccount = selector('changes of the account', {
  eventCategory: { equalTo: ['Management'] },
  readOnly: { equalTo: ['false'] },
});

const atTables: Fields = {
  eventCategory: { equalTo: ['Data'] },
  'resources.type': { equalTo: ['AWS::DynamoDB::Table'] },
};
