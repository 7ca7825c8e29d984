import { readJsonFile, writePrivateJson } from '../data/private-json.ts';

/** How far a reader is in one shard: the last record it is done with, and whether the shard has no more. */
export type Position = { after?: string; isFinished?: true };
/** How far one event source is in its stream. */
export type Positions = {
  of: (shard: string) => Position;
  save: (shard: string, position: Position) => void;
  /** Forgets shards that the stream no longer has. */
  keep: (shards: readonly string[]) => void;
};

type StoredPositions = Record<string, { stream: string; shards: Record<string, Position> }>;

/** The positions of all event sources, in one file that is whole at every moment: a new start goes on where the last ended. */
export const openPositions = (file: string) => {
  const stored = readJsonFile<StoredPositions>(file) ?? {};
  /** A table that was made anew has another stream, which is read from its beginning. */
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
