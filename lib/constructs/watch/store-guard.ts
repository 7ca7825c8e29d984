import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { type EventPattern, Rule } from 'aws-cdk-lib/aws-events';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { AlarmName } from '../../alarm-catalogue.ts';
import type { StageConfig } from '../../config.ts';
import type { DataStack } from '../../data-stack.ts';
import { acknowledge } from '../acknowledge.ts';
import { addAlarm } from '../alarms.ts';

/**
 * What nobody should do to the data: disable its key, or switch off what protects tables (S-55, S-56). No metric shows it, but
 * a trail of the account's calls does (`OwnTrail`), and a rule that matches one counts it.
 */
export class StoreGuard extends Construct {
  private readonly config: StageConfig;

  constructor(scope: Construct, config: StageConfig, data: DataStack) {
    super(scope, 'StoreGuard');
    this.config = config;
    this.watchFor('key-in-danger', {
      source: ['aws.kms'],
      detail: {
        eventName: ['DisableKey', 'ScheduleKeyDeletion'],
        resources: { ARN: [data.encryptionKey.keyArn] },
      },
    });
    const tableName = tablesOf(config, data);
    this.watchFor('recovery-off', {
      source: ['aws.dynamodb'],
      detail: {
        $or: [
          recoveryOf(tableName, { pointInTimeRecoveryEnabled: [false] }),
          recoveryOf(tableName, { recoveryPeriodInDays: [{ numeric: ['<', recoveryDays] }] }),
          {
            eventName: ['UpdateTable'],
            requestParameters: { tableName, deletionProtectionEnabled: [false] },
          },
        ],
      },
    });
  }

  private watchFor(name: AlarmName, pattern: EventPattern): void {
    const { config } = this;
    const rule = new Rule(this, name, {
      description: `What ${name} of docs/alarms.md rings for`,
      eventPattern: { ...pattern, detailType: ['AWS API Call via CloudTrail'] },
    });
    acknowledge(rule, 'Serverless-EventBusDLQ', 'It has no target that could fail: it only counts.');
    addAlarm(rule, 'Rings', {
      ...{ config, name },
      metric: new Metric({
        namespace: 'AWS/Events',
        metricName: 'TriggeredRules',
        dimensionsMap: { RuleName: rule.ruleName },
        statistic: 'Sum',
        period: Duration.minutes(5),
      }),
      bounds: { above: 0 },
    });
  }
}

/** As long as DynamoDB can, which is its default. */
const recoveryDays = 35;

/**
 * A call names a table or its ARN. Those of the stack begin with its name, the copy of audit records among them: all of them
 * one by one would be more than the 2,048 characters of a pattern.
 */
const tablesOf = ({ restoredTables = {} }: StageConfig, data: DataStack) => {
  const restored = Object.values(restoredTables).map(({ table }) => table);
  const arnOf = (resourceName: string) =>
    data.formatArn({ service: 'dynamodb', resource: 'table', resourceName });
  return [
    ...[`${data.stackName}-`, arnOf(`${data.stackName}-`)].map((prefix) => ({ prefix })),
    ...restored.flatMap((table) => [table, arnOf(table)]),
  ];
};

const recoveryOf = (tableName: unknown[], pointInTimeRecoverySpecification: object) => ({
  eventName: ['UpdateContinuousBackups'],
  requestParameters: { tableName, pointInTimeRecoverySpecification },
});
