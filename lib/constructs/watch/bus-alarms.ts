import type { Construct } from 'constructs';
import { busNameOf, type StageConfig } from '../../config.ts';
import { addAlarm } from './alarms.ts';
import { metricsQuery } from './metrics-query.ts';

/** Alarms on deliveries to partners. Queries find the rules, which come and go at run time. */
export const addBusAlarms = (scope: Construct, config: StageConfig): void => {
  addAlarm(scope, 'PartnerFails', {
    // After a quarter of an hour: single refusals are noise.
    ...{ config, name: 'partner-failing', after: { bad: 3, of: 3 } },
    metric: ofEachPartner(config, 'RetryInvocationAttempts'),
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
  metricsQuery(metricName, sumOf(config, metricName));

/**
 * Each partner's rule is a contributor with its own state, and the message names it. AWS requires the order
 * (CloudWatch user guide, "Create a CloudWatch alarm based on a Metrics Insights query").
 */
const ofEachPartner = (config: StageConfig, metricName: string) =>
  metricsQuery(metricName, `${sumOf(config, metricName)} GROUP BY RuleName ORDER BY SUM() DESC`);

const sumOf = (config: StageConfig, metricName: string) =>
  `SELECT SUM(${metricName}) FROM SCHEMA("AWS/Events", EventBusName, RuleName) WHERE EventBusName = '${busNameOf(config)}'`;
