import type { PartnerChange, StoredSecret } from '../../domain/partner.ts';
import type { Statement } from '../dynamodb/statement.ts';
import { hashesKey, profileKey } from './keys.ts';
import { attributesOf, factsById, hashesById } from './profile-item.ts';

/**
 * Replaces a partner's wishes for its webhook. Names no other attribute, so the right to it gives no right to grants
 * (S-80).
 */
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

/** A rotation of secrets, on the condition that they are as they were read. */
export type SecretsChange = { before: readonly StoredSecret[]; after: readonly StoredSecret[] };

/** Replaces facts and hashes of a partner's secrets: two attributes, so the right to it names these alone (S-80). */
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
