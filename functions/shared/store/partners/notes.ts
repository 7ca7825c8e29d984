import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { conditionHeld } from '../dynamodb/failure.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { profileKey } from './keys.ts';
import type { PartnerStore } from './partner-store.ts';

/** What the token service writes of partners, apart from all that only the operator's tool may change. */
export type PartnerNotes = Pick<PartnerStore, 'noteRevocation'>;

/** Each note is one member of an item that exists; where a later one stands already, it stays. */
export const createPartnerNotes = ({
  documents,
  partnersTable,
}: TableAccess<'partnersTable'>): PartnerNotes => ({
  noteRevocation: async (clientId, atMs) => {
    const command = new UpdateCommand({
      TableName: partnersTable,
      Key: profileKey(clientId),
      UpdateExpression: 'SET revokedAtMs = :at',
      ConditionExpression:
        'attribute_exists(pk) AND (attribute_not_exists(revokedAtMs) OR revokedAtMs < :at)',
      ExpressionAttributeValues: { ':at': atMs },
    });
    await conditionHeld(documents.send(command));
  },
});
