import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { metricCatalogue } from '../../../functions/shared/runtime/metric-catalogue.ts';
import { configOf, stageNames } from '../../../lib/config.ts';
import { alarmCatalogue } from '../../../lib/constructs/watch/alarm-catalogue.ts';
import { createPattern } from '../../../localstack/aws/event-pattern.ts';
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

type MetricStat = {
  Metric: { MetricName: string; Namespace: string; Dimensions: object[] };
  Stat: string;
  Period: number;
};
type Alarm = {
  AlarmName: string;
  AlarmDescription: string;
  AlarmActions?: unknown[];
  OKActions?: unknown[];
  Namespace?: string;
  MetricName?: string;
  Metrics?: { Expression?: string; Period?: number; MetricStat?: MetricStat }[];
  Dimensions?: { Name: string; Value: unknown }[];
  Threshold: number;
  Statistic?: string;
  ExtendedStatistic?: string;
  ComparisonOperator: string;
  TreatMissingData: string;
  EvaluationPeriods: number;
  DatapointsToAlarm?: number;
  Period: number;
};

/** Those that no caller waits for. */
const unaskedFunctions = [
  ...['capture-change', 'collect-dead-letters', 'keep-endpoints', 'publish-dormant', 'reconcile'],
  ...['rotate-keys', 'sweep-expired'],
];

/** Promises, and the alarms that ring if they are broken. */
const promises = {
  'callers get answers that are not 5xx, within 3 s (S-70)': [
    ...['api-faults-TransactionsApi', 'api-faults-TokenApi', 'api-slow-TransactionsApi', 'api-slow-TokenApi'],
  ],
  'every call finds a function, and none fails that no caller waits for (S-42)': [
    'functions-throttled',
    ...unaskedFunctions.map((name) => `function-fails-${name}`),
  ],
  'partners get tokens, and nobody guesses a secret (TOK-1, O-55, S-20)': [
    ...['tokens-refused', 'secrets-guessed', 'secrets-wrong', 'secret-ended'],
  ],
  'TransactionUpdated in time (interface 6.1)': ['updates-waiting', 'updates-late', 'stream-behind'],
  'every change is recorded once (I20)': [
    ...['changes-given-up', 'changes-repaired', 'reconcile-silent', 'daily-reconcile-silent'],
  ],
  'every event reaches the bus': ['bus-silent', 'events-failing', 'events-parked'],
  'every event reaches its partner, or its dead letter a person (S-69)': [
    ...['events-dead', 'endpoint-differs'],
  ],
  'what is kept no longer is removed (V1-8)': ['sweep-silent'],
};

/** Production alone has a firewall, and needs a domain of its own. */
const productionPromises = {
  'one caller cannot take the service from the others (S-40)': ['callers-blocked'],
  'callers reach both APIs by TLS (O-56)': ['certificate-expires'],
};

/** Those that no emulator evaluates: metric math, and what only AWS has. */
const watchedPromises = {
  'callers get answers of each function that are not 5xx (ERR-4)': [
    ...['issue-token', 'serve-docs', 'v1-transaction', 'v2-partner', 'v2-read', 'v2-write'].map(
      (name) => `answers-faulty-${name}`,
    ),
  ],
  'every event reaches its partner, or its dead letter a person (S-69)': [
    ...['partner-failing', 'dead-letters-lost', 'dead-letters-left'],
  ],
  'every request to a store is answered (ERR-4)': ['table-throttled-read', 'table-throttled-write'],
  'TransactionCompleted at once (interface 6.1)': ['completions-late'],
  'nobody spends our money unseen (S-43)': ['usage-unusual'],
  'tokens can be signed (TOK-1)': ['signing-fails'],
  'lists and totals are exact (S-03)': ['listing-drifts'],
  'a stranger cannot fill the store (S-79)': ['anonymous-creations'],
  'data can be read and restored by its owner (S-55, S-56)': ['key-in-danger', 'recovery-off'],
  'keys that sign are there, and rotated (TOK-3)': ['secret-in-danger'],
  'what is done to the data is heard of (S-70)': ['watch-in-danger'],
};

const alarmsOf = (stage: string) =>
  propertiesOf(templatesOf(stage).service, 'AWS::CloudWatch::Alarm') as Alarm[];

