import { type IMetric, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { StageConfig } from '../../config.ts';
import type { ServiceFunction } from '../service-function.ts';
import { impactOfFailure } from './alarm-catalogue.ts';
import { addAlarm } from './alarms.ts';

const sum = { statistic: 'Sum', period: Duration.minutes(5) };

/**
 * Alarms on failures of functions without waiting callers (`answer-alarms.ts` has the others), and on throttles. Concurrency
 * belongs to the account, so one alarm on throttles is enough, at a tenth of the cost of one per function (S-42, S-70).
 */
export const addFunctionAlarms = (
  scope: Construct,
  { functions, config }: { functions: readonly ServiceFunction[]; config: StageConfig },
): void => {
  for (const watched of functions)
    addAlarm(watched, 'Fails', {
      ...{ config, name: 'function-fails', of: watched.name, impact: impactOfFailure[watched.name] },
      metric: watched.function.metricErrors(sum),
      bounds: { above: 0 },
    });
  addAlarm(scope, 'Throttled', {
    ...{ config, name: 'functions-throttled' },
    metric: accountThrottles(),
    bounds: { above: 0 },
  });
};

/** The throttles of all functions of the account and region. */
const accountThrottles = (): IMetric =>
  new Metric({ namespace: 'AWS/Lambda', metricName: 'Throttles', ...sum });
