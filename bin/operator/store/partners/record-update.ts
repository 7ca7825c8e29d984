import type { Partner, PartnerChange, WebhookWishes } from '../../../../functions/shared/domain/partner.ts';
import type { Statement } from '../../../../functions/shared/store/dynamodb/statement.ts';
import { profileKey } from '../../../../functions/shared/store/partners/keys.ts';
import { attributesOf, wishNames } from '../../../../functions/shared/store/partners/profile-item.ts';

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

/** Replaces a partner's record where it still is as it was read; its name stays. */
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
