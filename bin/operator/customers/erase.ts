import { succeed } from '../../../functions/shared/domain/outcome.ts';
import { emailsOf, erasedState } from '../../../functions/shared/domain/transaction/erasure.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import type { OperatorDeps } from '../deps.ts';
import type { Erasure, OnScan } from '../store/personal-data/personal-data-store.ts';
import { type CustomerData, isCopyOf, isLetterOf, isOf, uuidsOf } from './find.ts';

/** How many transactions and copies an erasure emptied. */
export type ErasureCounts = { transactions: number; copies: number };

/** The result of the erasure of one customer. */
export type Erased = ErasureCounts & {
  deadLetters: number;
  /** Letters still in the queue: of other customers, or received by the collector, which returns unreadable ones. */
  deadLettersLeft: number;
  receipt: string;
  endedAtMs: number;
};

/** The stores and the clock that an erasure uses. */
export type ErasureDeps = Pick<OperatorDeps, 'personalData' | 'now'> & {
  transactions: Pick<OperatorDeps['transactions'], 'byUuid' | 'replace'>;
};

/**
 * Erases the found data. The erasure is listed first: the same command then continues it if it dies, and `customer reapply`
 * repeats it on a restored table. Transactions follow, since no copy is made of an erased one; then copies; then dead letters.
 * An erased transaction has no session any more, so those that only a session leads to come before those that the command
 * names: in another order, a run that died between them would leave some that no later run finds.
 */
export const eraseCustomer = async (
  data: CustomerData,
  deps: ErasureDeps & Pick<OperatorDeps, 'deadLetters'>,
  onScan: OnScan,
): Promise<Erased> => {
  const { erasures } = deps.personalData;
  const uuids = await stillTheirs(data, deps);
  const atMs = deps.now().getTime();
  const { email, digest, userDigest } = data;
  const names = { ...(digest && { digest }), ...(userDigest && { userDigest }) };
  const { id } = await erasures.add({ atMs, ...names, uuids: [...uuids] });
  const transactions = await eraseTransactions(uuids, deps);
  const isTheirs = (found: string) => found === email;
  const copies = await eraseCopies({ uuids, isTheirs }, deps, onScan);
  const deadLetters = await deps.deadLetters.remove((text) => isLetterOf(text, { email, uuids }));
  const counts = { transactions, copies, deadLetters };
  const endedAtMs = deps.now().getTime();
  await erasures.end(id, { endedAtMs, counts });
  const deadLettersLeft = await deps.deadLetters.count();
  return { ...counts, deadLettersLeft, receipt: id.slice('AT#'.length), endedAtMs };
};

/** Leaves out transactions found by the address that name another customer since the operator was asked to confirm. */
const stillTheirs = async (data: CustomerData, { transactions }: ErasureDeps): Promise<Set<string>> => {
  const uuids = uuidsOf(data);
  for (const uuid of uuids) {
    if (data.uuids.includes(uuid) || data.ofUser.has(uuid)) continue;
    const stored = await transactions.byUuid(uuid);
    if (stored && stored.erasedAtMs === undefined && !isOf(stored.transaction, data)) uuids.delete(uuid);
  }
  return uuids;
};

/**
 * Erases again what a restored table brought back of every erased customer: the transactions listed with the erasure, and
 * those that have the address and have not changed since. Anything newer stays: a later checkout of the same customer, and
 * a transaction that the address had found and that names another customer since.
 */
export const applyErasures = async (
  deps: ErasureDeps,
  onScan: OnScan,
  { dryRun = false }: { dryRun?: boolean } = {},
): Promise<ErasureCounts> => {
  const { personalData } = deps;
  const erasures = await personalData.erasures.all();
  if (erasures.length === 0) return { transactions: 0, copies: 0 };
  const digestOf = await personalData.erasures.digester();
  const erasedAt = latestByDigest(erasures);
  const uuids = new Set(erasures.flatMap((erasure) => erasure.uuids));
  const isTheirs = (email: string, atMs: number) => atMs <= (erasedAt.get(digestOf(email)) ?? -1);
  for await (const stored of personalData.transactions(onScan)) {
    const { transaction, updatedAtMs } = stored;
    const { uuid } = transaction;
    if (emailsOf(transaction).some((email) => isTheirs(email, updatedAtMs))) uuids.add(uuid);
    else if (uuids.has(uuid) && isOfAnother(stored, erasures, digestOf)) uuids.delete(uuid);
  }
  const acting = dryRun ? onlyCounting(deps) : deps;
  const transactions = await eraseTransactions(uuids, acting);
  const copies = await eraseCopies({ uuids, isTheirs }, acting, onScan);
  return { transactions, copies };
};

/**
 * Whether a transaction that an interrupted erasure left has changed since and names another customer. An erasure without an
 * address named it by uuid, so that transaction stays the customer's.
 */
const isOfAnother = (
  { transaction, updatedAtMs, erasedAtMs }: StoredTransaction,
  erasures: readonly Erasure[],
  digestOf: (email: string) => string,
): boolean => {
  if (erasedAtMs !== undefined) return false;
  const digests = emailsOf(transaction).map(digestOf);
  return erasures
    .filter(({ uuids }) => uuids.includes(transaction.uuid))
    .every(({ digest, atMs }) => digest !== undefined && updatedAtMs > atMs && !digests.includes(digest));
};

/** Stores for a dry run: they write nothing and report success. */
const onlyCounting = (deps: ErasureDeps): ErasureDeps => ({
  ...deps,
  transactions: {
    ...deps.transactions,
    replace: async (_, after) => succeed({ ...after, sequenceNumber: 0 }),
  },
  personalData: { ...deps.personalData, eraseCopy: async () => {} },
});

const latestByDigest = (erasures: readonly Erasure[]) => {
  const latest = new Map<string, number>();
  for (const { digest, atMs } of erasures)
    if (digest !== undefined) latest.set(digest, Math.max(atMs, latest.get(digest) ?? 0));
  return latest;
};

const eraseTransactions = async (uuids: Iterable<string>, deps: ErasureDeps): Promise<number> => {
  let erased = 0;
  for (const uuid of uuids) if (await eraseTransaction(uuid, deps)) erased += 1;
  return erased;
};

/** A try fails when the transaction changes at the same moment. */
const mostTries = 10;

/** Returns whether there was anything to erase. */
const eraseTransaction = async (uuid: string, deps: ErasureDeps, triesLeft = mostTries): Promise<boolean> => {
  const stored = await deps.transactions.byUuid(uuid);
  if (!stored || stored.erasedAtMs !== undefined) return false;
  const replaced = await deps.transactions.replace(stored, erasedState(stored, deps.now().getTime()));
  if (replaced.ok) return true;
  if (triesLeft === 1)
    throw new Error(`The transaction ${uuid} changes without end: nothing of it was erased`);
  return eraseTransaction(uuid, deps, triesLeft - 1);
};

const eraseCopies = async (
  wanted: Parameters<typeof isCopyOf>[1],
  { personalData }: ErasureDeps,
  onScan: OnScan,
): Promise<number> => {
  let erased = 0;
  for await (const copy of personalData.copies(onScan)) {
    if (!isCopyOf(copy, wanted)) continue;
    await personalData.eraseCopy(copy);
    erased += 1;
  }
  return erased;
};
