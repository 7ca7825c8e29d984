import { consistentGet } from '../dynamodb/consistent-get.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { usesKey } from './keys.ts';
import type { PartnerStore } from './partner-store.ts';
import { usesOfItem } from './profile-item.ts';

/** What is shown beside the facts of secrets; no other request reads it. */
export type SecretUsesReader = Pick<PartnerStore, 'usesOf'>;

/** The days of use, which the token service writes (`notes.ts`). */
export const createSecretUsesReader = ({
  documents,
  partnersTable,
}: TableAccess<'partnersTable'>): SecretUsesReader => ({
  usesOf: async (clientId) => {
    const { Item } = await documents.send(consistentGet(partnersTable, usesKey(clientId)));
    return usesOfItem(Item);
  },
});
