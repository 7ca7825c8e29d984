import { Metrics } from '@aws-lambda-powertools/metrics';
import { type MetricName, metricCatalogue } from './metric-catalogue.ts';

/** Reports figures of one run; passed in everywhere so that tests can read what was reported. */
export type Report = (figures: Partial<Record<MetricName, number>>) => void;

/**
 * As one line of the log in the embedded metric format, so that it costs no request. The namespace is the stage's. A sum needs
 * no zeros, and a metric costs money for each hour in which it has any figure.
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

/** Counts one thing by its cause, a dimension beside the function's name; causes are few and known. */
export const createCauseReport = (serviceName: string, name: MetricName): ((cause: string) => void) => {
  const metrics = new Metrics({ serviceName });
  const { metricName, unit } = metricCatalogue[name];
  return (cause) => {
    const single = metrics.singleMetric();
    single.addDimension('cause', cause);
    single.addMetric(metricName, unit, 1);
  };
};
