import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type JsonPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Duration } from 'aws-cdk-lib/core';
import type { StageConfig } from '../../config.ts';
import type { Route, ServiceRestApi } from '../api/rest-api.ts';
import type { ServiceFunction } from '../service-function.ts';
import { impactOfFailure } from './alarm-catalogue.ts';
import { addAlarm, metricNamespace } from './alarms.ts';

/** The functions that answer callers of the APIs. */
export const answering = (apis: readonly ServiceRestApi[]): Set<ServiceFunction> =>
  new Set(apis.flatMap(({ routes }) => routes.map(({ handler }) => handler)));

/**
 * Alarms on the share of 5xx among each function's answers. A fault becomes an answer (ERR-4), so Lambda's `Errors` stays 0.
 * The access log has that answer, and the gateway's own for a function that crashed, timed out or was throttled (S-70).
 */
export const addAnswerAlarms = (apis: readonly ServiceRestApi[], config: StageConfig): void => {
  for (const called of answering(apis)) {
    const metric = { metricNamespace: metricNamespace(config), metricName: `FaultyAnswers-${called.name}` };
    for (const api of apis) countAnswers(api, called, metric);
    addAlarm(called, 'Faulty', {
      ...{ config, name: 'answers-faulty', of: called.name, impact: impactOfFailure[called.name] },
      metric: new Metric({
        ...{ namespace: metric.metricNamespace, metricName: metric.metricName },
        ...{ statistic: 'Average', period: Duration.minutes(1) },
      }),
      bounds: { above: mostFaulty },
      after: twoMinutesOfAShift,
    });
  }
};

/**
 * During a shift, one call in ten goes to the new version (D-11), and one call of v2-write in six is a payment. If the new
 * version fails a tenth of its payments, that is 0.1 × 0.1 / 6 = 0.17 % of all calls (docs/alarms.md).
 */
const mostFaulty = 0.001;

/** A single fault, or a moment without a store, does not roll a shift back. */
const twoMinutesOfAShift = { bad: 2, of: 10 } as const;

type AnswerMetric = { metricNamespace: string; metricName: string };

/** The average of these values is the share of faults. */
const outcomes = [
  { id: 'Faulty', sign: '=', metricValue: '1' },
  { id: 'Good', sign: '!=', metricValue: '0' },
];

const countAnswers = (
  { accessLog, routes }: ServiceRestApi,
  called: ServiceFunction,
  metric: AnswerMetric,
) => {
  const own = routes.filter(({ handler }) => handler === called).map((route) => isOf(route, routes));
  if (own.length === 0) return;
  for (const { id, sign, metricValue } of outcomes)
    new MetricFilter(accessLog, `${called.node.id}${id}`, {
      ...{ ...metric, metricValue },
      logGroup: accessLog,
      filterPattern: FilterPattern.all(
        FilterPattern.stringValue('$.status', sign, '5*'),
        FilterPattern.any(...own),
      ),
    });
};

const isOf = ({ path, methods }: Route, routes: readonly Route[]): JsonPattern => {
  const ofPath = FilterPattern.stringValue('$.resource', '=', path);
  const isMethod = (sign: string) => (method: string) => FilterPattern.stringValue('$.method', sign, method);
  if (methods) return FilterPattern.all(ofPath, FilterPattern.any(...methods.map(isMethod('='))));
  const ofOthers = routes.flatMap((other) => (other.path === path ? (other.methods ?? []) : []));
  return FilterPattern.all(ofPath, ...ofOthers.map(isMethod('!=')));
};
