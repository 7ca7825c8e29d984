import { createHash } from 'node:crypto';
import type { Grant } from '../../domain/ownership/grant.ts';

/** Keys of the Partners table that belong to partners; one builder an entity. */
export const profileKey = (clientId: string) => ({ pk: `PARTNER#${clientId}`, sk: 'PROFILE' });

/** Apart from the profile, so that only the token service and the operator's tool read hashes of secrets. */
export const hashesKey = (clientId: string) => ({ pk: `HASHES#${clientId}`, sk: 'HASHES' });

/** Apart from the profile, so that the token service writes a use without a right to the partner's record (S-80). */
export const usesKey = (clientId: string) => ({ pk: `USE#${clientId}`, sk: 'USES' });

/** Apart from the profile, so that nothing that reads partners for a request reads the signature too. */
export const signatureKey = (clientId: string) => ({ pk: `WEBHOOK#${clientId}`, sk: 'SIGNATURE' });

/** Whether the webhooks of the whole stage are stopped (S-77). */
export const webhookSwitchKey = { pk: 'STAGE', sk: 'WEBHOOKS' };

/** How far partners' endpoints were inspected; apart from the switch, so that who inspects cannot turn it. */
export const inspectionKey = { pk: 'TURN', sk: 'ENDPOINTS' };

/** Makes names unique and partners listable without an index. */
export const namesPartition = 'PARTNERS';
export const nameKey = (name: string) => ({ pk: namesPartition, sk: name });

/**
 * Who holds a grant (GRANT-4). Names are opaque and may hold any character, so their hash is the key. Its first digit makes 16
 * partitions: no owner's events weigh on all of them, and all can be listed without a scan.
 */
export const grantKey = ({ group, franchise, location }: Grant) => {
  const name = JSON.stringify([group, franchise ?? null, location ?? null]);
  const sk = createHash('sha256').update(name).digest('hex').slice(0, 32);
  return { pk: grantPartition(sk.slice(0, 1)), sk };
};
const grantPartition = (digit: string) => `GRANT#${digit}`;
