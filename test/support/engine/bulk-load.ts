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

export type LoadPlace = {
  documents: DynamoDBDocumentClient;
  transactionsTable: string;
  listingTable: string;
  settings: ListingSettings;
  /** The random number that chose the shards which count a transaction. */
  drawOf?: (stored: StoredTransaction) => number;
};

/** Spreads transactions over all shards, as many random numbers would: multiples of the golden ratio never repeat. */
export const evenDraw = ({ sequenceNumber }: Pick<StoredTransaction, 'sequenceNumber'>) =>
  (sequenceNumber * 0.618_033_988_749) % 1;

type Item = Record<string, unknown>;

const transactionsPerSlice = 5_000;

/** Loads transactions with their listing into empty tables, past the write paths: many times faster, same items. */
export const bulkLoad = async (place: LoadPlace, transactions: readonly StoredTransaction[]) => {
  const { documents, transactionsTable, listingTable, settings, drawOf = evenDraw } = place;
  let counters: CounterChange[] = [];
  for (const slice of chunksOf(transactions, transactionsPerSlice)) {
    await writeAll(documents, transactionsTable, slice.map(toItem));
    await writeAll(
      documents,
      listingTable,
      slice.flatMap((stored) => entriesOf(stored, settings) as Item[]),
    );
    const counts = slice.flatMap((stored) => countsOf(stored, 1, settings, drawOf(stored)));
    counters = sumCounters([...counters, ...counts]);
  }
  const sequence = { ...sequenceKey, n: transactions.at(-1)?.sequenceNumber ?? 0 };
  await writeAll(documents, listingTable, [
    sequence,
    ...counters.map(({ key, add }) => ({ ...key, ...add })),
  ]);
};

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
