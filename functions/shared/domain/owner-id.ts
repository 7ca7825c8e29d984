import { createHash } from 'node:crypto';

/**
 * A short id for a part of the estate: its group, group and franchise, or all three. Owners' values may hold any
 * character and never enter a key (listing.md, "Nodes").
 */
export const ownerId = (path: readonly string[]) =>
  createHash('sha256').update(JSON.stringify(path)).digest('base64url').slice(0, 11);
