import { createHash } from 'node:crypto';
import type { IndexedValue } from '../../domain/listing/columns.ts';
import { type Level, rootLevel } from '../../domain/listing/radix.ts';
import type { Rollup, RollupKind } from '../../domain/ownership/rollup.ts';

/** Keys of the Listing table, one builder for each item. `docs/listing.md` has a table of them. */
export type ListingKey = { pk: string; sk: string };

/**
 * Numbers that only rise: the creation sequence (`0`), numeric ids (`ids`), the progress of the sweep and of retention
 * (`sweep`, `retention-…`). Beside them are the sequence numbers reserved for an import.
 */
export const sequencePartition = 'seq';
export const sequenceKey: ListingKey = { pk: sequencePartition, sk: '0' };
export const sequenceNumbersKey = (fingerprint: string): ListingKey => ({
  pk: sequencePartition,
  sk: `sequenceNumbers#${fingerprint}`,
});

/** Base 36 with 9 digits: text order is the order of creation, up to 10^14. */
export const sequenceText = (sequenceNumber: number) => sequenceNumber.toString(36).padStart(9, '0');
export const sequenceNumberOf = (text: string) => Number.parseInt(text, 36);

export const runPartition = (rollupKey: string) => `e#${rollupKey}`;
export const allRunPartition = (bucket: number) => `a#${bucket.toString(36)}`;
export const sessionPartition = (session: string) => `s#${session}`;

/**
 * The run of an indexed value. Each group has its own, so that the time of an answer does not depend on how often
 * others sell the same vehicle (S-36). A caller chooses the value, and a partition key has at most 2,048 bytes: long
 * values are hashed, under the uppercase letter.
 */
export const valuePartition = (groupId: string, { run, value }: Pick<IndexedValue, 'run' | 'value'>) =>
  Buffer.byteLength(value) <= 500
    ? `${run}#${groupId}#${value}`
    : `${run.toUpperCase()}#${groupId}#${createHash('sha256').update(value).digest('base64url')}`;

export const counterPartition = (groupId: string) => `c#${groupId}`;

/** A place in the tree of counters: one item of a level. The root is one item. */
export type CounterItem = { level: Level; item: number };

const kindLetters: Record<RollupKind, string> = { group: 'g', franchise: 'f', location: 'l' };

/** All rollups of a kind in a group share this prefix at one place, so one Query reads exactly them. */
export const kindPrefix = (kind: RollupKind, { level, item }: CounterItem) =>
  level === rootLevel ? `r${kindLetters[kind]}#` : `${level}${kindLetters[kind]}#${item.toString(36)}#`;

/** All shards of a rollup share this prefix at one place. No other rollup's key begins with it. */
export const rollupPrefix = ({ kind, id }: Rollup, place: CounterItem) => `${kindPrefix(kind, place)}${id}#`;

export const counterKey = (rollup: Rollup, place: CounterItem, shard: number): ListingKey => ({
  pk: counterPartition(rollup.groupId),
  sk: `${rollupPrefix(rollup, place)}${shard.toString(36)}`,
});

/** The rollup of a counter's sort key: the part before the shard. */
export const rollupKeyOfCounter = (sk: string) => sk.split('#').at(-2) ?? '';

/** A key as one text, for maps and reports. Neither part contains a line break. */
export const keyText = ({ pk, sk }: ListingKey) => `${pk}\n${sk}`;
