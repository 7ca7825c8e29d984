import { randomUUID } from 'node:crypto';
import type { DynamoDBRecord } from 'aws-lambda';
import type { CloudStreamSource } from '../cloudformation/model.ts';
import { failedItems } from './batch-response.ts';
import type { InvocationOutcome } from './function-pool.ts';
import type { Positions } from './stream-positions.ts';

export type DeliveryDeps = {
  source: CloudStreamSource;
  streamArn: string;
  positions: Positions;
  invoke: (event: unknown, requestId: string) => Promise<InvocationOutcome>;
  /** Sends a record to the on-failure destination. */
  giveUp: (record: unknown) => Promise<void>;
  /** Prints a sentence about a fault, given without its subject. */
  warn: (sentence: string) => void;
  pause: (ms: number) => Promise<void>;
  now: () => Date;
  stopping: AbortSignal;
};

/** Records for one call of the function, and how often the first of them has failed. */
type Piece = { records: readonly DynamoDBRecord[]; failures: number };
export type Deliver = (shard: string, records: readonly DynamoDBRecord[]) => Promise<void>;

type FailedBatch = {
  condition: 'RetryAttemptsExhausted' | 'RecordAgeExceeded';
  records: readonly DynamoDBRecord[];
  shard: string;
  streamArn: string;
  functionArn: string;
  invocations: number;
  /** Whether the function failed as a whole; otherwise its answer named the records. */
  threw: boolean;
  now: Date;
};

/** Calls the function with a shard's records in their order, as Lambda does, and returns when all are processed. */
export const createDelivery = (deps: DeliveryDeps): Deliver => {
  const { source, positions, stopping } = deps;

  const deliver: Deliver = async (shard, records) => {
    const wanted = records.filter(source.accepts);
    for (let start = 0; start < wanted.length; start += source.batchSize)
      await deliverBatch(shard, wanted.slice(start, start + source.batchSize));
    // Skipped records behind the last wanted one are processed as well.
    if (!stopping.aborted) saveBehind(shard, records);
  };

  const deliverBatch = async (shard: string, records: readonly DynamoDBRecord[]) => {
    const waiting: Piece[] = [{ records, failures: 0 }];
    for (let piece = waiting.shift(); piece && !stopping.aborted; piece = waiting.shift())
      waiting.unshift(...(await tryPiece(shard, piece)));
  };

  /** Returns the pieces that remain to be tried. */
  const tryPiece = async (shard: string, piece: Piece): Promise<Piece[]> => {
    const expired = expiredOf(piece.records);
    if (expired.length > 0) {
      const fresh = piece.records.slice(expired.length);
      await giveUp(shard, { ...piece, records: expired }, { condition: 'RecordAgeExceeded', threw: false });
      return fresh.length > 0 ? [{ ...piece, records: fresh }] : [];
    }
    const outcome = await deps.invoke({ Records: piece.records }, randomUUID());
    if (stopping.aborted) return [];
    const numbers = piece.records.map(numberOf);
    const failed = failedItems(outcome, numbers, source.reportsItemFailures);
    const lowest = numbers.findIndex((number) => failed.includes(number));
    saveBehind(shard, lowest === -1 ? piece.records : piece.records.slice(0, lowest));
    if (lowest === -1) return [];
    return afterFailure(shard, piece, { lowest, outcome });
  };

  const afterFailure = async (
    shard: string,
    { records, failures }: Piece,
    { lowest, outcome }: { lowest: number; outcome: InvocationOutcome },
  ): Promise<Piece[]> => {
    const left: Piece = { records: records.slice(lowest), failures: lowest > 0 ? 1 : failures + 1 };
    if (left.failures === 1) deps.warn(reasonOf(outcome, left.records));
    // Halving does not count as a retry, so that only a record that fails alone is given up.
    const isHalved = source.bisects && lowest === 0 && left.records.length > 1;
    if (!isHalved && left.failures > source.maxRetries) {
      await giveUp(shard, left, { condition: 'RetryAttemptsExhausted', threw: !outcome.ok });
      return [];
    }
    await deps.pause(backoffMs(left.failures));
    return isHalved ? halves({ records, failures }) : [left];
  };

  const giveUp = async (shard: string, piece: Piece, why: Pick<FailedBatch, 'condition' | 'threw'>) => {
    const { streamArn, now } = deps;
    const { functionArn } = source;
    const { records, failures: invocations } = piece;
    const failed = { ...why, records, shard, streamArn, functionArn, invocations, now: now() };
    await deps.giveUp(failureRecord(failed));
    deps.warn(`${records.length} records from number ${records.map(numberOf)[0]} on were given up`);
    saveBehind(shard, records);
  };

  /** The leading records that are too old; a shard's records are in the order of arrival. */
  const expiredOf = (records: Piece['records']): Piece['records'] => {
    const oldestMs = deps.now().getTime() - source.maxAgeMs;
    const fresh = records.findIndex((record) => arrivalMs(record) >= oldestMs);
    return fresh === -1 ? records : records.slice(0, fresh);
  };

  const saveBehind = (shard: string, records: readonly DynamoDBRecord[]) => {
    const last = records.at(-1);
    if (last) positions.save(shard, { after: numberOf(last) });
  };

  return deliver;
};

const numberOf = (record: DynamoDBRecord): string => record.dynamodb?.SequenceNumber ?? '';

const halves = ({ records, failures }: Piece): Piece[] => {
  const middle = Math.ceil(records.length / 2);
  return [
    { records: records.slice(0, middle), failures },
    { records: records.slice(middle), failures: 0 },
  ];
};

/** 0.5 s, 1 s, 2 s, … up to 30 s. */
const backoffMs = (failures: number): number => Math.min(250 * 2 ** failures, 30_000);

const reasonOf = (outcome: InvocationOutcome, { length }: readonly DynamoDBRecord[]): string =>
  outcome.ok ? `it reported a failure, ${length} records wait` : `the function ${outcome.reason}`;

/** Lambda's message to the on-failure destination: sequence numbers of the records, without their content. */
const failureRecord = ({ records, ...failed }: FailedBatch) => ({
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

/** `2026-11-21T13:00:07Z`: streams have whole seconds. */
const arrivalOf = (record: DynamoDBRecord | undefined): string =>
  `${new Date(arrivalMs(record)).toISOString().slice(0, 19)}Z`;

const arrivalMs = (record: DynamoDBRecord | undefined): number =>
  (record?.dynamodb?.ApproximateCreationDateTime ?? 0) * 1000;
