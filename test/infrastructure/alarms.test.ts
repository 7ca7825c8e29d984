import { describe, expect, test } from '@jest/globals';
import { stageNames } from '../../lib/config.ts';
import { propertiesOf, resourcesOf, templatesOf } from '../support/engine/templates.ts';

type Alarm = {
  AlarmDescription: string;
  Namespace?: string;
  MetricName?: string;
  Metrics?: unknown;
  Dimensions?: { Name: string; Value: unknown }[];
  Threshold: number;
  Statistic?: string;
  ExtendedStatistic?: string;
  ComparisonOperator: string;
  TreatMissingData: string;
  EvaluationPeriods: number;
  Period: number;
};

/** `AWS/Lambda IteratorAge of ChangeCaptureCaptureChangeFunction > 30000` */
const sentenceOf = ({
  Namespace,
  MetricName,
  Dimensions,
  Threshold,
  Statistic,
  ExtendedStatistic,
}: Alarm) => {
  const value = JSON.stringify(Dimensions?.[0]?.Value);
  const [, resource] = /"([A-Z]\w+)[0-9A-F]{8}"/.exec(value) ?? [];
  return `${Statistic ?? ExtendedStatistic} ${Namespace} ${MetricName} of ${resource ?? JSON.parse(value)} > ${Threshold}`;
};

describe.each(stageNames)('the alarms of stage %s', (stage) => {
  const { service } = templatesOf(stage);
  const alarms = propertiesOf(service, 'AWS::CloudWatch::Alarm') as Alarm[];

  test('S-69 S-70 watch faults, slowness and throttles of both APIs, refused tokens, O-55 S-20 wrong secrets, and each hop of an event', () => {
    const own = `transactions-${stage}`;

    expect(alarms.map(sentenceOf).sort()).toEqual(
      [
        `Average AWS/ApiGateway 5XXError of ${own}-TransactionsApi > 0.01`,
        `p99 AWS/ApiGateway Latency of ${own}-TransactionsApi > 3000`,
        'Sum AWS/Lambda Throttles of TransactionsApiV1TransactionFunction > 0',
        'Sum AWS/Lambda Throttles of TransactionsApiV2ReadFunction > 0',
        'Sum AWS/Lambda Throttles of TransactionsApiV2WriteFunction > 0',
        `Average AWS/ApiGateway 5XXError of ${own}-TokenApi > 0.01`,
        `p99 AWS/ApiGateway Latency of ${own}-TokenApi > 3000`,
        `Average AWS/ApiGateway 4XXError of ${own}-TokenApi > 0.5`,
        'Sum AWS/Lambda Throttles of TokenApiIssueTokenFunction > 0',
        `Sum ${own} RefusedClients of guessing > 0`,
        `Sum ${own} RefusedClients of wrong-secret > 50`,
        `Sum ${own} RefusedClients of ended-secret > 0`,
        'Maximum AWS/Lambda IteratorAge of ChangeCaptureCaptureChangeFunction > 30000',
        'Maximum AWS/SQS ApproximateNumberOfMessagesVisible of ChangeCaptureGivenUp > 0',
        'Maximum AWS/SQS ApproximateAgeOfOldestMessage of PartnerBusDeadLetters > 600',
        'Maximum AWS/SQS ApproximateNumberOfMessagesVisible of DormantPublisherLostTicks > 0',
        `Maximum ${own} OldestDueAge of publish-dormant > 60000`,
        `Sum ${own} Parked of publish-dormant > 0`,
        `Sum ${own} Unconfirmed of publish-dormant > 10`,
        `Sum ${own} Failed of publish-dormant > 10`,
        'Sum AWS/Lambda Errors of DormantPublisherPublishDormantFunction > 0',
        'Sum AWS/Lambda Throttles of DormantPublisherPublishDormantFunction > 0',
        'Sum AWS/Lambda Errors of SigningKeysRotateKeysFunction > 0',
        `Sum ${own} DeadLetters of collect-dead-letters > 0`,
        `Sum ${own} Repaired of reconcile > 0`,
        `Maximum ${own} DifferingEndpoints of reconcile > 0`,
        'Sum AWS/Lambda Errors of ReconcilerReconcileFunction > 0',
      ].sort(),
    );
  });

  test('are of one metric each: the emulator refuses metric math', () => {
    for (const { Metrics, ComparisonOperator } of alarms)
      expect([Metrics, ComparisonOperator]).toEqual([undefined, 'GreaterThanThreshold']);
  });

  test('S-70 ring after one period: five minutes, one for the stream, thirty where a function runs every ten', () => {
    const others = alarms.filter(({ Period }) => Period !== 300);

    expect(new Set(alarms.map(({ EvaluationPeriods }) => EvaluationPeriods))).toEqual(new Set([1]));
    expect(others.map((alarm) => [sentenceOf(alarm), alarm.Period])).toEqual([
      ['Maximum AWS/Lambda IteratorAge of ChangeCaptureCaptureChangeFunction > 30000', 60],
      ['Sum AWS/Lambda Errors of ReconcilerReconcileFunction > 0', 1_800],
    ]);
  });

  test('treat missing data as breaching only where silence means that nothing runs', () => {
    const silent = alarms.filter(({ TreatMissingData }) => TreatMissingData === 'breaching');

    expect(silent.map(({ MetricName }) => MetricName)).toEqual(['OldestDueAge']);
  });

  test('say what the alarm means for partners and where to look', () => {
    for (const { AlarmDescription } of alarms)
      expect(AlarmDescription).toMatch(/(partner|event|change|told|publish-dormant).*(look|see|log)/is);
  });
});

test('functions report under the name of their stage', () => {
  const { service } = templatesOf('staging');
  const variables = Object.values(resourcesOf(service, 'AWS::Lambda::Function')).map(
    ({ Properties }) => (Properties.Environment as { Variables: Record<string, unknown> }).Variables,
  );

  expect(new Set(variables.map((given) => given.POWERTOOLS_METRICS_NAMESPACE))).toEqual(
    new Set(['transactions-staging']),
  );
});
