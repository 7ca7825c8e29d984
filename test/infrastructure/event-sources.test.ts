import { describe, expect, test } from '@jest/globals';
import { stageNames } from '../../lib/config.ts';
import { readsOfData } from '../support/engine/data-outputs.ts';
import { propertiesOf, resourcesOf, templatesOf } from '../support/engine/templates.ts';

const arnOf = (id: string) => ({
  'Fn::GetAtt': [expect.stringMatching(new RegExp(`^${id}[0-9A-F]{8}$`)), 'Arn'],
});
const functionOf = (id: string) => ({ Ref: expect.stringMatching(new RegExp(`^${id}Function[0-9A-F]{8}$`)) });
const day = 24 * 3_600;

describe.each(stageNames)('the triggers of the event functions in stage %s', (stage) => {
  const { service } = templatesOf(stage);
  const sources = resourcesOf(service, 'AWS::Lambda::EventSourceMapping');
  const rules = Object.entries(resourcesOf(service, 'AWS::Events::Rule')).filter(
    ([, { Properties }]) => Properties.ScheduleExpression,
  );
  const queues = Object.entries(resourcesOf(service, 'AWS::SQS::Queue'));
  const sourceAt = (id: string) =>
    Object.entries(sources).find(([name]) => name.startsWith(id))?.[1].Properties;

  const publish = functionOf('DormantPublisherPublishDormant');
  const keep = functionOf('EndpointKeeperKeepEndpoints');
  const call = (FunctionName: object, queue: string, BatchSize: number, MaximumConcurrency: number) => ({
    ...{ FunctionName, EventSourceArn: arnOf(queue), BatchSize },
    ScalingConfig: { MaximumConcurrency },
  });
  const reported = { FunctionResponseTypes: ['ReportBatchItemFailures'] };
  const undelayed = { MaximumBatchingWindowInSeconds: 0 };
  // How many workers there may be at once, no fewer than Lambda allows.
  const workers = { local: 2, staging: 4, production: 8 }[stage];

  test.each([
    [
      'S-69 the stream calls capture-change: from its start, without delay, in halves after a failure, which ends in a queue',
      'ChangeCapture',
      {
        ...{ ...undelayed, ...reported, FunctionName: functionOf('ChangeCaptureCaptureChange') },
        ...{ EventSourceArn: readsOfData('TransactionsStreamArn'), StartingPosition: 'TRIM_HORIZON' },
        ...{ BatchSize: 100, ParallelizationFactor: 1, BisectBatchOnFunctionError: true },
        ...{ MaximumRetryAttempts: 5, MaximumRecordAgeInSeconds: 6 * 3600 },
        FilterCriteria: { Filters: [{ Pattern: '{"eventName":["INSERT","MODIFY"]}' }] },
        DestinationConfig: { OnFailure: { Destination: arnOf('ChangeCaptureGivenUp') } },
      },
    ],
    [
      'EV-20 ticks call publish-dormant: those that come together are one run, and two runs there are at most',
      'DormantPublisherEveryTick',
      { ...undelayed, ...call(publish, 'DormantPublisherTicks', 10, 2) },
    ],
    [
      'EV-24 due shards call publish-dormant by a queue of their own: a message a worker, so many at once',
      'DormantPublisherEveryShard',
      { ...undelayed, ...call(publish, 'DormantPublisherShards', 1, workers) },
    ],
    [
      'EV-16 I18 completions call publish-dormant by a queue of their own, twice at once at most; what is still due comes again',
      'DormantPublisherEveryCompletion',
      { ...undelayed, ...reported, ...call(publish, 'DormantPublisherCompletions', 10, 2) },
    ],
    [
      'S-42 dead letters call collect-dead-letters, twice at once at most; it reports the messages that failed',
      'DeadLetterCollector',
      {
        ...{ ...undelayed, ...reported },
        ...call(functionOf('DeadLetterCollectorCollectDeadLetters'), 'PartnerBusDeadLetters', 10, 2),
      },
    ],
    [
      'requests call keep-endpoints one by one, five times at once at most; what fails comes again',
      'EndpointKeeperRequest',
      { ...reported, ...call(keep, 'EndpointKeeperRequests', 1, 5) },
    ],
    [
      'delays call keep-endpoints, five times at once at most; what fails comes again',
      'EndpointKeeperDelay',
      { ...reported, ...call(keep, 'EndpointKeeperDelays', 10, 5) },
    ],
  ])('%s', (_, id, expected) => {
    expect(sourceAt(id)).toEqual(expected);
  });

  test('S-69 are seven event sources, each created after the rights of its function', () => {
    expect(Object.values(sources).map(({ DependsOn }) => DependsOn)).toEqual(
      Array(7).fill(expect.arrayContaining([expect.stringContaining('RoleDefaultPolicy')])),
    );
  });

  test('interface 6.1 V1-8 S-66 I17 and five schedules, each at its minute with one function and no role; what fails is not retried, and expires after 60 s', () => {
    const called = (rate: string, id: string, input: object) => [
      rate,
      [
        {
          ...{ Id: expect.any(String), Arn: arnOf(`${id}Function`), Input: JSON.stringify(input) },
          RetryPolicy: { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 },
        },
      ],
    ];

    expect(rules.map(([, { Properties: of }]) => [of.ScheduleExpression, of.Targets])).toEqual([
      called('rate(1 minute)', 'DormantPublisherPublishDormant', { every: 'rate(1 minute)' }),
      called('rate(10 minutes)', 'EndpointKeeperKeepEndpoints', { every: 'rate(10 minutes)' }),
      called('rate(1 hour)', 'ExpirySweepSweepExpired', { every: 'rate(1 hour)' }),
      called('rate(10 minutes)', 'ReconcilerReconcile', { lookBackMinutes: 30 }),
      called('rate(1 day)', 'ReconcilerReconcile', { lookBackMinutes: 2_880 }),
    ]);
    for (const [, { Properties }] of rules)
      expect([Properties.State, Properties.EventBusName]).toEqual(['ENABLED', undefined]);
  });

  test('I17 Lambda does not retry it either, as it would twice in six hours: each function of a rule', () => {
    const never = { Qualifier: '$LATEST', MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 };

    expect(propertiesOf(service, 'AWS::Lambda::EventInvokeConfig')).toEqual([
      { FunctionName: publish, ...never },
      { FunctionName: keep, ...never },
      { FunctionName: functionOf('ExpirySweepSweepExpired'), ...never },
      { FunctionName: functionOf('ReconcilerReconcile'), ...never },
    ]);
  });

  test('S-66 a function admits the rules that call it, and no others', () => {
    const admitted = propertiesOf(service, 'AWS::Lambda::Permission').filter(
      ({ Principal }) => Principal === 'events.amazonaws.com',
    );

    expect(admitted).toHaveLength(5);
    for (const [id, { Properties }] of rules)
      expect(admitted).toContainEqual({
        ...{ Action: 'lambda:InvokeFunction', Principal: 'events.amazonaws.com' },
        FunctionName: (Properties.Targets as { Arn: unknown }[])[0]?.Arn,
        SourceArn: { 'Fn::GetAtt': [id, 'Arn'] },
      });
  });

  test.each([
    ['S-69 what the bus did not deliver is kept for 14 days', 'PartnerBusDeadLetters', 14 * day, {}],
    ['S-69 what capture-change gave up is kept for 14 days', 'ChangeCaptureGivenUp', 14 * day, {}],
    [
      'I17 a tick that failed comes again after six times the longest run; it is kept for its last delay and five tries',
      'DormantPublisherTicks',
      170 + 5 * 90,
      { VisibilityTimeout: 90 },
    ],
    [
      'I23 EV-24 a worker that died keeps its shard, a FIFO group, for less than a lease; a message is kept for 60 s',
      'DormantPublisherShards',
      60,
      { VisibilityTimeout: 15, FifoQueue: true },
    ],
    [
      'I18 a completion comes again when the lease of its row has ended, and is kept for 60 s',
      'DormantPublisherCompletions',
      60,
      { VisibilityTimeout: 22 },
    ],
    [
      'partners to be looked at are a FIFO queue, hidden for the longest run; the schedule finds what is lost',
      'EndpointKeeperRequests',
      3_600,
      { VisibilityTimeout: 120, FifoQueue: true },
    ],
    ['delays are hidden as long', 'EndpointKeeperDelays', 3_600, { VisibilityTimeout: 120 }],
  ])(
    '%s; S-55 its queue is encrypted with our key, S-69 and has no dead-letter queue',
    (_, name, kept, how) => {
      const [, queue] = queues.find(([id]) => id.startsWith(name)) ?? [];

      expect(queue?.Properties).toEqual({
        ...{ ...how, MessageRetentionPeriod: kept },
        ...{ KmsMasterKeyId: readsOfData('DataKey'), KmsDataKeyReusePeriodSeconds: 300 },
      });
    },
  );

  test('S-55 every queue requires TLS', () => {
    const refused = propertiesOf(service, 'AWS::SQS::QueuePolicy').map(({ Queues, PolicyDocument }) => {
      expect((PolicyDocument as { Statement: object[] }).Statement).toContainEqual(
        expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
      );
      return (Queues as [{ Ref: string }])[0].Ref;
    });

    expect(queues).toHaveLength(7);
    expect(refused.sort()).toEqual(queues.map(([id]) => id).sort());
  });
});
