import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { readIncompleteDays } from '../../functions/shared/domain/transaction/retention.ts';
import type { StageConfig } from '../config.ts';
import type { DataStack } from '../data-stack.ts';
import { FunctionSchedule } from './function-schedule.ts';
import { ServiceFunction } from './service-function.ts';
import { listingRuns } from './stores/table.ts';
import { addHeartbeat } from './watch/heartbeat.ts';

/** Runs `sweep-expired` every hour: it removes untouched checkouts, and deletes and erases abandoned ones (V1-8). */
export class ExpirySweep extends Construct {
  constructor(scope: Construct, config: StageConfig, { tables, encryptionKey }: DataStack) {
    super(scope, 'ExpirySweep');
    const sweep = new ServiceFunction(this, 'SweepExpired', {
      config,
      encryptionKey,
      name: 'sweep-expired',
      timeout: Duration.minutes(5),
      withoutDeadLetters: 'The next hour goes on where a failed run ended.',
    })
      .knows('INCOMPLETE_DAYS', incompleteDaysOf(config))
      .uses('TRANSACTIONS_TABLE', tables.transactions, ['GetItem', 'BatchGetItem', 'PutItem', 'DeleteItem'])
      .queriesIndex('TRANSACTIONS_TABLE', tables.transactions, 'changed')
      .uses('LISTING_TABLE', tables.listing, {
        GetItem: ['seq'],
        Query: ['a#*'],
        UpdateItem: ['c#*', 'seq'],
        DeleteItem: listingRuns,
      })
      .uses('DEBOUNCE_TABLE', tables.debounce, { DeleteItem: ['TX#*'] });

    addHeartbeat(sweep, { config, name: 'sweep-silent', period: Duration.minutes(30) });
    new FunctionSchedule(this, 'Hourly', { every: 'rate(1 hour)', function: sweep.function });
  }
}

/** Throws at synthesis for a value that the function would refuse at its start. */
const incompleteDaysOf = ({ retention }: StageConfig): string => {
  const text = String(retention.incompleteDays);
  readIncompleteDays(text);
  return text;
};
