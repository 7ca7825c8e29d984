import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { followPages } from '../dynamodb/pages.ts';
import { withRetries } from '../dynamodb/retry.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';

/** Every item of a table, page by page. Only audits do this: what serves requests never scans. */
export const scanTable = ({ documents, retryDelays }: TableAccess<never>, table: string) =>
  followPages((start) => {
    const request = new ScanCommand({ TableName: table, ConsistentRead: true, ...start });
    return withRetries(() => documents.send(request), retryDelays);
  });
