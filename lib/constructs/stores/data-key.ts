import { AnyPrincipal, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Stack, Tags } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { busNameOf, type StageConfig } from '../../config.ts';
import { removalPolicyOf } from '../../removal-policy.ts';

const useOfKey = ['kms:Encrypt', 'kms:Decrypt', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:DescribeKey'];

/** The customer-managed key for all data at rest: tables, secrets, queues, events and logs (S-55). */
export class DataKey extends Construct {
  readonly key: Key;

  constructor(scope: Construct, config: StageConfig) {
    super(scope, 'DataKey');
    this.key = new Key(this, 'Key', {
      description: `Transactions (${config.name}): data at rest`,
      enableKeyRotation: true,
      removalPolicy: removalPolicyOf(config),
    });
    // EventBridge uses a key for the secrets of connections only if it has this tag (S-27).
    Tags.of(this.key).add('EventBridgeApiDestinations', 'true');
    this.key.addToResourcePolicy(this.throughStores());
    this.key.addToResourcePolicy(this.forLogs());
    this.key.addToResourcePolicy(this.forEvents(config));
    this.key.addToResourcePolicy(this.forDeadLetters());
    this.key.addToResourcePolicy(this.forDescribing());
  }

  /** Whoever has rights on a table, secret or queue may use the key through that service, so rights have one place. */
  private throughStores(): PolicyStatement {
    const { account, region } = Stack.of(this);
    return new PolicyStatement({
      principals: [new AnyPrincipal()],
      actions: [...useOfKey, 'kms:CreateGrant'],
      resources: ['*'],
      conditions: {
        StringEquals: {
          'kms:CallerAccount': account,
          'kms:ViaService': ['dynamodb', 'secretsmanager', 'sqs'].map(
            (service) => `${service}.${region}.amazonaws.com`,
          ),
        },
      },
    });
  }

  private forLogs(): PolicyStatement {
    const { account, region, partition } = Stack.of(this);
    return new PolicyStatement({
      principals: [new ServicePrincipal(`logs.${region}.amazonaws.com`)],
      actions: useOfKey,
      resources: ['*'],
      conditions: {
        ArnLike: { 'kms:EncryptionContext:aws:logs:arn': `arn:${partition}:logs:${region}:${account}:*` },
      },
    });
  }

  /** The stage's bus encrypts events with the key, and puts undelivered ones into an encrypted queue. */
  private forEvents(config: StageConfig): PolicyStatement {
    const { account, region, partition } = Stack.of(this);
    const name = busNameOf(config);
    const sources = [`event-bus/${name}`, `rule/${name}/*`];
    return new PolicyStatement({
      principals: [new ServicePrincipal('events.amazonaws.com')],
      actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
      resources: ['*'],
      conditions: {
        StringEquals: { 'aws:SourceAccount': account },
        ArnLike: {
          'aws:SourceArn': sources.map((source) => `arn:${partition}:events:${region}:${account}:${source}`),
        },
      },
    });
  }

  /**
   * EventBridge names no source to the key for an encrypted topic, as AWS documents; about queues AWS says nothing. The key
   * therefore serves EventBridge for every queue of this account, and the queues' policies decide who may send there. A dead
   * letter that the key refuses would be lost without notice.
   */
  private forDeadLetters(): PolicyStatement {
    const { account, region, partition } = Stack.of(this);
    return new PolicyStatement({
      principals: [new ServicePrincipal('events.amazonaws.com')],
      actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
      resources: ['*'],
      conditions: {
        ArnLike: { 'kms:EncryptionContext:aws:sqs:arn': `arn:${partition}:sqs:${region}:${account}:*` },
      },
    });
  }

  /** EventBridge describes the key before the bus exists, so no source can be named. */
  private forDescribing(): PolicyStatement {
    return new PolicyStatement({
      principals: [new ServicePrincipal('events.amazonaws.com')],
      actions: ['kms:DescribeKey'],
      resources: ['*'],
    });
  }
}
