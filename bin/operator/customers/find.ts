import { emailsOf, hasContent, mentions } from '../../../functions/shared/domain/transaction/erasure.ts';
import type {
  JsonObject,
  StoredTransaction,
} from '../../../functions/shared/domain/transaction/transaction.ts';
import type { OperatorDeps } from '../deps.ts';
import { eventCopy } from '../store/personal-data/copies.ts';
import type { KeptCopy, OnScan } from '../store/personal-data/personal-data-store.ts';

/** A customer, by email address in the form of `readEmail`, by transactions, or by both. */
export type CustomerQuery = { email: string | undefined; uuids: readonly string[] };

/** All data that is held about a customer. */
export type CustomerData = CustomerQuery & {
  /** The digest of the address, for the list of erasures. */
  digest: string | undefined;
  /** Transactions that an earlier erasure of the address found; copies of them may be left. */
  erasedBefore: Set<string>;
  transactions: StoredTransaction[];
  copies: KeptCopy[];
  /** Transactions of other customers that mention the address, or did: a person decides about them (S-82). */
  mentionedIn: Set<string>;
  /** Uuids that the operator named, of which there is neither transaction nor copy: most likely mistyped. */
  unknown: Set<string>;
};

type FindDeps = Pick<OperatorDeps, 'personalData'> & {
  transactions: Pick<OperatorDeps['transactions'], 'byUuid'>;
};

/** Finds a customer's data. Scans all copies, and all transactions for an address, since no index has it (S-64). */
export const findCustomer = async (
  { email, uuids }: CustomerQuery,
  deps: FindDeps,
  onScan: OnScan,
): Promise<CustomerData> => {
  const data: CustomerData = {
    ...{ email, uuids, digest: undefined, erasedBefore: new Set() },
    ...{ transactions: [], copies: [], mentionedIn: new Set(), unknown: new Set(uuids) },
  };
  if (email !== undefined) await addErasedBefore(data, email, deps);
  const read = email === undefined ? transactionsNamed(data, deps) : deps.personalData.transactions(onScan);
  for await (const stored of read) takeTransaction(data, stored);
  const theirs = { uuids: uuidsOf(data), isTheirs: (found: string) => found === email };
  for await (const copy of deps.personalData.copies(onScan)) takeCopy(data, copy, theirs);
  return data;
};

/** An interrupted erasure may have emptied a transaction and left its copies. */
const addErasedBefore = async (data: CustomerData, email: string, { personalData }: FindDeps) => {
  const digest = (await personalData.erasures.digester())(email);
  const erasures = await personalData.erasures.all();
  data.digest = digest;
  data.erasedBefore = new Set(
    erasures.flatMap((erasure) => (erasure.digest === digest ? erasure.uuids : [])),
  );
};

async function* transactionsNamed({ uuids }: CustomerData, { transactions }: FindDeps) {
  for (const uuid of uuids) {
    const stored = await transactions.byUuid(uuid);
    if (stored) yield stored;
  }
}

/** A transaction that an interrupted erasure left may name another customer since, so it is matched again. */
const takeTransaction = (data: CustomerData, stored: StoredTransaction) => {
  const { transaction, erasedAtMs } = stored;
  data.unknown.delete(transaction.uuid);
  if (erasedAtMs !== undefined) return;
  data.erasedBefore.delete(transaction.uuid);
  if (data.uuids.includes(transaction.uuid) || isOf(transaction, data)) data.transactions.push(stored);
  else if (isMentionedIn(transaction, data)) data.mentionedIn.add(transaction.uuid);
};

/** A copy may be the customer's although its transaction names another customer by now. */
const takeCopy = (data: CustomerData, copy: KeptCopy, theirs: Parameters<typeof isCopyOf>[1]) => {
  if (isCopyOf(copy, theirs)) data.copies.push(copy);
  if (copy.uuid === undefined) return;
  data.unknown.delete(copy.uuid);
  if (!theirs.uuids.has(copy.uuid) && isMentionedIn(copy.content, data)) data.mentionedIn.add(copy.uuid);
};

/** Whether the record's customer has the address. */
export const isOf = (
  record: Parameters<typeof emailsOf>[0],
  { email }: Pick<CustomerData, 'email'>,
): boolean => email !== undefined && emailsOf(record).includes(email);

const isMentionedIn = (record: JsonObject, { email }: CustomerData): boolean =>
  email !== undefined && mentions(record, email);

/** The uuids of the customer's transactions. */
export const uuidsOf = ({ transactions, uuids, erasedBefore }: CustomerData): Set<string> =>
  new Set([...transactions.map(({ transaction }) => transaction.uuid), ...uuids, ...erasedBefore]);

/** Whether a copy is of one of the customer's transactions, or names the customer, as an earlier state may. */
export const isCopyOf = (
  { uuid, content, madeAtMs }: KeptCopy,
  { uuids, isTheirs }: { uuids: ReadonlySet<string>; isTheirs: (email: string, madeAtMs: number) => boolean },
): boolean =>
  hasContent(content) &&
  ((uuid !== undefined && uuids.has(uuid)) || emailsOf(content).some((email) => isTheirs(email, madeAtMs)));

/** Whether a dead letter is the customer's: by the event in it, or by its text where it cannot be read as an event. */
export const isLetterOf = (
  text: string,
  { email, uuids }: { email: string | undefined; uuids: ReadonlySet<string> },
): boolean => {
  const message = messageIn(text);
  if (message === undefined)
    return (email !== undefined && mentions(text, email)) || [...uuids].some((uuid) => text.includes(uuid));
  return isCopyOf(eventCopy('', message), { uuids, isTheirs: (found) => found === email });
};

const messageIn = (text: string): string | undefined => {
  try {
    const message = JSON.parse(text)?.detail?.message;
    return message?.detail === undefined ? undefined : JSON.stringify(message);
  } catch {
    return undefined;
  }
};
