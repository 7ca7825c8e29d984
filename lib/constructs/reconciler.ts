import { Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { busNameOf, type StageConfig } from '../config.ts';
import type { DataStack } from '../data-stack.ts';
import { reconcileTimeoutSeconds } from '../event-times.ts';
import { acknowledge } from './acknowledge.ts';
import { addAlarm, ownMetric } from './alarms.ts';
import { FunctionSchedule } from './function-schedule.ts';
import type { PartnerBus } from './partner-bus.ts';
import { ServiceFunction, seconds } from './service-function.ts';

/** Runs `reconcile`, which schedules changes that the stream lost and finds endpoints that differ from their record. */
export class Reconciler extends Construct {
  constructor(scope: Construct, config: StageConfig, data: DataStack, bus: PartnerBus) {
    super(scope, 'Reconciler');
    const reconcile = this.createFunction(config, data, bus);
    new FunctionSchedule(this, 'Often', {
      every: 'rate(10 minutes)',
      function: reconcile.function,
      input: { lookBackMinutes: 30 },
    });
    new FunctionSchedule(this, 'Daily', {
      every: 'rate(1 day)',
      function: reconcile.function,
      input: { lookBackMinutes: 48 * 60 },
    });
    this.watch(config, reconcile);
  }

  private createFunction(config: StageConfig, { tables, encryptionKey }: DataStack, bus: PartnerBus) {
    const reconcile = new ServiceFunction(this, 'Reconcile', {
      config,
      encryptionKey,
      name: 'reconcile',
      timeout: Duration.seconds(reconcileTimeoutSeconds),
      withoutDeadLetters: 'The next run looks at the same changes and more.',
    })
      .knows('STAGE', config.name)
      .knows('DORMANCY_SECONDS', seconds(config.eventTimes.dormancySeconds))
      .knows('EVENT_BUS', bus.name)
      .knows('DELIVERY_ROLE', bus.deliveryRole.roleArn)
      .knows('DEAD_LETTER_QUEUE', bus.deadLetters.queueArn)
      .queries('TRANSACTIONS_TABLE', tables.transactions, 'changed')
      .ofPartners(tables.partners, { BatchGetItem: ['PARTNER#*', 'STAGE'], Query: ['PARTNERS'] })
      .batchGets('DEBOUNCE_TABLE', tables.debounce)
      .updates('DEBOUNCE_TABLE', tables.debounce);
    this.letInspect(config, reconcile);
    return reconcile;
  }

  private letInspect(config: StageConfig, reconcile: ServiceFunction): void {
    const { account, region, partition } = Stack.of(this);
    const name = busNameOf(config);
    const rights = {
      [`rule/${name}/${name}-*`]: ['events:DescribeRule', 'events:ListTargetsByRule'],
      [`api-destination/${name}-*`]: ['events:DescribeApiDestination'],
      [`connection/${name}-*`]: ['events:DescribeConnection'],
    };
    for (const [resource, actions] of Object.entries(rights)) {
      reconcile.may(actions, `arn:${partition}:events:${region}:${account}:${resource}`);
      acknowledge(
        reconcile.role,
        `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:events:${region}:<AWS::AccountId>:${resource}]`,
        'Partners come and go at run time; what belongs to them begins with the name of the stage.',
      );
    }
  }

  private watch(config: StageConfig, reconcile: ServiceFunction): void {
    addAlarm(this, 'Repaired', {
      metric: ownMetric(config, 'reconcile', 'repaired'),
      above: 0,
      impact:
        'A change had armed nothing and was told late, by up to 10 minutes. The stream, its function or its event source loses ' +
        'records: see the README of reconcile.',
    });
    addAlarm(this, 'EndpointDiffers', {
      metric: ownMetric(config, 'reconcile', 'differingEndpoints'),
      above: 0,
      impact:
        'A partner may get nothing, without any failure: the bus drops what no rule matches. See "partner show" of the ' +
        'operator’s tool for what differs.',
    });
    addAlarm(this, 'Errors', {
      metric: reconcile.function.metricErrors({ statistic: 'Sum', period: Duration.minutes(30) }),
      above: 0,
      impact: 'Lost changes and broken endpoints are not found as long as reconcile fails. Look at its log.',
    });
  }
}
