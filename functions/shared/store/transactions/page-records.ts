import type { PageRequest } from '../../domain/listing/read-plan.ts';
import type { ListRequest } from '../../domain/query/list-request.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import type { ListingAccess } from '../listing/access.ts';
import type { EntryPage } from '../listing/page.ts';
import { getListed, getTransactions, type ListedTransaction } from './get.ts';

type Access = ListingAccess & TableAccess<'transactionsTable'>;

/** One page of one list; `isRetry` where it was read just now and came out short. */
export type AskedPage = { request: ListRequest; wanted: PageRequest; isRetry: boolean };

/** What stands on a page, and the records of it that there are. */
export type PageWithRecords = EntryPage & { found: Map<string, ListedTransaction> };

type ReadEntries = () => Promise<EntryPage>;

/**
 * Reads a page and its records. Lists are in the order of creation, so that a page hardly ever changes: what stood on it
 * when this process read it last is read beside the index, and then only what is missing. What changes right now is read
 * one after the other.
 */
export const readWithRecords = async (
  access: Access,
  asked: AskedPage,
  readEntries: ReadEntries,
): Promise<PageWithRecords> => {
  const name = nameOf(access, asked);
  const seen = asked.isRetry ? undefined : access.hints.pages.get(name ?? '');
  const [page, ahead] = await Promise.all([
    readEntries(),
    seen ? readRecords(access, asked.request, seen) : nothing,
  ]);
  if (name !== undefined) rememberPage(access, name, page.uuids);
  const missing = page.uuids.filter((uuid) => !ahead.has(uuid));
  const others = await readRecords(access, asked.request, missing);
  return { ...page, found: new Map([...ahead, ...others]) };
};

const nothing: ReadonlyMap<string, ListedTransaction> = new Map();

/** Undefined for what is not remembered: lists of many grants, and those of one vehicle, which callers name at any length. */
const nameOf = ({ settings: { fewNodes } }: Access, { request: { scope, filter }, wanted }: AskedPage) => {
  const isBrief = scope.kind === 'session' || scope.grants.length <= fewNodes;
  const isOfVehicle = filter.ndstockid !== undefined || filter.salesmasterid !== undefined;
  return isBrief && !isOfVehicle ? JSON.stringify([scope, filter.status, wanted]) : undefined;
};

const pagesToKnow = 1_000;

const rememberPage = ({ hints: { pages } }: Access, name: string, uuids: readonly string[]) => {
  if (pages.size >= pagesToKnow) pages.clear();
  pages.set(name, uuids);
};

const readRecords = (access: Access, request: ListRequest, uuids: readonly string[]) =>
  request.shown
    ? getListed(access, uuids, [...request.shown, ...judgedParts(request)])
    : getTransactions(access, uuids);

const judgedParts = ({ scope, filter }: ListRequest) => [
  ...(scope.kind === 'session' ? (['session'] as const) : []),
  ...(filter.ndstockid === undefined && filter.salesmasterid === undefined ? [] : (['vehicle'] as const)),
];
