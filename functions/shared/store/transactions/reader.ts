import { indexedConditions, type ListFilter, matches } from '../../domain/listing/columns.ts';
import type { PageRequest } from '../../domain/listing/spans.ts';
import { covers, type Grant } from '../../domain/ownership/grant.ts';
import {
  type GroupMember,
  groupsToExpand,
  idOfGroup,
  rollupsOfGrants,
} from '../../domain/ownership/rollup.ts';
import type { ListRequest, ListScope } from '../../domain/query/list-request.ts';
import type { StoredTransaction } from '../../domain/transaction/transaction.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import type { ListingAccess } from '../listing/access.ts';
import type { ListingEntry } from '../listing/change.ts';
import { sessionPartition, valuePartition } from '../listing/keys.ts';
import { type EntryPage, readEntryPage } from '../listing/page.ts';
import { ownerOf } from '../listing/page-entries.ts';
import { readRun } from '../listing/runs.ts';
import { type ListingSettings, productionSettings } from '../listing/settings.ts';
import { getListed, getTransaction, getTransactions, type ListedTransaction } from './get.ts';

/** The transactions of one page, and the total. */
export type TransactionPage = { transactions: ListedTransaction[]; totalCount: number };

/** The reads of the store, all strongly consistent. */
export type TransactionReader = {
  /** By its uuid, including deleted ones. The caller checks visibility with `covers` and `isDeleted`. */
  byUuid: (uuid: string) => Promise<StoredTransaction | undefined>;
  /** The existing ones of some, by uuid. */
  byUuids: (uuids: readonly string[]) => Promise<Map<string, StoredTransaction>>;
  /** One page within a scope, with the exact total (PAGE-4). No list has deleted transactions (DEL-1). */
  listWithin: (request: ListRequest) => Promise<TransactionPage>;
  /** The session's newest incomplete transaction that is not deleted (V1-1). */
  newestIncomplete: (session: string) => Promise<StoredTransaction | undefined>;
};

/** Dependencies of the reads. */
export type ReaderDeps = TableAccess<'transactionsTable' | 'listingTable'> & {
  /**
   * All storefronts of a group, including retired ones. Needed for lists by grants that name a location without a
   * franchise.
   */
  membersOf?: (group: string) => Promise<readonly GroupMember[]>;
  settings?: ListingSettings;
  /** Called for a page that was incomplete at every reading: the listing has drifted, or changes without pause. */
  onDrift: () => void;
};

type ReaderAccess = ReaderDeps & ListingAccess;

/** The reads over DynamoDB. */
export const createTransactionReader = (deps: ReaderDeps): TransactionReader => {
  const access = { settings: productionSettings, ...deps };
  return {
    byUuid: (uuid) => getTransaction(access, uuid),
    byUuids: (uuids) => getTransactions(access, uuids),
    listWithin: (request) => listWithin(access, request),
    newestIncomplete: (session) => newestIncomplete(access, session),
  };
};

const listWithin = async (access: ReaderAccess, request: ListRequest): Promise<TransactionPage> => {
  if (request.filter.uuid !== undefined) return listOne(access, request, request.filter.uuid);
  return listEntries(access, request);
};

const listOne = async (
  access: ReaderAccess,
  request: ListRequest,
  uuid: string,
): Promise<TransactionPage> => {
  const found = await getTransaction(access, uuid);
  const matching = found && isVisible(request, found) ? [found] : [];
  const anchor = request.afterUuid === undefined ? undefined : await anchorOf(access, request);
  const isBehind = anchor !== undefined ? (found?.sequenceNumber ?? 0) > anchor : request.page === 1;
  return { transactions: isBehind ? matching : [], totalCount: matching.length };
};

const maximumReads = 4;

/** A page that is short or has a record twice was read during a change, and is read again, at most three times. */
const listEntries = async (access: ReaderAccess, request: ListRequest): Promise<TransactionPage> => {
  for (let reads = 1; ; reads += 1) {
    const { page, expected } = await readPage(access, request);
    const isWhole = page.transactions.length === expected;
    if (!isWhole && reads === maximumReads) access.onDrift();
    if (isWhole || reads === maximumReads) return page;
  }
};

const readPage = async (access: ReaderAccess, request: ListRequest) => {
  const wanted = await wantedOf(access, request);
  const { uuids, totalCount } = await entryPageOf(access, request, wanted);
  const found = await readRecords(access, request, uuids);
  const transactions = [...new Set(uuids)]
    .flatMap((uuid) => found.get(uuid) ?? [])
    .filter((stored) => isVisible(request, stored));
  return { page: { transactions, totalCount }, expected: expectedCount(wanted, uuids, totalCount) };
};

/** Of records that are shown in part, reads only what is shown and checked. */
const readRecords = (access: ReaderAccess, request: ListRequest, uuids: readonly string[]) =>
  request.shown
    ? getListed(access, uuids, [...request.shown, ...judgedParts(request)])
    : getTransactions(access, uuids);

const judgedParts = ({ scope, filter }: ListRequest) => [
  ...(scope.kind === 'session' ? (['session'] as const) : []),
  ...indexedConditions(filter).map(({ path: [element] }) => element),
];

