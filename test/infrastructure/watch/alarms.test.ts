import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { metricCatalogue } from '../../../functions/shared/runtime/metric-catalogue.ts';
import { configOf, stageNames } from '../../../lib/config.ts';
import { alarmCatalogue } from '../../../lib/constructs/watch/alarm-catalogue.ts';
import { accountIn, arnIn } from '../../support/engine/account.ts';
import { readsOfData } from '../../support/engine/data-outputs.ts';
import { synthesise } from '../../support/engine/synthesis.ts';
import {
  propertiesOf,
  resourcesOf,
  type StackTemplate,
  templatesOf,
} from '../../support/engine/templates.ts';
import { root } from '../../support/repository.ts';

const { region } = configOf('production');

type Metric = { MetricName?: string; Namespace?: string; Dimensions?: { Name: string; Value: unknown }[] };
type Alarm = Metric & {
  AlarmName: string;
  AlarmDescription: string;
  AlarmActions?: unknown[];
  OKActions?: unknown[];
  Metrics?: {
    Expression?: string;
    Period?: number;
    MetricStat?: { Metric: Metric; Stat: string; Period: number };
  }[];
  Threshold?: number;
  Statistic?: string;
  ExtendedStatistic?: string;
  ComparisonOperator: string;
  TreatMissingData: string;
  EvaluationPeriods: number;
  DatapointsToAlarm?: number;
  Period: number;
};

/** The alarms of every stage, by what they promise (`sentenceOf`). */
const everywhere = (own: string) => ({
  // Callers get answers that are not 5xx, within 3 s (S-70).
  'api-faults-TransactionsApi': `Average AWS/ApiGateway 5XXError of ${own}-TransactionsApi > 0.01, 2 of 3`,
  'api-faults-TokenApi': `Average AWS/ApiGateway 5XXError of ${own}-TokenApi > 0.01, 2 of 3`,
  'api-slow-TransactionsApi': `p99 AWS/ApiGateway Latency of ${own}-TransactionsApi > 3000, 2 of 3`,
  'api-slow-TokenApi': `p99 AWS/ApiGateway Latency of ${own}-TokenApi > 3000, 2 of 3`,
  // Every call finds a function (S-42), and none fails that no caller waits for.
  'functions-throttled': 'Sum AWS/Lambda Throttles > 0',
  'function-fails-capture-change': 'Sum AWS/Lambda Errors of ChangeCaptureCaptureChangeFunction > 0',
  'function-fails-collect-dead-letters':
    'Sum AWS/Lambda Errors of DeadLetterCollectorCollectDeadLettersFunction > 0',
  'function-fails-keep-endpoints': 'Sum AWS/Lambda Errors of EndpointKeeperKeepEndpointsFunction > 0',
  'function-fails-publish-dormant': 'Sum AWS/Lambda Errors of DormantPublisherPublishDormantFunction > 0',
  'function-fails-reconcile': 'Sum AWS/Lambda Errors of ReconcilerReconcileFunction > 0',
  'function-fails-rotate-keys': 'Sum AWS/Lambda Errors of SigningKeysRotateKeysFunction > 0',
  'function-fails-sweep-expired': 'Sum AWS/Lambda Errors of ExpirySweepSweepExpiredFunction > 0',
  // Partners get tokens, and nobody guesses a secret (TOK-1, O-55, S-20).
  'tokens-refused': `Average AWS/ApiGateway 4XXError of ${own}-TokenApi > 0.5, 2 of 3`,
  'secrets-guessed': `Sum ${own} RefusedClients of guessing, issue-token > 0`,
  'secrets-wrong': `Sum ${own} RefusedClients of wrong-secret, issue-token > 50`,
  'secret-ended': `Sum ${own} RefusedClients of ended-secret, issue-token > 0`,
  // TransactionUpdated comes in time (interface 6.1).
  'updates-waiting': `Maximum ${own} OldestDueAge of publish-dormant > 60000, 120 s, or silence`,
  'updates-late': `Maximum ${own} UpdateDelay of publish-dormant > 180000`,
  // TransactionCompleted comes at once (interface 6.1): within 2 s.
  'completions-late': `Maximum ${own} CompletionDelay of publish-dormant > 2000, 2 of 3`,
  'stream-behind': 'Maximum AWS/Lambda IteratorAge of ChangeCaptureCaptureChangeFunction > 30000, 60 s',
  // Every change is recorded once (I20).
  'changes-given-up': 'Maximum AWS/SQS ApproximateNumberOfMessagesVisible of ChangeCaptureGivenUp > 0',
  'changes-repaired': `Sum ${own} Repaired of reconcile > 0`,
  'reconcile-silent': 'Sum AWS/Lambda Invocations of ReconcilerReconcileFunction < 1, 3 of 3, or silence',
  'daily-reconcile-silent': `Maximum ${own} LookedBack of reconcile < 2880, 26 of 26, 3600 s, or silence`,
  // Every event reaches the bus,
  'bus-silent': `Sum ${own} Unconfirmed of publish-dormant > 10`,
  'events-failing': `Sum ${own} Failed of publish-dormant > 10`,
  'events-refused': `Sum ${own} Refused of publish-dormant > 2`,
  // and its partner, or its dead letter a person (S-69).
  'events-dead': `Sum ${own} DeadLetters of collect-dead-letters > 0`,
  'endpoint-differs': `Maximum ${own} DifferingEndpoints of keep-endpoints > 0, 900 s, or silence`,
  // What is kept no longer is removed (V1-8).
  'sweep-silent':
    'Sum AWS/Lambda Invocations of ExpirySweepSweepExpiredFunction < 1, 3 of 3, 1800 s, or silence',
});

