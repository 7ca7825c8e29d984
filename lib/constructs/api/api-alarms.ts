import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { StageConfig } from '../../config.ts';
import { addAlarm, twoOfThree } from '../watch/alarms.ts';

const period = Duration.minutes(5);
/** The metric is 0 or 1 for each request, so its average is the share of faults. */
const share = { statistic: 'Average', period };
const mostFaults = 0.01;
const slowMs = 3_000;
const mostRefusals = 0.5;

/** Alarms on faults and slowness of an API (S-70). `twoOfThree`, since one of few requests is more than 1 in 100. */
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

/** Rings when half of the token requests fail: a partner lost its secret, somebody guesses, or signing fails (S-70). */
export const alarmOnRefusals = (scope: Construct, api: RestApi, config: StageConfig): void => {
  addAlarm(scope, 'Refusals', {
    ...{ config, name: 'tokens-refused', after: twoOfThree },
    metric: api.metricClientError(share),
    bounds: { above: mostRefusals },
  });
};
