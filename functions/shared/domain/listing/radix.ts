/** The shape of the counted radix tree over sequence numbers. Tests use tiny numbers. */
export type Radix = {
  /** A bucket holds 2^leafBits creations. */
  leafBits: number;
  /** A counter item counts 2^fanBits children. */
  fanBits: number;
};

/** Buckets of 1,024 and 64 children an item, so that every counter item stays under 1 KB. */
export const productionRadix: Radix = { leafBits: 10, fanBits: 6 };

/** Level 1 counts buckets. The root is a single item. */
export const levels = [3, 2, 1] as const;
export type Level = (typeof levels)[number];
export const rootLevel = 3;

/** Sequence numbers below one child of an item at this level. */
export const childWidth = ({ leafBits, fanBits }: Radix, level: Level) =>
  2 ** (leafBits + (level - 1) * fanBits);

/** The item of the level that counts the sequence number. The root is one item. */
export const itemIndex = (radix: Radix, level: Level, sequenceNumber: number) =>
  level === rootLevel ? 0 : Math.floor(sequenceNumber / (childWidth(radix, level) * 2 ** radix.fanBits));

/** The child of that item that holds the sequence number. */
export const childIndex = (radix: Radix, level: Level, sequenceNumber: number) =>
  Math.floor(sequenceNumber / childWidth(radix, level)) -
  itemIndex(radix, level, sequenceNumber) * 2 ** radix.fanBits;

/** The first sequence number below a child. */
export const childStart = (radix: Radix, level: Level, item: number, child: number) =>
  (item * 2 ** radix.fanBits + child) * childWidth(radix, level);

export const bucketOf = ({ leafBits }: Radix, sequenceNumber: number) =>
  Math.floor(sequenceNumber / 2 ** leafBits);