/** Those that no emulator evaluates: metric math, and what only AWS has. */
const onAws = (own: string) => ({
  // Callers get answers of each function that are not 5xx (ERR-4, `answers.test.ts`).
  ...Object.fromEntries(
    ['issue-token', 'serve-docs', 'v1-transaction', 'v2-partner', 'v2-read', 'v2-write'].map((name) => [
      `answers-faulty-${name}`,
      `Average ${own} FaultyAnswers-${name} > 0.001, 2 of 10, 60 s`,
    ]),
  ),
  // Every event reaches its partner, or its dead letter a person (S-69), read or not.
  'partner-failing': `SELECT SUM(RetryInvocationAttempts) FROM SCHEMA("AWS/Events", EventBusName, RuleName) WHERE EventBusName = '${own}' GROUP BY RuleName ORDER BY SUM() DESC > 0, 3 of 3`,
  'dead-letters-lost': `SELECT SUM(InvocationsFailedToBeSentToDlq) FROM SCHEMA("AWS/Events", EventBusName, RuleName) WHERE EventBusName = '${own}' > 0`,
  'dead-letters-left':
    'waiting + read; Maximum AWS/SQS ApproximateNumberOfMessagesVisible of PartnerBusDeadLetters; Maximum AWS/SQS ApproximateNumberOfMessagesNotVisible of PartnerBusDeadLetters > 0, 10 of 10, 60 s',
  // Every request to a store is answered (ERR-4), of tables and their indexes.
  'table-throttled-read': 'SELECT SUM(ReadThrottleEvents) FROM "AWS/DynamoDB" > 10',
  'table-throttled-write': 'SELECT SUM(WriteThrottleEvents) FROM "AWS/DynamoDB" > 10',
  // No stranger makes writes expensive (S-86, TH-26), also where one of the two tables is not written at all.
  'writes-costly':
    'FILL(transactions, 0) + FILL(requests, 0); Sum AWS/DynamoDB ConsumedWriteCapacityUnits of PublishOutputRefTransactions; Sum AWS/DynamoDB ConsumedWriteCapacityUnits of PublishOutputRefRequests > 100000, 3 of 3, 60 s',
  // Nobody spends our money unseen (S-43).
  'usage-unusual': `ANOMALY_DETECTION_BAND(m0, 4); Sum AWS/ApiGateway Count of ${own}-TransactionsApi above it, 2 of 2, 3600 s`,
  // Tokens can be signed (TOK-1); lists and totals are exact (S-03).
  'signing-fails': `Sum ${own} SIGNING_FAILED > 0`,
  'listing-drifts': `Sum ${own} LISTING_DRIFTS > 5`,
  // A stranger cannot fill the store (S-79): five addresses, 60 a minute each.
  'anonymous-creations': `Sum ${own} TRANSACTION_CREATED > ${5 * 60 * 5}`,
  // Data can be read and restored by its owner (S-55, S-56).
  'key-in-danger': 'Sum AWS/Events TriggeredRules of WatchStoreGuardkeyindanger > 0',
  'recovery-off': 'Sum AWS/Events TriggeredRules of WatchStoreGuardrecoveryoff > 0',
  // Keys that sign are there, and rotated (TOK-3); what is done to the data is heard of (S-70).
  'secret-in-danger': 'Sum AWS/Events TriggeredRules of WatchStoreGuardsecretindanger > 0',
  'watch-in-danger': 'Sum AWS/Events TriggeredRules of WatchStoreGuardwatchindanger > 0',
});

