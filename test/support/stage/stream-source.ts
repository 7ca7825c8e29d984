import type { DynamoDBRecord } from 'aws-lambda';
import { succeed } from '../../../functions/shared/domain/outcome.ts';
import type { CloudStreamSource } from '../../../localstack/cloudformation/model.ts';
import type { InvocationOutcome } from '../../../localstack/lambda/function-pool.ts';
import type { Position, Positions } from '../../../localstack/lambda/stream-positions.ts';

/** A change as a stream has it, known by its number. */
export const aRecord = (number: number, { arrivedAt = '2026-11-21T13:00:00Z', eventName = 'MODIFY' } = {}) =>
  ({
    eventID: `${number}`,
    eventName,
    dynamodb: {
      SequenceNumber: `${number}`,
      ApproximateCreationDateTime: Date.parse(arrivedAt) / 1000,
      Keys: { uuid: { S: `u-${number}` } },
    },
  }) as DynamoDBRecord;

export const records = (...numbers: number[]) => numbers.map((number) => aRecord(number));

export const aStreamSource = (changes: Partial<CloudStreamSource> = {}): CloudStreamSource => ({
  id: 'Mapping',
  functionId: 'Capture',
  functionArn: 'arn:aws:lambda:eu-west-2:000000000000:function:Capture',
  kind: 'stream',
  table: 'Transactions',
  batchSize: 100,
  accepts: () => true,
  reportsItemFailures: true,
  bisects: false,
  maxRetries: Number.POSITIVE_INFINITY,
  maxAgeMs: Number.POSITIVE_INFINITY,
  ...changes,
});

/** Positions in memory, and each number that was ever saved of a shard. */
export const memoryPositions = (start: Record<string, Position> = {}) => {
  const shards = { ...start };
  const saved: string[] = [];
  const positions: Positions = {
    of: (shard) => shards[shard] ?? {},
    save: (shard, position) => {
      shards[shard] = position;
      saved.push(`${shard}:${position.isFinished ? 'end' : position.after}`);
    },
    keep: (kept) => {
      for (const shard of Object.keys(shards)) if (!kept.includes(shard)) delete shards[shard];
    },
  };
  return { positions, saved, shards };
};

export const numbersOf = (event: unknown): number[] =>
  (event as { Records: DynamoDBRecord[] }).Records.map(({ dynamodb }) => Number(dynamodb?.SequenceNumber));

/** An answer that names records as failed. */
export const failing = (...numbers: number[]): InvocationOutcome =>
  succeed(JSON.stringify({ batchItemFailures: numbers.map((number) => ({ itemIdentifier: `${number}` })) }));
