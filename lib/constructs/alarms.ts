import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { type MetricName, metricCatalogue } from '../../functions/shared/runtime/metric-catalogue.ts';
import type { StageConfig } from '../config.ts';
import type { FunctionName } from './bundle.ts';

type AlarmProps = {
  metric: Metric;
  /** Rings as soon as the metric is above it. */
  above: number;
  /** Silence counts as trouble, too. */
  silenceRings?: boolean;
  /** What it means for partners, and where to look. */
  impact: string;
};

/** An alarm of one metric; metric math would keep the template from the emulator (engines.md). */
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

/** Where a stage's own metrics are; functions learn it by a variable. */
export const metricNamespace = ({ name }: StageConfig): string => `transactions-${name}`;

/** What a function counts itself (functions/shared/runtime/metrics.ts). */
export const ownMetric = (config: StageConfig, service: FunctionName, name: MetricName): Metric => {
  const { metricName, statistic } = metricCatalogue[name];
  const namespace = metricNamespace(config);
  return new Metric({ namespace, metricName, statistic, dimensionsMap: { service }, period: minutes(5) });
};

const minutes = Duration.minutes;

export const waitingIn = (queue: Queue): Metric =>
  queue.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum', period: minutes(5) }) as Metric;

export const oldestIn = (queue: Queue): Metric =>
  queue.metricApproximateAgeOfOldestMessage({ statistic: 'Maximum', period: minutes(5) }) as Metric;
