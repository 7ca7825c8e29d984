import { ReadWriteType, Trail } from 'aws-cdk-lib/aws-cloudtrail';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from 'aws-cdk-lib/aws-s3';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { busNameOf, removalPolicyOf, type StageConfig } from '../../config.ts';
import { acknowledge } from '../acknowledge.ts';

/**
 * The calls that change something in the account and region, for a year. EventBridge gets such calls only where a trail logs
 * them, and `StoreGuard` counts what it gets. Its files hang on no key of ours: they tell who disabled one (decision 37).
 */
export class OwnTrail extends Construct {
  constructor(scope: Construct, config: StageConfig) {
    super(scope, 'OwnTrail');
    new Trail(this, 'Trail', {
      trailName: busNameOf(config),
      // The types of the construct library do not fit each other where an absent property differs from an undefined one.
      bucket: this.createBucket(config) as IBucket,
      // What only reads is left out: each use of a key is such a call, too.
      managementEvents: ReadWriteType.WRITE_ONLY,
      isMultiRegionTrail: false,
      includeGlobalServiceEvents: false,
      enableFileValidation: true,
    });
  }

  private createBucket(config: StageConfig): Bucket {
    const bucket = new Bucket(this, 'Bucket', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      // A file that is written over or deleted is still there.
      versioned: true,
      lifecycleRules: [{ expiration: Duration.days(365), noncurrentVersionExpiration: Duration.days(30) }],
      removalPolicy: removalPolicyOf(config),
    });
    acknowledge(
      bucket,
      'AwsSolutions-S1',
      'It is a log itself: CloudTrail alone writes there, and validates each of its files.',
    );
    return bucket;
  }
}
