import type { StoredTransaction } from '../../../../functions/shared/domain/transaction/transaction.ts';
import type { TableAccess } from '../../../../functions/shared/store/dynamodb/table-access.ts';
import {
  countsOf,
  entriesOf,
  isSameEntry,
  type ListingEntry,
} from '../../../../functions/shared/store/listing/change.ts';
import {
  keyText,
  type ListingKey,
  sequenceKey,
  sequenceNumberOf,
} from '../../../../functions/shared/store/listing/keys.ts';
import type { ListingSettings } from '../../../../functions/shared/store/listing/settings.ts';
import { fromItem } from '../../../../functions/shared/store/transactions/item.ts';
import { scanTable } from '../scan.ts';

/** The progress of an audit: items read so far in this phase. */
export type AuditProgress = { phase: 'transactions' | 'listing'; done: number };

export type ListingAuditorDeps = TableAccess<'transactionsTable' | 'listingTable'> & {
  settings?: ListingSettings;
};

export type AuditAccess = ListingAuditorDeps & { settings: ListingSettings };

/** An entry that does not match the transactions; `owner` is the transaction at its sequence number, where there is one. */
export type EntryFinding = {
  key: ListingKey;
  found: 'missing' | 'orphan' | 'different';
  expected?: ListingEntry;
  owner?: StoredTransaction;
};

/** A counter, summed over its shards. */
type CounterSum = {
  expected: number;
  found: number;
  /** Hash of the counted transactions and their versions: a create and a deletion leave the sum alike. */
  counted: number;
};

/** A counter that does not match the transactions; adding `difference` repairs it. */
export type CounterFinding = CounterSum & { key: ListingKey; attribute: string; difference: number };

/** The result of a recount: numbers of items, and differences. */
export type Recount = {
  transactions: number;
  entries: number;
  counters: number;
  entryFindings: EntryFinding[];
  counterFindings: CounterFinding[];
};

type ListingRow = ListingKey & Record<string, unknown>;
type OnProgress = (progress: AuditProgress) => void;

type RecountTotals = {
  transactions: number;
  entries: number;
  counters: number;
  /** By sequence number: its entries, folded into one number, so that a million sequence numbers fit into memory. */
  folds: Map<number, number>;
  /** By counter, summed over its shards: the sum of each attribute. */
  sums: Map<string, { key: ListingKey; byAttribute: Record<string, CounterSum> }>;
  lastSequenceNumber: number;
};

/** Compares entries and counters with the transactions. Scans both tables once, and twice where entries differ. */
export const recount = async (access: AuditAccess, onProgress: OnProgress): Promise<Recount> => {
  const totals: RecountTotals = {
    transactions: 0,
    entries: 0,
    counters: 0,
    folds: new Map(),
    sums: new Map(),
    lastSequenceNumber: 0,
  };
  for await (const stored of transactionsOf(access)) {
    expectTransaction(access, totals, stored);
    onProgress({ phase: 'transactions', done: totals.transactions });
  }
  sumOf(totals, sequenceKey, 'n').expected = totals.lastSequenceNumber;
  for await (const rows of scanTable(access, access.listingTable)) {
    for (const row of rows as ListingRow[]) takeRow(totals, row);
    onProgress({ phase: 'listing', done: totals.entries + totals.counters });
  }
  const { transactions, entries, counters } = totals;
  const suspects = new Set(
    [...totals.folds].filter(([, fold]) => fold !== 0).map(([sequenceNumber]) => sequenceNumber),
  );
  return {
    transactions,
    entries,
    counters,
    entryFindings: suspects.size === 0 ? [] : await examine(access, suspects),
    counterFindings: counterFindingsOf(totals),
  };
};

async function* transactionsOf(access: AuditAccess) {
  for await (const items of scanTable(access, access.transactionsTable)) yield* items.map(fromItem);
}

const expectTransaction = ({ settings }: AuditAccess, totals: RecountTotals, stored: StoredTransaction) => {
  totals.transactions += 1;
  totals.lastSequenceNumber = Math.max(totals.lastSequenceNumber, stored.sequenceNumber);
  for (const entry of entriesOf(stored, settings)) fold(totals, entry);
  const hash = hashOf([stored.transaction.uuid, stored.version]);
  for (const { key, add } of countsOf(stored, 1, settings, 0))
    for (const [attribute, value] of Object.entries(add)) {
      const sum = sumOf(totals, key, attribute);
      sum.expected += value;
      sum.counted ^= hash;
    }
};

