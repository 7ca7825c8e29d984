import type { Grant } from '../../../../functions/shared/domain/ownership/grant.ts';
import type { PartnerChange } from '../../../../functions/shared/domain/partner.ts';
import type { Statement } from '../../../../functions/shared/store/dynamodb/statement.ts';
import { grantKey } from '../../../../functions/shared/store/partners/keys.ts';
import { grantChange } from './grant-change.ts';

type Key = ReturnType<typeof grantKey>;

/** Updates of the index of grantees for a changed record, to be part of the same atomic write (GRANT-4). */
export const granteeStatements = (TableName: string, { before, after }: PartnerChange): Statement[] => {
  const { added, removed } = grantChange(before.grants, after.grants);
  return [
    ...added.map((grant) => addGrantee(TableName, grant, after.clientId)),
    ...removed.map((grant) => removeGrantee(TableName, grantKey(grant), after.clientId)),
  ];
};

/** The item also stores the grant in readable form. */
export const addGrantee = (TableName: string, grant: Grant, clientId: string): Statement => ({
  Update: {
    ...{ TableName, Key: grantKey(grant) },
    UpdateExpression: 'SET #grant = :grant ADD #clientIds :grantee',
    ExpressionAttributeNames: { '#grant': 'grant', '#clientIds': 'clientIds' },
    ExpressionAttributeValues: { ':grant': grant, ':grantee': new Set([clientId]) },
  },
});

/** DynamoDB removes an empty set and keeps the item, whose read costs no more than that of a missing item. */
const removeGrantee = (TableName: string, Key: Key, clientId: string): Statement => ({
  Update: {
    ...{ TableName, Key },
    UpdateExpression: 'DELETE #clientIds :grantee',
    ExpressionAttributeNames: { '#clientIds': 'clientIds' },
    ExpressionAttributeValues: { ':grantee': new Set([clientId]) },
  },
});
