import { succeed } from '../../../functions/shared/domain/outcome.ts';
import { emailsOf, erasedState } from '../../../functions/shared/domain/transaction/erasure.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import type { OperatorDeps } from '../deps.ts';
import type { Erasure, OnScan } from '../store/personal-data/personal-data-store.ts';
import { type CustomerData, isCopyOf, isLetterOf, isOf, uuidsOf } from './find.ts';

/** What an erasure did. */
export type ErasureCounts = { transactions: number; copies: number };

/** What an erasure of one customer came to. */
export type Erased = ErasureCounts & {
  deadLetters: number;
  /** In the queue still: of others, or in the hands of the collector, which gives back what it cannot read. */
  deadLettersLeft: number;
  receipt: string;
  endedAtMs: number;
};

/** What an erasure works with. */
export type ErasureDeps = Pick<OperatorDeps, 'personalData' | 'now'> & {
  transactions: Pick<OperatorDeps['transactions'], 'byUuid' | 'replace'>;
};

/**
 * Erases what was found. The list names it first, so that one that dies is gone on with by the same command, and that a table
 * which goes back is erased again. Then the transactions, of which no copy can be made from then on; then the copies; and last
 * what was given up meanwhile, and not collected.
 */
export const eraseCustomer = async (
  data: CustomerData,
  deps: ErasureDeps & Pick<OperatorDeps, 'deadLetters'>,
  onScan: OnScan,
): Promise<Erased> => {
  const { erasures } = deps.personalData;
  const uuids = await stillTheirs(data, deps);
  const atMs = deps.now().getTime();
  const { email, digest } = data;
  const { id } = await erasures.add({ atMs, ...(digest && { digest }), uuids: [...uuids] });
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

/** A person has looked at what was found, and took their time: what the address found and names another by now is not erased. */
const stillTheirs = async (data: CustomerData, { transactions }: ErasureDeps): Promise<Set<string>> => {
  const uuids = uuidsOf(data);
  for (const uuid of uuids) {
    if (data.uuids.includes(uuid)) continue;
    const stored = await transactions.byUuid(uuid);
    if (stored && stored.erasedAtMs === undefined && !isOf(stored.transaction, data)) uuids.delete(uuid);
  }
  return uuids;
};

/**
 * Erases again what a restored table brought back, of every customer that was ever erased: by the transactions that were found
 * or named then, and by the digest of the address in what has not changed since. A checkout that names the customer only since then
 * stays, as all does that they did later; so does one that an address found and that names another since.
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
  const uuids = new Set(erasures.flatMap((one) => one.uuids));
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
 * Whether an erasure that died left it as it was, and it has changed since and names its customer no more. What was erased
 * without an address was named by uuid, and is theirs whatever it says.
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

/** Every change is taken for done. */
const onlyCounting = (deps: ErasureDeps): ErasureDeps => ({
  ...deps,
  transactions: { ...deps.transactions, replace: async (_, after) => succeed({ ...after, position: 0 }) },
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

/** Each try is lost to a change of the same moment. */
const mostTries = 10;

/** Answers whether there was something to erase. */
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
