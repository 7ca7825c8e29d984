import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { type MetricName, metricCatalogue } from '../../../functions/shared/runtime/metric-catalogue.ts';
import type { StageConfig } from '../../config.ts';
import { spanText } from '../../span-text.ts';
import type { FunctionName } from '../bundle.ts';
import { type AlarmName, alarmCatalogue } from './alarm-catalogue.ts';

/** For metrics that a single caller or a cold start may spoil for one period. */
export const twoOfThree = { bad: 2, of: 3 } as const;

type AlarmProps = {
  config: StageConfig;
  name: AlarmName;
  /** Distinguishes alarms of the same `name`; the last part of the whole name. */
  of?: string;
  metric: IMetric;
  /** The alarm fires when the metric is outside of these for a period. */
  bounds: { above: number } | { below: number };
  /** The alarm fires after `bad` bad periods of the last `of`; absent = after one. */
  after?: { bad: number; of: number };
  /** Missing data fires as well. */
  silenceRings?: boolean;
  /** The part of the impact that depends on `of`. */
  impact?: string;
};

/**
 * Adds an alarm on a metric. Its message names the impact on partners, and the section of docs/alarms.md. The local stage has
 * no alarms on metric math, which emulators do not evaluate.
 */
export const addAlarm = (scope: Construct, id: string, props: AlarmProps): Alarm => {
  const { metric, bounds, after, silenceRings = false } = props;
  return new Alarm(scope, id, {
    metric,
    ...alarmFacts(props),
    ...comparisonOf(bounds),
    evaluationPeriods: after?.of ?? 1,
    ...(after && { datapointsToAlarm: after.bad }),
    treatMissingData: silenceRings ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
  });
};

/** Name and description of an alarm. */
export const alarmFacts = ({
  config,
  name,
  of,
  impact,
}: Pick<AlarmProps, 'config' | 'name' | 'of' | 'impact'>) => {
  const { impact: means } = alarmCatalogue[name];
  const promised = spanText(config.eventTimes.promisedSeconds);
  const said = [impact, typeof means === 'string' ? means : means(promised)].filter(Boolean).join(' ');
  return {
    alarmName: alarmNameOf(config, name, of),
    alarmDescription: `${said} What to do: docs/alarms.md, ${name}.`,
  };
};

/** `transactions-production-function-fails-v2-read` */
const alarmNameOf = (config: StageConfig, name: AlarmName, of: string | undefined): string =>
  [metricNamespace(config), name, ...(of === undefined ? [] : [of])].join('-');

const comparisonOf = (bounds: AlarmProps['bounds']) => {
  if ('above' in bounds)
    return { threshold: bounds.above, comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD };
  return { threshold: bounds.below, comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD };
};

/** The namespace of a stage's own metrics; functions get it as a variable. */
export const metricNamespace = ({ name }: StageConfig): string => `transactions-${name}`;

/** A metric that a function reports itself (functions/shared/runtime/metrics.ts); `cause` for metrics with causes. */
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

/** The number of messages that wait in a queue. */
export const waitingIn = (queue: Queue): Metric =>
  queue.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum', period: minutes(5) }) as Metric;
