import type { StoredTransaction } from '../../../../functions/shared/domain/transaction/transaction.ts';
import type { Statement } from '../../../../functions/shared/store/dynamodb/statement.ts';
import {
  type ListingChange,
  listingChange,
  sumCounters,
} from '../../../../functions/shared/store/listing/change.ts';
import { keyText } from '../../../../functions/shared/store/listing/keys.ts';
import {
  listingStatements,
  putTransaction,
} from '../../../../functions/shared/store/transactions/statements.ts';
import type { WriterAccess } from '../../../../functions/shared/store/transactions/write.ts';

/** One TransactWriteItems: the transactions that it creates, and its statements, those of the listing included. */
export type Load = { transactions: StoredTransaction[]; statements: Statement[] };

/** TransactWriteItems takes 100 items and 4 MB: 3.5 MB leave room for the encoding. */
const itemsPerWrite = 100;
const bytesPerWrite = 3_500_000;

/**
 * The loads of new transactions, by group. Loads of one group change the same counters, and DynamoDB refuses concurrent ones:
 * write them in order. They are sorted by owner, so that a load sums up the counters of its transactions: a group uses the
 * same shards throughout.
 */
export const loadsByGroup = (
  access: WriterAccess,
  transactions: readonly StoredTransaction[],
): Generator<Load>[] =>
  [...Map.groupBy(transactions, groupOf).values()].map((ofGroup) => loadsOf(access, ownersTogether(ofGroup)));

const groupOf = ({ transaction }: StoredTransaction) => transaction.ndMeta?.group;

/** Sorts by franchise, then location, and keeps the order within a location. */
const ownersTogether = (ofGroup: StoredTransaction[]) =>
  [...Map.groupBy(ofGroup, ({ transaction: { ndMeta } }) => `${ndMeta?.franchise}\n${ndMeta?.location}`)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, ofOwner]) => ofOwner);

/** A transaction with its part of a load. */
type Piece = { stored: StoredTransaction; put: Statement; change: ListingChange; bytes: number };

/** A generator, so that loads are made while others are written. */
function* loadsOf(access: WriterAccess, transactions: readonly StoredTransaction[]): Generator<Load> {
  const draw = access.retryDelays.random();
  let load = emptyLoad();
  for (const stored of transactions) {
    const piece = pieceOf(access, stored, draw);
    if (!hasRoomFor(load, piece)) {
      yield closed(access, load);
      load = emptyLoad();
    }
    add(load, piece);
  }
  yield closed(access, load);
}

const pieceOf = (access: WriterAccess, stored: StoredTransaction, draw: number): Piece => ({
  stored,
  put: { Put: putTransaction(access.transactionsTable, undefined, stored) },
  change: listingChange(undefined, stored, access.settings, draw),
  bytes: Buffer.byteLength(JSON.stringify(stored.transaction)),
});

/** An unfinished load, with the counters that it changes. */
type OpenLoad = { pieces: Piece[]; counters: Set<string>; items: number; bytes: number };

const emptyLoad = (): OpenLoad => ({ pieces: [], counters: new Set(), items: 0, bytes: 0 });

const hasRoomFor = ({ pieces, counters, items, bytes }: OpenLoad, piece: Piece) => {
  const further = countersOf(piece).filter((key) => !counters.has(key)).length;
  return (
    pieces.length === 0 ||
    (items + itemsOf(piece) + counters.size + further <= itemsPerWrite &&
      bytes + piece.bytes <= bytesPerWrite)
  );
};

const countersOf = ({ change }: Piece) => change.counters.map(({ key }) => keyText(key));

const itemsOf = ({ change }: Piece) => 1 + change.puts.length;

const add = (load: OpenLoad, piece: Piece) => {
  load.pieces.push(piece);
  for (const key of countersOf(piece)) load.counters.add(key);
  load.items += itemsOf(piece);
  load.bytes += piece.bytes;
};

const closed = ({ listingTable }: WriterAccess, { pieces }: OpenLoad): Load => ({
  transactions: pieces.map(({ stored }) => stored),
  statements: [
    ...pieces.map(({ put }) => put),
    ...listingStatements(listingTable, {
      puts: pieces.flatMap(({ change }) => change.puts),
      deletes: [],
      counters: sumCounters(pieces.flatMap(({ change }) => change.counters)),
    }),
  ],
});