/** After a sequence number, only the entries themselves say how many there are. */
const expectedCount = (wanted: PageRequest, uuids: string[], totalCount: number) =>
  'after' in wanted ? uuids.length : Math.min(wanted.count, Math.max(0, totalCount - wanted.offset));

/** A cursor whose record is not in the scope is invalid, and the page number counts (LINK-5). */
const wantedOf = async (access: ReaderAccess, request: ListRequest): Promise<PageRequest> => {
  const after = await anchorOf(access, request);
  const count = request.perPage;
  return after === undefined ? { count, offset: (request.page - 1) * count } : { count, after };
};

const anchorOf = async (access: ReaderAccess, { scope, afterUuid }: ListRequest) => {
  const anchor = afterUuid === undefined ? undefined : await getTransaction(access, afterUuid);
  return anchor && isWithin(scope, anchor) ? anchor.sequenceNumber : undefined;
};

const entryPageOf = async (
  access: ReaderAccess,
  request: ListRequest,
  wanted: PageRequest,
): Promise<EntryPage> => {
  const { scope, filter } = request;
  if (scope.kind === 'grants' && indexedConditions(filter).length === 0) {
    const rollups = await rollupsWithin(access, scope.grants);
    const question = { grants: scope.grants, rollups, status: filter.status, wanted };
    return readEntryPage(access, question);
  }
  return pageOfEntries(await shortRun(access, scope, filter), wanted);
};

const rollupsWithin = async ({ membersOf = withoutStorefronts }: ReaderAccess, grants: readonly Grant[]) => {
  const groups = groupsToExpand(grants);
  const members = await Promise.all(groups.map(membersOf));
  const byGroup = new Map(groups.map((group, index) => [group, members[index] ?? []]));
  return rollupsOfGrants(grants, (group) => byGroup.get(group) ?? []);
};

const withoutStorefronts = () => {
  throw new Error('This reader was given no storefronts of a group');
};

/** The runs of a session and of an indexed value are short, so they are read whole. */
const shortRun = async (access: ReaderAccess, scope: ListScope, filter: ListFilter) => {
  const entries =
    scope.kind === 'session'
      ? await sessionEntries(access, scope, filter)
      : await valueEntries(access, scope.grants, filter);
  return entries.filter(({ s }) => filter.status === undefined || filter.status === s);
};

/** Filters the session's own items, because the run of a value also has those of other sessions. */
const sessionEntries = async (
  access: ReaderAccess,
  scope: Extract<ListScope, { kind: 'session' }>,
  filter: ListFilter,
) => {
  const entries = await readRun(access, { partition: sessionPartition(scope.session) });
  if (indexedConditions(filter).length === 0) return entries;
  const uuids = entries.map(({ u }) => u);
  const stored = await getTransactions(access, uuids);
  return entries.filter(({ u }) => {
    const found = stored.get(u);
    return found !== undefined && isVisible({ scope, filter }, found);
  });
};

/** A value has a run in each group. Reads those of the granted groups, and filters their entries by grant. */
const valueEntries = async (access: ReaderAccess, grants: readonly Grant[], filter: ListFilter) => {
  const groupIds = [...new Set(grants.map(({ group }) => idOfGroup(group)))];
  const [first = [], ...others] = await Promise.all(
    indexedConditions(filter).map((condition) =>
      readRuns(
        access,
        groupIds.map((groupId) => valuePartition(groupId, condition)),
      ),
    ),
  );
  const sequenceNumbers = others.map((entries) => new Set(entries.map(({ sk }) => sk)));
  return first
    .filter(
      (entry) => sequenceNumbers.every((known) => known.has(entry.sk)) && covers(grants, ownerOf(entry)),
    )
    .sort((a, b) => (a.sk < b.sk ? -1 : 1));
};

const readRuns = async (access: ReaderAccess, partitions: readonly string[]) =>
  (await Promise.all(partitions.map((partition) => readRun(access, { partition })))).flat();

const pageOfEntries = (entries: readonly ListingEntry[], wanted: PageRequest): EntryPage => {
  const start =
    'after' in wanted ? entries.filter(({ sk }) => isUpTo(sk, wanted.after)).length : wanted.offset;
  return {
    uuids: entries.slice(start, start + wanted.count).map(({ u }) => u),
    totalCount: entries.length,
  };
};

const isUpTo = (sk: string, sequenceNumber: number) => Number.parseInt(sk, 36) <= sequenceNumber;

const newestIncomplete = async (access: ReaderAccess, session: string) => {
  const entries = await readRun(access, {
    partition: sessionPartition(session),
    accept: ({ s }) => s === 0,
  });
  for (const { u } of entries.reverse()) {
    const stored = await getTransaction(access, u);
    const request = { scope: { kind: 'session', session }, filter: { status: 0 } } as const;
    if (stored && isVisible(request, stored)) return stored;
  }
  return undefined;
};

/** Checks scope, deletion and filters again on the record itself. */
const isVisible = ({ scope, filter }: Pick<ListRequest, 'scope' | 'filter'>, stored: ListedTransaction) => {
  const { transaction } = stored;
  return isWithin(scope, stored) && transaction.isDeleted === 0 && matches(filter, transaction);
};

const isWithin = (scope: ListScope, { transaction, session }: ListedTransaction) =>
  scope.kind === 'grants' ? covers(scope.grants, transaction.ndMeta) : session === scope.session;
