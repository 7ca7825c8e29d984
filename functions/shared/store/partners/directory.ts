import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Partner } from '../../domain/partner.ts';
import { listClientIds, readProfiles } from '../partner-listing.ts';
import type { PartnerStore } from './partner-store.ts';

/** Everybody who may be told, as of now: strongly consistent, never cached (S-08, I9). */
export type PartnerDirectory = {
  all: () => Promise<Partner[]>;
  byClientIds: (clientIds: readonly string[]) => Promise<Map<string, Partner>>;
};

/**
 * Everybody who may be told of a change, strongly consistent (S-08, I9). Apart from the writes, which no function that
 * publishes has to carry.
 */
export const createPartnerDirectory = (
  client: DynamoDBDocumentClient,
  tableName: string,
): PartnerDirectory => ({
  all: async () => {
    const clientIds = await listClientIds(client, tableName);
    const partners = await readProfiles(client, tableName, clientIds);
    return clientIds.flatMap((clientId) => partners.get(clientId) ?? []);
  },
  byClientIds: (clientIds) => readProfiles(client, tableName, [...new Set(clientIds)]),
});

/** The same over a whole store, for the stand-in in memory. */
export const directoryOver = ({ all }: Pick<PartnerStore, 'all'>): PartnerDirectory => ({
  all,
  byClientIds: async (clientIds) => {
    const partners = (await all()).filter(({ clientId }) => clientIds.includes(clientId));
    return new Map(partners.map((partner) => [partner.clientId, partner]));
  },
});
