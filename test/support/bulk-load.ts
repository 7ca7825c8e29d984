import { BatchWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { StoredTransaction } from '../../functions/shared/domain/transaction.ts';
import { chunksOf } from '../../functions/shared/store/batch-get.ts';
import { countsOf, entriesOf, sumCounters } from '../../functions/shared/store/listing-change.ts';
import { sequenceKey } from '../../functions/shared/store/listing-keys.ts';
import type { ListingSettings } from '../../functions/shared/store/listing-settings.ts';
import { toItem } from '../../functions/shared/store/transaction-item.ts';

export type LoadPlace = {
  documents: DynamoDBDocumentClient;
  transactionsTable: string;
  listingTable: string;
  settings: ListingSettings;
  /** Which shard counts a transaction. */
  shardOf?: (stored: StoredTransaction) => number;
};

type Item = Record<string, unknown>;

/** Loads transactions with their listing into empty tables, past the write paths: many times faster, same items. */
export const bulkLoad = async (place: LoadPlace, transactions: readonly StoredTransaction[]) => {
  const { settings, shardOf = () => 0 } = place;
  const last = Math.max(0, ...transactions.slice(-1).map(({ position }) => position));
  const counters = sumCounters(
    transactions.flatMap((stored) => countsOf(stored, 1, settings, shardOf(stored))),
  );
  await writeAll(place.documents, place.transactionsTable, transactions.map(toItem));
  await writeAll(place.documents, place.listingTable, [
    { ...sequenceKey, n: last },
    ...transactions.flatMap((stored) => entriesOf(stored, settings) as Item[]),
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
