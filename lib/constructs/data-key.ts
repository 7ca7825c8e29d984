import { Stack } from 'aws-cdk-lib';
import { AnyPrincipal, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { removalPolicyOf, type StageConfig } from '../config.ts';

const useOfKey = ['kms:Encrypt', 'kms:Decrypt', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:DescribeKey'];

/** The customer-managed key of everything at rest: tables, secrets, logs (S-55). */
export class DataKey extends Construct {
  readonly key: Key;

  constructor(scope: Construct, config: StageConfig) {
    super(scope, 'DataKey');
    this.key = new Key(this, 'Key', {
      description: `Transactions (${config.name}): data at rest`,
      enableKeyRotation: true,
      removalPolicy: removalPolicyOf(config),
    });
    this.key.addToResourcePolicy(this.throughStores());
    this.key.addToResourcePolicy(this.forLogs());
  }

  /** Whoever may use a table or secret may use the key through that service, so that rights are decided in one place. */
  private throughStores(): PolicyStatement {
    const { account, region } = Stack.of(this);
    return new PolicyStatement({
      principals: [new AnyPrincipal()],
      actions: [...useOfKey, 'kms:CreateGrant'],
      resources: ['*'],
      conditions: {
        StringEquals: {
          'kms:CallerAccount': account,
          'kms:ViaService': [`dynamodb.${region}.amazonaws.com`, `secretsmanager.${region}.amazonaws.com`],
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
}
