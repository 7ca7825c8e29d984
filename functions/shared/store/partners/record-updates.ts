import type { Partner, PartnerChange, StoredSecret } from '../../domain/partner.ts';
import type { Statement } from '../dynamodb/statement.ts';
import { hashesKey, profileKey } from './keys.ts';
import { factsById, hashesById } from './profile-item.ts';

/** The whole record is compared, so that of two changes at the same time neither undoes the other unseen. */
export const isAsRead = (TableName: string, { clientId }: Partner) => ({
  ...{ TableName, Key: profileKey(clientId) },
  ConditionExpression: '#partner = :before AND #partner.#name = :name',
  ExpressionAttributeNames: { '#partner': 'partner', '#name': 'name' },
});

/** Replaces a partner's record where it still is as it was read. */
export const recordUpdate = (TableName: string, { before, after }: PartnerChange): Statement => ({
  Update: {
    ...isAsRead(TableName, before),
    UpdateExpression: 'SET #partner = :after',
    ExpressionAttributeValues: { ':before': before, ':after': after, ':name': after.name },
  },
});

/** A rotation of secrets, on the condition that they are still as they were read. */
export type SecretsChange = { before: readonly StoredSecret[]; after: readonly StoredSecret[] };

/** Replaces facts and hashes of a partner's secrets: two attributes, so that the right to it names those alone (S-80). */
export const secretUpdates = (
  TableName: string,
  clientId: string,
  { before, after }: SecretsChange,
): Statement[] => [
  {
    Update: {
      ...{ TableName, Key: profileKey(clientId) },
      UpdateExpression: 'SET secrets = :after',
      ConditionExpression: 'secrets = :before',
      ExpressionAttributeValues: { ':before': factsById(before), ':after': factsById(after) },
    },
  },
  {
    Update: {
      ...{ TableName, Key: hashesKey(clientId) },
      UpdateExpression: 'SET hashes = :after',
      ConditionExpression: 'hashes = :before',
      ExpressionAttributeValues: { ':before': hashesById(before), ':after': hashesById(after) },
    },
  },
];
