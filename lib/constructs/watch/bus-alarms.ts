import type { Construct } from 'constructs';
import { busNameOf, type StageConfig } from '../../config.ts';
import { addAlarm } from '../alarms.ts';
import { metricsQuery } from './metrics-query.ts';

/** Alarms on deliveries to partners. A query sums up the rules, which come and go at run time. */
export const addBusAlarms = (scope: Construct, config: StageConfig): void => {
  addAlarm(scope, 'PartnerFails', {
    // After a quarter of an hour: single refusals are noise.
    ...{ config, name: 'partner-failing', after: { bad: 3, of: 3 } },
    metric: overAllPartners(config, 'RetryInvocationAttempts'),
    bounds: { above: 0 },
  });
  addAlarm(scope, 'DeadLetterLost', {
    ...{ config, name: 'dead-letters-lost' },
    metric: overAllPartners(config, 'InvocationsFailedToBeSentToDlq'),
    bounds: { above: 0 },
  });
};

/** EventBridge reports by bus and rule, and only values above zero. */
const overAllPartners = (config: StageConfig, metricName: string) =>
  metricsQuery(
    metricName,
    `SELECT SUM(${metricName}) FROM SCHEMA("AWS/Events", EventBusName, RuleName) WHERE EventBusName = '${busNameOf(config)}'`,
  );