/** Production alone has a firewall (S-40), and needs a domain of its own (O-56). */
const inProduction = {
  'callers-blocked': `Sum AWS/WAFV2 BlockedRequests of ${region}, ALL, transactions-production > 100`,
  'certificate-expires': `Minimum AWS/CertificateManager DaysToExpiry of arn:aws:acm:${region}:111122223333:certificate/12345678-1234-1234-1234-123456789012 < 30, 86400 s`,
};

const nobody = { emails: [], monthlyUsd: 1, writeUnitsPerMinute: 1 };

const alarmsOf = (stage: string) =>
  propertiesOf(templatesOf(stage).service, 'AWS::CloudWatch::Alarm') as Alarm[];

/** One bad period of 300 s rings where nothing else is said. */
const sentenceOf = (alarm: Alarm) => {
  const { Metrics, Threshold, Statistic, ExtendedStatistic, EvaluationPeriods: of } = alarm;
  const figures = Metrics?.map(
    ({ Expression, MetricStat }) => Expression ?? `${MetricStat?.Stat} ${metricOf(MetricStat?.Metric)}`,
  ) ?? [`${Statistic ?? ExtendedStatistic} ${metricOf(alarm)}`];
  const [period] = Metrics?.flatMap(({ Period, MetricStat }) => Period ?? MetricStat?.Period ?? []) ?? [
    alarm.Period,
  ];
  const bad = alarm.DatapointsToAlarm ?? of;
  return [
    `${figures.join('; ')} ${signs[alarm.ComparisonOperator]} ${Threshold ?? 'it'}`,
    ...(of === 1 ? [] : [`${bad} of ${of}`]),
    ...(period === 300 ? [] : [`${period} s`]),
    ...(alarm.TreatMissingData === 'breaching' ? ['or silence'] : []),
  ].join(', ');
};
const metricOf = ({ Namespace, MetricName, Dimensions }: Metric = {}) => {
  const of = Dimensions?.map(({ Value }) => nameless(Value)).join(', ');
  return `${Namespace} ${MetricName}${of ? ` of ${of}` : ''}`;
};
const signs: Record<string, string> = {
  GreaterThanThreshold: '>',
  LessThanThreshold: '<',
  GreaterThanUpperThreshold: 'above',
};

/** A name as it is, or the logical id of what has it. */
const nameless = (value: unknown) => {
  const [, id] = /"([A-Z]\w+)[0-9A-F]{8}"/.exec(JSON.stringify(value)) ?? [];
  return id ?? String(value);
};

