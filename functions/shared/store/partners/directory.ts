import type { EndpointStatus } from '../../domain/endpoint.ts';
import { isServed } from '../../domain/endpoint-wish.ts';
import type { ServedPartner } from '../../domain/event/recipient.ts';
import type { NdMeta } from '../../domain/ownership/owner.ts';
import type { Partner } from '../../domain/partner.ts';
import type { Clock } from '../../runtime/clock.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { pagesOf } from '../dynamodb/pages.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { granteesAmong } from './grantees.ts';
import { namesPartition, profileKey, webhookSwitchKey } from './keys.ts';
import { partnerOfItem } from './profile-item.ts';
import { isStopped, isSwitch, startedAtMsIn } from './webhook-switch.ts';

/**
 * Every partner that may receive events, as it is served now: strongly consistent, never cached (S-08). The sender reads
 * the switch of all webhooks by itself: a stop pauses nobody (S-77). A partner whose endpoint the bus does not have yet is
 * `isUnserved`. After a start, each partner is until `keep-endpoints` has processed it (DR-13).
 */
export type PartnerDirectory = {
  /**
   * All partners whose grants cover one of these owners, and perhaps others. `decideRecipient` says who is notified
   * (GRANT-4). The cost does not depend on the number of partners.
   */
  ofOwners: (owners: readonly (NdMeta | undefined)[]) => Promise<ServedPartner[]>;
  byClientIds: (clientIds: readonly string[]) => Promise<Map<string, ServedPartner>>;
};

/**
 * Partners as events are sent to them, for functions that send none. Paused while the webhooks of the stage are stopped
 * (S-77).
 */
export type PartnerLookup = {
  byClientIds: (clientIds: readonly string[]) => Promise<Map<string, Partner>>;
};

/** The lookup over DynamoDB. */
export const createPartnerLookup = (access: TableAccess<'partnersTable'>): PartnerLookup => ({
  byClientIds: async (clientIds) => {
    const { profiles, isStopped } = await readWithSwitch(access, [...new Set(clientIds)]);
    return byClientId(
      profiles.map(({ partner }) => ({ ...partner, ...(isStopped && { webhookPaused: 'operator' }) })),
    );
  },
});

type DirectoryAccess = TableAccess<'partnersTable'> & { clock: Clock };

/** The directory over DynamoDB. Separate from the writes, which functions that publish do not need. */
export const createPartnerDirectory = (access: DirectoryAccess): PartnerDirectory => ({
  ofOwners: async (owners) => {
    const clientIds = await granteesAmong(access, owners);
    return inOrder(clientIds, await readAsServed(access, clientIds));
  },
  byClientIds: (clientIds) => readAsServed(access, [...new Set(clientIds)]),
});

/** The existing ones, in the order of their ids. */
export const inOrder = <Found>(clientIds: readonly string[], partners: ReadonlyMap<string, Found>): Found[] =>
  clientIds.flatMap((clientId) => partners.get(clientId) ?? []);

/** The client ids of all partners, in the order of names. */
export const listClientIds = async (access: TableAccess<'partnersTable'>) => {
  const clientIds: string[] = [];
  const pages = pagesOf(access, {
    TableName: access.partnersTable,
    KeyConditionExpression: 'pk = :names',
    ExpressionAttributeValues: { ':names': namesPartition },
    ConsistentRead: true,
  });
  for await (const items of pages) clientIds.push(...items.map(({ clientId }) => String(clientId)));
  return clientIds;
};

const readAsServed = async (access: DirectoryAccess, clientIds: readonly string[]) => {
  const { profiles, startedAtMs } = await readWithSwitch(access, clientIds);
  const at = { nowMs: access.clock().getTime(), startedAtMs };
  const served = profiles.map(
    ({ partner, endpoint }): ServedPartner => ({
      ...partner,
      ...(!isServed(endpoint, at) && { isUnserved: true }),
    }),
  );
  return byClientId(served);
};

/** Profiles, whether the webhooks of the stage are stopped, and the time of the last start. */
const readWithSwitch = async (
  access: TableAccess<'partnersTable'>,
  clientIds: readonly string[],
): Promise<{ profiles: ProfileItem[]; isStopped: boolean; startedAtMs?: number | undefined }> => {
  if (clientIds.length === 0) return { profiles: [], isStopped: false };
  const items = await readItems(access, [webhookSwitchKey, ...clientIds.map(profileKey)]);
  const turned = items.find(isSwitch) ?? {};
  return { profiles: profilesIn(items), isStopped: isStopped(turned), startedAtMs: startedAtMsIn(turned) };
};

const byClientId = <Found extends Partner>(partners: readonly Found[]): Map<string, Found> =>
  new Map(partners.map((partner) => [partner.clientId, partner]));

/** Profiles, and the switch if its key is among them. */
export const readItems = (
  access: TableAccess<'partnersTable'>,
  keys: readonly Record<string, string>[],
): Promise<Record<string, unknown>[]> =>
  batchGet(access, {
    table: access.partnersTable,
    keys,
    attributes: ['partner', 'webhook', 'endpoint', 'stoppedAtMs', 'startedAtMs'],
  });

/** The attributes to read of a profile. */
export type ProfileItem = { partner: Partner; endpoint?: EndpointStatus };

/** Only the partner store writes such items, so their shape is trusted. */
export const profilesIn = (items: readonly Record<string, unknown>[]): ProfileItem[] =>
  items
    .filter(({ partner }) => partner !== undefined)
    .map((item) => ({
      partner: partnerOfItem(item),
      ...(item.endpoint !== undefined && { endpoint: item.endpoint as EndpointStatus }),
    }));
