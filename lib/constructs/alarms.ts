import { Alarm, ComparisonOperator, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { type MetricName, metricCatalogue } from '../../functions/shared/runtime/metric-catalogue.ts';
import type { StageConfig } from '../config.ts';
import type { FunctionName } from './bundle.ts';

type AlarmProps = {
  metric: Metric;
  /** The alarm rings as soon as the metric is above this. */
  above: number;
  /** Missing data rings as well. */
  silenceRings?: boolean;
  /** What the alarm means for partners, and where to look. */
  impact: string;
};

/** Adds an alarm on one metric. The emulator refuses metric math. */
export const addAlarm = (scope: Construct, id: string, props: AlarmProps): void => {
  const { metric, above, silenceRings = false, impact } = props;
  new Alarm(scope, id, {
    metric,
    threshold: above,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: 1,
    treatMissingData: silenceRings ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    alarmDescription: impact,
  });
};

/** The namespace of a stage's own metrics, which functions get as a variable. */
export const metricNamespace = ({ name }: StageConfig): string => `transactions-${name}`;

/** A metric that a function reports itself (functions/shared/runtime/metrics.ts), of one cause where it has causes. */
export const ownMetric = (
  config: StageConfig,
  service: FunctionName,
  name: MetricName,
  cause?: string,
): Metric => {
  const { metricName, statistic } = metricCatalogue[name];
  const namespace = metricNamespace(config);
  const dimensionsMap = { ...(cause !== undefined && { cause }), service };
  return new Metric({ namespace, metricName, statistic, dimensionsMap, period: minutes(5) });
};

const minutes = Duration.minutes;

/** How many messages wait in a queue. */
export const waitingIn = (queue: Queue): Metric =>
  queue.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum', period: minutes(5) }) as Metric;

/** How old the oldest message of a queue is. */
export const oldestIn = (queue: Queue): Metric =>
  queue.metricApproximateAgeOfOldestMessage({ statistic: 'Maximum', period: minutes(5) }) as Metric;
