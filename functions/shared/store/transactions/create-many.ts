import { type Outcome, refuse, succeed } from '../../domain/outcome.ts';
import type { NewTransaction } from '../../domain/transaction/new-transaction.ts';
import type { StoredTransaction } from '../../domain/transaction/transaction.ts';
import { chunksOf } from '../../runtime/chunks.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { conditionHeld } from '../dynamodb/failure.ts';
import { withRetries } from '../dynamodb/retry.ts';
import { type ListingChange, listingChange, sumCounters } from '../listing/change.ts';
import { listingStatements, putTransaction } from './statements.ts';
import { atomicWrite, createStored, randomShard, reservePositions, type WriterAccess } from './write.ts';

type Created = Outcome<StoredTransaction, 'uuid-taken'>;

/** TransactWriteItems takes 100 items and 4 MB; half a megabyte is kept for the encoding. */
const itemsPerWrite = 100;
const bytesPerWrite = 3_500_000;
const transactionsPerLook = 100;

/** Creates in the given order; positions rise with it, and a uuid that exists, or came earlier, is left alone. */
export const createMany = async (
  access: WriterAccess,
  transactions: readonly NewTransaction[],
): Promise<Created[]> => {
  const seen = new Set<string>();
  const outcomes: Created[] = [];
  for (const chunk of chunksOf(transactions, transactionsPerLook)) {
    outcomes.push(...(await createChunk(access, chunk, seen)));
  }
  return outcomes;
};

const createChunk = async (access: WriterAccess, chunk: NewTransaction[], seen: Set<string>) => {
  const taken = await takenUuids(access, chunk);
  const fresh = chunk.filter(({ transaction: { uuid } }) => {
    const isFresh = !taken.has(uuid) && !seen.has(uuid);
    seen.add(uuid);
    return isFresh;
  });
  const created = await createFresh(access, fresh);
  return chunk.map((transaction) => created.get(transaction) ?? refuse('uuid-taken'));
};

const takenUuids = async (access: WriterAccess, chunk: NewTransaction[]) => {
  const keys = [...new Set(chunk.map(({ transaction }) => transaction.uuid))].map((uuid) => ({ uuid }));
  const items = await batchGet(access, { table: access.transactionsTable, keys, attributes: ['uuid'] });
  return new Set(items.map(({ uuid }) => String(uuid)));
};

const createFresh = async (access: WriterAccess, fresh: NewTransaction[]) => {
  const created = new Map<NewTransaction, Created>();
  if (fresh.length === 0) return created;
  const first = await reservePositions(access, fresh.length);
  const stored = fresh.map((transaction, index) => ({ ...transaction, position: first + index }));
  const outcomes: Created[] = [];
  for (const load of loadsOf(access, stored)) outcomes.push(...(await writeLoad(access, load)));
  fresh.forEach((transaction, index) => {
    created.set(transaction, outcomes[index] ?? refuse('uuid-taken'));
  });
  return created;
};

type Load = { transactions: StoredTransaction[]; change: ListingChange; bytes: number };

const emptyLoad = (): Load => ({
  transactions: [],
  change: { puts: [], deletes: [], counters: [] },
  bytes: 0,
});

/** Neighbours share a write as long as it fits; counters that they have in common are added up. */
const loadsOf = (access: WriterAccess, transactions: StoredTransaction[]): Load[] => {
  const loads: Load[] = [];
  let load = emptyLoad();
  for (const transaction of transactions) {
    const longer = withTransaction(access, load, transaction);
    if (load.transactions.length > 0 && !fits(longer)) {
      loads.push(load);
      load = withTransaction(access, emptyLoad(), transaction);
    } else {
      load = longer;
    }
  }
  return [...loads, load];
};

const withTransaction = (access: WriterAccess, load: Load, transaction: StoredTransaction): Load => {
  const { puts, counters } = listingChange(undefined, transaction, access.settings, randomShard(access));
  return {
    transactions: [...load.transactions, transaction],
    change: {
      puts: [...load.change.puts, ...puts],
      deletes: [],
      counters: sumCounters([...load.change.counters, ...counters]),
    },
    bytes: load.bytes + Buffer.byteLength(JSON.stringify(transaction)),
  };
};

const fits = ({ transactions, change, bytes }: Load) =>
  transactions.length + change.puts.length + change.counters.length <= itemsPerWrite &&
  bytes <= bytesPerWrite;

/** Where another writer took one of the uuids just now, or an answer was lost, each is created by itself. */
const writeLoad = async (access: WriterAccess, { transactions, change }: Load): Promise<Created[]> => {
  const puts = transactions.map((stored) => ({
    Put: putTransaction(access.transactionsTable, undefined, stored),
  }));
  const write = atomicWrite(access, [...puts, ...listingStatements(access.listingTable, change)]);
  if (await conditionHeld(withRetries(write, access.retryDelays))) return transactions.map(succeed);
  const outcomes: Created[] = [];
  for (const stored of transactions) {
    const created = await createStored(access, stored);
    outcomes.push(created.ok ? created : refuse('uuid-taken'));
  }
  return outcomes;
};
