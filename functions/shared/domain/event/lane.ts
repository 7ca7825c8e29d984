/** One of so many lanes: the shards of the due index that one run works on at a time. Lanes count from 0. */
export type Lane = { lane: number; of: number };

/** The shards of a lane: of eight lanes, lane 3 has the shards 3 and 11. */
export const shardsOf = ({ lane, of }: Lane, shards: readonly number[]): number[] =>
  shards.filter((shard) => shard % of === lane);

/** The lanes of some shards, each once, in the order of the shards. */
export const lanesOf = (shards: readonly number[], of: number): Lane[] =>
  [...new Set(shards.map((shard) => shard % of))].map((lane) => ({ lane, of }));

/** How a lane is named in a message. */
export const laneText = ({ lane, of }: Lane): string => `lane ${lane} of ${of}`;

/** The lane that a message names; undefined where it names none. */
export const laneIn = (text: string): Lane | undefined => {
  const [, lane, of] = /^lane (\d+) of (\d+)$/.exec(text) ?? [];
  return lane === undefined || of === undefined ? undefined : { lane: Number(lane), of: Number(of) };
};
