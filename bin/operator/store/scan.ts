import { ScanCommand, type ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import { followPages } from '../../../functions/shared/store/dynamodb/pages.ts';
import { withRetries } from '../../../functions/shared/store/dynamodb/retry.ts';
import type { TableAccess } from '../../../functions/shared/store/dynamodb/table-access.ts';

/** The wanted items and attributes; everything by default. */
type Projection = Pick<
  ScanCommandInput,
  'ProjectionExpression' | 'FilterExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;

/** Every item of a table, page by page, for audits, exports and adoptions: functions never scan to serve a request. */
export const scanTable = (
  { documents, retryDelays }: TableAccess<never>,
  table: string,
  projection: Projection = {},
) =>
  followPages((start) => {
    const request = new ScanCommand({ TableName: table, ConsistentRead: true, ...projection, ...start });
    return withRetries(() => documents.send(request), retryDelays);
  });
