import type { PartnerProfile, SecretUses } from '../../domain/partner.ts';
import { consistentGet } from '../dynamodb/consistent-get.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { profileKey, usesKey } from './keys.ts';
import { profileOfItem, usesOfItem } from './profile-item.ts';

/** What requests read of partners. Separate from the writes, which functions that only read do not need (S-67). */
export type PartnerReader = {
  /** For every V2 request (TOK-5, GRANT-2): strongly consistent, without a cache. */
  profileOf: (clientId: string) => Promise<PartnerProfile | undefined>;
  /** For answers that show secrets' facts (S-20). */
  usesOf: (clientId: string) => Promise<SecretUses>;
};

/** Every read is strongly consistent, so that a disabled partner is refused at once (TOK-5). */
export const createPartnerReader = ({
  documents,
  partnersTable,
}: TableAccess<'partnersTable'>): PartnerReader => ({
  profileOf: async (clientId) => {
    const { Item } = await documents.send(consistentGet(partnersTable, profileKey(clientId)));
    return Item && profileOfItem(Item);
  },
  usesOf: async (clientId) => {
    const { Item } = await documents.send(consistentGet(partnersTable, usesKey(clientId)));
    return usesOfItem(Item);
  },
});
