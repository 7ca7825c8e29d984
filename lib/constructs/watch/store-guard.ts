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
 * the account's trail of management events does, and a rule that matches one counts it.
 */
export class StoreGuard extends Construct {
  private readonly config: StageConfig;

  constructor(scope: Construct, config: StageConfig, { encryptionKey, tables }: DataStack) {
    super(scope, 'StoreGuard');
    this.config = config;
    this.watchFor('key-in-danger', {
      source: ['aws.kms'],
      detail: {
        eventName: ['DisableKey', 'ScheduleKeyDeletion'],
        resources: { ARN: [encryptionKey.keyArn] },
      },
    });
    const names = Object.values(tables).flatMap(({ tableName, tableArn }) => [tableName, tableArn]);
    this.watchFor('recovery-off', {
      source: ['aws.dynamodb'],
      detail: {
        $or: [
          {
            eventName: ['UpdateContinuousBackups'],
            requestParameters: {
              tableName: names,
              pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: [false] },
            },
          },
          {
            eventName: ['UpdateTable'],
            requestParameters: { tableName: names, deletionProtectionEnabled: [false] },
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