describe.each(stageNames)('the alarms of stage %s', (stage) => {
  const own = `transactions-${stage}`;
  const alarms = alarmsOf(stage);

  test('S-69 S-70 O-55 S-20 S-43 S-86 fire for these metrics at these limits, and there are no others', () => {
    const sentences = alarms.map((alarm) => [alarm.AlarmName.replace(`${own}-`, ''), sentenceOf(alarm)]);

    expect(Object.fromEntries(sentences)).toEqual({
      ...everywhere(own),
      ...(stage !== 'local' && onAws(own)),
      ...(stage === 'production' && inProduction),
    });
    expect(sentences).toHaveLength(new Set(sentences.map(([name]) => name)).size);
  });

  test('S-70 describe their effect on partners, where to look, and where the procedure is', () => {
    for (const { AlarmName, AlarmDescription } of alarms) {
      expect(AlarmDescription).toMatch(/(partner|checkout|event|told|secret).*(look|see|log|run)/is);
      const [, name = ''] = /What to do: docs\/alarms\.md, ([\w-]+)\.$/.exec(AlarmDescription) ?? [];
      expect(AlarmName).toMatch(new RegExp(`^transactions-${stage}-${name}`));
    }
  });
});

const document = readFileSync(join(root, 'docs/alarms.md'), 'utf8');

test('S-70 each alarm of the catalogue is in a template, and has an entry in docs/alarms.md', () => {
  const entries = [...document.matchAll(/^- \*\*([\w-]+)\*\*: \S/gm)].map(([, name]) => name);
  const alarms = alarmsOf('production').map(
    ({ AlarmDescription }) => /docs\/alarms\.md, ([\w-]+)\.$/.exec(AlarmDescription)?.[1],
  );

  expect(entries.sort()).toEqual(Object.keys(alarmCatalogue).sort());
  expect([...new Set(alarms)].sort()).toEqual(Object.keys(alarmCatalogue).sort());
});

test('S-70 the alarms of updates name, and fire at, the times that their stage promises', async () => {
  const eventTimes = { dormancySeconds: 300, tickSeconds: 10, promisedSeconds: 360 };
  const { service } = await synthesise({ ...configOf('staging'), eventTimes });
  const alarms = propertiesOf(service, 'AWS::CloudWatch::Alarm') as Alarm[];
  const late = alarms.find(({ AlarmName }) => AlarmName.endsWith('-updates-late'));

  expect(late).toMatchObject({
    Threshold: 360_000,
    AlarmDescription: expect.stringContaining('notified of a change more than six minutes after it'),
  });
});

test('S-86 TH-26 the alarm on the cost of writes watches a table that replaces another, at the limit of its stage', async () => {
  const { watch = nobody } = configOf('staging');
  const { service } = await synthesise({
    ...configOf('staging'),
    watch: { ...watch, writeUnitsPerMinute: 7_000 },
    restoredTables: { requests: { table: 'Requests-2' } },
  });
  const alarms = propertiesOf(service, 'AWS::CloudWatch::Alarm') as Alarm[];
  const costly = alarms.find(({ AlarmName }) => AlarmName.endsWith('-writes-costly'));
  const watched = costly?.Metrics?.map(({ MetricStat }) => MetricStat?.Metric.Dimensions?.[0]?.Value);

  expect(costly?.Threshold).toBe(7_000);
  expect(watched).toContain('Requests-2');
});

test('S-70 the alarm that docs/alarms.md uses as its example exists in production', () => {
  const [, name] = /set-alarm-state --alarm-name (\S+)/.exec(document) ?? [];

  expect(alarmsOf('production').map(({ AlarmName }) => AlarmName)).toContain(name);
});

