import type { TableAccess } from '../../../../functions/shared/store/dynamodb/table-access.ts';
import {
  inOrder,
  listClientIds,
  type ProfileItem,
  profilesIn,
  readItems,
} from '../../../../functions/shared/store/partners/directory.ts';
import { profileKey } from '../../../../functions/shared/store/partners/keys.ts';

/** Every partner with the status of its endpoint, in the order of names. */
export const readAllPartners = async (access: TableAccess<'partnersTable'>): Promise<ProfileItem[]> => {
  const clientIds = await listClientIds(access);
  const items = profilesIn(await readItems(access, clientIds.map(profileKey)));
  return inOrder(clientIds, new Map(items.map((item) => [item.partner.clientId, item])));
};
