import { Rule } from 'aws-cdk-lib/aws-events';
import { CfnRole, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { CfnOutput, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { busNameOf, type StageConfig } from '../../config.ts';
import type { DataStack } from '../../data-stack.ts';
import { accountInFindings, acknowledge } from '../acknowledge.ts';
import type { FunctionName } from '../bundle.ts';
import { ServiceFunction } from '../service-function.ts';
import { operatorsOf } from './operators.ts';

/**
 * The role of a person on call (RUN-14): reads logs, alarms and calls, stops and starts functions, purges the queue of given-up
 * records, mends what the alarms of CloudTrail ring for, and restores tables. It reads no item and no secret. Whoever may become
 * operator may assume it.
 */
export class OnCallRole extends Construct {
  private readonly role: Role;
  private readonly stack: Stack;

  constructor(scope: Construct, config: StageConfig, data: DataStack) {
    super(scope, 'OnCall');
    this.stack = Stack.of(this);
    this.role = new Role(this, 'Role', {
      description: `Transactions (${config.name}): on call`,
      assumedBy: operatorsOf(config),
    });
    const resource = this.role.node.defaultChild;
    if (resource instanceof CfnRole) resource.overrideLogicalId('TransactionsOnCall');
    this.look();
    this.appendAudit(data);
    this.workOnFunctions();
    this.mend(config, data);
    this.restoreTables(config, data);
    const restored = `table/transactions-${config.name}-restored-*`;
    acknowledge(
      this.role,
      `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:dynamodb:${config.region}:${accountInFindings(config)}:${restored}]`,
      'The person who restores a table names the new one.',
    );
    acknowledge(this.role, 'AwsSolutions-IAM5[Resource::*]', 'These actions have no resources to name.');
    new CfnOutput(this, 'RoleArn', { value: this.role.roleArn }).overrideLogicalId('OnCallRoleArn');
  }

  /** These actions have no resources. Logs are masked, and the role may not unmask them (S-58). */
  private look(): void {
    this.may(
      [
        ...['cloudwatch:DescribeAlarms', 'cloudwatch:DescribeAlarmHistory', 'cloudwatch:GetDashboard'],
        ...['cloudwatch:GetMetricData', 'cloudwatch:ListMetrics', 'cloudtrail:LookupEvents'],
        ...['cloudformation:DescribeStacks', 'cloudformation:ListStackResources'],
        ...['codedeploy:ListDeployments', 'codedeploy:GetDeployment', 'codedeploy:StopDeployment'],
        ...['lambda:ListFunctions', 'logs:DescribeLogGroups', 'logs:GetQueryResults'],
      ],
      ['*'],
    );
  }

  /** `stage stop` and `stage start` of the operator's tool write audit records first (S-28). */
  private appendAudit({ audit, tables }: DataStack): void {
    const append = (tableArn: string, partitions: string[]) =>
      this.may(['dynamodb:PutItem'], [tableArn], {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions },
        Null: { 'dynamodb:LeadingKeys': 'false' },
      });
    append(tables.partners.tableArn, ['AUDIT#*']);
    append(audit.tableArn, ['AUDIT#*', 'DONE#*']);
  }

  private workOnFunctions(): void {
    const functions = this.stack.node.findAll().filter((child) => child instanceof ServiceFunction);
    const logGroups = this.stack.node.findAll().filter((child) => child instanceof LogGroup);
    this.may(
      ['logs:FilterLogEvents', 'logs:GetLogEvents', 'logs:StartQuery'],
      logGroups.map(({ logGroupArn }) => logGroupArn),
    );
    this.may(
      [
        ...['lambda:DeleteFunctionConcurrency', 'lambda:GetFunctionConcurrency'],
        ...['lambda:GetFunctionConfiguration', 'lambda:PutFunctionConcurrency'],
      ],
      functions.map((one) => one.function.functionArn),
    );
    this.may(
      ['lambda:InvokeFunction'],
      functions.filter(({ name }) => invoked.has(name)).map((one) => one.function.functionArn),
    );
    const queues = this.stack.node.findAll().filter((child) => child instanceof Queue);
    this.may(
      ['sqs:GetQueueAttributes', 'sqs:GetQueueUrl'],
      queues.map(({ queueArn }) => queueArn),
    );
    this.may(
      ['sqs:PurgeQueue'],
      queues.filter(({ node }) => node.id === 'GivenUp').map(({ queueArn }) => queueArn),
    );
  }

  /** What key-in-danger, secret-in-danger and watch-in-danger of docs/alarms.md ask for. */
  private mend(config: StageConfig, { encryptionKey, secrets }: DataStack): void {
    this.may(['kms:CancelKeyDeletion', 'kms:DescribeKey', 'kms:EnableKey'], [encryptionKey.keyArn]);
    this.may(
      ['secretsmanager:DescribeSecret', 'secretsmanager:RestoreSecret', 'secretsmanager:RotateSecret'],
      [secrets.accessKeys, secrets.sessionKeys, secrets.pepper].map(({ secretArn }) => secretArn),
    );
    const rules = this.stack.node.findAll().filter((child) => child instanceof Rule);
    this.may(
      ['events:DescribeRule', 'events:EnableRule'],
      rules.map(({ ruleArn }) => ruleArn),
    );
    const trail = { service: 'cloudtrail', resource: 'trail', resourceName: busNameOf(config) };
    this.may(
      ['cloudtrail:GetEventSelectors', 'cloudtrail:GetTrailStatus', 'cloudtrail:StartLogging'],
      [this.stack.formatArn(trail)],
    );
  }

  /**
   * A restore reads and writes the new table with the rights of its caller ("Using IAM with DynamoDB backup and restore"). The
   * condition allows this to DynamoDB only, so that the person reads no item.
   */
  private restoreTables({ name }: StageConfig, data: DataStack): void {
    const tables = [...Object.values(data.tables), data.audit].map(({ tableArn }) => tableArn);
    const resourceName = `transactions-${name}-restored-*`;
    const restored = this.stack.formatArn({ service: 'dynamodb', resource: 'table', resourceName });
    this.may(
      [
        ...[
          'dynamodb:DescribeContinuousBackups',
          'dynamodb:DescribeTable',
          'dynamodb:RestoreTableToPointInTime',
        ],
        ...['dynamodb:UpdateContinuousBackups', 'dynamodb:UpdateTable', 'dynamodb:UpdateTimeToLive'],
      ],
      [...tables, restored],
    );
    this.may(itemActions, [restored], { Bool: { 'aws:ViaAWSService': 'true' } });
  }

  private may(actions: string[], resources: string[], conditions: Record<string, unknown> = {}): void {
    this.role.addToPolicy(new PolicyStatement({ actions, resources, conditions }));
  }
}

/** The first two by hand; Secrets Manager invokes the last with the rights of its caller. */
const invoked = new Set<FunctionName>(['publish-dormant', 'reconcile', 'rotate-keys']);

const itemActions = [
  ...['dynamodb:BatchWriteItem', 'dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem'],
  ...['dynamodb:Query', 'dynamodb:Scan', 'dynamodb:UpdateItem'],
];
