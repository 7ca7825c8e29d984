import { Metrics } from '@aws-lambda-powertools/metrics';
import { type MetricName, metricCatalogue } from './metric-catalogue.ts';

/** Reports figures of one invocation. Passed in so that tests can read them. */
export type Report = (figures: Partial<Record<MetricName, number>>) => void;

/**
 * Writes one log line in the embedded metric format, which costs no request. The namespace is the stage's. Zeros are
 * left out, because a sum needs none, and a metric costs money for each hour in which it has a figure.
 */
export const createReport = (serviceName: string): Report => {
  const metrics = new Metrics({ serviceName });
  return (figures) => {
    const told = Object.entries(figures).filter(([name, value]) => adds(name as MetricName, value));
    if (told.length === 0) return;
    for (const [name, value] of told) {
      const { metricName, unit } = metricCatalogue[name as MetricName];
      metrics.addMetric(metricName, unit, value);
    }
    metrics.publishStoredMetrics();
  };
};

const adds = (name: MetricName, value: number) => value !== 0 || metricCatalogue[name].statistic !== 'Sum';

/** Counts by cause, a dimension beside the function's name. There are only a few causes. */
export const createCauseReport = (serviceName: string, name: MetricName): ((cause: string) => void) => {
  const metrics = new Metrics({ serviceName });
  const { metricName, unit } = metricCatalogue[name];
  return (cause) => {
    const single = metrics.singleMetric();
    single.addDimension('cause', cause);
    single.addMetric(metricName, unit, 1);
  };
};
