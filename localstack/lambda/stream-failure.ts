import { randomUUID } from 'node:crypto';
import type { DynamoDBRecord } from 'aws-lambda';

export type FailedBatch = {
  condition: 'RetryAttemptsExhausted' | 'RecordAgeExceeded';
  records: readonly DynamoDBRecord[];
  shard: string;
  streamArn: string;
  functionArn: string;
  invocations: number;
  /** The function failed as a whole; else it named the records. */
  threw: boolean;
  now: Date;
};

/** What Lambda tells the on-failure destination of records that it gave up: where they were, not what. */
export const failureRecord = ({ records, ...failed }: FailedBatch) => ({
  requestContext: {
    requestId: randomUUID(),
    functionArn: failed.functionArn,
    condition: failed.condition,
    approximateInvokeCount: failed.invocations,
  },
  responseContext: {
    statusCode: 200,
    executedVersion: '$LATEST',
    functionError: failed.threw ? 'Unhandled' : null,
  },
  version: '1.0',
  timestamp: failed.now.toISOString(),
  DDBStreamBatchInfo: {
    shardId: failed.shard,
    startSequenceNumber: records.at(0)?.dynamodb?.SequenceNumber,
    endSequenceNumber: records.at(-1)?.dynamodb?.SequenceNumber,
    approximateArrivalOfFirstRecord: arrivalOf(records.at(0)),
    approximateArrivalOfLastRecord: arrivalOf(records.at(-1)),
    batchSize: records.length,
    streamArn: failed.streamArn,
  },
});

/** `2026-11-21T13:00:07Z`: streams know whole seconds. */
const arrivalOf = (record: DynamoDBRecord | undefined): string =>
  `${new Date(arrivalMs(record)).toISOString().slice(0, 19)}Z`;

export const arrivalMs = (record: DynamoDBRecord | undefined): number =>
  (record?.dynamodb?.ApproximateCreationDateTime ?? 0) * 1000;
