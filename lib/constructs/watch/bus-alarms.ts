import type { Construct } from 'constructs';
import { busNameOf, type StageConfig } from '../../config.ts';
import { addAlarm } from '../alarms.ts';
import { metricsQuery } from './metrics-query.ts';

/** What the bus does for partners. Their rules come and go at run time, so a query sums them up. */
export const addBusAlarms = (scope: Construct, config: StageConfig): void => {
  addAlarm(scope, 'PartnerFails', {
    // A quarter of an hour: one refusal is noise, and what is refused for so long will be for longer.
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

/** EventBridge counts by bus and rule, and only what is not zero. */
const overAllPartners = (config: StageConfig, metricName: string) =>
  metricsQuery(
    metricName,
    `SELECT SUM(${metricName}) FROM SCHEMA("AWS/Events", EventBusName, RuleName) WHERE EventBusName = '${busNameOf(config)}'`,
  );
