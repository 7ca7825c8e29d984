import type { Partner } from '../../domain/partner.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { pagesOf } from '../dynamodb/pages.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { namesPartition, profileKey } from './keys.ts';

/** Every partner that may receive events, as of now: strongly consistent, never cached (S-08). */
export type PartnerDirectory = {
  /** In the order of names. */
  all: () => Promise<Partner[]>;
  byClientIds: (clientIds: readonly string[]) => Promise<Map<string, Partner>>;
};

/** The directory over DynamoDB, apart from the writes: functions that publish do not carry those. */
export const createPartnerDirectory = (access: TableAccess<'partnersTable'>): PartnerDirectory => ({
  all: async () => {
    const clientIds = await listClientIds(access);
    const partners = await readProfiles(access, clientIds);
    return clientIds.flatMap((clientId) => partners.get(clientId) ?? []);
  },
  byClientIds: (clientIds) => readProfiles(access, [...new Set(clientIds)]),
});

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

const readProfiles = async (access: TableAccess<'partnersTable'>, clientIds: readonly string[]) => {
  const items = await batchGet(access, {
    table: access.partnersTable,
    keys: clientIds.map(profileKey),
    attributes: ['partner'],
  });
  return new Map(items.map((item) => item.partner as Partner).map((partner) => [partner.clientId, partner]));
};
