import { metricCatalogue } from '../../../functions/shared/runtime/metric-catalogue.ts';
import type { StageName } from '../../../lib/config.ts';
import {
  propertiesOf,
  resourcesOf,
  type StackTemplate,
  templatesOf,
} from '../../support/engine/templates.ts';

/** Parts of a stage with fixed monthly costs, counted in its templates. */
export type StageParts = {
  alarmMetrics: number;
  customMetrics: number;
  dashboards: number;
  keys: number;
  secrets: number;
  /** Queues from which a function is fed: it asks them for messages all the time. */
  polledQueues: number;
  /** Those of them that are FIFO, whose requests cost more. */
  fifoQueues: number;
  firewalls: number;
  firewallRules: number;
  tables: number;
};

type Part = { Expression?: string };
type Alarm = { Metrics?: Part[] };

/** Counts the parts of a stage. */
export const stageParts = (stage: StageName): StageParts => {
  const { data, service } = templatesOf(stage);
  const both = [data, service];
  return {
    alarmMetrics: alarmsOf(service).reduce((sum, alarm) => sum + chargedMetrics(alarm), 0),
    customMetrics: Object.keys(metricCatalogue).length + filteredMetrics(service),
    dashboards: count(both, 'AWS::CloudWatch::Dashboard'),
    keys: count(both, 'AWS::KMS::Key'),
    secrets: count(both, 'AWS::SecretsManager::Secret'),
    tables: count(both, 'AWS::DynamoDB::Table'),
    polledQueues: polledQueues(service),
    fifoQueues: propertiesOf(service, 'AWS::SQS::Queue').filter(({ FifoQueue }) => FifoQueue).length,
    firewalls: count(both, 'AWS::WAFv2::WebACL'),
    firewallRules: propertiesOf(service, 'AWS::WAFv2::WebACL').flatMap(({ Rules }) => Rules).length,
  };
};

const count = (templates: StackTemplate[], type: string) =>
  templates.reduce((sum, template) => sum + Object.keys(resourcesOf(template, type)).length, 0);

const alarmsOf = (service: StackTemplate) => propertiesOf(service, 'AWS::CloudWatch::Alarm') as Alarm[];

/** One for itself, or one for each metric of its expression; a band of usual values is three, and a query at least one. */
const chargedMetrics = ({ Metrics }: Alarm): number => {
  if (!Metrics) return 1;
  const expressions = Metrics.map(({ Expression }) => Expression ?? '').join();
  if (expressions.includes('ANOMALY_DETECTION_BAND')) return 3;
  return expressions.includes('SELECT') ? 1 : Metrics.filter((part) => !part.Expression).length;
};

/** Several filters may feed one metric. */
const filteredMetrics = (service: StackTemplate): number => {
  const filters = propertiesOf(service, 'AWS::Logs::MetricFilter') as {
    MetricTransformations: { MetricName: string }[];
  }[];
  return new Set(filters.flatMap((one) => one.MetricTransformations.map(({ MetricName }) => MetricName)))
    .size;
};

/** A stream is read for nothing; a queue is paid for by request. */
const polledQueues = (service: StackTemplate) =>
  propertiesOf(service, 'AWS::Lambda::EventSourceMapping').filter(
    ({ StartingPosition }) => StartingPosition === undefined,
  ).length;
