import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config.ts';
import type { DataStack } from '../../data-stack.ts';
import { reconcileTimeoutSeconds } from '../../event-times.ts';
import { FunctionSchedule } from '../function-schedule.ts';
import { ServiceFunction } from '../service-function.ts';
import { addAlarm, ownMetric } from '../watch/alarms.ts';
import { addHeartbeat } from '../watch/heartbeat.ts';

/** Runs `reconcile`, which schedules changes that the stream lost. */
export class Reconciler extends Construct {
  constructor(scope: Construct, config: StageConfig, data: DataStack) {
    super(scope, 'Reconciler');
    const reconcile = this.createFunction(config, data);
    new FunctionSchedule(this, 'Often', {
      every: 'rate(10 minutes)',
      function: reconcile.function,
      input: { lookBackMinutes: 30 },
    });
    new FunctionSchedule(this, 'Daily', {
      every: 'rate(1 day)',
      function: reconcile.function,
      input: { isDaily: true },
    });
    this.watch(config, reconcile);
  }

  private createFunction(config: StageConfig, { tables, encryptionKey }: DataStack): ServiceFunction {
    return new ServiceFunction(this, 'Reconcile', {
      config,
      encryptionKey,
      name: 'reconcile',
      timeout: Duration.seconds(reconcileTimeoutSeconds),
      withoutDeadLetters: 'The next run looks at the same changes and more.',
    })
      .knows('DORMANCY_SECONDS', String(config.eventTimes.dormancySeconds))
      .queriesIndex('TRANSACTIONS_TABLE', tables.transactions, 'changed')
      .uses('PARTNERS_TABLE', tables.partners, {
        Query: ['PARTNERS'],
        BatchGetItem: ['PARTNER#*', 'STAGE'],
        GetItem: ['STAGE'],
      })
      .uses('DEBOUNCE_TABLE', tables.debounce, {
        BatchGetItem: ['TX#*'],
        UpdateItem: ['TX#*'],
        Query: ['TO#*', 'PASS#*'],
        GetItem: ['RECONCILED'],
        PutItem: ['RECONCILED', 'PASS#*'],
      });
  }

  private watch(config: StageConfig, reconcile: ServiceFunction): void {
    addHeartbeat(reconcile, { config, name: 'reconcile-silent', period: Duration.minutes(5) });
    addAlarm(this, 'DailySilent', {
      // Only the daily run comes to 48 hours. It may come late, so the alarm waits for 26 hours.
      ...{ config, name: 'daily-reconcile-silent', after: { bad: 26, of: 26 }, silenceRings: true },
      metric: ownMetric(config, 'reconcile', 'lookedBackMinutes').with({ period: Duration.hours(1) }),
      bounds: { below: 48 * 60 },
    });
    addAlarm(this, 'Repaired', {
      ...{ config, name: 'changes-repaired' },
      metric: ownMetric(config, 'reconcile', 'repaired'),
      bounds: { above: 0 },
    });
  }
}