const named = (stage: string, name: string): Alarm => {
  const found = alarmsOf(stage).find(({ AlarmName }) => AlarmName === `transactions-${stage}-${name}`);
  if (!found) throw new Error(`No alarm ${name}`);
  return found;
};

/** `Maximum AWS/Lambda IteratorAge of ChangeCaptureCaptureChangeFunction > 30000` */
const sentenceOf = (alarm: Alarm) => {
  const { Namespace, MetricName, Dimensions, Threshold, Statistic, ExtendedStatistic } = alarm;
  const of = Dimensions?.map(({ Value }) => nameless(Value)).join(', ') ?? 'the account';
  const sign = alarm.ComparisonOperator === 'GreaterThanThreshold' ? '>' : '<';
  return `${Statistic ?? ExtendedStatistic} ${Namespace} ${MetricName} of ${of} ${sign} ${Threshold}`;
};

/** A name, or the logical id of the resource that has it. */
const nameless = (value: unknown) => {
  const [, id] = /"([A-Z]\w+)[0-9A-F]{8}"/.exec(JSON.stringify(value)) ?? [];
  return id ?? String(value);
};

/** Of the metric itself, or of those that an expression reads. */
const periodOf = ({ Period, Metrics = [] }: Alarm) => {
  const periods = Metrics.flatMap(({ Period: own, MetricStat }) => own ?? MetricStat?.Period ?? []);
  return Period ?? [...new Set(periods)].join(', ');
};

