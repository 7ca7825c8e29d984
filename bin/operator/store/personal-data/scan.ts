import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { followPages } from '../../../../functions/shared/store/dynamodb/pages.ts';
import { withRetries } from '../../../../functions/shared/store/dynamodb/retry.ts';
import type { TableAccess } from '../../../../functions/shared/store/dynamodb/table-access.ts';
import type { OnScan } from './personal-data-store.ts';

type Item = Record<string, unknown>;

/** Segments are scanned in parallel, since DynamoDB takes some 100 ms for a page of 1 MB. */
const segments = 4;

/** Every item of a table in no order, read with strong consistency. */
export async function* scanInSegments(
  access: TableAccess<never>,
  table: string,
  onScan: OnScan,
): AsyncGenerator<Item[]> {
  const pending = new Map(
    Array.from({ length: segments }, (_, segment) => {
      const pages = scanSegment(access, { table, segment }, onScan);
      return [pages, nextOf(pages)] as const;
    }),
  );
  while (pending.size > 0) {
    const { pages, next } = await Promise.race(pending.values());
    if (next.done) pending.delete(pages);
    else {
      pending.set(pages, nextOf(pages));
      yield next.value;
    }
  }
}

const nextOf = async (pages: AsyncGenerator<Item[]>) => ({ pages, next: await pages.next() });

const scanSegment = (
  { documents, retryDelays }: TableAccess<never>,
  { table, segment }: { table: string; segment: number },
  onScan: OnScan,
) =>
  followPages(async (start) => {
    const request = new ScanCommand({
      ...{ TableName: table, ConsistentRead: true, ReturnConsumedCapacity: 'TOTAL' },
      ...{ Segment: segment, TotalSegments: segments },
      ...start,
    });
    const page = await withRetries(() => documents.send(request), retryDelays);
    onScan({ rows: page.Items?.length ?? 0, units: page.ConsumedCapacity?.CapacityUnits ?? 0 });
    return page;
  });
