import { CfnAccount, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config.ts';
import { createLogGroup } from '../../log-group.ts';
import { acknowledge } from '../acknowledge.ts';

/**
 * Lets API Gateway write logs, which an API stage with logs requires. An account has one such setting per region, so it stays
 * when the stack is deleted.
 */
export class GatewayLogs extends Construct {
  private readonly account: CfnAccount;

  constructor(scope: Construct) {
    super(scope, 'GatewayLogs');
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      managedPolicies: [
        ManagedPolicy.fromAwsManagedPolicyName('service-role/AmazonAPIGatewayPushToCloudWatchLogs'),
      ],
    });
    role.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
    acknowledge(
      role,
      managedPolicyFinding,
      'AWS maintains what its own gateway needs in order to write logs.',
    );
    this.account = new CfnAccount(this, 'Account', { cloudWatchRoleArn: role.roleArn });
    this.account.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
  }

  /** Creates the execution log, since the gateway would create it without an expiry and without our key. */
  forStageOf(api: RestApi, config: StageConfig, encryptionKey: IKey): void {
    const logGroupName = `API-Gateway-Execution-Logs_${api.restApiId}/${config.name}`;
    const executionLog = createLogGroup(api, 'ExecutionLog', { config, encryptionKey, logGroupName });
    api.deploymentStage.node.addDependency(this.account, executionLog);
  }
}

const managedPolicyFinding =
  'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]';
