import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { DebounceTable } from '../shared/events/table.ts';
import type { Clock } from '../shared/runtime/clock.ts';
import type { Log } from '../shared/runtime/logger.ts';
import { type BatchAnswer, workOnEach } from '../shared/runtime/record-batch.ts';
import { readRecord } from './record.ts';

export type Deps = {
  recordChange: DebounceTable['recordChange'];
  clock: Clock;
  log: Log;
  dormancyMs: number;
};

/** Schedules the debounce row of each change in a batch of stream records, if the row is not scheduled yet. */
export const createHandler =
  ({ recordChange, clock, log, dormancyMs }: Deps) =>
  async (event: DynamoDBStreamEvent): Promise<BatchAnswer> => {
    let captured = 0;
    const capture = async (record: DynamoDBRecord) => {
      const read = readRecord(record, clock());
      if (!read.ok) return;
      const { uuid, changed, changedAtMs } = read.value;
      await recordChange({ uuid, changed, dueAtMs: changedAtMs + dormancyMs });
      captured += 1;
    };
    const answer = await workOnEach('DynamoDBStreams', event, { work: capture, log });
    log('changeCaptured', {
      records: event.Records.length,
      captured,
      failed: answer.batchItemFailures.length,
    });
    return answer;
  };
