import type { Duration } from 'aws-cdk-lib/core';
import type { StageConfig } from '../../config.ts';
import { addAlarm } from '../alarms.ts';
import type { ServiceFunction } from '../service-function.ts';

/**
 * A schedule that stops makes no fault: silence rings (S-70). That of `publish-dormant` is heard in what it reports.
 *
 * CloudWatch takes missing data for silence only where some periods more than it evaluates have none, and does not say how
 * many. So there are three short periods instead of a long one, together longer than the time between two runs, and with
 * five it is silent for little longer.
 */
export const addHeartbeat = (
  { function: called }: ServiceFunction,
  {
    config,
    name,
    period,
  }: {
    config: StageConfig;
    name: 'reconcile-silent' | 'sweep-silent';
    period: Duration;
  },
): void => {
  addAlarm(called, 'Silent', {
    ...{ config, name, silenceRings: true, after: { bad: 3, of: 3 } },
    metric: called.metricInvocations({ statistic: 'Sum', period }),
    bounds: { below: 1 },
  });
};
