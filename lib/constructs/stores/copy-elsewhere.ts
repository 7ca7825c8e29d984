import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Duration, RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { CopyConfig } from '../../config.ts';
import { acknowledge } from '../acknowledge.ts';

type CopyProps = { copies: CopyConfig; encryptionKey: IKey; tableArns: readonly string[] };

/**
 * A daily copy of all tables in a vault of another region or account, by AWS Backup (S-56). The vault there exists already, so
 * that nobody with rights in this account can delete it. docs/recovery.md has the way back.
 */
export class CopyElsewhere extends Construct {
  constructor(scope: Construct, { copies, encryptionKey, tableArns }: CopyProps) {
    super(scope, 'CopyElsewhere');
    const vault = new BackupVault(this, 'Vault', {
      encryptionKey,
      // A day's backups are copied, and recovery to any second needs none of them.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const plan = new BackupPlan(this, 'Plan', { backupVault: vault });
    plan.addRule(
      new BackupPlanRule({
        scheduleExpression: Schedule.cron({ minute: '0', hour: '3' }),
        deleteAfter: Duration.days(1),
        copyActions: [
          {
            destinationBackupVault: BackupVault.fromBackupVaultArn(this, 'Elsewhere', copies.vaultArn),
            deleteAfter: Duration.days(copies.keptDays),
          },
        ],
      }),
    );
    plan.addSelection('Tables', {
      resources: tableArns.map((arn) => BackupResource.fromArn(arn)),
      role: this.createRole(),
    });
  }

  private createRole(): Role {
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('backup.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(policyName)],
    });
    acknowledge(
      role,
      `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${policyName}]`,
      'AWS maintains what its own service needs in order to back up and copy.',
    );
    return role;
  }
}

const policyName = 'service-role/AWSBackupServiceRolePolicyForBackup';
