import { UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { conditionHeld } from '../dynamodb/failure.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { hashesKey, profileKey } from './keys.ts';
import type { PartnerStore } from './partner-store.ts';

/** What the token service writes of partners, apart from all that only the operator's tool may change. */
export type PartnerNotes = Pick<PartnerStore, 'noteRevocation' | 'noteUse' | 'rehash'>;

/** Each note is one member of an item that exists; where a later one stands already, it stays. */
export const createPartnerNotes = ({
  documents,
  partnersTable,
}: TableAccess<'partnersTable'>): PartnerNotes => {
  const note = async (change: Omit<UpdateCommandInput, 'TableName'>) => {
    await conditionHeld(documents.send(new UpdateCommand({ TableName: partnersTable, ...change })));
  };

  return {
    noteRevocation: (clientId, atMs) =>
      note({
        Key: profileKey(clientId),
        UpdateExpression: 'SET revokedAtMs = :at',
        ConditionExpression:
          'attribute_exists(pk) AND (attribute_not_exists(revokedAtMs) OR revokedAtMs < :at)',
        ExpressionAttributeValues: { ':at': atMs },
      }),
    noteUse: (clientId, secretId, day) =>
      note({
        Key: profileKey(clientId),
        UpdateExpression: 'SET secrets.#id.lastUsedOn = :day',
        ConditionExpression: 'attribute_exists(secrets.#id)',
        ExpressionAttributeNames: { '#id': secretId },
        ExpressionAttributeValues: { ':day': day },
      }),
    rehash: (clientId, { id, hash, pepperId }, fresh) =>
      note({
        Key: hashesKey(clientId),
        UpdateExpression: 'SET hashes.#id = :hash',
        ConditionExpression: 'hashes.#id = :former',
        ExpressionAttributeNames: { '#id': id },
        ExpressionAttributeValues: { ':former': { hash, pepperId }, ':hash': fresh },
      }),
  };
};
