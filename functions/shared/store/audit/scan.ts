import { type DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { type Patience, withRetries } from '../dynamodb/retry.ts';

/** Every item of a table, page by page. Only audits do this: what serves requests never scans. */
export async function* scanTable(
  { documents, patience }: { documents: DynamoDBDocumentClient; patience: Patience },
  table: string,
): AsyncGenerator<Record<string, unknown>[]> {
  let start: Record<string, unknown> | undefined;
  do {
    const request = new ScanCommand({
      TableName: table,
      ConsistentRead: true,
      ...(start && { ExclusiveStartKey: start }),
    });
    const answer = await withRetries(() => documents.send(request), patience);
    yield answer.Items ?? [];
    start = answer.LastEvaluatedKey;
  } while (start);
}
