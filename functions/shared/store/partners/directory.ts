import type { NdMeta } from '../../domain/ownership/owner.ts';
import type { Partner } from '../../domain/partner.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { pagesOf } from '../dynamodb/pages.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { holdersAmong } from './grant-holders.ts';
import { namesPartition, profileKey, webhookSwitchKey } from './keys.ts';

/**
 * Every partner that may receive events, as of now: strongly consistent, never cached (S-08). While the webhooks of the
 * stage are stopped each of them is paused (S-77).
 */
export type PartnerDirectory = {
  /** In the order of names. */
  all: () => Promise<Partner[]>;
  /**
   * All whose grants cover one of these owners, and perhaps others: `decideRecipient` says who is told (GRANT-4). It costs the
   * same however many partners there are.
   */
  ofOwners: (owners: readonly (NdMeta | undefined)[]) => Promise<Partner[]>;
  byClientIds: (clientIds: readonly string[]) => Promise<Map<string, Partner>>;
};

/** The directory over DynamoDB, apart from the writes: functions that publish do not carry those. */
export const createPartnerDirectory = (access: TableAccess<'partnersTable'>): PartnerDirectory => ({
  all: async () => {
    const clientIds = await listClientIds(access);
    return inOrder(clientIds, await readAsSent(access, clientIds));
  },
  ofOwners: async (owners) => {
    const clientIds = await holdersAmong(access, owners);
    return inOrder(clientIds, await readAsSent(access, clientIds));
  },
  byClientIds: (clientIds) => readAsSent(access, [...new Set(clientIds)]),
});

/** Every partner as its record says, in the order of names. */
export const readAllPartners = async (access: TableAccess<'partnersTable'>): Promise<Partner[]> => {
  const clientIds = await listClientIds(access);
  const items = await readItems(access, clientIds.map(profileKey));
  return inOrder(clientIds, partnersIn(items));
};

const inOrder = (clientIds: readonly string[], partners: ReadonlyMap<string, Partner>): Partner[] =>
  clientIds.flatMap((clientId) => partners.get(clientId) ?? []);

const listClientIds = async (access: TableAccess<'partnersTable'>) => {
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

/** As events are sent to them: paused while the webhooks of the stage are stopped. */
const readAsSent = async (access: TableAccess<'partnersTable'>, clientIds: readonly string[]) => {
  if (clientIds.length === 0) return new Map<string, Partner>();
  const items = await readItems(access, [webhookSwitchKey, ...clientIds.map(profileKey)]);
  const isStopped = items.some(({ stoppedAtMs }) => stoppedAtMs !== undefined);
  return partnersIn(items, isStopped ? { webhookPaused: 'operator' } : {});
};

const readItems = (access: TableAccess<'partnersTable'>, keys: readonly Record<string, string>[]) =>
  batchGet(access, {
    table: access.partnersTable,
    keys,
    attributes: ['partner', 'stoppedAtMs'],
  });

const partnersIn = (
  items: readonly Record<string, unknown>[],
  more: Partial<Partner> = {},
): Map<string, Partner> =>
  new Map(
    items
      .flatMap(({ partner }) => (partner === undefined ? [] : [{ ...(partner as Partner), ...more }]))
      .map((partner) => [partner.clientId, partner]),
  );
