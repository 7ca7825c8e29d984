import { bucketOf } from '../../../../functions/shared/domain/listing/radix.ts';
import type {
  JsonObject,
  StoredTransaction,
} from '../../../../functions/shared/domain/transaction/transaction.ts';
import { chunksOf } from '../../../../functions/shared/runtime/chunks.ts';
import { consistentGet } from '../../../../functions/shared/store/dynamodb/consistent-get.ts';
import type { TableAccess } from '../../../../functions/shared/store/dynamodb/table-access.ts';
import { allRunPartition, sequenceKey } from '../../../../functions/shared/store/listing/keys.ts';
import { readRun } from '../../../../functions/shared/store/listing/runs.ts';
import {
  type ListingSettings,
  productionSettings,
} from '../../../../functions/shared/store/listing/settings.ts';
import { getTransactions } from '../../../../functions/shared/store/transactions/get.ts';
import { scanTable } from '../scan.ts';

/** Reads all transactions, for exports (RUN-4) and imports. */
export type TransactionWalk = {
  /** Every transaction that is not deleted, in creation order (LIST-2). */
  inCreationOrder: () => AsyncIterable<StoredTransaction>;
  /** The same with deleted ones. `onFound` gets the number found so far, before the first transaction is read. */
  withDeleted: (onFound?: (count: number) => void) => AsyncIterable<StoredTransaction>;
  /** The numeric ids of each transaction's payments, deleted ones included, in no order. */
  paymentNumbers: () => AsyncIterable<{ uuid: string; payments: JsonObject[] }>;
};

export type WalkDeps = TableAccess<'transactionsTable' | 'listingTable'> & { settings?: ListingSettings };

/** 50 records of 100 kB are 5 MB of the 16 MB of an answer; `batchGet` asks again for what does not fit. */
const recordsPerRead = 50;

/** Reads the index run of all transactions bucket by bucket, up to the last sequence number at the start. */
export const createTransactionWalk = (deps: WalkDeps): TransactionWalk => {
  const access = { settings: productionSettings, ...deps };
  return {
    async *inCreationOrder() {
      const last = bucketOf(access.settings.radix, await lastSequenceNumber(access));
      for (let bucket = 0; bucket <= last; bucket += 1) {
        const entries = await readRun(access, { partition: allRunPartition(bucket) });
        yield* readAll(
          access,
          entries.map(({ u }) => u),
        );
      }
    },
    async *withDeleted(onFound) {
      const places = await findPlaces(access, onFound);
      yield* readAll(
        access,
        places.map(({ uuid }) => uuid),
      );
    },
    async *paymentNumbers() {
      for await (const items of scanTable(access, access.transactionsTable, uuidAndPayments)) {
        for (const { uuid, payments } of items)
          yield { uuid: String(uuid), payments: JSON.parse(String(payments)).map(numbersOf) };
      }
    },
  };
};

const numbersOf = ({ id = null, transaction_id = null }: JsonObject) => ({ id, transaction_id });

const uuidAndPayments = {
  ProjectionExpression: '#uuid, #payments',
  FilterExpression: 'attribute_exists(#payments)',
  ExpressionAttributeNames: { '#uuid': 'uuid', '#payments': 'payments' },
};

/** Reads in chunks, each sorted by sequence number. */
async function* readAll(access: WalkDeps, uuids: readonly string[]) {
  for (const part of chunksOf(uuids, recordsPerRead)) {
    const found = await getTransactions(access, part);
    yield* [...found.values()].sort(bySequenceNumber);
  }
}

type Place = Pick<StoredTransaction, 'sequenceNumber'> & { uuid: string };

const bySequenceNumber = (a: { sequenceNumber: number }, b: { sequenceNumber: number }) =>
  a.sequenceNumber - b.sequenceNumber;

/**
 * No index run has deleted transactions, so the table is scanned; a filter would not make that cheaper. Sequence numbers of all
 * transactions are kept, so that one that is deleted or restored meanwhile is neither lost nor doubled.
 */
const findPlaces = async (access: WalkDeps, onFound: (count: number) => void = () => {}) => {
  const places: Place[] = [];
  for await (const items of scanTable(access, access.transactionsTable, uuidAndSequenceNumber)) {
    for (const { uuid, sequenceNumber } of items)
      places.push({ uuid: String(uuid), sequenceNumber: Number(sequenceNumber) });
    onFound(places.length);
  }
  return places.sort(bySequenceNumber);
};

const uuidAndSequenceNumber = {
  ProjectionExpression: '#uuid, #sequenceNumber',
  ExpressionAttributeNames: { '#uuid': 'uuid', '#sequenceNumber': 'sequenceNumber' },
};

const lastSequenceNumber = async ({ documents, listingTable }: WalkDeps) => {
  const request = consistentGet(listingTable, sequenceKey);
  return Number((await documents.send(request)).Item?.n ?? 0);
};
