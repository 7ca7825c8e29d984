import { ReadWriteType, Trail } from 'aws-cdk-lib/aws-cloudtrail';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from 'aws-cdk-lib/aws-s3';
import { Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { busNameOf, type StageConfig } from '../../config.ts';
import { removalPolicyOf } from '../../removal-policy.ts';
import { acknowledge } from '../acknowledge.ts';

/**
 * The calls that change something in the account and region, for a year. EventBridge gets such calls only where a trail logs
 * them, and `StoreGuard` counts what it gets. Its files hang on no key of ours: they tell who disabled one (decision 37).
 * Whoever has all rights in the account can change them all the same; digests show it to who compares them.
 */
export class OwnTrail extends Construct {
  constructor(scope: Construct, config: StageConfig) {
    super(scope, 'OwnTrail');
    const bucket = this.createBucket(config);
    const trailName = busNameOf(config);
    this.admitTrail(bucket, trailName);
    const trail = new Trail(this, 'Trail', {
      trailName,
      // By its name, so that the construct library adds no statements of its own, which any trail would meet. Its types do
      // not fit each other where an absent property differs from an undefined one.
      bucket: Bucket.fromBucketName(this, 'Named', bucket.bucketName) as IBucket,
      // What only reads is left out: each use of a key is such a call, too.
      managementEvents: ReadWriteType.WRITE_ONLY,
      isMultiRegionTrail: false,
      includeGlobalServiceEvents: false,
      enableFileValidation: true,
    });
    if (bucket.policy) trail.node.addDependency(bucket.policy);
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
