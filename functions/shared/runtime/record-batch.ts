import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { DynamoDBRecord, SQSRecord } from 'aws-lambda';
import type { Log } from './logger.ts';

/** The result of a batch for Lambda: the records that must come again. */
export type BatchAnswer = { batchItemFailures: { itemIdentifier: string }[] };

type Sources = { DynamoDBStreams: DynamoDBRecord; SQS: SQSRecord };

/**
 * Processes all records of a batch, and reports exactly those that failed. Of a stream, Lambda continues with the first
 * of them. A batch that failed as a whole is reported in the same way, never thrown.
 */
export const workOnEach = async <Source extends keyof Sources>(
  source: Source,
  event: { Records: Sources[Source][] },
  { work, log }: { work: (record: Sources[Source]) => Promise<void>; log: Log },
): Promise<BatchAnswer> => {
  const withLog = async (record: Sources[Source]) => {
    try {
      await work(record);
    } catch (fault) {
      log('recordFailed', { record: idOf(record) }, fault);
      throw fault;
    }
  };
  const processor = new BatchProcessor(EventType[source]);
  return processPartialResponse(event, withLog, processor, { throwOnFullBatchFailure: false });
};

/** The id by which Lambda knows the record: a message id, or a sequence number of the stream. */
const idOf = (record: DynamoDBRecord | SQSRecord): string =>
  'messageId' in record ? record.messageId : String(record.dynamodb?.SequenceNumber);
