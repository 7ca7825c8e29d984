import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { LogCode } from '../../../functions/shared/runtime/log-catalogue.ts';
import type { AlarmName } from '../../alarm-catalogue.ts';
import type { StageConfig } from '../../config.ts';
import { addAlarm, metricNamespace } from '../alarms.ts';
import type { ServiceFunction } from '../service-function.ts';

type LogAlarm = {
  config: StageConfig;
  name: AlarmName;
  /** The line of the log, by its code. */
  code: LogCode;
  /** The figure of the line that counts, the highest of a period; absent = lines are counted. */
  figure?: 'delayMs';
  after?: { bad: number; of: number };
  /** The functions that may write it. */
  functions: readonly ServiceFunction[];
  /** So many in five minutes are noise; or what the figure may be. */
  above: number;
};

/** An alarm on a line of logs, of functions whose bundles have no room for metrics of their own. */
export const addLogAlarm = (scope: Construct, props: LogAlarm): void => {
  const { config, name, code, figure, functions, after, above } = props;
  const metric = { metricNamespace: metricNamespace(config), metricName: code };
  for (const one of functions)
    new MetricFilter(one, code, {
      ...metric,
      ...(figure && { metricValue: `$.${figure}` }),
      logGroup: one.logGroup,
      filterPattern: FilterPattern.stringValue('$.code', '=', code),
    });
  addAlarm(scope, code, {
    ...{ config, name },
    ...(after && { after }),
    metric: new Metric({
      ...{ namespace: metric.metricNamespace, metricName: code },
      ...{ statistic: figure ? 'Maximum' : 'Sum', period: Duration.minutes(5) },
    }),
    bounds: { above },
  });
};
