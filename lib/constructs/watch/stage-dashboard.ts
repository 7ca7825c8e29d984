import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  Metric,
  Row,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { busNameOf, type FirewallRates, type StageConfig } from '../../config.ts';
import { longestDueMs } from '../../event-times.ts';
import { firewallRules } from '../api/firewall.ts';
import type { ServiceFunction } from '../service-function.ts';
import { ownMetric } from './alarms.ts';
import { throttledByTable } from './table-alarms.ts';

export type Shown = {
  config: StageConfig;
  apis: readonly RestApi[];
  functions: readonly ServiceFunction[];
};

/**
 * The operator's dashboard, named after the stage. Its first row shows whether partners are served. Lines in the figures are
 * the bounds of alarms.
 */
export class StageDashboard extends Construct {
  constructor(scope: Construct, shown: Shown) {
    super(scope, 'Dashboard');
    const alarms = Stack.of(this)
      .node.findAll()
      .filter((child) => child instanceof Alarm);
    new Dashboard(this, 'Page', {
      dashboardName: busNameOf(shown.config),
      defaultInterval: Duration.hours(3),
      widgets: [
        [new TextWidget({ markdown: '# Are partners being served?', width: whole, height: 1 })],
        [served(shown)],
        [new AlarmStatusWidget({ title: 'Alarms', alarms, width: whole, height: 6 })],
        [callers(shown)],
        [behindThem(shown)],
      ],
    });
  }
}

const whole = 24;
const period = Duration.minutes(5);
const sum = { statistic: 'Sum', period };
const share = { statistic: 'Average', period };

const served = ({ config, apis }: Shown) =>
  rowOf(
    figure(
      'Requests',
      apis.map((api) => api.metricCount(sum)),
    ),
    figure(
      'Share of 5xx',
      apis.map((api) => api.metricServerError(share)),
      0.01,
    ),
    figure(
      'Delay of updates, ms',
      [ownMetric(config, 'publish-dormant', 'updateDelayMs')],
      config.eventTimes.promisedSeconds * 1000,
    ),
    figure('Delay of completions, ms', [ownMetric(config, 'publish-dormant', 'completionDelayMs')], 2_000),
  );

const callers = ({ config, apis }: Shown) =>
  rowOf(
    figure(
      'Latency p99, ms',
      apis.map((api) => api.metricLatency({ statistic: 'p99', period })),
      3_000,
    ),
    figure(
      'Share of 4xx',
      apis.map((api) => api.metricClientError(share)),
    ),
    figure('Requests blocked by the firewall', config.firewall ? blockedBy(config, config.firewall) : []),
    figure(
      'Age of the oldest due event, ms',
      [ownMetric(config, 'publish-dormant', 'oldestDueAgeMs')],
      longestDueMs(config.eventTimes),
    ),
  );

const behindThem = ({ config, functions }: Shown) =>
  rowOf(
    figure(
      'Functions: faults',
      functions.map(({ function: called, name }) => called.metricErrors({ ...sum, label: name })),
    ),
    figure(
      'Functions: throttled',
      functions.map(({ function: called, name }) => called.metricThrottles({ ...sum, label: name })),
    ),
    figure('Tables: throttled', [throttledByTable('Read'), throttledByTable('Write')]),
    figure('Accepted by the bus, and dead letters', [
      ownMetric(config, 'publish-dormant', 'sent'),
      ownMetric(config, 'collect-dead-letters', 'deadLetters'),
    ]),
  );

const rowOf = (...figures: GraphWidget[]) => new Row(...figures);

/** A graph of a quarter of the page's width, with a line at the bound of an alarm. */
const figure = (title: string, left: IMetric[], tooMuch?: number) =>
  new GraphWidget({
    ...{ title, left, width: whole / 4, height: 6 },
    ...(tooMuch !== undefined && { leftAnnotations: [{ value: tooMuch, label: 'alarm' }] }),
  });

const blockedBy = (config: StageConfig, rates: FirewallRates) =>
  firewallRules(config.name, rates).map(
    ({ name }) =>
      new Metric({
        ...{ namespace: 'AWS/WAFV2', metricName: 'BlockedRequests', ...sum, label: name },
        dimensionsMap: { WebACL: busNameOf(config), Region: config.region, Rule: name },
      }),
  );
