import type { Partner, PartnerChange, StoredSecret, WebhookWishes } from '../../domain/partner.ts';
import type { Statement } from '../dynamodb/statement.ts';
import { hashesKey, profileKey } from './keys.ts';
import { attributesOf, factsById, hashesById, wishNames } from './profile-item.ts';

/**
 * All of the record is compared, so that of two changes at the same time neither undoes the other unseen. Of `webhook` these are
 * the wishes alone: whatever else v2-partner might write there, the operator's change is made.
 */
export const isAsRead = (TableName: string, read: Partner) => ({
  ...{ TableName, Key: profileKey(read.clientId) },
  ConditionExpression: ['#partner = :partnerRead', ...wishNames.map((name) => wishAsRead(name, read))].join(
    ' AND ',
  ),
  ExpressionAttributeNames: { '#partner': 'partner' },
  ExpressionAttributeValues: {
    ':partnerRead': attributesOf(read).partner,
    ...Object.fromEntries(wishNames.filter((name) => name in read).map((name) => [`:${name}`, read[name]])),
  },
});

const wishAsRead = (name: keyof WebhookWishes, read: Partner): string =>
  name in read ? `webhook.${name} = :${name}` : `attribute_not_exists(webhook.${name})`;

/** Replaces a partner's record where it still is as it was read; its name stays. For the operator's tool. */
export const recordUpdate = (TableName: string, { before, after }: PartnerChange): Statement => {
  const { ExpressionAttributeValues, ...read } = isAsRead(TableName, { ...before, name: after.name });
  const { partner, webhook } = attributesOf(after);
  return {
    Update: {
      ...read,
      UpdateExpression: 'SET #partner = :partner, webhook = :webhook',
      ExpressionAttributeValues: { ...ExpressionAttributeValues, ':partner': partner, ':webhook': webhook },
    },
  };
};

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