const takeRow = (totals: RecountTotals, row: ListingRow) => {
  if (isCounter(row)) {
    totals.counters += 1;
    const { pk, sk, ...counts } = row;
    for (const [attribute, value] of Object.entries(counts))
      sumOf(totals, { pk, sk }, attribute).found += Number(value);
  } else {
    totals.entries += 1;
    fold(totals, row as ListingEntry);
  }
};

const isCounter = ({ pk }: ListingRow) => pk === sequenceKey.pk || pk.startsWith('c#');

const sumOf = ({ sums }: RecountTotals, key: ListingKey, attribute: string): CounterSum => {
  const first = key.pk === sequenceKey.pk ? key : { pk: key.pk, sk: key.sk.replace(/#[^#]*$/, '#0') };
  const counter = sums.get(keyText(first)) ?? { key: first, byAttribute: {} };
  const sum = counter.byAttribute[attribute] ?? { expected: 0, found: 0, counted: 0 };
  counter.byAttribute[attribute] = sum;
  sums.set(keyText(first), counter);
  return sum;
};

/** XORs an entry's hash into its sequence number: an expected and a found entry cancel each other. */
const fold = ({ folds }: RecountTotals, { pk, sk, u, s, g, f, l }: ListingEntry) => {
  const sequenceNumber = sequenceNumberOf(sk);
  folds.set(sequenceNumber, (folds.get(sequenceNumber) ?? 0) ^ hashOf([pk, sk, u, s, g, f, l]));
};

/** FNV-1a, 32 bits, never 0: a fold of 0 means no difference. */
const hashOf = (values: readonly unknown[]) => {
  let hash = 0x811c9dc5;
  for (const character of JSON.stringify(values))
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash || 1;
};

/** The sequence may be ahead of the last sequence number, since gaps are harmless, but never behind it. */
const counterFindingsOf = ({ sums }: RecountTotals): CounterFinding[] =>
  [...sums.values()].flatMap(({ key, byAttribute }) =>
    Object.entries(byAttribute)
      .map(([attribute, sum]) => ({ key, attribute, ...sum, difference: sum.expected - sum.found }))
      .filter(({ difference }) => (key.pk === sequenceKey.pk ? difference > 0 : difference !== 0)),
  );

/** Scans both tables again for the sequence numbers that differ. */
const examine = async (access: AuditAccess, suspects: ReadonlySet<number>): Promise<EntryFinding[]> => {
  const expected = new Map<string, { entry: ListingEntry; owner: StoredTransaction }>();
  const owners = new Map<number, StoredTransaction>();
  for await (const stored of transactionsOf(access)) {
    if (!suspects.has(stored.sequenceNumber)) continue;
    owners.set(stored.sequenceNumber, stored);
    for (const entry of entriesOf(stored, access.settings))
      expected.set(keyText(entry), { entry, owner: stored });
  }
  const findings: EntryFinding[] = [];
  for await (const rows of scanTable(access, access.listingTable)) {
    for (const row of (rows as ListingRow[]).filter(
      (item) => !isCounter(item) && suspects.has(sequenceNumberOf(item.sk)),
    )) {
      const wanted = expected.get(keyText(row));
      expected.delete(keyText(row));
      if (!isSameEntry(wanted?.entry, row as ListingEntry)) findings.push(findingOf(row, wanted, owners));
    }
  }
  const missing = [...expected.values()].map(({ entry, owner }) => ({
    key: { pk: entry.pk, sk: entry.sk },
    found: 'missing' as const,
    expected: entry,
    owner,
  }));
  return [...findings, ...missing];
};

const findingOf = (
  { pk, sk }: ListingRow,
  wanted: { entry: ListingEntry; owner: StoredTransaction } | undefined,
  owners: ReadonlyMap<number, StoredTransaction>,
): EntryFinding => {
  if (wanted) return { key: { pk, sk }, found: 'different', expected: wanted.entry, owner: wanted.owner };
  const owner = owners.get(sequenceNumberOf(sk));
  return { key: { pk, sk }, found: 'orphan', ...(owner && { owner }) };
};
