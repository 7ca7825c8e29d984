import type { Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config.ts';
import type { DataStack } from '../../data-stack.ts';
import { ServiceFunction } from '../service-function.ts';
import { AlarmTopic } from './alarm-topic.ts';
import { addBusAlarms } from './bus-alarms.ts';
import { addFunctionAlarms } from './function-alarms.ts';
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
    new StoreGuard(this, config, data);
    new AlarmTopic(this, config, data.encryptionKey).tellOfAll(stack);
  }
}
