import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { addAlarm } from './alarms.ts';
import type { ServiceFunction } from './service-function.ts';

const period = Duration.minutes(5);
/** The average of 0 and 1 for each request: the share of faults, without metric math. */
const share = { statistic: 'Average', period };
const mostFaults = 0.01;
const slowMs = 3_000;
const mostRefusals = 0.5;

/** What callers of an API notice first: faults and slowness (S-70). */
export const addApiAlarms = (scope: Construct, api: RestApi): void => {
  addAlarm(scope, 'Faults', {
    metric: api.metricServerError(share),
    above: mostFaults,
    impact:
      'More than 1 in 100 requests of partners and checkouts is answered 5xx. Look at the access log for the route, and at ' +
      'the log of its function for the cause.',
  });
  addAlarm(scope, 'Slow', {
    metric: api.metricLatency({ statistic: 'p99', period }),
    above: slowMs,
    impact:
      'The slowest 1 in 100 requests of partners and checkouts takes more than 3 s. Look at latencyMs and functionLatencyMs ' +
      'in the access log.',
  });
};

/** A function that callers wait for turned some of them away (S-42, S-70). */
export const alarmOnThrottles = (scope: Construct, id: string, { function: called }: ServiceFunction): void =>
  addAlarm(scope, `${id}Throttled`, {
    metric: called.metricThrottles({ statistic: 'Sum', period }),
    above: 0,
    impact:
      'Requests of partners or checkouts are turned away for want of concurrency. Look at the reserved concurrency in ' +
      'lib/config.ts, and at the access log for who calls so often.',
  });

/** Half of the requests for a token fail: a partner lost its secret, somebody guesses, or signing fails (S-70). */
export const alarmOnRefusals = (scope: Construct, api: RestApi): void =>
  addAlarm(scope, 'Refusals', {
    metric: api.metricClientError(share),
    above: mostRefusals,
    impact:
      'More than half of the requests for a token are refused: a partner’s secret is wrong or somebody guesses. Look at the ' +
      'log of issue-token for the client id.',
  });
