import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Partner } from '../../domain/partner.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { profileKey } from './keys.ts';
import type { PartnerCredentials, PartnerStore } from './partner-store.ts';

/** What requests ask of partners; apart from the writes, which no function that reads has to carry (S-67). */
export type PartnerReader = Pick<PartnerStore, 'byClientId' | 'credentialsOf'>;

/** Every answer is strongly consistent, so that a disabled partner is refused at once (TOK-5). */
export const createPartnerReader = ({
  documents,
  partnersTable,
}: TableAccess<'partnersTable'>): PartnerReader => {
  const readProfile = async (clientId: string, attributes: string) => {
    const { Item } = await documents.send(
      new GetCommand({
        TableName: partnersTable,
        Key: profileKey(clientId),
        ProjectionExpression: attributes,
        ConsistentRead: true,
      }),
    );
    return Item;
  };

  return {
    byClientId: async (clientId) => (await readProfile(clientId, 'partner'))?.partner as Partner | undefined,
    credentialsOf: async (clientId) =>
      (await readProfile(clientId, 'partner, secrets')) as PartnerCredentials | undefined,
  };
};
