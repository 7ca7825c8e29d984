import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type GetShardIteratorInput,
  type _Record as SdkRecord,
} from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord } from 'aws-lambda';
import type { Queues } from './aws/queues.ts';
import { connectionTo, forgetStreamRecords } from './engine.ts';
import { failedItems, type SourcesOptions } from './sources.ts';
import type { State } from './state.ts';
import { region, stream as wiring } from './wiring.ts';

export type StreamOptions = SourcesOptions & {
  endpoint: string;
  /** The name of the Transactions table. */
  table: string;
  /** The engine's file, if the stage started the engine. */
  dbPath?: string | undefined;
  queues: Queues;
  state: State;
};

export type StreamReader = {
  /** Resolves when a read that begins after the call finds nothing more to deliver. */
  caughtUp: () => Promise<void>;
};

/** A reader's position in a shard: the last processed record, and whether the shard has ended. */
type Position = { stream: string; after?: string; isFinished?: true };

/** Records for one call of the function, and how often the first of them has failed. */
type Piece = { records: readonly DynamoDBRecord[]; failures: number };

/** The most records of one read: 200 imported ones, with both images, take 4 MB. */
const pageSize = 200;
/** Four times a second, as on Lambda. */
const pollMs = 250;
/** The time before another search for a shard that can be read. */
const listMs = 5_000;

/**
 * Lambda's event source mapping of the Transactions stream: one shard after the other, a child after its parent, a failed batch
 * halved until the failing record is alone, and what is given up named in a queue. Positions are kept after success.
 */
export const serveStream = async (options: StreamOptions): Promise<StreamReader> => {
  const { invoke, warn, clock, stopping, queues } = options;
  const positions = options.state.records<Position>('position');
  const { client, streamArn } = await openStream(options);
  const pause = (ms: number) => clock.pause(ms, stopping);
  let waiting: { sinceMs: number; resolve: () => void }[] = [];
  /** Ends the pause between two reads. */
  let readNow = () => {};
  const pauseUnlessAsked = (ms: number) =>
    new Promise<void>((resolve) => {
      readNow = resolve;
      void pause(ms).then(resolve);
    });

  /** A table that was created again has another stream, which is read from its beginning. */
  const positionOf = (shard: string): Position => {
    const found = positions.get(shard);
    return found?.stream === streamArn ? found : { stream: streamArn };
  };
  const saveBehind = (shard: string, records: readonly DynamoDBRecord[]) => {
    const last = records.at(-1);
    if (last) positions.put(shard, { stream: streamArn, after: numberOf(last) });
  };

  const deliver = async (shard: string, records: readonly DynamoDBRecord[]) => {
    const wanted = records.filter(({ eventName }) =>
      wiring.pattern.eventName.some((one) => one === eventName),
    );
    for (let start = 0; start < wanted.length; start += wiring.batchSize) {
      const waiting: Piece[] = [{ records: wanted.slice(start, start + wiring.batchSize), failures: 0 }];
      for (let piece = waiting.shift(); piece && !stopping.aborted; piece = waiting.shift())
        waiting.unshift(...(await tryPiece(shard, piece)));
    }
    // Skipped records behind the last wanted one are processed as well.
    if (!stopping.aborted) saveBehind(shard, records);
  };

  /** Returns the pieces that remain to be tried. */
  const tryPiece = async (shard: string, { records, failures }: Piece): Promise<Piece[]> => {
    // The engine dates records by the machine's clock.
    const firstFresh = records.findIndex(
      (record) => arrivalMs(record) >= Date.now() - clock.aheadMs() - maximumAgeMs,
    );
    const expired = firstFresh === -1 ? records : records.slice(0, firstFresh);
    if (expired.length > 0) {
      giveUp(shard, { records: expired, failures }, 'RecordAgeExceeded');
      return firstFresh === -1 ? [] : [{ records: records.slice(firstFresh), failures }];
    }
    const outcome = await invoke(wiring.name, { Records: records });
    if (stopping.aborted) return [];
    const numbers = records.map(numberOf);
    const failed = failedItems(outcome, numbers, true);
    const lowest = numbers.findIndex((number) => failed.includes(number));
    saveBehind(shard, lowest === -1 ? records : records.slice(0, lowest));
    if (lowest === -1) return [];
    const left: Piece = { records: records.slice(lowest), failures: lowest > 0 ? 1 : failures + 1 };
    const said = outcome.ok
      ? `it reported a failure, ${left.records.length} records wait`
      : `the function ${outcome.reason}`;
    if (left.failures === 1) warn(`${wiring.name}, by its stream: ${said}.`);
    // Halving does not count as a retry, so that only a record that fails alone is given up.
    const isHalved = lowest === 0 && left.records.length > 1;
    if (!isHalved && left.failures > wiring.maximumRetryAttempts) {
      giveUp(shard, left, 'RetryAttemptsExhausted');
      return [];
    }
    // 0.5 s, 1 s, 2 s, … up to 30 s.
    await pause(Math.min(250 * 2 ** left.failures, 30_000));
    if (!isHalved) return [left];
    const middle = Math.ceil(records.length / 2);
    return [
      { records: records.slice(0, middle), failures },
      { records: records.slice(middle), failures: 0 },
    ];
  };

  /** Tells a queue of records as Lambda does: by their numbers, without their content. */
  const giveUp = (shardId: string, { records, failures }: Piece, condition: string) => {
    const notice = {
      requestContext: { condition, approximateInvokeCount: failures },
      DDBStreamBatchInfo: {
        ...{ shardId, streamArn, batchSize: records.length },
        startSequenceNumber: records.at(0)?.dynamodb?.SequenceNumber,
        endSequenceNumber: records.at(-1)?.dynamodb?.SequenceNumber,
      },
    };
    queues.send(wiring.onFailure, { body: JSON.stringify(notice) });
    warn(
      `${wiring.name}, by its stream: ${records.length} records from number ${records.map(numberOf)[0]} on were given up.`,
    );
    saveBehind(shardId, records);
  };

  /** An iterator behind the last processed record, or from the oldest one if there is none or it is not kept any more. */
  const iteratorOf = async (shard: string) => {
    const { after } = positionOf(shard);
    const ask = async (where: Pick<GetShardIteratorInput, 'ShardIteratorType' | 'SequenceNumber'>) => {
      const wanted = new GetShardIteratorCommand({ StreamArn: streamArn, ShardId: shard, ...where });
      return (await client.send(wanted)).ShardIterator;
    };
    const oldest = () => ask({ ShardIteratorType: 'TRIM_HORIZON' });
    if (after === undefined) return oldest();
    return ask({ ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: after }).catch(
      (error: Error) => {
        if (error.name === 'TrimmedDataAccessException') return oldest();
        throw error;
      },
    );
  };

  const readShard = async (shard: string) => {
    let iterator: string | undefined;
    let faults = 0;
    while (!stopping.aborted) {
      const startedMs = performance.now();
      try {
        iterator ??= await iteratorOf(shard);
        const answer = await client.send(new GetRecordsCommand({ ShardIterator: iterator, Limit: pageSize }));
        const records = (answer.Records ?? []).map((record) => toLambdaRecord(record, streamArn));
        await deliver(shard, records);
        if (records.length === 0) {
          for (const { sinceMs, resolve } of waiting) if (sinceMs <= startedMs) resolve();
          waiting = waiting.filter(({ sinceMs }) => sinceMs > startedMs);
        }
        if (stopping.aborted) return;
        if (answer.NextShardIterator === undefined)
          return positions.put(shard, { ...positionOf(shard), isFinished: true });
        [iterator, faults] = [answer.NextShardIterator, 0];
        if (records.length === pageSize) continue;
      } catch (error) {
        [iterator, faults] = [undefined, faults + 1];
        // A single fault may be an iterator that expired during a long delivery.
        if (faults === 2 && !stopping.aborted) warn(`${wiring.name}: its stream cannot be read: ${error}`);
      }
      await pauseUnlessAsked(
        faults > 1 ? Math.min(pollMs * 2 ** faults, 10_000) : pollMs - (performance.now() - startedMs),
      );
    }
  };

  const shards = async () =>
    (await client.send(new DescribeStreamCommand({ StreamArn: streamArn }))).StreamDescription?.Shards ?? [];
  const run = async () => {
    while (!stopping.aborted) {
      const all = await shards().catch((error: unknown) => {
        if (!stopping.aborted) warn(`${wiring.name}: its stream cannot be listed: ${error}`);
        return [];
      });
      const isOpen = (id: string | undefined) =>
        all.some(({ ShardId }) => ShardId === id) && !positionOf(id ?? '').isFinished;
      const next = all.find(({ ShardId, ParentShardId }) => isOpen(ShardId) && !isOpen(ParentShardId));
      if (next?.ShardId) await readShard(next.ShardId);
      else await pause(listMs);
    }
  };

  if (options.dbPath) {
    const [shard] = await shards();
    forgetStreamRecords(options.dbPath, options.table, Number(positionOf(shard?.ShardId ?? '').after ?? 0));
  }
  void run().finally(() => client.destroy());
  stopping.addEventListener('abort', () => client.destroy());
  return {
    caughtUp: () =>
      new Promise((resolve) => {
        waiting.push({ sinceMs: performance.now(), resolve });
        readNow();
      }),
  };
};

