import { describe, expect, test } from '@jest/globals';
import { type StageName, stageNames } from '../../lib/config.ts';
import { readsOfData } from '../support/engine/data-outputs.ts';
import { propertiesOf, resourcesOf, templatesOf } from '../support/engine/templates.ts';

const arnOf = (id: string) => ({
  'Fn::GetAtt': [expect.stringMatching(new RegExp(`^${id}[0-9A-F]{8}$`)), 'Arn'],
});
const functionOf = (id: string) => ({ Ref: expect.stringMatching(new RegExp(`^${id}Function[0-9A-F]{8}$`)) });

/** How many workers there may be at once, no fewer than Lambda allows. */
const workers: Record<StageName, number> = { local: 2, staging: 4, production: 8 };

type Rule = { ScheduleExpression: string; Targets: { Arn: unknown; Input: string }[] };

describe.each(stageNames)('the triggers of the event functions in stage %s', (stage) => {
  const { service } = templatesOf(stage);
  const sources = resourcesOf(service, 'AWS::Lambda::EventSourceMapping');
  const sourceOf = (id: string) => {
    const [, found] = Object.entries(sources).find(([name]) => name.startsWith(id)) ?? [];
    if (!found) throw new Error(`No event source ${id}`);
    return found;
  };
  const queueOf = (id: string) => {
    const [, found] =
      Object.entries(resourcesOf(service, 'AWS::SQS::Queue')).find(([name]) => name.startsWith(id)) ?? [];
    return found?.Properties;
  };
  const schedulesOf = (id: string) =>
    (propertiesOf(service, 'AWS::Events::Rule') as Rule[]).flatMap(({ ScheduleExpression, Targets = [] }) =>
      Targets.filter(({ Arn }) => JSON.stringify(Arn).includes(id)).map(({ Input }) => [
        ScheduleExpression,
        Input,
      ]),
    );

  test('are seven event sources', () => {
    expect(Object.keys(sources)).toHaveLength(7);
  });

  test('the stream calls capture-change: from its start, without delay, in halves after a failure', () => {
    expect(sourceOf('ChangeCapture').Properties).toEqual({
      FunctionName: functionOf('ChangeCaptureCaptureChange'),
      EventSourceArn: readsOfData('TransactionsStreamArn'),
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 100,
      MaximumBatchingWindowInSeconds: 0,
      ParallelizationFactor: 1,
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: 5,
      MaximumRecordAgeInSeconds: 6 * 3600,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      FilterCriteria: { Filters: [{ Pattern: '{"eventName":["INSERT","MODIFY"]}' }] },
      DestinationConfig: { OnFailure: { Destination: arnOf('ChangeCaptureGivenUp') } },
    });
  });

  test('EV-20 ticks call publish-dormant: those that come together are one run, and two runs there are at most', () => {
    expect(sourceOf('DormantPublisherEveryTick').Properties).toEqual({
      FunctionName: functionOf('DormantPublisherPublishDormant'),
      EventSourceArn: arnOf('DormantPublisherTicks'),
      BatchSize: 10,
      MaximumBatchingWindowInSeconds: 0,
      ScalingConfig: { MaximumConcurrency: 2 },
    });
  });

  test('EV-24 due shards call publish-dormant by a queue of their own: a message a worker, so many at once', () => {
    expect(sourceOf('DormantPublisherEveryShard').Properties).toEqual({
      FunctionName: functionOf('DormantPublisherPublishDormant'),
      EventSourceArn: arnOf('DormantPublisherShards'),
      BatchSize: 1,
      MaximumBatchingWindowInSeconds: 0,
      ScalingConfig: { MaximumConcurrency: workers[stage] },
    });
  });

  test('EV-16 I18 completions call publish-dormant by a queue of their own, twice at once at most; what is still due comes again', () => {
    expect(sourceOf('DormantPublisherEveryCompletion').Properties).toEqual({
      FunctionName: functionOf('DormantPublisherPublishDormant'),
      EventSourceArn: arnOf('DormantPublisherCompletions'),
      BatchSize: 10,
      MaximumBatchingWindowInSeconds: 0,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 2 },
    });
  });

  test('dead letters call collect-dead-letters, S-42 twice at once at most; it reports the messages that failed', () => {
    expect(sourceOf('DeadLetterCollector').Properties).toEqual({
      FunctionName: functionOf('DeadLetterCollectorCollectDeadLetters'),
      EventSourceArn: arnOf('PartnerBusDeadLetters'),
      BatchSize: 10,
      MaximumBatchingWindowInSeconds: 0,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 2 },
    });
  });

  test.each([
    ['Request', 'Requests', 1],
    ['Delay', 'Delays', 10],
  ])(
    'keep-endpoints is called by %s, five times at once at most; what fails comes again',
    (id, queue, batch) => {
      expect(sourceOf(`EndpointKeeper${id}`).Properties).toEqual({
        FunctionName: functionOf('EndpointKeeperKeepEndpoints'),
        EventSourceArn: arnOf(`EndpointKeeper${queue}`),
        BatchSize: batch,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        ScalingConfig: { MaximumConcurrency: 5 },
      });
    },
  );

  test('partners that are to be looked at are a FIFO queue, hidden for the longest run; what is lost is found by the schedule', () => {
    const kept = {
      VisibilityTimeout: 120,
      MessageRetentionPeriod: 3_600,
      KmsMasterKeyId: readsOfData('DataKey'),
      KmsDataKeyReusePeriodSeconds: 300,
    };

    expect(queueOf('EndpointKeeperRequests')).toEqual({ ...kept, FifoQueue: true });
    expect(queueOf('EndpointKeeperDelays')).toEqual(kept);
    expect(schedulesOf('KeepEndpoints')).toEqual([['rate(10 minutes)', '{"every":"rate(10 minutes)"}']]);
  });

  test('the bus of AWS takes a minute to know a target, that of this machine none', () => {
    const functions = propertiesOf(service, 'AWS::Lambda::Function') as {
      Description: string;
      Environment: { Variables: Record<string, string> };
    }[];
    const keep = functions.find(({ Description }) => Description === 'keep-endpoints');

    expect(keep?.Environment.Variables.ENDPOINT_EFFECT_SECONDS).toBe(stage === 'local' ? '0' : '60');
  });

  test('each event source is created after the rights of its function', () => {
    for (const { DependsOn } of Object.values(sources))
      expect(DependsOn).toEqual(expect.arrayContaining([expect.stringContaining('RoleDefaultPolicy')]));
  });

  test('publish-dormant runs every minute; reconcile every ten minutes, and daily over two days', () => {
    expect(schedulesOf('PublishDormant')).toEqual([['rate(1 minute)', '{"every":"rate(1 minute)"}']]);
    expect(schedulesOf('Reconcile')).toEqual([
      ['rate(10 minutes)', '{"lookBackMinutes":30}'],
      ['rate(1 day)', '{"lookBackMinutes":2880}'],
    ]);
  });

  test('a tick that failed comes again after six times the longest run', () => {
    expect(queueOf('DormantPublisherTicks')).toMatchObject({ VisibilityTimeout: 90 });
  });

  test('I23 EV-24 due shards are a FIFO queue; a worker that died keeps its shard for less than a lease, and a message 60 s', () => {
    expect(queueOf('DormantPublisherShards')).toEqual({
      FifoQueue: true,
      VisibilityTimeout: 15,
      MessageRetentionPeriod: 60,
      KmsMasterKeyId: readsOfData('DataKey'),
      KmsDataKeyReusePeriodSeconds: 300,
    });
  });

  test('I18 a completion comes again when the lease of its row has ended, and is kept for 60 s', () => {
    expect(queueOf('DormantPublisherCompletions')).toEqual({
      VisibilityTimeout: 22,
      MessageRetentionPeriod: 60,
      KmsMasterKeyId: readsOfData('DataKey'),
      KmsDataKeyReusePeriodSeconds: 300,
    });
  });

  test('I17 a tick is kept for longer than it is delayed, and for all its tries', () => {
    // The last delay, and five times the visibility of 90 s.
    expect(queueOf('DormantPublisherTicks')).toMatchObject({ MessageRetentionPeriod: 170 + 5 * 90 });
  });

  test('a run of publish-dormant ends within 15 s, which is less than a lease', () => {
    const functions = propertiesOf(service, 'AWS::Lambda::Function') as {
      Description: string;
      Timeout: number;
    }[];

    expect(functions.find(({ Description }) => Description === 'publish-dormant')?.Timeout).toBe(15);
  });

  test('S-55 every queue is encrypted with our key and requires TLS', () => {
    const queues = resourcesOf(service, 'AWS::SQS::Queue');
    const policies = propertiesOf(service, 'AWS::SQS::QueuePolicy') as {
      Queues: { Ref: string }[];
      PolicyDocument: { Statement: { Effect: string; Condition: unknown }[] };
    }[];

    expect(Object.keys(queues)).toHaveLength(7);
    for (const [id, { Properties }] of Object.entries(queues)) {
      const statements = policies
        .filter(({ Queues }) => Queues[0]?.Ref === id)
        .flatMap((one) => one.PolicyDocument.Statement);

      expect(Properties.KmsMasterKeyId).toEqual(readsOfData('DataKey'));
      expect(statements).toContainEqual(
        expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
      );
    }
  });
});
