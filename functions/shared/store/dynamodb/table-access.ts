import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { RetryDelays } from './retry.ts';

/** What a store needs of DynamoDB: the client, the names of its tables, and how it waits between tries. */
export type TableAccess<TableNames extends TableName> = {
  documents: DynamoDBDocumentClient;
  /** Defaults to real ones. */
  retryDelays?: RetryDelays;
} & Record<TableNames, string>;

type TableName =
  | 'transactionsTable'
  | 'listingTable'
  | 'requestsTable'
  | 'partnersTable'
  | 'debounceTable'
  | 'auditTable';
