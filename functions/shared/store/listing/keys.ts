import { createHash } from 'node:crypto';
import type { IndexedValue } from '../../domain/listing/columns.ts';
import { type Level, rootLevel } from '../../domain/listing/radix.ts';
import type { NodeKind, OwnershipNode } from '../../domain/ownership/node.ts';

/** Keys of the Listing table, one builder an item; `docs/listing.md` shows them together. */
export type ListingKey = { pk: string; sk: string };

/**
 * Numbers that only rise: the creation sequence (`0`), numeric ids (`ids`), how far the sweep and retention came (`sweep`,
 * `retention-…`). Beside them lie the positions of lists that are being created.
 */
export const sequencePartition = 'seq';
export const sequenceKey: ListingKey = { pk: sequencePartition, sk: '0' };
export const positionsKey = (fingerprint: string): ListingKey => ({
  pk: sequencePartition,
  sk: `positions#${fingerprint}`,
});

/** Base 36, 9 digits: text order is creation order up to 10^14. */
export const positionText = (position: number) => position.toString(36).padStart(9, '0');
export const positionOf = (text: string) => Number.parseInt(text, 36);

export const runPartition = (nodeId: string) => `e#${nodeId}`;
export const allRunPartition = (bucket: number) => `a#${bucket.toString(36)}`;
export const sessionPartition = (session: string) => `s#${session}`;

/**
 * The run of an indexed value. Each group has its own, so that how often others sell the same vehicle costs no time (S-36).
 * A caller chooses the value and a partition key ends at 2,048 bytes: long ones are hashed, under the letter in upper case.
 */
export const valuePartition = (groupId: string, { run, value }: Pick<IndexedValue, 'run' | 'value'>) =>
  Buffer.byteLength(value) <= 500
    ? `${run}#${groupId}#${value}`
    : `${run.toUpperCase()}#${groupId}#${createHash('sha256').update(value).digest('base64url')}`;

export const counterPartition = (groupId: string) => `c#${groupId}`;

/** A place in the tree of counters: one item of a level; the root is one item. */
export type CounterItem = { level: Level; item: number };

const kindLetters: Record<NodeKind, string> = { group: 'g', franchise: 'f', location: 'l' };

/** All nodes of a kind in a group share this prefix at one place, so one Query reads them and no others. */
export const kindPrefix = (kind: NodeKind, { level, item }: CounterItem) =>
  level === rootLevel ? `r${kindLetters[kind]}#` : `${level}${kindLetters[kind]}#${item.toString(36)}#`;

/** All shards of a node share this prefix at one place, however many there are; no other node's key begins with it. */
export const nodePrefix = ({ kind, id }: OwnershipNode, place: CounterItem) =>
  `${kindPrefix(kind, place)}${id}#`;

export const counterKey = (node: OwnershipNode, place: CounterItem, shard: number): ListingKey => ({
  pk: counterPartition(node.groupId),
  sk: `${nodePrefix(node, place)}${shard.toString(36)}`,
});

/** The node of a counter's sort key: the part before the shard. */
export const nodeIdOfCounter = (sk: string) => sk.split('#').at(-2) ?? '';

/** A key as one text, for maps and reports; neither part holds a line break of ours, and the last one divides. */
export const keyText = ({ pk, sk }: ListingKey) => `${pk}\n${sk}`;
