import type { Construct } from 'constructs';
import type { StageConfig } from '../../config.ts';
import { addAlarm } from '../alarms.ts';
import { metricsQuery } from './metrics-query.ts';

/**
 * Requests that tables turned away. They are on demand, so it is one busy item, or a rise beyond what DynamoDB doubles within
 * 30 minutes. Clients try again, and their callers notice only what is still turned away then.
 */
export const addTableAlarms = (scope: Construct, config: StageConfig): void => {
  for (const kind of ['Read', 'Write'] as const)
    addAlarm(scope, `Table${kind}s`, {
      ...{ config, name: 'table-throttled', of: kind.toLowerCase() },
      metric: throttled(kind),
      bounds: { above: mostThrottled },
    });
};

/** Which table it is, for a person to look at. */
export const throttledByTable = (kind: 'Read' | 'Write') => throttled(kind, ' GROUP BY TableName');

/** DynamoDB counts a table apart from each of its indexes; this is all of them. */
const throttled = (kind: 'Read' | 'Write', group = '') =>
  metricsQuery(`${kind}s`, `SELECT SUM(${kind}ThrottleEvents) FROM "AWS/DynamoDB"${group}`);

/** In five minutes. */
const mostThrottled = 10;