const maximumAgeMs = wiring.maximumRecordAgeSeconds * 1000;

/** Without retries of the client, since the reader of the stream retries. */
const connection = (endpoint: string) => ({ ...connectionTo(endpoint), maxAttempts: 1 });

const openStream = async ({ endpoint, table }: StreamOptions) => {
  const engine = new DynamoDBClient(connection(endpoint));
  const { Table } = await engine.send(new DescribeTableCommand({ TableName: table }));
  engine.destroy();
  const client = new DynamoDBStreamsClient(connection(endpoint));
  // The SDK's logger copies every record, and its log is not used.
  client.middlewareStack.remove('loggerMiddleware');
  return { client, streamArn: Table?.LatestStreamArn ?? '' };
};

const numberOf = (record: DynamoDBRecord): string => record.dynamodb?.SequenceNumber ?? '';
const arrivalMs = (record: DynamoDBRecord | undefined): number =>
  (record?.dynamodb?.ApproximateCreationDateTime ?? 0) * 1000;

/** A stream record in the form that Lambda passes to functions: as JSON, with times in seconds and bytes in Base64. */
const toLambdaRecord = (record: SdkRecord, eventSourceARN: string): DynamoDBRecord => {
  const seconds = Math.floor((record.dynamodb?.ApproximateCreationDateTime?.getTime() ?? 0) / 1000);
  const more = { eventSource: 'aws:dynamodb', awsRegion: region, eventSourceARN };
  const dynamodb = { ...record.dynamodb, ApproximateCreationDateTime: seconds };
  return JSON.parse(JSON.stringify({ ...record, ...more, dynamodb }, bytesAsText));
};

const bytesAsText = (_name: string, value: unknown) =>
  value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
