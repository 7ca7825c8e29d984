import type { Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config.ts';
import type { DataStack } from '../../data-stack.ts';
import { twoOfThree } from '../alarms.ts';
import type { ServiceRestApi } from '../rest-api.ts';
import { ServiceFunction } from '../service-function.ts';
import { AlarmTopic } from './alarm-topic.ts';
import { addAnswerAlarms, answering } from './answer-alarms.ts';
import { addBusAlarms } from './bus-alarms.ts';
import { addFunctionAlarms } from './function-alarms.ts';
import { addLogAlarm } from './log-alarms.ts';
import { OwnTrail } from './own-trail.ts';
import { Spending } from './spending.ts';
import { StageDashboard } from './stage-dashboard.ts';
import { StoreGuard } from './store-guard.ts';
import { addTableAlarms } from './table-alarms.ts';

type WatchProps = {
  config: StageConfig;
  data: DataStack;
  /** The first is the one that partners call most. */
  apis: readonly [ServiceRestApi, ServiceRestApi];
};

/**
 * What is watched as a whole, and how a person hears of it. It comes last in its stack, because its topic is notified by every
 * alarm there is. A stage that nobody watches has neither a topic nor what emulators do not know.
 */
export class StageWatch extends Construct {
  constructor(stack: Stack, { config, data, apis }: WatchProps) {
    super(stack, 'Watch');
    const functions = stack.node.findAll().filter((one) => one instanceof ServiceFunction);
    const called = answering(apis);
    // keep-endpoints waits for probe-endpoint, and rings for it.
    const unheard = functions.filter((one) => !called.has(one) && one.name !== 'probe-endpoint');
    addFunctionAlarms(this, { functions: unheard, config });
    if (!config.watch) return;
    addAnswerAlarms(apis, config);
    addBusAlarms(this, config);
    addTableAlarms(this, config);
    addLogAlarm(this, {
      ...{ config, name: 'signing-fails', code: 'SIGNING_FAILED', above: 0 },
      functions: functions.filter(({ name }) => name === 'issue-token' || name === 'v1-transaction'),
    });
    addLogAlarm(this, {
      ...{ config, name: 'completions-late', code: 'COMPLETION_NOTIFIED', figure: 'delayMs' },
      ...{ above: 2_000, after: twoOfThree },
      functions: functions.filter(({ name }) => name === 'publish-dormant'),
    });
    addLogAlarm(this, {
      ...{ config, name: 'listing-drifts', code: 'LISTING_DRIFTS', above: mostHurried },
      functions: functions.filter(({ name }) => name === 'v2-read'),
    });
    addLogAlarm(this, {
      ...{ config, name: 'anonymous-creations', code: 'TRANSACTION_CREATED', above: mostCreated },
      functions: functions.filter(({ name }) => name === 'v1-transaction'),
    });
    new OwnTrail(this, { config, data, functions });
    const alarmTopic = new AlarmTopic(this, config);
    new StoreGuard(this, { config, data, topic: alarmTopic.topic });
    new Spending(this, { config, watch: config.watch, topic: alarmTopic.topic, api: apis[0].api });
    new StageDashboard(this, { config, apis: apis.map(({ api }) => api), functions });
    alarmTopic.tellOfAll(stack);
  }
}

/** In five minutes: what five addresses may make that use up their rate in the firewall of production (S-79). */
const mostCreated = 1_500;

/** In five minutes: changes that overtake four readings of a page; a drift shows at each reading. */
const mostHurried = 5;