test.each([
  ['SIGNING_FAILED', ['TokenApiIssueToken', 'TransactionsApiV1Transaction'], '1'],
  ['LISTING_DRIFTS', ['TransactionsApiV1Transaction', 'TransactionsApiV2Read'], '1'],
  ['TRANSACTION_CREATED', ['TransactionsApiV1Transaction'], '1'],
])('S-70 the metric %s comes from the log lines of its functions', (MetricName, functions, MetricValue) => {
  const filters = propertiesOf(templatesOf('production').service, 'AWS::Logs::MetricFilter').filter(
    ({ FilterPattern }) => FilterPattern === `{ $.code = "${MetricName}" }`,
  );

  expect(filters.map((one) => [nameless(one.LogGroupName), one.MetricTransformations])).toEqual(
    functions.map((id) => [
      `${id}Log`,
      [{ MetricName, MetricNamespace: 'transactions-production', MetricValue }],
    ]),
  );
});

describe('dangerous changes of the data', () => {
  const { service } = templatesOf('production');
  const tableArn = (name: string) => arnIn('production', `:dynamodb:${region}:<account>:table/${name}`);
  const recovery = (tableName: unknown[], pointInTimeRecoverySpecification: object) => ({
    eventName: ['UpdateContinuousBackups'],
    requestParameters: { tableName, pointInTimeRecoverySpecification },
  });
  const callsOn = (...more: unknown[]) => {
    const own = 'transactions-production-data-';
    const tableName = [{ prefix: own }, { prefix: tableArn(own) }, ...more];
    return [
      recovery(tableName, { pointInTimeRecoveryEnabled: [false] }),
      recovery(tableName, { recoveryPeriodInDays: [{ numeric: ['<', 35] }] }),
      { eventName: ['UpdateTable'], requestParameters: { tableName, deletionProtectionEnabled: [false] } },
    ];
  };
  const ruleOf = (template: StackTemplate, alarm: string) =>
    propertiesOf(template, 'AWS::Events::Rule').find(
      ({ Name }) => Name === `transactions-production-${alarm}`,
    );
  const patternOf = (source: string[], detail: object) => ({
    ...{ source, detail },
    'detail-type': ['AWS API Call via CloudTrail', 'AWS Service Event via CloudTrail'],
  });
  const [urgent] = Object.keys(resourcesOf(service, 'AWS::SNS::Topic'));
  const secrets = ['AccessKeys', 'SessionKeys', 'Pepper'].map((name) => readsOfData(`OutputRef${name}`));
  const ending = ['DeleteSecret', 'CancelRotateSecret'];
  const guards = ['key-in-danger', 'recovery-off', 'secret-in-danger', 'watch-in-danger'];
  const schedules = Object.entries(resourcesOf(service, 'AWS::Events::Rule')).filter(
    ([, { Properties }]) => Properties.ScheduleExpression,
  );
  const name = [
    ...schedules.map(([id]) => ({ Ref: id })),
    ...guards.map((guard) => `transactions-production-${guard}`),
  ];

  test.each([
    [
      'S-55 disabling or deleting its key',
      'key-in-danger',
      ['aws.kms'],
      {
        eventName: ['DisableKey', 'ScheduleKeyDeletion'],
        resources: { ARN: [readsOfData('DataKey')] },
      },
    ],
    [
      'S-56 switching off or shortening the recovery, or the protection, of any table of the stack',
      'recovery-off',
      ['aws.dynamodb'],
      { $or: callsOn() },
    ],
    [
      'TOK-3 deleting the signing keys or the pepper, or ending their rotation, or one that fails',
      'secret-in-danger',
      ['aws.secretsmanager'],
      {
        $or: [
          { eventName: ending, responseElements: { arn: secrets } },
          { eventName: ending, responseElements: { aRN: secrets } },
          { eventName: ['RotationFailed', 'RotationAbandoned'] },
        ],
      },
    ],
    [
      'S-70 changing or removing what notices it: a trail, a schedule, or one of these rules by its name',
      'watch-in-danger',
      ['aws.cloudtrail', 'aws.events'],
      {
        $or: [
          { eventName: ['StopLogging', 'DeleteTrail', 'UpdateTrail', 'PutEventSelectors'] },
          { eventName: ['DisableRule', 'DeleteRule', 'PutRule'], requestParameters: { name } },
          { eventName: ['RemoveTargets'], requestParameters: { rule: name } },
        ],
      },
    ],
  ])('%s, sends a message that names nobody', (_, alarm, source, detail) => {
    expect(ruleOf(service, alarm)).toMatchObject({
      EventPattern: patternOf(source, detail),
      Targets: [
        {
          Arn: { Ref: urgent },
          Input: `"Somebody made a call that the alarm ${alarm} reports: see docs/alarms.md."`,
        },
      ],
    });
  });

  test('S-70 no other rule has a name, and there are five schedules', () => {
    const rules = propertiesOf(service, 'AWS::Events::Rule');

    expect(rules.filter(({ Name }) => Name !== undefined)).toHaveLength(guards.length);
    expect(schedules).toHaveLength(5);
  });

  test('S-56 a restored table is guarded like the one that it replaces', async () => {
    const restoredTables = { listing: { table: 'Listing-2' } };
    const { service: restored } = await synthesise({ ...configOf('production'), restoredTables });

    expect(ruleOf(restored, 'recovery-off')?.EventPattern).toEqual(
      patternOf(['aws.dynamodb'], { $or: callsOn('Listing-2', tableArn('Listing-2')) }),
    );
  });

  test('S-70 CloudTrail writes only for the stage’s trail, and deleted files are kept for another year', () => {
    const policies = propertiesOf(service, 'AWS::S3::BucketPolicy') as {
      PolicyDocument: { Statement: { Effect: string; Action: string; Condition: object }[] };
    }[];
    const [bucket] = propertiesOf(service, 'AWS::S3::Bucket');
    const [trail] = Object.values(resourcesOf(service, 'AWS::CloudTrail::Trail'));
    const trailArn = arnIn('production', `:cloudtrail:${region}:<account>:trail/transactions-production`);
    const allowed = policies
      .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
      .filter(({ Effect }) => Effect === 'Allow');

    expect(allowed.map(({ Action, Condition }) => [Action, Condition])).toEqual([
      ['s3:GetBucketAcl', { StringEquals: { 'aws:SourceArn': trailArn } }],
      [
        's3:PutObject',
        { StringEquals: { 'aws:SourceArn': trailArn, 's3:x-amz-acl': 'bucket-owner-full-control' } },
      ],
    ]);
    expect(trail?.DependsOn).toEqual(Object.keys(resourcesOf(service, 'AWS::S3::BucketPolicy')));
    expect(bucket?.LifecycleConfiguration).toEqual({
      Rules: [
        {
          ...{ ExpirationInDays: 365, Status: 'Enabled' },
          NoncurrentVersionExpiration: { NoncurrentDays: 365 },
        },
      ],
    });
  });
});

