import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { StageConfig, WatchConfig } from '../../config.ts';
import type { Tables } from '../../data-stack.ts';
import type { UsedTable } from '../stores/table.ts';
import { addAlarm } from './alarms.ts';
import { metricsQuery } from './metrics-query.ts';

/**
 * Alarms on throttled requests to tables. Tables are on demand, so the cause is a single busy item, or a rise to more than
 * double within 30 minutes. Clients retry, so callers notice only requests that stay throttled.
 */
export const addTableAlarms = (scope: Construct, config: StageConfig): void => {
  for (const kind of ['Read', 'Write'] as const)
    addAlarm(scope, `Table${kind}s`, {
      ...{ config, name: 'table-throttled', of: kind.toLowerCase() },
      metric: throttled(kind),
      bounds: { above: mostThrottled },
    });
};

/**
 * An alarm on the cost of writes. Both tables grow by the size of what callers send, and anybody may call V1 (S-86, TH-26). A
 * minute in which one of them is not written counts with the other alone.
 */
export const addWriteCostAlarm = (
  scope: Construct,
  {
    config,
    watch,
    tables: { transactions, requests },
  }: { config: StageConfig; watch: WatchConfig; tables: Pick<Tables, 'transactions' | 'requests'> },
): void => {
  addAlarm(scope, 'WriteCost', {
    ...{ config, name: 'writes-costly' },
    metric: new MathExpression({
      expression: 'FILL(transactions, 0) + FILL(requests, 0)',
      label: 'Write units',
      period: aMinute,
      usingMetrics: { transactions: writeUnitsOf(transactions), requests: writeUnitsOf(requests) },
    }),
    bounds: { above: watch.writeUnitsPerMinute },
    after: { bad: 3, of: 3 },
  });
};

const aMinute = Duration.minutes(1);

const writeUnitsOf = ({ tableName }: UsedTable) =>
  new Metric({
    ...{ namespace: 'AWS/DynamoDB', metricName: 'ConsumedWriteCapacityUnits' },
    ...{ dimensionsMap: { TableName: tableName }, statistic: 'Sum', period: aMinute },
  });

/** Throttled requests by table, for the dashboard. */
export const throttledByTable = (kind: 'Read' | 'Write') => throttled(kind, ' GROUP BY TableName');

/** Throttled requests of all tables and indexes, which DynamoDB counts separately. */
const throttled = (kind: 'Read' | 'Write', group = '') =>
  metricsQuery(`${kind}s`, `SELECT SUM(${kind}ThrottleEvents) FROM "AWS/DynamoDB"${group}`);

/** In five minutes. */
const mostThrottled = 10;
