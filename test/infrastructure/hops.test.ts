import { describe, expect, test } from '@jest/globals';
import { stageNames } from '../../lib/config.ts';
import { propertiesOf, resourcesOf, templatesOf } from '../support/engine/templates.ts';

/** The logical id that a value refers to, without what makes it unique. */
const idOf = (value: unknown): string | undefined =>
  /"([A-Z]\w+)[0-9A-F]{8}"/.exec(JSON.stringify(value ?? null))?.[1];

describe.each(stageNames)('S-69 the asynchronous hops of stage %s', (stage) => {
  const { service } = templatesOf(stage);

  test('from a stream or a queue are these, and what fails there ends in a queue', () => {
    const ends = propertiesOf(service, 'AWS::Lambda::EventSourceMapping').map((mapping) => {
      const { OnFailure } = (mapping.DestinationConfig ?? {}) as { OnFailure?: { Destination: unknown } };
      return [idOf(mapping.FunctionName), idOf(mapping.EventSourceArn), idOf(OnFailure?.Destination)];
    });

    expect(ends.sort()).toEqual([
      [
        'ChangeCaptureCaptureChangeFunction',
        'PublishOutputFnGetAttTransactionsStreamArn',
        'ChangeCaptureGivenUp',
      ],
      ['DeadLetterCollectorCollectDeadLettersFunction', 'PartnerBusDeadLetters', undefined],
      ['DormantPublisherPublishDormantFunction', 'DormantPublisherCompletions', undefined],
      ['DormantPublisherPublishDormantFunction', 'DormantPublisherShards', undefined],
      ['DormantPublisherPublishDormantFunction', 'DormantPublisherTicks', undefined],
      ['EndpointKeeperKeepEndpointsFunction', 'EndpointKeeperDelays', undefined],
      ['EndpointKeeperKeepEndpointsFunction', 'EndpointKeeperRequests', undefined],
    ]);
  });

  test('through a queue hold nothing, or stay where they are for 14 days: no queue passes its messages on', () => {
    const queues = Object.entries(resourcesOf(service, 'AWS::SQS::Queue')).map(([id, { Properties }]) => {
      expect(Properties.RedrivePolicy).toBeUndefined();
      return [id.slice(0, -8), Properties.MessageRetentionPeriod];
    });

    expect(Object.fromEntries(queues)).toEqual({
      ChangeCaptureGivenUp: 14 * 24 * 3_600,
      // Other ticks follow, and the next poll finds what the others name.
      DormantPublisherTicks: 620,
      DormantPublisherShards: 60,
      DormantPublisherCompletions: 60,
      EndpointKeeperDelays: 3_600,
      EndpointKeeperRequests: 3_600,
      PartnerBusDeadLetters: 14 * 24 * 3_600,
    });
  });

  test('have an alarm on each queue where they end', () => {
    const watched = propertiesOf(service, 'AWS::CloudWatch::Alarm').flatMap(({ Dimensions, Metrics }) =>
      [...JSON.stringify([Dimensions, Metrics] as const).matchAll(/"(\w+)[0-9A-F]{8}","QueueName"/g)].map(
        ([, id]) => id,
      ),
    );
    // The collector counts each dead letter of the bus (events-dead); an emulator has no alarm on those left over.
    const last = ['ChangeCaptureGivenUp'];

    expect([...new Set(watched)].sort()).toEqual(
      stage === 'local' ? last : [...last, 'PartnerBusDeadLetters'],
    );
  });

  test('from a schedule are these; a call that is lost is followed by the next, and a schedule that stops is heard', () => {
    const schedules = propertiesOf(service, 'AWS::Events::Rule').flatMap(({ ScheduleExpression, Targets }) =>
      ScheduleExpression
        ? [[ScheduleExpression, ...(Targets as { Arn: unknown }[]).map(({ Arn }) => idOf(Arn))]]
        : [],
    );

    expect(schedules.sort()).toEqual([
      ['rate(1 day)', 'ReconcilerReconcileFunction'],
      ['rate(1 hour)', 'ExpirySweepSweepExpiredFunction'],
      ['rate(1 minute)', 'DormantPublisherPublishDormantFunction'],
      ['rate(10 minutes)', 'EndpointKeeperKeepEndpointsFunction'],
      ['rate(10 minutes)', 'ReconcilerReconcileFunction'],
    ]);
  });
});