describe('the dashboard', () => {
  const [dashboard] = propertiesOf(templatesOf('production').service, 'AWS::CloudWatch::Dashboard') as {
    DashboardName: string;
    DashboardBody: { 'Fn::Join': [string, unknown[]] };
  }[];
  const body = (dashboard?.DashboardBody['Fn::Join'][1] ?? [])
    .map((part) => (typeof part === 'string' ? part : 'x'))
    .join('');
  const { widgets } = JSON.parse(body || '{"widgets":[]}') as {
    widgets: { properties: { markdown?: string; title?: string; alarms?: unknown[]; metrics?: unknown[] } }[];
  };
  const said = widgets.map(({ properties: { markdown, title } }) => markdown ?? title);

  test('S-70 has the name of the stage, and shows on its first row whether partners are served', () => {
    expect(dashboard?.DashboardName).toBe('transactions-production');
    expect(said.slice(0, 6)).toEqual([
      ...['# Are partners being served?', 'Requests', 'Share of 5xx'],
      ...['Delay of updates, ms', 'Delay of completions, ms', 'Alarms'],
    ]);
  });

  test('S-70 shows every alarm, S-40 and the requests that each firewall rule blocks', () => {
    const rules = [
      ...['TokensPerAddress', 'CreationsPerAddress', 'V1WritesPerAddress', 'V1PerAddress'],
      ...['PerAuthorization', 'PerAddress'],
    ];
    const shown = body.matchAll(/"Rule","(\w+)"/g);

    expect(widgets.flatMap(({ properties }) => properties.alarms ?? [])).toHaveLength(
      alarmsOf('production').length,
    );
    expect([...shown].map(([, rule]) => rule)).toEqual(rules);
  });

  test('D-31 has no more metrics than are free: 50', () => {
    const shown = widgets.flatMap(({ properties }) => properties.metrics ?? []);

    expect(shown.length).toBeGreaterThan(30);
    expect(shown.length).toBeLessThanOrEqual(50);
  });

  test('D-31 shows, with the alarms, every reported metric; other figures are only logged', () => {
    const read = JSON.stringify(alarmsOf('production')) + body;
    const names = Object.values(metricCatalogue).map(({ metricName }) => metricName);

    expect(names.filter((name) => !read.includes(`"${name}"`))).toEqual([]);
  });
});