describe.each(stageNames)('the alarms of stage %s', (stage) => {
  const alarms = alarmsOf(stage);

  test('S-69 S-70 are those of the promises, and no others', () => {
    const watched = stage === 'local' ? [] : Object.values(watchedPromises).flat();
    const firewall = stage === 'production' ? Object.values(productionPromises).flat() : [];
    const expected = [...Object.values(promises).flat(), ...watched, ...firewall];

    expect(alarms.map(({ AlarmName }) => AlarmName).sort()).toEqual(
      expected.map((name) => `transactions-${stage}-${name}`).sort(),
    );
  });

  test('S-69 S-70 watch faults, slowness and throttles of both APIs, refused tokens, O-55 S-20 wrong secrets, and each hop of an event', () => {
    const own = `transactions-${stage}`;
    const plain = alarms.filter(
      ({ AlarmName, Metrics }) =>
        !Metrics &&
        !/function-fails|answers-faulty|in-danger|recovery-off|signing|drifts|completions|anonymous/.test(
          AlarmName,
        ),
    );

    expect(plain.map(sentenceOf).sort()).toEqual(
      [
        `Average AWS/ApiGateway 5XXError of ${own}-TransactionsApi > 0.01`,
        `p99 AWS/ApiGateway Latency of ${own}-TransactionsApi > 3000`,
        `Average AWS/ApiGateway 5XXError of ${own}-TokenApi > 0.01`,
        `p99 AWS/ApiGateway Latency of ${own}-TokenApi > 3000`,
        `Average AWS/ApiGateway 4XXError of ${own}-TokenApi > 0.5`,
        'Sum AWS/Lambda Throttles of the account > 0',
        `Sum ${own} RefusedClients of guessing, issue-token > 0`,
        `Sum ${own} RefusedClients of wrong-secret, issue-token > 50`,
        `Sum ${own} RefusedClients of ended-secret, issue-token > 0`,
        'Maximum AWS/Lambda IteratorAge of ChangeCaptureCaptureChangeFunction > 30000',
        'Maximum AWS/SQS ApproximateNumberOfMessagesVisible of ChangeCaptureGivenUp > 0',
        `Maximum ${own} OldestDueAge of publish-dormant > 60000`,
        `Maximum ${own} UpdateDelay of publish-dormant > ${configOf(stage).eventTimes.promisedSeconds * 1000}`,
        `Maximum ${own} LookedBack of reconcile < 2880`,
        `Sum ${own} Parked of publish-dormant > 0`,
        `Sum ${own} Unconfirmed of publish-dormant > 10`,
        `Sum ${own} Failed of publish-dormant > 10`,
        `Sum ${own} DeadLetters of collect-dead-letters > 0`,
        `Sum ${own} Repaired of reconcile > 0`,
        `Maximum ${own} DifferingEndpoints of keep-endpoints > 0`,
        'Sum AWS/Lambda Invocations of ReconcilerReconcileFunction < 1',
        'Sum AWS/Lambda Invocations of ExpirySweepSweepExpiredFunction < 1',
        ...(stage === 'production'
          ? [
              `Sum AWS/WAFV2 BlockedRequests of ${region}, ALL, transactions-production > 100`,
              `Minimum AWS/CertificateManager DaysToExpiry of arn:aws:acm:${region}:111122223333:certificate/12345678-1234-1234-1234-123456789012 < 30`,
            ]
          : []),
      ].sort(),
    );
  });

  test('S-70 count the faults of each function that no caller waits for', () => {
    const counts = alarms.filter(({ AlarmName }) => /function-fails/.test(AlarmName));

    expect(counts.map(sentenceOf).sort()).toEqual(
      [
        ...[
          ...['ChangeCaptureCaptureChange', 'DeadLetterCollectorCollectDeadLetters'],
          ...['DormantPublisherPublishDormant', 'ReconcilerReconcile', 'SigningKeysRotateKeys'],
          ...['EndpointKeeperKeepEndpoints', 'ExpirySweepSweepExpired'],
        ].map((name) => `Sum AWS/Lambda Errors of ${name}Function > 0`),
      ].sort(),
    );
  });

  test('S-70 ring after one bad period, after two of three where one is noise', () => {
    const patient = alarms.filter(
      ({ AlarmName, EvaluationPeriods }) => EvaluationPeriods > 1 && !AlarmName.includes('answers-faulty'),
    );
    const said = patient.map((alarm) => [
      alarm.AlarmName.replace(`transactions-${stage}-`, ''),
      `${alarm.DatapointsToAlarm ?? alarm.EvaluationPeriods} of ${alarm.EvaluationPeriods}`,
      periodOf(alarm),
    ]);

    expect(Object.fromEntries(said.map(([name, ...periods]) => [name, periods]))).toEqual({
      'api-faults-TokenApi': ['2 of 3', 300],
      'api-faults-TransactionsApi': ['2 of 3', 300],
      'api-slow-TokenApi': ['2 of 3', 300],
      'api-slow-TransactionsApi': ['2 of 3', 300],
      'tokens-refused': ['2 of 3', 300],
      'daily-reconcile-silent': ['26 of 26', 3_600],
      'reconcile-silent': ['3 of 3', 300],
      'sweep-silent': ['3 of 3', 1_800],
      ...(stage !== 'local' && {
        'completions-late': ['2 of 3', 300],
        'usage-unusual': ['2 of 2', '3600'],
        'partner-failing': ['3 of 3', '300'],
        'dead-letters-left': ['10 of 10', '60'],
      }),
    });
  });

  test('S-70 look at five minutes, at less for the stream and for what is due, at more for slow schedules', () => {
    const others = alarms.filter(
      ({ AlarmName, Period, Metrics }) =>
        !Metrics && Period !== 300 && !/answers-faulty|certificate/.test(AlarmName),
    );

    expect(others.map((alarm) => [sentenceOf(alarm), alarm.Period]).sort()).toEqual([
      ['Maximum AWS/Lambda IteratorAge of ChangeCaptureCaptureChangeFunction > 30000', 60],
      [`Maximum transactions-${stage} DifferingEndpoints of keep-endpoints > 0`, 900],
      [`Maximum transactions-${stage} LookedBack of reconcile < 2880`, 3_600],
      [`Maximum transactions-${stage} OldestDueAge of publish-dormant > 60000`, 120],
      ['Sum AWS/Lambda Invocations of ExpirySweepSweepExpiredFunction < 1', 1_800],
    ]);
  });

  test('S-70 ring in silence where silence means that a schedule has stopped', () => {
    const silent = alarms.filter(({ TreatMissingData }) => TreatMissingData === 'breaching');

    expect(silent.map(({ AlarmName }) => AlarmName.replace(`transactions-${stage}-`, '')).sort()).toEqual([
      ...[
        'daily-reconcile-silent',
        'endpoint-differs',
        'reconcile-silent',
        'sweep-silent',
        'updates-waiting',
      ],
    ]);
  });

  test('S-70 say what they mean for partners, where to look, and where it stands what to do', () => {
    for (const { AlarmName, AlarmDescription } of alarms) {
      expect(AlarmDescription).toMatch(/(partner|checkout|event|told|secret).*(look|see|log|run)/is);
      const [, name = ''] = /What to do: docs\/alarms\.md, ([\w-]+)\.$/.exec(AlarmDescription) ?? [];
      expect(AlarmName).toMatch(new RegExp(`^transactions-${stage}-${name}`));
    }
  });
});

