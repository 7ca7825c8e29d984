import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type JsonPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Duration } from 'aws-cdk-lib/core';
import { impactOfFailure } from '../../alarm-catalogue.ts';
import type { StageConfig } from '../../config.ts';
import { addAlarm, metricNamespace } from '../alarms.ts';
import type { Route, ServiceRestApi } from '../rest-api.ts';
import type { ServiceFunction } from '../service-function.ts';

/** Functions that callers of an API wait for. */
export const answering = (apis: readonly ServiceRestApi[]): Set<ServiceFunction> =>
  new Set(apis.flatMap(({ routes }) => routes.map(({ handler }) => handler)));

/**
 * The share of 5xx among what callers of each function get. A fault becomes an answer (ERR-4), so Lambda's `Errors` stays 0;
 * the access log has that answer, and the gateway's own where a function crashed, took too long or was throttled (S-70).
 */
export const addAnswerAlarms = (apis: readonly ServiceRestApi[], config: StageConfig): void => {
  for (const one of answering(apis)) {
    const metric = { metricNamespace: metricNamespace(config), metricName: `FaultyAnswers-${one.name}` };
    for (const api of apis) countAnswers(api, one, metric);
    addAlarm(one, 'Faulty', {
      ...{ config, name: 'answers-faulty', of: one.name, impact: impactOfFailure[one.name] },
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
 * In the ten minutes of a shift, one call in ten goes to the new version (D-11). Of the calls of v2-write, one in six is a
 * payment: where each tenth of the new version fails, that is 0.1 × 0.1 / 6 = 0.17 % of all (docs/alarms.md).
 */
const mostFaulty = 0.001;

/** A fault that is alone, or a moment without a store, takes no shift back. */
const twoMinutesOfAShift = { bad: 2, of: 10 } as const;

type AnswerMetric = { metricNamespace: string; metricName: string };

/** The average of both is the share, without metric math. */
const outcomes = [
  { id: 'Faulty', sign: '=', metricValue: '1' },
  { id: 'Good', sign: '!=', metricValue: '0' },
];

const countAnswers = ({ accessLog, routes }: ServiceRestApi, one: ServiceFunction, metric: AnswerMetric) => {
  const own = routes.filter(({ handler }) => handler === one).map((route) => isOf(route, routes));
  if (own.length === 0) return;
  for (const { id, sign, metricValue } of outcomes)
    new MetricFilter(accessLog, `${one.node.id}${id}`, {
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
  const isMethod = (sign: string) => (one: string) => FilterPattern.stringValue('$.method', sign, one);
  if (methods) return FilterPattern.all(ofPath, FilterPattern.any(...methods.map(isMethod('='))));
  const ofOthers = routes.flatMap((other) => (other.path === path ? (other.methods ?? []) : []));
  return FilterPattern.all(ofPath, ...ofOthers.map(isMethod('!=')));
};
