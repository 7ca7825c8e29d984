import type { PartnerChange, StoredSecret } from '../../domain/partner.ts';
import type { Statement } from '../dynamodb/statement.ts';
import { hashesKey, profileKey } from './keys.ts';
import { attributesOf, factsById, hashesById } from './profile-item.ts';

/** Replaces a partner's wishes for its webhook, and names no other attribute, so that the right to it is none to grants (S-80). */
export const webhookUpdate = (TableName: string, { before, after }: PartnerChange): Statement => ({
  Update: {
    ...{ TableName, Key: profileKey(after.clientId) },
    UpdateExpression: 'SET webhook = :after',
    ConditionExpression: 'webhook = :before',
    ExpressionAttributeValues: {
      ':before': attributesOf(before).webhook,
      ':after': attributesOf(after).webhook,
    },
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
