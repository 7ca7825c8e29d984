import { indexedValues } from '../../domain/listing/columns.ts';
import { bucketOf, childIndex, itemIndex, levels } from '../../domain/listing/radix.ts';
import { idOfGroup, rollupsOfOwner } from '../../domain/ownership/rollup.ts';
import type { StoredTransaction, Transaction } from '../../domain/transaction/transaction.ts';
import {
  allRunPartition,
  counterKey,
  keyText,
  type ListingKey,
  runPartition,
  sequenceText,
  sessionPartition,
  valuePartition,
} from './keys.ts';
import type { ListingSettings } from './settings.ts';

/** A transaction in one index run: its uuid `u` and status `s`, and its owner if the run has several owners. */
export type ListingEntry = ListingKey & { u: string; s: number; g?: string; f?: string; l?: string };
/** The additions to one counter item, by attribute. */
export type CounterChange = { key: ListingKey; add: Record<string, number> };
/** All changes of the Listing table by one write. */
export type ListingChange = { puts: ListingEntry[]; deletes: ListingKey[]; counters: CounterChange[] };

type State = StoredTransaction | undefined;

/**
 * The change of the listing by a write: the pure difference of two states. Create, complete, delete, restore, move and
 * a change of identifiers are all this one step. `draw`, a random number from 0 up to 1, chooses a shard of each
 * rollup's counters.
 */
export const listingChange = (
  before: State,
  after: State,
  settings: ListingSettings,
  draw: number,
): ListingChange => {
  if (isListedAlike(before, after)) return { puts: [], deletes: [], counters: [] };
  const old = entriesByKey(before, settings);
  const next = entriesByKey(after, settings);
  return {
    puts: [...next].filter(([key, entry]) => !isSameEntry(old.get(key), entry)).map(([, entry]) => entry),
    deletes: [...old].filter(([key]) => !next.has(key)).map(([, { pk, sk }]) => ({ pk, sk })),
    counters: sumCounters([...countsOf(before, -1, settings, draw), ...countsOf(after, 1, settings, draw)]),
  };
};

/** Most updates do not change the listing. */
const isListedAlike = (before: State, after: State) =>
  before !== undefined && after !== undefined && listedFacts(before) === listedFacts(after);

const listedFacts = ({ transaction, sequenceNumber, session }: StoredTransaction) => {
  const { uuid, status, isDeleted, ndMeta } = transaction;
  const owner = ndMeta && [ndMeta.group, ndMeta.franchise, ndMeta.location];
  return JSON.stringify([
    uuid,
    status,
    isDeleted,
    owner,
    indexedValues(transaction),
    session,
    sequenceNumber,
  ]);
};

/** A transaction's entries in every index run to which it belongs. A deleted one has none (DEL-1). */
export const entriesOf = (
  { transaction, sequenceNumber, session }: StoredTransaction,
  { radix }: ListingSettings,
) => {
  if (transaction.isDeleted === 1) return [];
  const owner = transaction.ndMeta;
  const entryIn = (pk: string): ListingEntry => ({
    pk,
    sk: sequenceText(sequenceNumber),
    u: transaction.uuid,
    s: transaction.status,
  });
  const ownedEntryIn = (pk: string): ListingEntry => ({
    ...entryIn(pk),
    ...(owner && { g: owner.group, f: owner.franchise, l: owner.location }),
  });
  return [
    ownedEntryIn(allRunPartition(bucketOf(radix, sequenceNumber))),
    ...(owner ? rollupsOfOwner(owner).map(({ id }) => entryIn(runPartition(id))) : []),
    ...(owner ? valuePartitionsOf(idOfGroup(owner.group), transaction).map(ownedEntryIn) : []),
    ...(session ? [entryIn(sessionPartition(session))] : []),
  ];
};

const valuePartitionsOf = (groupId: string, transaction: Transaction) =>
  indexedValues(transaction).map((indexed) => valuePartition(groupId, indexed));

/**
 * What one transaction adds to the counters of its three rollups: `n` for itself and `d` if complete. The root counts
 * each child, too.
 */
export const countsOf = (
  state: State,
  sign: 1 | -1,
  { radix, shards }: ListingSettings,
  draw: number,
): CounterChange[] => {
  if (!state?.transaction.ndMeta || state.transaction.isDeleted === 1) return [];
  const { transaction, sequenceNumber } = state;
  const letters = transaction.status === 1 ? ['n', 'd'] : ['n'];
  return rollupsOfOwner(state.transaction.ndMeta).flatMap((rollup) => {
    const shard = Math.floor(draw * shards[rollup.kind]);
    return levels.map((level) => {
      const child = childIndex(radix, level, sequenceNumber);
      const names = letters.flatMap((letter) => [`${letter}${child}`, ...(level === 3 ? [letter] : [])]);
      return {
        key: counterKey(rollup, { level, item: itemIndex(radix, level, sequenceNumber) }, shard),
        add: Object.fromEntries(names.map((name) => [name, sign])),
      };
    });
  });
};

/** Adds up the changes of each counter item, and leaves out sums of zero. */
export const sumCounters = (changes: readonly CounterChange[]): CounterChange[] => {
  const sums = new Map<string, CounterChange>();
  for (const { key, add } of changes) {
    const sum = sums.get(keyText(key)) ?? { key, add: {} };
    for (const [name, value] of Object.entries(add)) sum.add[name] = (sum.add[name] ?? 0) + value;
    sums.set(keyText(key), sum);
  }
  return [...sums.values()].map(withoutZeros).filter(({ add }) => Object.keys(add).length > 0);
};

const withoutZeros = ({ key, add }: CounterChange): CounterChange => ({
  key,
  add: Object.fromEntries(Object.entries(add).filter(([, value]) => value !== 0)),
});

const entriesByKey = (state: State, settings: ListingSettings) =>
  new Map((state ? entriesOf(state, settings) : []).map((entry) => [keyText(entry), entry]));

export const isSameEntry = (a: ListingEntry | undefined, b: ListingEntry | undefined) =>
  a !== undefined &&
  b !== undefined &&
  (['u', 's', 'g', 'f', 'l'] as const).every((name) => a[name] === b[name]);
