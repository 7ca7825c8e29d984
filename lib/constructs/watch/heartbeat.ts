import type { Duration } from 'aws-cdk-lib/core';
import type { StageConfig } from '../../config.ts';
import type { ServiceFunction } from '../service-function.ts';
import { addAlarm } from './alarms.ts';

/**
 * Rings when a schedule stops, which causes no fault (S-70). `publish-dormant` needs none: its metrics ring.
 *
 * CloudWatch treats data as missing only after more periods than it evaluates; their number is undocumented. Three short
 * periods, together longer than the time between two runs, keep that delay short.
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
