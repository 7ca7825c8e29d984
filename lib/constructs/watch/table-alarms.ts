import type { Construct } from 'constructs';
import type { StageConfig } from '../../config.ts';
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

/** Throttled requests by table, for the dashboard. */
export const throttledByTable = (kind: 'Read' | 'Write') => throttled(kind, ' GROUP BY TableName');

/** Throttled requests of all tables and indexes, which DynamoDB counts separately. */
const throttled = (kind: 'Read' | 'Write', group = '') =>
  metricsQuery(`${kind}s`, `SELECT SUM(${kind}ThrottleEvents) FROM "AWS/DynamoDB"${group}`);

/** In five minutes. */
const mostThrottled = 10;
