import { type IMetric, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { impactOfFailure } from '../../alarm-catalogue.ts';
import type { StageConfig } from '../../config.ts';
import { addAlarm } from '../alarms.ts';
import type { ServiceFunction } from '../service-function.ts';

const sum = { statistic: 'Sum', period: Duration.minutes(5) };

/**
 * Faults of the functions that no caller waits for (`answer-alarms.ts` has the others), and the account's throttles.
 * Concurrency is the account's, and one alarm for it costs a tenth of one for each function (S-42, S-70).
 */
export const addFunctionAlarms = (
  scope: Construct,
  { functions, config }: { functions: readonly ServiceFunction[]; config: StageConfig },
): void => {
  for (const one of functions)
    addAlarm(one, 'Fails', {
      ...{ config, name: 'function-fails', of: one.name, impact: impactOfFailure[one.name] },
      metric: one.function.metricErrors(sum),
      bounds: { above: 0 },
    });
  addAlarm(scope, 'Throttled', {
    ...{ config, name: 'functions-throttled' },
    metric: accountThrottles(),
    bounds: { above: 0 },
  });
};

/** Of all functions of the account and region. */
const accountThrottles = (): IMetric =>
  new Metric({ namespace: 'AWS/Lambda', metricName: 'Throttles', ...sum });
