import { Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { busNameOf, type StageConfig } from '../config.ts';
import type { DataStack } from '../data-stack.ts';
import { reconcileTimeoutSeconds } from '../event-times.ts';
import { accountInFindings, acknowledge } from './acknowledge.ts';
import { addAlarm, ownMetric } from './alarms.ts';
import { FunctionSchedule } from './function-schedule.ts';
import type { PartnerBus } from './partner-bus.ts';
import { ServiceFunction, seconds } from './service-function.ts';
import { addHeartbeat } from './watch/heartbeat.ts';

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
      .ofPartners(tables.partners, {
        BatchGetItem: ['PARTNER#*', 'STAGE'],
        Query: ['PARTNERS'],
        GetItem: ['TURN'],
        PutItem: ['TURN'],
      })
      .ofDebounce(tables.debounce, { BatchGetItem: ['TX#*'], UpdateItem: ['TX#*'] });
    this.letInspect(config, reconcile);
    return reconcile;
  }

  private letInspect(config: StageConfig, reconcile: ServiceFunction): void {
    const { account, region, partition } = Stack.of(this);
    const name = busNameOf(config);
    const rights = {
      [`rule/${name}/${name}-*`]: ['events:DescribeRule', 'events:ListTargetsByRule'],
      [`api-destination/${name}-*`]: ['events:DescribeApiDestination'],
      // Describing a destination needs a right to its connection as well (Service Authorization Reference, "EventBridge").
      [`connection/${name}-*`]: ['events:DescribeApiDestination', 'events:DescribeConnection'],
    };
    for (const [resource, actions] of Object.entries(rights)) {
      reconcile.may(actions, `arn:${partition}:events:${region}:${account}:${resource}`);
      acknowledge(
        reconcile.role,
        `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:events:${region}:${accountInFindings(config)}:${resource}]`,
        'Partners come and go at run time; what belongs to them begins with the name of the stage.',
      );
    }
  }

  private watch(config: StageConfig, reconcile: ServiceFunction): void {
    addHeartbeat(reconcile, { config, name: 'reconcile-silent', period: Duration.minutes(5) });
    addAlarm(this, 'DailySilent', {
      // The daily run is heard by how far it looks; 26 hours, because a day's run may come late.
      ...{ config, name: 'daily-look-silent', after: { bad: 26, of: 26 }, silenceRings: true },
      metric: ownMetric(config, 'reconcile', 'lookedBackMinutes').with({ period: Duration.hours(1) }),
      bounds: { below: 48 * 60 },
    });
    addAlarm(this, 'Repaired', {
      ...{ config, name: 'changes-repaired' },
      metric: ownMetric(config, 'reconcile', 'repaired'),
      bounds: { above: 0 },
    });
    addAlarm(this, 'EndpointDiffers', {
      ...{ config, name: 'endpoint-differs' },
      metric: ownMetric(config, 'reconcile', 'differingEndpoints'),
      bounds: { above: 0 },
    });
  }
}
