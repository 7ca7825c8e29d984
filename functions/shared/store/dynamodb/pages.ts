import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { withRetries } from './retry.ts';
import type { TableAccess } from './table-access.ts';

type Item = Record<string, unknown>;
type Page = { Items?: Item[] | undefined; LastEvaluatedKey?: Item | undefined };

/** The results of a Query, page by page, as far as the caller reads. `Limit` is the size of a page. */
export const pagesOf = (
  { documents, retryDelays }: TableAccess<never>,
  query: QueryCommandInput,
): AsyncGenerator<Item[]> =>
  followPages((start) => {
    const request = new QueryCommand({ ...query, ...start });
    return withRetries(() => documents.send(request), retryDelays);
  });

/** Reads the page after this one. */
export async function* followPages(
  readPage: (start: { ExclusiveStartKey?: Item }) => Promise<Page>,
): AsyncGenerator<Item[]> {
  let start: Item | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await readPage(start ? { ExclusiveStartKey: start } : {});
    yield Items;
    start = LastEvaluatedKey;
  } while (start);
}
