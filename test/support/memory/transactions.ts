import type { ImportWriter } from '../../../bin/operator/store/transactions/import-writer.ts';
import type { TransactionWalk } from '../../../bin/operator/store/transactions/walk.ts';
import { matches } from '../../../functions/shared/domain/listing/columns.ts';
import { refuse, succeed } from '../../../functions/shared/domain/outcome.ts';
import { covers } from '../../../functions/shared/domain/ownership/grant.ts';
import type { ListRequest, ListScope } from '../../../functions/shared/domain/query/list-request.ts';
import type { NewTransaction } from '../../../functions/shared/domain/transaction/new-transaction.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import { completes, completionMarker } from '../../../functions/shared/events/rows.ts';
import type {
  Changed,
  ChangeIndex,
  ChangeSpan,
} from '../../../functions/shared/store/transactions/changed-index.ts';
import type { TransactionReader } from '../../../functions/shared/store/transactions/reader.ts';
import type { MemoryDebounceTable } from './debounce-table.ts';
import { createMemoryRequests, type MemoryRequests } from './requests.ts';

export type MemoryTransactions = TransactionReader & ImportWriter & TransactionWalk & ChangeIndex;

/**
 * The store's ports over a map, by brute force: a stand-in for tests, and what the real store's lists are compared with.
 * Records go in and out as copies. Idempotency records go into `requests`, the markers of completions into `debounceTable`,
 * together with their change.
 */
export const createMemoryTransactions = (
  requests: MemoryRequests = createMemoryRequests(),
  debounceTable?: Pick<MemoryDebounceTable, 'leave'>,
): MemoryTransactions => {
  const byUuid = new Map<string, StoredTransaction>();
  /** How many each session has made, from its second one on. */
  const madeBy = new Map<string, number>();
  let sequence = 0;

  const insert = (transaction: NewTransaction) => {
    if (byUuid.has(transaction.transaction.uuid)) return refuse('uuid-taken');
    sequence += 1;
    const stored = structuredClone({ ...transaction, sequenceNumber: sequence });
    byUuid.set(stored.transaction.uuid, stored);
    return succeed(structuredClone(stored));
  };

  return {
    byUuid: async (uuid) => structuredClone(byUuid.get(uuid)),
    byUuids: async (uuids) =>
      new Map(
        uuids.flatMap((uuid) => {
          const stored = structuredClone(byUuid.get(uuid));
          return stored ? [[uuid, stored]] : [];
        }),
      ),
    listWithin: async (request) => structuredClone(pageByForce([...byUuid.values()], request)),
    newestIncomplete: async (session) => structuredClone(newestOf(byUuid.values(), session)),
    create: async (transaction, { record, sessionLimit } = {}) => {
      if (record && requests.holds(record)) return refuse('key-used');
      const made = madeBy.get(transaction.session ?? '') ?? 1;
      const isNew = !byUuid.has(transaction.transaction.uuid);
      if (sessionLimit !== undefined && isNew && made >= sessionLimit) return refuse('session-full');
      const created = insert(transaction);
      if (created.ok && sessionLimit !== undefined) madeBy.set(transaction.session ?? '', made + 1);
      if (created.ok && record) requests.put(record);
      return created;
    },
    recount: async (session, { count }) => void madeBy.set(session, count),
    replace: async (before, after, record) => {
      if (record && requests.holds(record)) return refuse('key-used');
      const stored = byUuid.get(before.transaction.uuid);
      if (!stored) return refuse('not-found');
      if (stored.version !== before.version || stored.session !== before.session)
        return refuse('changed-meanwhile');
      const replaced = structuredClone({ ...after, sequenceNumber: stored.sequenceNumber });
      byUuid.set(replaced.transaction.uuid, replaced);
      if (record) requests.put(record);
      if (completes(stored, replaced)) debounceTable?.leave(completionMarker(replaced));
      return succeed(structuredClone(replaced));
    },
    createMany: async (transactions) => transactions.map(insert),
    async *inCreationOrder() {
      yield* structuredClone([...byUuid.values()].filter(isListed).sort(bySequenceNumber));
    },
    async *withDeleted(onFound = () => {}) {
      onFound(byUuid.size);
      yield* structuredClone([...byUuid.values()].sort(bySequenceNumber));
    },
    async *paymentNumbers() {
      for (const { transaction } of byUuid.values())
        yield { uuid: transaction.uuid, payments: transaction.payments ?? [] };
    },
    async *changedBetween(span) {
      yield* changedBetween([...byUuid.values()], span);
    },
  };
};

const changedBetween = (all: readonly StoredTransaction[], { fromMs, toMs }: ChangeSpan): Changed[] =>
  all
    .filter(({ version, notifyFromVersion }) => version >= notifyFromVersion)
    .filter(({ erasedAtMs, elementVersions, version }) => !erasedAtMs || elementVersions.own === version)
    .filter(({ updatedAtMs }) => updatedAtMs >= fromMs && updatedAtMs < toMs)
    .sort((one, other) => one.updatedAtMs - other.updatedAtMs)
    .map(({ transaction: { uuid }, version, notifyFromVersion, updatedAtMs }) => ({
      uuid,
      version,
      notifyFromVersion,
      updatedAtMs,
    }));

/** The oracle of a page: every record is checked. */
export const pageByForce = (
  all: readonly StoredTransaction[],
  { scope, filter, page, perPage, afterUuid }: ListRequest,
) => {
  const seen = all.filter((stored) => isWithin(scope, stored));
  const matching = seen
    .filter((stored) => isListed(stored) && matches(filter, stored.transaction))
    .sort(bySequenceNumber);
  const anchor = seen.find(({ transaction }) => transaction.uuid === afterUuid);
  const start = anchor
    ? matching.filter(({ sequenceNumber }) => sequenceNumber <= anchor.sequenceNumber).length
    : (page - 1) * perPage;
  return { transactions: matching.slice(start, start + perPage), totalCount: matching.length };
};

const newestOf = (all: Iterable<StoredTransaction>, session: string) =>
  [...all]
    .filter((stored) => stored.session === session && isListed(stored) && stored.transaction.status === 0)
    .sort(bySequenceNumber)
    .at(-1);

const isWithin = (scope: ListScope, { transaction, session }: StoredTransaction) =>
  scope.kind === 'grants' ? covers(scope.grants, transaction.ndMeta) : session === scope.session;

const isListed = ({ transaction }: StoredTransaction) => transaction.isDeleted === 0;

const bySequenceNumber = (a: StoredTransaction, b: StoredTransaction) => a.sequenceNumber - b.sequenceNumber;
