import type { Duration } from 'aws-cdk-lib/core';
import type { StageConfig } from '../../config.ts';
import { addAlarm } from '../alarms.ts';
import type { ServiceFunction } from '../service-function.ts';

/** A schedule that stops makes no fault: silence rings. That of `publish-dormant` is heard in what it reports (S-70). */
export const addHeartbeat = (
  { function: called }: ServiceFunction,
  {
    config,
    name,
    within,
  }: { config: StageConfig; name: 'reconcile-silent' | 'sweep-silent'; within: Duration },
): void => {
  addAlarm(called, 'Silent', {
    ...{ config, name, silenceRings: true },
    metric: called.metricInvocations({ statistic: 'Sum', period: within }),
    bounds: { below: 1 },
  });
};
