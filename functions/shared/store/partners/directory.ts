import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import type { Partner } from '../../domain/partner.ts';
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

/** BatchGetItem takes 100 keys and may leave some for the next request. */
const readProfiles = async (
  { documents, partnersTable }: TableAccess<'partnersTable'>,
  clientIds: readonly string[],
) => {
  const partners = new Map<string, Partner>();
  let waiting: Record<string, unknown>[] = clientIds.map(profileKey);
  while (waiting.length > 0) {
    const answer = await documents.send(
      new BatchGetCommand({
        RequestItems: {
          [partnersTable]: {
            Keys: waiting.slice(0, 100),
            ProjectionExpression: 'partner',
            ConsistentRead: true,
          },
        },
      }),
    );
    const found = (answer.Responses?.[partnersTable] ?? []).map((item) => item.partner as Partner);
    for (const partner of found) partners.set(partner.clientId, partner);
    waiting = [...waiting.slice(100), ...(answer.UnprocessedKeys?.[partnersTable]?.Keys ?? [])];
  }
  return partners;
};
