import { readJsonFile, writePrivateJson } from '../data/private-json.ts';

/** A reader's position in a shard: the last processed record, and whether the shard has ended. */
export type Position = { after?: string; isFinished?: true };
/** The positions of one event source by shard. */
export type Positions = {
  of: (shard: string) => Position;
  save: (shard: string, position: Position) => void;
  /** Drops the positions of all other shards. */
  keep: (shards: readonly string[]) => void;
};

type StoredPositions = Record<string, { stream: string; shards: Record<string, Position> }>;

/** The positions of all event sources in one file, so that a start continues where the last one ended. */
export const openPositions = (file: string) => {
  const stored = readJsonFile<StoredPositions>(file) ?? {};
  /** A table that was created again has another stream, which is read from its beginning. */
  const of = (source: string, stream: string): Positions => {
    const found = stored[source];
    const { shards } = found?.stream === stream ? found : { shards: {} as Record<string, Position> };
    stored[source] = { stream, shards };
    return {
      of: (shard) => shards[shard] ?? {},
      save: (shard, position) => {
        shards[shard] = position;
        writePrivateJson(file, stored);
      },
      keep: (kept) => {
        for (const shard of Object.keys(shards)) if (!kept.includes(shard)) delete shards[shard];
      },
    };
  };
  return { of };
};
