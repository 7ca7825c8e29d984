import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { Duration } from 'aws-cdk-lib/core';

/**
 * A metric that CloudWatch finds by a query, so that no list of resources is needed. CloudWatch bills each metric that the
 * query finds. Not for the local stage: emulators do not evaluate it.
 */
export const metricsQuery = (label: string, expression: string): MathExpression =>
  new MathExpression({ expression, label, period: Duration.minutes(5), usingMetrics: {} });
