import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { RetryDelays } from './retry.ts';

/** Everything that a store needs of DynamoDB: the client, the names of its tables, and how it waits between tries. */
export type TableAccess<TableNames extends TableName> = {
  documents: DynamoDBDocumentClient;
  /** Real ones by default. */
  retryDelays?: RetryDelays;
} & Record<TableNames, string>;

type TableName =
  | 'transactionsTable'
  | 'listingTable'
  | 'requestsTable'
  | 'partnersTable'
  | 'debounceTable'
  | 'auditTable';