test('S-70 each alarm of the list stands in a template, and has its entry in docs/alarms.md', () => {
  const document = readFileSync(join(root, 'docs/alarms.md'), 'utf8');
  const entries = [...document.matchAll(/^\*\*([\w-]+)\*\*: \S/gm)].map(([, name]) => name);
  const alarms = alarmsOf('production').map(
    ({ AlarmDescription }) => /docs\/alarms\.md, ([\w-]+)\.$/.exec(AlarmDescription)?.[1],
  );

  expect(entries.sort()).toEqual(Object.keys(alarmCatalogue).sort());
  expect([...new Set(alarms)].sort()).toEqual(Object.keys(alarmCatalogue).sort());
});

test('S-70 the alarms of updates say, and ring at, what the times of their stage promise', async () => {
  const eventTimes = { dormancySeconds: 300, tickSeconds: 10, promisedSeconds: 360 };
  const { service } = await synthesise({ ...configOf('staging'), eventTimes });
  const alarms = propertiesOf(service, 'AWS::CloudWatch::Alarm') as Alarm[];
  const late = alarms.find(({ AlarmName }) => AlarmName.endsWith('-updates-late'));

  expect(late).toMatchObject({
    Threshold: 360_000,
    AlarmDescription: expect.stringContaining('notified of a change more than six minutes after it'),
  });
});

test('S-70 the alarm that docs/alarms.md rings for the looks of it is one of production', () => {
  const document = readFileSync(join(root, 'docs/alarms.md'), 'utf8');
  const [, name] = /set-alarm-state --alarm-name (\S+)/.exec(document) ?? [];

  expect(alarmsOf('production').map(({ AlarmName }) => AlarmName)).toContain(name);
});

test('no emulator evaluates metric math: the local stage has none', () => {
  expect(alarmsOf('local').filter(({ Metrics }) => Metrics)).toEqual([]);
});

test('S-69 dead letters that nobody collects count whether they wait or are read again and again', () => {
  const { Metrics = [], Threshold } = named('production', 'dead-letters-left');

  expect(
    Metrics.flatMap(({ Expression, MetricStat }) => Expression ?? MetricStat?.Metric.MetricName),
  ).toEqual([
    'waiting + read',
    'ApproximateNumberOfMessagesVisible',
    'ApproximateNumberOfMessagesNotVisible',
  ]);
  expect(Threshold).toBe(0);
});

test.each([
  [
    'partner-failing rings for each partner’s rule by itself',
    'RetryInvocationAttempts',
    ' GROUP BY RuleName ORDER BY SUM() DESC',
  ],
  ['dead-letters-lost sums up all rules of partners', 'InvocationsFailedToBeSentToDlq', ''],
])('S-69 %s', (title, metric, each) => {
  const [name = ''] = title.split(' ');

  expect(named('production', name).Metrics?.map(({ Expression }) => Expression)).toEqual([
    `SELECT SUM(${metric}) FROM SCHEMA("AWS/Events", EventBusName, RuleName) WHERE EventBusName = 'transactions-production'${each}`,
  ]);
});

test.each(['Read', 'Write'])(
  'S-70 table-throttled counts what tables and their indexes turn away: %s',
  (kind) => {
    const { Metrics, Threshold } = named('production', `table-throttled-${kind.toLowerCase()}`);

    expect(Metrics?.map(({ Expression }) => Expression)).toEqual([
      `SELECT SUM(${kind}ThrottleEvents) FROM "AWS/DynamoDB"`,
    ]);
    expect(Threshold).toBe(10);
  },
);

