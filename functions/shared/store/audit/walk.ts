import { bucketOf } from '../../domain/listing/radix.ts';
import type { StoredTransaction } from '../../domain/transaction/transaction.ts';
import { chunksOf } from '../../runtime/chunks.ts';
import { consistentGet } from '../dynamodb/consistent-get.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { allRunPartition, sequenceKey } from '../listing/keys.ts';
import { readRun } from '../listing/runs.ts';
import { type ListingSettings, productionSettings } from '../listing/settings.ts';
import { getTransactions } from '../transactions/get.ts';

/** For exports and back-fills (RUN-4): everything that is listed, deleted ones left out, in creation order (LIST-2). */
export type TransactionWalk = {
  inCreationOrder: () => AsyncIterable<StoredTransaction>;
};

/** What the walk is handed. */
export type WalkDeps = TableAccess<'transactionsTable' | 'listingTable'> & { settings?: ListingSettings };

/** 50 records are 5 MB of an answer's 16, or what `batchGet` asks for again where payments make them larger. */
const recordsPerRead = 50;

/** Goes over the run of all transactions, bucket by bucket, up to where the sequence stood at the start. */
export const createTransactionWalk = (deps: WalkDeps): TransactionWalk => {
  const access = { settings: productionSettings, ...deps };
  return {
    async *inCreationOrder() {
      const last = bucketOf(access.settings.radix, await lastPosition(access));
      for (let bucket = 0; bucket <= last; bucket += 1) {
        const entries = await readRun(access, { partition: allRunPartition(bucket) });
        for (const part of chunksOf(entries, recordsPerRead)) {
          const found = await getTransactions(
            access,
            part.map(({ u }) => u),
          );
          yield* [...found.values()].sort((a, b) => a.position - b.position);
        }
      }
    },
  };
};

const lastPosition = async ({ documents, listingTable }: WalkDeps) => {
  const request = consistentGet(listingTable, sequenceKey);
  return Number((await documents.send(request)).Item?.n ?? 0);
};
