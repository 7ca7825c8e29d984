import { BatchWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import { chunksOf } from '../../../functions/shared/runtime/chunks.ts';
import {
  type CounterChange,
  countsOf,
  entriesOf,
  sumCounters,
} from '../../../functions/shared/store/listing/change.ts';
import { sequenceKey } from '../../../functions/shared/store/listing/keys.ts';
import type { ListingSettings } from '../../../functions/shared/store/listing/settings.ts';
import { toItem } from '../../../functions/shared/store/transactions/item.ts';

type Item = Record<string, unknown>;
type Draw = (stored: StoredTransaction) => number;

type LoadPlace = {
  documents: DynamoDBDocumentClient;
  transactionsTable: string;
  listingTable: string;
  settings: ListingSettings;
  /** The random number that chose the shards which count a transaction. */
  drawOf?: Draw;
};

/** Loads transactions with their listing into empty tables, past the write paths: many times faster, same items. */
export const bulkLoad = async (place: LoadPlace, transactions: readonly StoredTransaction[]) => {
  const { documents, transactionsTable, listingTable, settings, drawOf } = place;
  for (const { Transactions, Listing } of itemsOf(transactions, settings, drawOf)) {
    await writeAll(documents, transactionsTable, Transactions);
    await writeAll(documents, listingTable, Listing);
  }
};

/** Spreads transactions over all shards, as many random numbers would: multiples of the golden ratio never repeat. */
const evenDraw: Draw = ({ sequenceNumber }) => (sequenceNumber * 0.618_033_988_749) % 1;

/** The items that the write paths would leave, by their tables, some thousand at a time; sequence and counters are the last. */
export function* itemsOf(
  transactions: Iterable<StoredTransaction>,
  settings: ListingSettings,
  drawOf = evenDraw,
): Generator<{ Transactions: Item[]; Listing: Item[] }> {
  let counters: CounterChange[] = [];
  let last = 0;
  for (const slice of slicesOf(transactions)) {
    const counts = slice.flatMap((stored) => countsOf(stored, 1, settings, drawOf(stored)));
    counters = sumCounters([...counters, ...counts]);
    last = slice.at(-1)?.sequenceNumber ?? last;
    const entries = slice.flatMap((stored) => entriesOf(stored, settings) as Item[]);
    yield { Transactions: slice.map(toItem), Listing: entries };
  }
  const counted = counters.map(({ key, add }) => ({ ...key, ...add }));
  yield { Transactions: [], Listing: [{ ...sequenceKey, n: last }, ...counted] };
}

const transactionsPerSlice = 5_000;

function* slicesOf(transactions: Iterable<StoredTransaction>) {
  let slice: StoredTransaction[] = [];
  for (const transaction of transactions) {
    slice.push(transaction);
    if (slice.length < transactionsPerSlice) continue;
    yield slice;
    slice = [];
  }
  yield slice;
}

const writeAll = async (documents: DynamoDBDocumentClient, table: string, items: Item[]) => {
  const batches = chunksOf(items, 25).values();
  const worker = async () => {
    for (const batch of batches) {
      const RequestItems = { [table]: batch.map((Item) => ({ PutRequest: { Item } })) };
      const { UnprocessedItems } = await documents.send(new BatchWriteCommand({ RequestItems }));
      if (Object.keys(UnprocessedItems ?? {}).length > 0) throw new Error(`${table}: items stay unprocessed`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
};