test.each([
  ['signing-fails', 'SIGNING_FAILED', ['TokenApiIssueToken', 'TransactionsApiV1Transaction'], 0],
  ['listing-drifts', 'LISTING_DRIFTS', ['TransactionsApiV2Read'], 5],
  // Five addresses, 60 a minute each.
  ['anonymous-creations', 'TRANSACTION_CREATED', ['TransactionsApiV1Transaction'], 5 * 60 * 5],
])('S-70 %s counts the lines %s of its functions', (name, code, functions, above) => {
  const filters = propertiesOf(templatesOf('production').service, 'AWS::Logs::MetricFilter').filter(
    ({ FilterPattern }) => FilterPattern === `{ $.code = "${code}" }`,
  );

  expect(filters.map(({ LogGroupName }) => LogGroupName)).toEqual(
    functions.map((id) => ({ Ref: expect.stringMatching(new RegExp(`^${id}Log[0-9A-F]{8}$`)) })),
  );
  for (const { MetricTransformations } of filters)
    expect(MetricTransformations).toEqual([
      { MetricName: code, MetricNamespace: 'transactions-production', MetricValue: '1' },
    ]);
  expect(named('production', name)).toMatchObject({
    ...{ Namespace: 'transactions-production', MetricName: code, Statistic: 'Sum', Threshold: above },
  });
});

test('S-70 completions-late looks at the latest completion of publish-dormant: 2 s', () => {
  const filters = propertiesOf(templatesOf('production').service, 'AWS::Logs::MetricFilter').filter(
    ({ FilterPattern }) => FilterPattern === '{ $.code = "COMPLETION_NOTIFIED" }',
  );

  expect(filters.map(({ LogGroupName }) => nameless(LogGroupName)).sort()).toEqual([
    'DormantPublisherPublishDormantLog',
  ]);
  expect(filters.map(({ MetricTransformations }) => MetricTransformations)).toEqual([
    [
      {
        MetricName: 'COMPLETION_NOTIFIED',
        MetricNamespace: 'transactions-production',
        MetricValue: '$.delayMs',
      },
    ],
  ]);
  expect(named('production', 'completions-late')).toMatchObject({
    ...{ MetricName: 'COMPLETION_NOTIFIED', Statistic: 'Maximum', Threshold: 2_000 },
  });
});

