import { createHash } from 'node:crypto';
import type { Grant } from '../../domain/ownership/grant.ts';

/** Keys of partners in the Partners table, one builder for each entity. */
export const profileKey = (clientId: string) => ({ pk: `PARTNER#${clientId}`, sk: 'PROFILE' });

/** Separate from the profile, so that only the token service and the operator's tool read hashes of secrets. */
export const hashesKey = (clientId: string) => ({ pk: `HASHES#${clientId}`, sk: 'HASHES' });

/**
 * Separate from the profile, so that the token service can record a use without a right to the partner's record (S-80).
 */
export const usesKey = (clientId: string) => ({ pk: `USE#${clientId}`, sk: 'USES' });

/** Separate from the profile, so that nothing that reads partners for a request reads the signature. */
export const signatureKey = (clientId: string) => ({ pk: `WEBHOOK#${clientId}`, sk: 'SIGNATURE' });

/** The switch for the webhooks of the whole stage (S-77). */
export const webhookSwitchKey = { pk: 'STAGE', sk: 'WEBHOOKS' };

/** The progress of polling endpoints. Separate from the switch, so that the poller cannot change the switch. */
export const inspectionKey = { pk: 'TURN', sk: 'ENDPOINTS' };

/** Makes names unique, and partners listable without an index. */
export const namesPartition = 'PARTNERS';
export const nameKey = (name: string) => ({ pk: namesPartition, sk: name });

/**
 * The holders of a grant (GRANT-4). Names are opaque and may contain any character, so their hash is the key. Its first
 * digit makes 16 partitions, which spreads the load and lets all of them be listed without a scan.
 */
export const grantKey = ({ group, franchise, location }: Grant) => {
  const name = JSON.stringify([group, franchise ?? null, location ?? null]);
  const sk = createHash('sha256').update(name).digest('hex').slice(0, 32);
  return { pk: grantPartition(sk.slice(0, 1)), sk };
};
const grantPartition = (digit: string) => `GRANT#${digit}`;
