import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { entriesToReadNext } from '../../domain/listing/read-units.ts';
import type { Status } from '../../domain/transaction/transaction.ts';
import { followPages } from '../dynamodb/pages.ts';
import { withRetries } from '../dynamodb/retry.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import type { ListingEntry } from './change.ts';
import { sequenceText } from './keys.ts';

/** The entries of one partition to read, from which end, and when to stop. */
export type RunQuestion = {
  partition: string;
  /** Sequence numbers from `from` to `to` (exclusive). Absent for the whole run. */
  from?: number;
  to?: number;
  descending?: boolean;
  /** Only entries of this status. The engine reads the others, and does not answer them. */
  status?: Status | undefined;
  /** Only the members of `PageEntry` are answered. */
  isBrief?: boolean;
  accept?: (entry: ListingEntry) => boolean;
  /** Stop after this many accepted entries. */
  wanted?: number;
  /**
   * How many entries to read first. Later requests estimate the number from what was found. Defaults to one full
   * answer.
   */
  pageSize?: number;
  /** Stop after reading this many entries. */
  maximum?: number;
};

/** An entry of a page: its sequence number and its transaction. */
export type PageEntry = Pick<ListingEntry, 'sk' | 'u'>;

const lastSequenceNumber = 36 ** 9 - 1;

/** The accepted entries of a run in the order of creation, strongly consistent. */
export const readRun = async (
  access: TableAccess<'listingTable'>,
  question: RunQuestion,
): Promise<ListingEntry[]> => {
  const { accept = () => true, wanted = Number.POSITIVE_INFINITY, descending = false } = question;
  const { maximum: most = Number.POSITIVE_INFINITY } = question;
  const found: ListingEntry[] = [];
  let looked = 0;
  const pages = followPages(async (start) => {
    const size = sizeOfNext(question, { found: found.length, looked });
    const request = new QueryCommand({ ...runQuery(access, { ...question, ...size }), ...start });
    const page = await withRetries(() => access.documents.send(request), access.retryDelays);
    looked += page.ScannedCount ?? 0;
    return page;
  });
  for await (const entries of pages as AsyncGenerator<ListingEntry[]>) {
    found.push(...entries.filter(accept));
    if (found.length >= wanted || looked >= most) break;
  }
  const enough = found.slice(0, wanted);
  return descending ? enough.reverse() : enough;
};

const sizeOfNext = (
  { pageSize, wanted, isBrief, maximum = Number.POSITIVE_INFINITY }: RunQuestion,
  { found, looked }: { found: number; looked: number },
) => {
  if (looked === 0 || pageSize === undefined || wanted === undefined) return {};
  const next = entriesToReadNext(wanted, { found, looked, hasOwners: !isBrief });
  return { pageSize: Math.min(next, maximum - looked) };
};

/** With a hint, pages have that size, else a page is one full answer. None of these names is a reserved word. */
export const runQuery = (
  { listingTable }: TableAccess<'listingTable'>,
  { partition, from = 0, to = lastSequenceNumber + 1, descending = false, ...question }: RunQuestion,
): QueryCommandInput => ({
  TableName: listingTable,
  KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :last',
  ...(question.status !== undefined && { FilterExpression: 's = :s' }),
  ...(question.isBrief && { ProjectionExpression: 'sk, u' }),
  ExpressionAttributeValues: {
    ':pk': partition,
    ':from': sequenceText(from),
    ':last': sequenceText(to - 1),
    ...(question.status !== undefined && { ':s': question.status }),
  },
  ConsistentRead: true,
  ScanIndexForward: !descending,
  ...(question.pageSize !== undefined && { Limit: Math.max(1, question.pageSize) }),
});