describe('what nobody should do to the data', () => {
  const { service } = templatesOf('production');
  const patternsOf = (template: StackTemplate) =>
    propertiesOf(template, 'AWS::Events::Rule').map(({ EventPattern }) => EventPattern);
  const tableArn = (name: string) => arnIn('production', `:dynamodb:${region}:<account>:table/${name}`);
  const fromTrails = ['AWS API Call via CloudTrail', 'AWS Service Event via CloudTrail'];
  const callsOn = (tableName: unknown[]) => ({
    source: ['aws.dynamodb'],
    'detail-type': fromTrails,
    detail: {
      $or: [
        {
          eventName: ['UpdateContinuousBackups'],
          requestParameters: {
            tableName,
            pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: [false] },
          },
        },
        {
          eventName: ['UpdateContinuousBackups'],
          requestParameters: {
            tableName,
            pointInTimeRecoverySpecification: { recoveryPeriodInDays: [{ numeric: ['<', 35] }] },
          },
        },
        {
          eventName: ['UpdateTable'],
          requestParameters: { tableName, deletionProtectionEnabled: [false] },
        },
      ],
    },
  });
  const ofTheStack = [
    { prefix: 'transactions-production-data-' },
    { prefix: tableArn('transactions-production-data-') },
  ];

  test('TOK-3 is deleting the signing keys or the pepper, or ending their rotation, or one that fails', () => {
    const arns = ['AccessKeys', 'SessionKeys', 'Pepper'].map((name) => readsOfData(`OutputRef${name}`));
    const eventName = ['DeleteSecret', 'CancelRotateSecret'];

    expect(patternsOf(service)).toContainEqual({
      source: ['aws.secretsmanager'],
      'detail-type': fromTrails,
      detail: {
        $or: [
          { eventName, responseElements: { arn: arns } },
          { eventName, responseElements: { aRN: arns } },
          { eventName: ['RotationFailed', 'RotationAbandoned'] },
        ],
      },
    });
  });

  test('S-55 is disabling or deleting its key', () => {
    expect(patternsOf(service)).toContainEqual({
      source: ['aws.kms'],
      'detail-type': fromTrails,
      detail: {
        eventName: ['DisableKey', 'ScheduleKeyDeletion'],
        resources: { ARN: [readsOfData('DataKey')] },
      },
    });
  });

  test('S-56 is switching off or shortening the recovery, or the protection, of any table of the stack', () => {
    expect(patternsOf(service)).toContainEqual(callsOn(ofTheStack));
  });

  test('S-56 or of one that was restored in its place', async () => {
    const restoredTables = { listing: { table: 'Listing-2' } };
    const { service: restored } = await synthesise({ ...configOf('production'), restoredTables });

    expect(patternsOf(restored)).toContainEqual(callsOn([...ofTheStack, 'Listing-2', tableArn('Listing-2')]));
  });

  const watchPattern = patternsOf(service).find((one) =>
    JSON.stringify(one ?? '').includes('aws.cloudtrail'),
  ) as {
    source: string[];
    'detail-type': string[];
    detail: { $or: [{ eventName: string[] }, ...object[]] };
  };

  test('S-70 is changing or removing what notices it: a trail, a schedule, or one of these rules by its name', () => {
    const rules = Object.entries(resourcesOf(service, 'AWS::Events::Rule'));
    const schedules = rules.filter(([, { Properties }]) => Properties.ScheduleExpression);
    const guards = ['key-in-danger', 'recovery-off', 'secret-in-danger', 'watch-in-danger'].map(
      (alarm) => `transactions-production-${alarm}`,
    );
    const name = [...schedules.map(([id]) => ({ Ref: id })), ...guards];

    expect(rules.flatMap(([, { Properties }]) => Properties.Name ?? [])).toEqual(guards);
    expect(schedules.length).toBeGreaterThan(3);
    expect(watchPattern).toEqual({
      source: ['aws.cloudtrail', 'aws.events'],
      'detail-type': fromTrails,
      detail: {
        $or: [
          { eventName: ['StopLogging', 'DeleteTrail', 'UpdateTrail', 'PutEventSelectors'] },
          { eventName: ['DisableRule', 'DeleteRule', 'PutRule'], requestParameters: { name } },
          { eventName: ['RemoveTargets'], requestParameters: { rule: name } },
        ],
      },
    });
  });

  test('S-70 a trail that is stopped meets the pattern, and one that is started does not', () => {
    const [ofTrails] = watchPattern.detail.$or;
    const matches = createPattern({ ...watchPattern, detail: ofTrails });
    const call = (eventName: string) => ({
      ...{ source: 'aws.cloudtrail', 'detail-type': 'AWS API Call via CloudTrail' },
      detail: { eventName, requestParameters: { name: 'transactions-production' } },
    });

    expect(matches(call('StopLogging'))).toBe(true);
    expect(matches(call('StartLogging'))).toBe(false);
  });

  test('S-70 each rule has a target, which is sent a sentence that names nobody', () => {
    const rules = propertiesOf(service, 'AWS::Events::Rule').filter(({ EventPattern }) => EventPattern) as {
      Targets?: { Arn: { Ref: string }; Input: string }[];
    }[];
    const [urgent = ''] = Object.keys(resourcesOf(service, 'AWS::SNS::Topic'));

    expect(rules.map(({ Targets }) => Targets?.map(({ Arn, Input }) => [Arn.Ref, Input]))).toEqual(
      ['key-in-danger', 'recovery-off', 'secret-in-danger', 'watch-in-danger'].map((name) => [
        [urgent, `"A call came that ${name} of docs/alarms.md rings for."`],
      ]),
    );
  });

  test('S-70 CloudTrail writes for the stage’s trail alone, and what is deleted is kept for another year', () => {
    const policies = propertiesOf(service, 'AWS::S3::BucketPolicy') as {
      PolicyDocument: { Statement: { Effect: string; Action: string; Condition: object }[] };
    }[];
    const [bucket] = propertiesOf(service, 'AWS::S3::Bucket') as { LifecycleConfiguration: object }[];
    const [, trail] = Object.entries(resourcesOf(service, 'AWS::CloudTrail::Trail'))[0] ?? [];
    const name = 'trail/transactions-production';
    const trailArn = arnIn('production', `:cloudtrail:${region}:<account>:${name}`);
    const allowed = policies
      .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
      .filter(({ Effect }) => Effect === 'Allow');

    expect(allowed.map(({ Action, Condition }) => [Action, Condition])).toEqual([
      ['s3:GetBucketAcl', { StringEquals: { 'aws:SourceArn': trailArn } }],
      [
        's3:PutObject',
        {
          StringEquals: { 'aws:SourceArn': trailArn, 's3:x-amz-acl': 'bucket-owner-full-control' },
        },
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

  test('S-70 reaches the rules: a trail of the stage logs what changes something, under no key of ours', () => {
    const [trail] = propertiesOf(service, 'AWS::CloudTrail::Trail');
    const [[bucketId, bucket] = []] = Object.entries(resourcesOf(service, 'AWS::S3::Bucket'));

    expect(trail).toMatchObject({
      ...{ TrailName: 'transactions-production', IsLogging: true, EnableLogFileValidation: true },
      ...{ IsMultiRegionTrail: false, S3BucketName: { Ref: bucketId } },
      AdvancedEventSelectors: expect.arrayContaining([
        {
          Name: 'changes of the account',
          FieldSelectors: [
            { Field: 'eventCategory', Equals: ['Management'] },
            { Field: 'readOnly', Equals: ['false'] },
          ],
        },
      ]),
    });
    expect(trail).not.toHaveProperty('KMSKeyId');
    expect(bucket).toMatchObject({
      DeletionPolicy: 'RetainExceptOnCreate',
      Properties: {
        BucketEncryption: {
          ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
        },
        LifecycleConfiguration: { Rules: [{ ExpirationInDays: 365, Status: 'Enabled' }] },
      },
    });
  });

  test('S-70 is logged by the account’s own trail where the stage says that there is one', async () => {
    const { watch = { emails: [], monthlyUsd: 1 } } = configOf('production');
    const { service: without } = await synthesise({
      ...configOf('production'),
      watch: { ...watch, accountHasTrail: true },
    });

    expect(JSON.stringify(propertiesOf(without, 'AWS::CloudTrail::Trail'))).not.toContain('Management');
    expect(patternsOf(without)).toContainEqual(callsOn(ofTheStack));
  });

  test('S-70 is counted by its rule', () => {
    const rules = Object.entries(resourcesOf(service, 'AWS::Events::Rule'))
      .filter(([, { Properties }]) => Properties.EventPattern)
      .map(([id]) => id);
    const counted = ['key-in-danger', 'recovery-off', 'secret-in-danger', 'watch-in-danger'].map((name) =>
      named('production', name),
    );

    expect(counted.map(({ MetricName, Dimensions }) => [MetricName, Dimensions])).toEqual(
      rules.map((rule) => ['TriggeredRules', [{ Name: 'RuleName', Value: { Ref: rule } }]]),
    );
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

  test('S-70 has the name of the stage, and asks on its first row whether partners are being served', () => {
    expect(dashboard?.DashboardName).toBe('transactions-production');
    expect(said.slice(0, 6)).toEqual([
      ...['# Are partners being served?', 'Requests', 'Share of 5xx'],
      ...['A change is sent after, ms', 'A payment is sent after, ms', 'Alarms'],
    ]);
  });

  test('S-70 shows every alarm, S-40 and what each rule of the firewall turns away', () => {
    const rules = ['TokensPerAddress', 'V1PerAddress', 'PerAuthorization', 'PerAddress'];

    expect(widgets.flatMap(({ properties }) => properties.alarms ?? [])).toHaveLength(
      alarmsOf('production').length,
    );
    expect(rules.filter((rule) => !body.includes(`"Rule","${rule}"`))).toEqual([]);
  });

  test('D-31 has no more metrics than a dashboard has for nothing: 50', () => {
    const shown = widgets.flatMap(({ properties }) => properties.metrics ?? []);

    expect(shown.length).toBeGreaterThan(30);
    expect(shown.length).toBeLessThanOrEqual(50);
  });

  test('D-31 and the alarms read every figure that functions report: what nobody watches is a line of the log', () => {
    const read = JSON.stringify(alarmsOf('production')) + body;
    const names = Object.values(metricCatalogue).map(({ metricName }) => metricName);

    expect(names.filter((name) => !read.includes(`"${name}"`))).toEqual([]);
  });

  test('the local stage has none', () => {
    expect(resourcesOf(templatesOf('local').service, 'AWS::CloudWatch::Dashboard')).toEqual({});
  });
});

const anomalyMonitorArn = 'arn:aws:ce::111122223333:anomalymonitor/1';
const pagerSecretArn = `arn:aws:secretsmanager:${region}:111122223333:secret:pager`;
const watched = await synthesise({
  ...configOf('production'),
  watch: {
    ...{ emails: ['on-call@example.com', 'owner@example.com'], monthlyUsd: 80 },
    ...{ anomalyMonitorArn, pagerSecretArn },
  },
});

describe('who is notified', () => {
  const { service } = watched;
  const topics = Object.entries(resourcesOf(service, 'AWS::SNS::Topic'));
  const [[urgent = ''] = [], [other = ''] = []] = topics;

  test('S-70 an alarm that wakes somebody notifies the urgent topic, any other the other one, when it rings and when it ends', () => {
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

  test('S-70 both go to the addresses of the stage, and the urgent one to the pager, whose address is in a secret', () => {
    const subscriptions = propertiesOf(service, 'AWS::SNS::Subscription') as Record<string, unknown>[];

    expect(subscriptions.map(({ TopicArn, Protocol, Endpoint }) => [TopicArn, Protocol, Endpoint])).toEqual([
      [{ Ref: urgent }, 'email', 'on-call@example.com'],
      [{ Ref: urgent }, 'email', 'owner@example.com'],
      [{ Ref: urgent }, 'https', `{{resolve:secretsmanager:${pagerSecretArn}:SecretString:::}}`],
      [{ Ref: other }, 'email', 'on-call@example.com'],
      [{ Ref: other }, 'email', 'owner@example.com'],
    ]);
  });

  test('S-70 the topics depend on no key of ours, take TLS alone, and messages of AWS for this account', () => {
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

  test('S-43 a budget of the account’s month notifies the other topic when it is passed, or will be', () => {
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

  test('S-43 AWS’s cost monitor notifies it, too, where the stage names the monitor', () => {
    expect(propertiesOf(service, 'AWS::CE::AnomalySubscription')).toMatchObject([
      {
        ...{ Frequency: 'IMMEDIATE', MonitorArnList: [anomalyMonitorArn] },
        Subscribers: [{ Type: 'SNS', Address: { Ref: other } }],
      },
    ]);
    expect(resourcesOf(templatesOf('production').service, 'AWS::CE::AnomalySubscription')).toEqual({});
  });

  test('S-43 both ask only when the topic lets them, and a changed budget finds no name taken', () => {
    const [, policyId] = Object.keys(resourcesOf(service, 'AWS::SNS::TopicPolicy'));
    const told = ['AWS::Budgets::Budget', 'AWS::CE::AnomalySubscription'].flatMap((type) =>
      Object.values(resourcesOf(service, type)),
    );

    expect(told.map(({ DependsOn }) => DependsOn?.includes(policyId ?? ''))).toEqual([true, true]);
    expect(told[0]?.Properties.Budget).not.toHaveProperty('BudgetName');
  });

  test('S-43 calls far above what is usual ring within hours', () => {
    const { Metrics, ComparisonOperator, EvaluationPeriods } = named('production', 'usage-unusual');

    expect(Metrics?.flatMap(({ Expression }) => Expression ?? [])).toEqual(['ANOMALY_DETECTION_BAND(m0, 4)']);
    expect(Metrics?.flatMap(({ MetricStat }) => MetricStat ?? [])).toEqual([
      {
        Metric: {
          ...{ Namespace: 'AWS/ApiGateway', MetricName: 'Count' },
          Dimensions: [{ Name: 'ApiName', Value: 'transactions-production-TransactionsApi' }],
        },
        ...{ Stat: 'Sum', Period: 3_600 },
      },
    ]);
    expect([ComparisonOperator, EvaluationPeriods]).toEqual(['GreaterThanUpperThreshold', 2]);
  });

  test('nobody, on the local stage: emulators have no topics', () => {
    expect(resourcesOf(templatesOf('local').service, 'AWS::SNS::Topic')).toEqual({});
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
