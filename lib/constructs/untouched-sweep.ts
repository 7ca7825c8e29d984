import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import type { DataStack } from '../data-stack.ts';
import { FunctionSchedule } from './function-schedule.ts';
import { listingRuns, ServiceFunction } from './service-function.ts';
import { addHeartbeat } from './watch/heartbeat.ts';

/** Runs `sweep-untouched` every hour, which removes anonymous transactions that were never changed (V1-8). */
export class UntouchedSweep extends Construct {
  constructor(scope: Construct, config: StageConfig, { tables, encryptionKey }: DataStack) {
    super(scope, 'UntouchedSweep');
    const sweep = new ServiceFunction(this, 'SweepUntouched', {
      config,
      encryptionKey,
      name: 'sweep-untouched',
      timeout: Duration.minutes(5),
      withoutDeadLetters: 'The next hour goes on where a failed run ended.',
    })
      .gets('TRANSACTIONS_TABLE', tables.transactions)
      .batchGets('TRANSACTIONS_TABLE', tables.transactions)
      .deletes('TRANSACTIONS_TABLE', tables.transactions)
      .ofListing(tables.listing, {
        GetItem: ['seq'],
        Query: ['a#*'],
        UpdateItem: ['c#*', 'seq'],
        DeleteItem: listingRuns,
      });

    addHeartbeat(sweep, { config, name: 'sweep-silent', period: Duration.minutes(30) });
    new FunctionSchedule(this, 'Hourly', { every: 'rate(1 hour)', function: sweep.function });
  }
}
