import type { Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config.ts';
import type { DataStack } from '../../data-stack.ts';
import type { ServiceRestApi } from '../api/rest-api.ts';
import { ServiceFunction } from '../service-function.ts';
import { AlarmTopics } from './alarm-topics.ts';
import { addAnswerAlarms, answering } from './answer-alarms.ts';
import { addBusAlarms } from './bus-alarms.ts';
import { addCertificateAlarm } from './certificate-alarm.ts';
import { addFunctionAlarms } from './function-alarms.ts';
import { addLogAlarm } from './log-alarms.ts';
import { OwnTrail } from './own-trail.ts';
import { Spending } from './spending.ts';
import { StageDashboard } from './stage-dashboard.ts';
import { StoreGuard } from './store-guard.ts';
import { addTableAlarms, addWriteCostAlarm } from './table-alarms.ts';

type WatchProps = {
  config: StageConfig;
  data: DataStack;
  /** The first is the API with the most calls. */
  apis: readonly [ServiceRestApi, ServiceRestApi];
};

/**
 * Alarms on the stage as a whole, and the notification of people. Create it last in its stack, because it connects every alarm
 * with its topic. A stage without `watch` has no topics, and no resources that emulators do not know.
 */
export class StageWatch extends Construct {
  constructor(stack: Stack, { config, data, apis }: WatchProps) {
    super(stack, 'Watch');
    const functions = stack.node.findAll().filter((child) => child instanceof ServiceFunction);
    const called = answering(apis);
    // keep-endpoints waits for probe-endpoint, and its alarm covers both.
    const uncalled = functions.filter(
      (candidate) => !called.has(candidate) && candidate.name !== 'probe-endpoint',
    );
    addFunctionAlarms(this, { functions: uncalled, config });
    if (!config.watch) return;
    addAnswerAlarms(apis, config);
    addBusAlarms(this, config);
    addTableAlarms(this, config);
    addWriteCostAlarm(this, { config, watch: config.watch, tables: data.tables });
    addLogAlarm(this, {
      ...{ config, name: 'signing-fails', code: 'SIGNING_FAILED', above: 0 },
      functions: functions.filter(({ name }) => name === 'issue-token' || name === 'v1-transaction'),
    });
    addLogAlarm(this, {
      ...{ config, name: 'listing-drifts', code: 'LISTING_DRIFTS', above: mostHurried },
      functions: functions.filter(({ name }) => name === 'v2-read' || name === 'v1-transaction'),
    });
    addLogAlarm(this, {
      ...{ config, name: 'anonymous-creations', code: 'TRANSACTION_CREATED', above: mostCreated },
      functions: functions.filter(({ name }) => name === 'v1-transaction'),
    });
    if (config.ownDomain) addCertificateAlarm(this, config, config.ownDomain.certificateArn);
    new OwnTrail(this, { config, data, functions });
    const topics = new AlarmTopics(this, config, config.watch);
    new StoreGuard(this, { config, data, topic: topics.urgent });
    new Spending(this, { config, watch: config.watch, topic: topics.other, api: apis[0].api });
    new StageDashboard(this, { config, apis: apis.map(({ api }) => api), functions });
    topics.notifyOfAll(stack);
  }
}

/** In five minutes: five addresses at the firewall's limit of 60 a minute in production (S-79). */
const mostCreated = 1_500;

/** In five minutes: writes may disturb four reads of a page now and then, whereas drift shows at each read. */
const mostHurried = 5;
