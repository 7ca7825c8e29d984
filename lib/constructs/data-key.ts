import { Stack, Tags } from 'aws-cdk-lib';
import { AnyPrincipal, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { busNameOf, removalPolicyOf, type StageConfig } from '../config.ts';

const useOfKey = ['kms:Encrypt', 'kms:Decrypt', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:DescribeKey'];

/** The customer-managed key of everything at rest: tables, secrets, queues, events, logs (S-55). */
export class DataKey extends Construct {
  readonly key: Key;

  constructor(scope: Construct, config: StageConfig) {
    super(scope, 'DataKey');
    this.key = new Key(this, 'Key', {
      description: `Transactions (${config.name}): data at rest`,
      enableKeyRotation: true,
      removalPolicy: removalPolicyOf(config),
    });
    // EventBridge uses no other key for the signatures in partners' connections (S-27).
    Tags.of(this.key).add('EventBridgeApiDestinations', 'true');
    this.key.addToResourcePolicy(this.throughStores());
    this.key.addToResourcePolicy(this.forLogs());
    this.key.addToResourcePolicy(this.forEvents(config));
    this.key.addToResourcePolicy(this.forDeadLetters());
    this.key.addToResourcePolicy(this.forDescribing());
  }

  /** Whoever may use a table, secret or queue may use the key through that service, so that rights are decided in one place. */
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

  /** The stage's bus keeps events under the key, and puts what it cannot deliver into an encrypted queue. */
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
   * Of what EventBridge puts into encrypted topics, SNS says that it names no source to the key; of queues, SQS says nothing.
   * So the key also serves it for this account's queues as such: their policies say who may put what there. A dead letter
   * that were refused for want of this would be lost without a sign.
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

  /** EventBridge looks at the key before there is a bus that could be named. */
  private forDescribing(): PolicyStatement {
    return new PolicyStatement({
      principals: [new ServicePrincipal('events.amazonaws.com')],
      actions: ['kms:DescribeKey'],
      resources: ['*'],
    });
  }
}
