import type { PartnerProfile, SecretUses, StoredSecret } from '../../domain/partner.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { hashesKey, profileKey, usesKey } from './keys.ts';
import { credentialsOfItems, usesOfItem } from './profile-item.ts';

/** A partner with its credentials, and the last use of each secret. */
export type UsedCredentials = PartnerProfile<StoredSecret> & { uses: SecretUses };

/** What the token service reads of partners. */
export type CredentialsReader = {
  /** With the hashes. */
  credentialsOf: (clientId: string) => Promise<UsedCredentials | undefined>;
};

/** Profile, hashes and uses in one request, strongly consistent. It costs the same if there are none (O-16). */
export const createCredentialsReader = (access: TableAccess<'partnersTable'>): CredentialsReader => ({
  credentialsOf: async (clientId) => {
    const keys = [profileKey(clientId), hashesKey(clientId), usesKey(clientId)];
    const items = await batchGet(access, { table: access.partnersTable, keys });
    const [profile, hashes, uses] = keys.map(({ sk }) => items.find((item) => item.sk === sk));
    return profile && hashes && { ...credentialsOfItems(profile, hashes), uses: usesOfItem(uses) };
  },
});
