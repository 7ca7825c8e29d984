import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { StageConfig } from '../../config.ts';
import type { Tables } from '../../data-stack.ts';
import { addAlarm } from '../alarms.ts';

const sum = { statistic: 'Sum', period: Duration.minutes(5) };

/**
 * Requests that a table turned away. Tables are on demand, so it is one busy item, or a rise beyond what DynamoDB doubles
 * within 30 minutes. Clients try again, and their callers notice only what is still turned away then.
 */
export const addTableAlarms = (scope: Construct, tables: Tables, config: StageConfig): void => {
  for (const [name, { tableName }] of Object.entries(tables))
    for (const kind of ['Read', 'Write'] as const)
      addAlarm(scope, `${name}${kind}`, {
        ...{ config, name: 'table-throttled', of: `${name}-${kind.toLowerCase()}` },
        metric: new Metric({
          ...{ namespace: 'AWS/DynamoDB', metricName: `${kind}ThrottleEvents`, ...sum },
          dimensionsMap: { TableName: tableName },
        }),
        bounds: { above: mostThrottled },
      });
};

/** In five minutes. */
const mostThrottled = 10;
