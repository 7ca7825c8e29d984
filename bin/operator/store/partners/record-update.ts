import type { Partner, PartnerChange, WebhookWishes } from '../../../../functions/shared/domain/partner.ts';
import type { Statement } from '../../../../functions/shared/store/dynamodb/statement.ts';
import { profileKey } from '../../../../functions/shared/store/partners/keys.ts';
import { attributesOf, wishNames } from '../../../../functions/shared/store/partners/profile-item.ts';

/**
 * Compares the whole record, so that no concurrent change is undone unseen. Of `webhook` only the wishes count: v2-partner
 * may write its other members at any time.
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

/** Replaces a partner's record if it is unchanged since it was read; its name stays. */
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