const anomalyMonitorArn = 'arn:aws:ce::111122223333:anomalymonitor/1';
const pagerSecretArn = `arn:aws:secretsmanager:${region}:111122223333:secret:pager`;
const watched = await synthesise({
  ...configOf('production'),
  watch: {
    ...{ emails: ['on-call@example.com', 'owner@example.com'], monthlyUsd: 80, writeUnitsPerMinute: 100_000 },
    ...{ anomalyMonitorArn, pagerSecretArn },
  },
});

describe('recipients of alarms', () => {
  const { service } = watched;
  const topics = Object.entries(resourcesOf(service, 'AWS::SNS::Topic'));
  const [[urgent = ''] = [], [other = ''] = []] = topics;

  test('S-70 an urgent alarm notifies the urgent topic, any other the other one, when it fires and when it ends', () => {
    const alarms = propertiesOf(service, 'AWS::CloudWatch::Alarm') as (Alarm & { AlarmName: string })[];
    const namesOf = (topic: string) => [
      ...new Set(
        alarms
          .filter(({ AlarmActions = [] }) =>
            (AlarmActions as { Ref: string }[]).every(({ Ref }) => Ref === topic),
          )
          .map(({ AlarmName }) => AlarmName.replace('transactions-production-', '')),
      ),
    ];

    expect(topics.map(([, { Properties }]) => Properties.DisplayName)).toEqual([
      'Transactions (production): urgent alarms',
      'Transactions (production): other alarms',
    ]);
    for (const { AlarmActions, OKActions } of alarms) expect(OKActions).toEqual(AlarmActions);
    expect(namesOf(urgent).sort()).toEqual([
      ...['answers-faulty-issue-token', 'answers-faulty-serve-docs', 'answers-faulty-v1-transaction'],
      ...['answers-faulty-v2-partner', 'answers-faulty-v2-read', 'answers-faulty-v2-write'],
      ...['api-faults-TokenApi', 'api-faults-TransactionsApi', 'bus-silent', 'functions-throttled'],
      ...['key-in-danger', 'recovery-off', 'secret-in-danger', 'signing-fails', 'stream-behind'],
      ...['updates-waiting', 'watch-in-danger'],
    ]);
    expect(namesOf(other)).toContain('partner-failing');
    expect(namesOf(urgent).length + namesOf(other).length).toBe(alarms.length);
  });

  test('S-70 both go to the addresses of the stage, and the urgent one also to the pager, whose address is in a secret', () => {
    const subscriptions = propertiesOf(service, 'AWS::SNS::Subscription') as Record<string, unknown>[];

    expect(subscriptions.map(({ TopicArn, Protocol, Endpoint }) => [TopicArn, Protocol, Endpoint])).toEqual([
      [{ Ref: urgent }, 'email', 'on-call@example.com'],
      [{ Ref: urgent }, 'email', 'owner@example.com'],
      [{ Ref: urgent }, 'https', `{{resolve:secretsmanager:${pagerSecretArn}:SecretString:::}}`],
      [{ Ref: other }, 'email', 'on-call@example.com'],
      [{ Ref: other }, 'email', 'owner@example.com'],
    ]);
  });

  test('S-70 the topics need no key of ours, accept only TLS, and accept messages of AWS for this account', () => {
    const policies = propertiesOf(service, 'AWS::SNS::TopicPolicy') as {
      PolicyDocument: { Statement: Record<string, unknown>[] };
    }[];
    const publishing = (topic: string, services: unknown, condition?: object) => ({
      ...{ Sid: expect.any(String), Effect: 'Allow', Action: 'sns:Publish' },
      ...{ Principal: { Service: services }, Resource: { Ref: topic } },
      ...(condition && { Condition: condition }),
    });
    const ofAccount = { StringEquals: { 'aws:SourceAccount': accountIn('production') } };
    const onlyTls = expect.objectContaining({
      ...{ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
    });

    for (const [, { Properties }] of topics) expect(Properties).not.toHaveProperty('KmsMasterKeyId');
    expect(policies.map(({ PolicyDocument }) => PolicyDocument.Statement)).toEqual([
      [
        ...[onlyTls, publishing(urgent, 'cloudwatch.amazonaws.com', ofAccount)],
        publishing(urgent, 'events.amazonaws.com'),
      ],
      [
        onlyTls,
        publishing(
          other,
          ['cloudwatch.amazonaws.com', 'budgets.amazonaws.com', 'costalerts.amazonaws.com'],
          ofAccount,
        ),
      ],
    ]);
  });

  test('S-43 a budget of the account’s month notifies the other topic when it is exceeded, or will be', () => {
    const [budget] = propertiesOf(service, 'AWS::Budgets::Budget') as {
      Budget: object;
      NotificationsWithSubscribers: { Notification: object; Subscribers: object[] }[];
    }[];

    expect(budget?.Budget).toMatchObject({
      ...{ BudgetType: 'COST', TimeUnit: 'MONTHLY', BudgetLimit: { Amount: 80, Unit: 'USD' } },
    });
    expect(budget?.NotificationsWithSubscribers).toEqual(
      ['ACTUAL', 'FORECASTED'].map((type) => ({
        Notification: {
          ...{ NotificationType: type, ComparisonOperator: 'GREATER_THAN' },
          ...{ Threshold: 100, ThresholdType: 'PERCENTAGE' },
        },
        Subscribers: [{ SubscriptionType: 'SNS', Address: { Ref: other } }],
      })),
    );
  });

  test('S-43 the cost monitor of AWS notifies it as well, if the stage names the monitor', () => {
    expect(propertiesOf(service, 'AWS::CE::AnomalySubscription')).toMatchObject([
      {
        ...{ Frequency: 'IMMEDIATE', MonitorArnList: [anomalyMonitorArn] },
        Subscribers: [{ Type: 'SNS', Address: { Ref: other } }],
      },
    ]);
    expect(resourcesOf(templatesOf('production').service, 'AWS::CE::AnomalySubscription')).toEqual({});
  });

  test('S-43 both are created after the policy of the topic, and a changed budget gets a new name', () => {
    const [, policyId] = Object.keys(resourcesOf(service, 'AWS::SNS::TopicPolicy'));
    const told = ['AWS::Budgets::Budget', 'AWS::CE::AnomalySubscription'].flatMap((type) =>
      Object.values(resourcesOf(service, type)),
    );

    expect(told.map(({ DependsOn }) => DependsOn?.includes(policyId ?? ''))).toEqual([true, true]);
    expect(told[0]?.Properties.Budget).not.toHaveProperty('BudgetName');
  });

  test('nobody, on the local stage, which has no dashboard either: emulators know neither', () => {
    const { service: local } = templatesOf('local');

    expect(resourcesOf(local, 'AWS::SNS::Topic')).toEqual({});
    expect(resourcesOf(local, 'AWS::CloudWatch::Dashboard')).toEqual({});
  });
});
