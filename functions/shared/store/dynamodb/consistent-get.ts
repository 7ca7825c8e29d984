import { GetCommand } from '@aws-sdk/lib-dynamodb';

/** Reads one item, strongly consistent. */
export const consistentGet = (table: string, key: Record<string, string>) =>
  new GetCommand({ TableName: table, Key: key, ConsistentRead: true });
