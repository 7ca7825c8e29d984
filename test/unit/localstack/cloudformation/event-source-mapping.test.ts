import { describe, expect, test } from '@jest/globals';
import { eventSourceOf } from '../../../../localstack/cloudformation/event-source-mapping.ts';
import type { CloudEventSource, ResolvedResource } from '../../../../localstack/cloudformation/model.ts';

const queueArn = 'arn:aws:sqs:eu-west-2:000000000000:service-Ticks';
const streamArn = 'arn:aws:dynamodb:eu-west-2:000000000000:table/data-Transactions/stream/local';

const sourceOf = (properties: Record<string, unknown>) =>
  eventSourceOf({ id: 'Mapping', properties } as unknown as ResolvedResource);

const isAccepted = (source: CloudEventSource, eventName: string) =>
  source.kind === 'stream' && source.accepts({ eventName });

const aStream = {
  EventSourceArn: streamArn,
  FunctionName: 'CaptureChange',
  StartingPosition: 'TRIM_HORIZON',
};

describe('event sources of the template', () => {
  test('a stream with everything that the template may say of it', () => {
    const source = sourceOf({
      ...aStream,
      FunctionName: 'arn:aws:lambda:eu-west-2:000000000000:function:CaptureChange',
      BatchSize: 50,
      BisectBatchOnFunctionError: true,
      DestinationConfig: { OnFailure: { Destination: queueArn } },
      FilterCriteria: {
        Filters: [{ Pattern: '{"eventName":["INSERT"]}' }, { Pattern: '{"eventName":["MODIFY"]}' }],
      },
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumBatchingWindowInSeconds: 0,
      MaximumRecordAgeInSeconds: 21_600,
      MaximumRetryAttempts: 5,
      ParallelizationFactor: 1,
    });

    expect(source).toEqual({
      id: 'Mapping',
      kind: 'stream',
      table: 'data-Transactions',
      functionId: 'CaptureChange',
      functionArn: 'arn:aws:lambda:eu-west-2:000000000000:function:CaptureChange',
      batchSize: 50,
      accepts: expect.any(Function),
      reportsItemFailures: true,
      bisects: true,
      maxRetries: 5,
      maxAgeMs: 21_600_000,
      onFailureArn: queueArn,
    });
    expect(['INSERT', 'MODIFY', 'REMOVE'].map((eventName) => isAccepted(source, eventName))).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('a stream of which the template says nothing is read as Lambda does: without end of retries and without filter', () => {
    const source = sourceOf({ ...aStream, MaximumRetryAttempts: -1 });

    expect(source).toEqual({
      id: 'Mapping',
      kind: 'stream',
      table: 'data-Transactions',
      functionId: 'CaptureChange',
      functionArn: 'arn:aws:lambda:eu-west-2:000000000000:function:CaptureChange',
      batchSize: 100,
      accepts: expect.any(Function),
      reportsItemFailures: false,
      bisects: false,
      maxRetries: Number.POSITIVE_INFINITY,
      maxAgeMs: Number.POSITIVE_INFINITY,
    });
    expect(isAccepted(source, 'REMOVE')).toBe(true);
  });

  test('a queue', () => {
    const source = sourceOf({ EventSourceArn: queueArn, FunctionName: 'PublishDormant', BatchSize: 1 });

    expect(source).toEqual({
      id: 'Mapping',
      kind: 'queue',
      queueArn,
      functionId: 'PublishDormant',
      batchSize: 1,
      reportsItemFailures: false,
      maximumConcurrency: 1,
    });
  });

  test('a queue whose batches may be worked on at the same time', () => {
    const source = sourceOf({
      EventSourceArn: queueArn,
      FunctionName: 'PublishDormant',
      ScalingConfig: { MaximumConcurrency: 2 },
    });

    expect(source).toMatchObject({ kind: 'queue', maximumConcurrency: 2 });
  });

  test('a queue with a filter is refused', () => {
    const asked = {
      EventSourceArn: queueArn,
      FunctionName: 'PublishDormant',
      FilterCriteria: { Filters: [] },
    };

    expect(() => sourceOf(asked)).toThrow(
      'The local stage does not know FilterCriteria of a queue (Mapping).',
    );
  });

  test.each([
    [{ StartingPosition: 'LATEST' }, 'StartingPosition "LATEST"'],
    [{ ParallelizationFactor: 2 }, 'ParallelizationFactor 2'],
    [{ MaximumBatchingWindowInSeconds: 5 }, 'MaximumBatchingWindowInSeconds 5'],
    [{ TumblingWindowInSeconds: 0 }, 'TumblingWindowInSeconds 0'],
    [{ Enabled: false }, 'Enabled false'],
  ])('%j is refused by name', (more, named) => {
    expect(() => sourceOf({ ...aStream, ...more })).toThrow(
      `The local stage does not know ${named} of an event source (Mapping).`,
    );
  });

  test.each([
    [
      { EventSourceArn: 'arn:aws:kinesis:eu-west-2:000000000000:stream/clicks' },
      'The local stage does not know the event source arn:aws:kinesis:eu-west-2:000000000000:stream/clicks (Mapping).',
    ],
    [
      { DestinationConfig: { OnFailure: { Destination: 'arn:aws:s3:::bucket' } } },
      'The local stage does not know the failure destination arn:aws:s3:::bucket (Mapping).',
    ],
  ])('%j is refused', (more, sentence) => {
    expect(() => sourceOf({ ...aStream, ...more })).toThrow(sentence);
  });
});
