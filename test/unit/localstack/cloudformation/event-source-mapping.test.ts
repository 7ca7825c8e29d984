import { describe, expect, test } from '@jest/globals';
import { eventSourceOf } from '../../../../localstack/cloudformation/event-source-mapping.ts';
import type { CloudEventSource, ResolvedResource } from '../../../../localstack/cloudformation/model.ts';

const queueArn = 'arn:aws:sqs:eu-west-2:000000000000:service-Ticks';
const streamArn = 'arn:aws:dynamodb:eu-west-2:000000000000:table/data-Transactions/stream/local';

const sourceOf = (properties: Record<string, unknown>) =>
  eventSourceOf({ id: 'Mapping', properties } as unknown as ResolvedResource);

const isAccepted = (source: CloudEventSource, eventName: string) =>
  source.kind === 'stream' && source.accepts({ eventName });

const functionArn = 'arn:aws:lambda:eu-west-2:000000000000:function:CaptureChange';
const aStream = { EventSourceArn: streamArn, FunctionName: functionArn, StartingPosition: 'TRIM_HORIZON' };
const aQueue = { EventSourceArn: queueArn, FunctionName: 'PublishDormant' };
const readStream = {
  ...{ id: 'Mapping', kind: 'stream', table: 'data-Transactions' },
  ...{ functionId: 'CaptureChange', functionArn, accepts: expect.any(Function) },
};

describe('event sources of the template', () => {
  test('a stream with everything that the template may say of it', () => {
    const source = sourceOf({
      ...aStream,
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
      ...readStream,
      batchSize: 50,
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
    const source = sourceOf({ ...aStream, FunctionName: 'CaptureChange', MaximumRetryAttempts: -1 });

    expect(source).toEqual({
      ...readStream,
      batchSize: 100,
      reportsItemFailures: false,
      bisects: false,
      maxRetries: Number.POSITIVE_INFINITY,
      maxAgeMs: Number.POSITIVE_INFINITY,
    });
    expect(isAccepted(source, 'REMOVE')).toBe(true);
  });

  test.each([
    [{ BatchSize: 1 }, { batchSize: 1, maximumConcurrency: 1 }],
    [{ ScalingConfig: { MaximumConcurrency: 2 } }, { batchSize: 10, maximumConcurrency: 2 }],
  ])('a queue with %j has %j', (more, facts) => {
    expect(sourceOf({ ...aQueue, ...more })).toEqual({
      ...{ id: 'Mapping', kind: 'queue', queueArn, functionId: 'PublishDormant', reportsItemFailures: false },
      ...facts,
    });
  });

  const kinesis = 'arn:aws:kinesis:eu-west-2:000000000000:stream/clicks';
  test.each([
    [aStream, { StartingPosition: 'LATEST' }, 'StartingPosition "LATEST" of an event source'],
    [aStream, { ParallelizationFactor: 2 }, 'ParallelizationFactor 2 of an event source'],
    [aStream, { MaximumBatchingWindowInSeconds: 5 }, 'MaximumBatchingWindowInSeconds 5 of an event source'],
    [aStream, { Enabled: false }, 'Enabled false of an event source'],
    [aStream, { EventSourceArn: kinesis }, `the event source ${kinesis}`],
    [
      aStream,
      { DestinationConfig: { OnFailure: { Destination: 'arn:aws:s3:::bucket' } } },
      'the failure destination arn:aws:s3:::bucket',
    ],
    [aQueue, { FilterCriteria: { Filters: [] } }, 'FilterCriteria of a queue'],
  ])('%j with %j is refused by name', (source, more, named) => {
    expect(() => sourceOf({ ...source, ...more })).toThrow(
      `The local stage does not know ${named} (Mapping).`,
    );
  });
});
