import type { DynamoDBRecord } from 'aws-lambda';
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
