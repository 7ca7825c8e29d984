import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import { addAlarm, twoOfThree } from './alarms.ts';

const period = Duration.minutes(5);
/** The average of 0 and 1 for each request: the share of faults, without metric math. */
const share = { statistic: 'Average', period };
const mostFaults = 0.01;
const slowMs = 3_000;
const mostRefusals = 0.5;

/** What callers of an API notice first: faults and slowness (S-70). Of few requests one is already more than 1 in 100. */
export const addApiAlarms = (scope: Construct, api: RestApi, config: StageConfig): void => {
  const of = scope.node.id;
  addAlarm(scope, 'Faults', {
    ...{ config, name: 'api-faults', of, after: twoOfThree },
    metric: api.metricServerError(share),
    bounds: { above: mostFaults },
  });
  addAlarm(scope, 'Slow', {
    ...{ config, name: 'api-slow', of, after: twoOfThree },
    metric: api.metricLatency({ statistic: 'p99', period }),
    bounds: { above: slowMs },
  });
};

/** Half of the requests for a token fail: a partner lost its secret, somebody guesses, or signing fails (S-70). */
export const alarmOnRefusals = (scope: Construct, api: RestApi, config: StageConfig): void => {
  addAlarm(scope, 'Refusals', {
    ...{ config, name: 'tokens-refused', after: twoOfThree },
    metric: api.metricClientError(share),
    bounds: { above: mostRefusals },
  });
};
