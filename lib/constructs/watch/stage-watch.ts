import type { Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config.ts';
import type { DataStack } from '../../data-stack.ts';
import { twoOfThree } from '../alarms.ts';
import { ServiceFunction } from '../service-function.ts';
import { AlarmTopic } from './alarm-topic.ts';
import { addBusAlarms } from './bus-alarms.ts';
import { addFunctionAlarms } from './function-alarms.ts';
import { addLogAlarm } from './log-alarms.ts';
import { StoreGuard } from './store-guard.ts';
import { addTableAlarms } from './table-alarms.ts';

/**
 * What is watched as a whole, and how a person hears of it. It comes last in its stack, because its topic is told by every
 * alarm there is. A stage that nobody watches has neither a topic nor what emulators do not know.
 */
export class StageWatch extends Construct {
  constructor(stack: Stack, config: StageConfig, data: DataStack) {
    super(stack, 'Watch');
    const functions = stack.node.findAll().filter((one) => one instanceof ServiceFunction);
    addFunctionAlarms(this, functions, config);
    addTableAlarms(this, data.tables, config);
    if (!config.watch) return;
    addBusAlarms(this, config);
    addLogAlarm(this, {
      ...{ config, name: 'signing-fails', code: 'SIGNING_FAILED', above: 0 },
      functions: functions.filter(({ name }) => name === 'issue-token' || name === 'v1-transaction'),
    });
    addLogAlarm(this, {
      ...{ config, name: 'completions-late', code: 'COMPLETION_TOLD', figure: 'delayMs' },
      ...{ above: 2_000, after: twoOfThree },
      functions: functions.filter(({ name }) => name === 'v2-write' || name === 'publish-dormant'),
    });
    addLogAlarm(this, {
      ...{ config, name: 'listing-drifts', code: 'LISTING_DRIFTS', above: mostHurried },
      functions: functions.filter(({ name }) => name === 'v2-read'),
    });
    new StoreGuard(this, config, data);
    new AlarmTopic(this, config, data.encryptionKey).tellOfAll(stack);
  }
}

/** In five minutes: changes that overtake four readings of a page; a drift shows at each reading. */
const mostHurried = 5;
