import { setMaxListeners } from 'node:events';
import { UserError } from '../../bin/operator/user-error.ts';
import { systemClock } from '../../functions/shared/runtime/clock.ts';
import type { StageClock } from '../clock/stage-clock.ts';
import type { CloudEventSource, CloudQueueSource, CloudStreamSource } from '../cloudformation/model.ts';
import { forgetStreamRecords } from '../dynamodb/stream-records.ts';
import type { Queue } from '../sqs/queue.ts';
import type { FunctionPool } from './function-pool.ts';
import { readQueue } from './queue-source.ts';
import { openStream, type Stream } from './stream.ts';
import { createDelivery } from './stream-delivery.ts';
import { openPositions, type Positions } from './stream-positions.ts';
import { readStream } from './stream-reader.ts';

export type EventSourcesDeps = {
  functions: ReadonlyMap<string, Pick<FunctionPool, 'name' | 'logFile' | 'invoke'>>;
  queues: ReadonlyMap<string, Queue>;
  /** The DynamoDB engine, with the file of its tables where the stage started it. */
  engine: { endpoint: string; dbPath?: string };
  positionsFile: string;
  /** Prints a sentence about a fault. */
  warn: (sentence: string) => void;
  /** Waits between polls, and after failures. */
  pause: StageClock['pause'];
};

export type EventSources = { stop: () => Promise<void> };

type OpenStream = { source: CloudStreamSource; stream: Stream; positions: Positions };

/** Lambda's event source mappings: calls functions with stream records and messages until the stage stops. */
export const startEventSources = async (
  sources: readonly CloudEventSource[],
  deps: EventSourcesDeps,
): Promise<EventSources> => {
  const stopping = new AbortController();
  // Each pause adds a listener, and every source has several.
  setMaxListeners(0, stopping.signal);
  const streams = await openStreams(sources, deps);
  if (deps.engine.dbPath) await forgetRead(streams, deps.engine.dbPath);
  for (const stream of streams) void readStream(streamDeps(stream, deps, stopping.signal));
  for (const source of sources) {
    if (source.kind === 'queue') void readQueue(queueDeps(source, deps, stopping.signal));
  }
  return { stop: async () => stopping.abort() };
};

const openStreams = (
  sources: readonly CloudEventSource[],
  { engine, positionsFile }: EventSourcesDeps,
): Promise<OpenStream[]> => {
  const positions = openPositions(positionsFile);
  return Promise.all(
    sources
      .filter((source) => source.kind === 'stream')
      .map(async (source) => {
        const stream = await openStream(engine.endpoint, source.table);
        return { source, stream, positions: positions.of(source.id, stream.arn) };
      }),
  );
};

/** Removes records that every function of the table has read. The stage's engine has one shard for each table. */
const forgetRead = async (streams: readonly OpenStream[], dbPath: string) => {
  for (const table of new Set(streams.map(({ source }) => source.table))) {
    const readers = streams.filter(({ source }) => source.table === table);
    const [shard] = (await readers[0]?.stream.shards()) ?? [];
    const passed = readers.map(({ positions }) => Number(positions.of(shard?.id ?? '').after ?? 0));
    forgetStreamRecords(dbPath, table, Math.min(...passed));
  }
};

const streamDeps = (
  { source, stream, positions }: OpenStream,
  deps: EventSourcesDeps,
  stopping: AbortSignal,
) => {
  const common = { stream, positions, ...callerOf(source, deps, stopping) };
  const giveUp = async (record: unknown) => {
    if (source.onFailureArn === undefined) return;
    await queueOf(source.onFailureArn, source, deps).send({ body: JSON.stringify(record) });
  };
  // The machine's clock, by which the engine dates records.
  const now = systemClock;
  const deliver = createDelivery({ ...common, source, streamArn: stream.arn, giveUp, now });
  return { ...common, deliver, nowMs: () => performance.now() };
};

const queueDeps = (source: CloudQueueSource, deps: EventSourcesDeps, stopping: AbortSignal) => ({
  source,
  queue: queueOf(source.queueArn, source, deps),
  ...callerOf(source, deps, stopping),
});

const callerOf = ({ id, functionId }: CloudEventSource, deps: EventSourcesDeps, stopping: AbortSignal) => {
  const pool = deps.functions.get(functionId);
  if (!pool) throw new UserError(`The event source ${id} has no function.`);
  return {
    invoke: pool.invoke,
    warn: (sentence: string) =>
      deps.warn(`${pool.name}, by its event source: ${sentence}. More may be in ${pool.logFile}`),
    // The end of the stage ends every pause.
    pause: (ms: number) => deps.pause(ms, stopping),
    stopping,
  };
};

const queueOf = (arn: string, { id }: CloudEventSource, { queues }: EventSourcesDeps): Queue => {
  const queue = queues.get(arn);
  if (queue) return queue;
  throw new UserError(`The event source ${id} names the queue ${arn}, which the templates do not have.`);
};
