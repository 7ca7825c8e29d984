import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { LogCode } from '../../../functions/shared/runtime/log-catalogue.ts';
import type { StageConfig } from '../../config.ts';
import type { ServiceFunction } from '../service-function.ts';
import type { AlarmName } from './alarm-catalogue.ts';
import { addAlarm, metricNamespace } from './alarms.ts';

type LogAlarm = {
  config: StageConfig;
  name: AlarmName;
  /** The code of the log line. */
  code: LogCode;
  /** The functions that log the line. */
  functions: readonly ServiceFunction[];
  /** The most lines in five minutes. */
  above: number;
};

/** An alarm on a log line, for functions whose bundles are to stay without the library for metrics. */
export const addLogAlarm = (scope: Construct, props: LogAlarm): void => {
  const { config, name, code, functions, above } = props;
  const metric = { metricNamespace: metricNamespace(config), metricName: code };
  for (const logging of functions)
    new MetricFilter(logging, code, {
      ...metric,
      logGroup: logging.logGroup,
      filterPattern: FilterPattern.stringValue('$.code', '=', code),
    });
  addAlarm(scope, code, {
    ...{ config, name },
    metric: new Metric({
      ...{ namespace: metric.metricNamespace, metricName: code },
      ...{ statistic: 'Sum', period: Duration.minutes(5) },
    }),
    bounds: { above },
  });
};
