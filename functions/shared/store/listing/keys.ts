import { createHash } from 'node:crypto';
import { type Level, rootLevel } from '../../domain/listing/radix.ts';

/** Keys of the Listing table, one builder an item; `docs/listing.md` shows them together. */
export type ListingKey = { pk: string; sk: string };

/**
 * Numbers that only rise: the creation sequence (`0`), numeric ids (`ids`), how far the sweep came (`sweep`). Beside them
 * lie the positions of lists that are being created.
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
export const stockPartition = (groupId: string, ndstockid: string) =>
  vehiclePartition('v', groupId, ndstockid);
export const salesPartition = (groupId: string, salesmasterid: string) =>
  vehiclePartition('x', groupId, salesmasterid);

/**
 * Each group has its own, so that how often others sell a vehicle of the same name costs no time (S-36). A caller chooses
 * the identifier and a partition key ends at 2,048 bytes: long ones are hashed, under a prefix of their own.
 */
const vehiclePartition = (prefix: 'v' | 'x', groupId: string, identifier: string) =>
  Buffer.byteLength(identifier) <= 500
    ? `${prefix}#${groupId}#${identifier}`
    : `${prefix.toUpperCase()}#${groupId}#${createHash('sha256').update(identifier).digest('base64url')}`;

export const counterPartition = (groupId: string) => `c#${groupId}`;

/** All nodes of a group at one item of a level share this prefix, so one Query reads them. */
export const counterPrefix = (level: Level, item: number) =>
  level === rootLevel ? 'r##' : `${level}#${item.toString(36)}#`;

export const counterKey = (
  node: { id: string; groupId: string },
  level: Level,
  item: number,
  shard: number,
): ListingKey => ({
  pk: counterPartition(node.groupId),
  sk: `${counterPrefix(level, item)}${node.id}#${shard.toString(36)}`,
});

/** The node of a counter's sort key: the part before the shard. */
export const nodeIdOfCounter = (sk: string) => sk.split('#').at(-2) ?? '';

/** What `counterPrefix` gave: the part before the node. */
export const placeOfCounter = (sk: string) => `${sk.split('#').slice(0, -2).join('#')}#`;

/** A key as one text, for maps and reports; neither part holds a line break of ours, and the last one divides. */
export const keyText = ({ pk, sk }: ListingKey) => `${pk}\n${sk}`;
