import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { Duration } from 'aws-cdk-lib/core';

/**
 * What CloudWatch finds by a query at each look, so that it needs no list of what there is. It bills each metric that a query
 * finds, and what nobody counts costs nothing. The local stage has none.
 */
export const metricsQuery = (label: string, expression: string): MathExpression =>
  new MathExpression({ expression, label, period: Duration.minutes(5), usingMetrics: {} });
