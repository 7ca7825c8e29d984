import { emailsOf, hasContent, mentions } from '../../../functions/shared/domain/transaction/erasure.ts';
import type {
  JsonObject,
  StoredTransaction,
} from '../../../functions/shared/domain/transaction/transaction.ts';
import type { OperatorDeps } from '../deps.ts';
import { eventCopy } from '../store/personal-data/copies.ts';
import type { KeptCopy, OnScan } from '../store/personal-data/personal-data-store.ts';

/** Whom an operator asks for: by their address as `readEmail` has it, by their transactions, or by both. */
export type CustomerQuery = { email: string | undefined; uuids: readonly string[] };

/** Everything that is held about a customer. */
export type CustomerData = CustomerQuery & {
  /** Of the address, for the list of erasures. */
  digest: string | undefined;
  /** Transactions that an earlier erasure of the address found, and of which nothing but copies may be left. */
  erasedBefore: Set<string>;
  transactions: StoredTransaction[];
  copies: KeptCopy[];
  /** Transactions of others that mention the address, or did: for a person to judge (S-82). */
  mentionedIn: Set<string>;
  /** What the operator named and the service has nothing of: mistyped, most likely. */
  unknown: Set<string>;
};

type FindDeps = Pick<OperatorDeps, 'personalData'> & {
  transactions: Pick<OperatorDeps['transactions'], 'byUuid'>;
};

/** No index knows an address (S-64), so all transactions are read for one. Copies are known by what is in them alone. */
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

/** An erasure that died is gone on with: it may have emptied a transaction and left copies of it. */
const addErasedBefore = async (data: CustomerData, email: string, { personalData }: FindDeps) => {
  const digest = (await personalData.erasures.digester())(email);
  const erasures = await personalData.erasures.all();
  data.digest = digest;
  data.erasedBefore = new Set(erasures.flatMap((one) => (one.digest === digest ? one.uuids : [])));
};

async function* transactionsNamed({ uuids }: CustomerData, { transactions }: FindDeps) {
  for (const uuid of uuids) {
    const stored = await transactions.byUuid(uuid);
    if (stored) yield stored;
  }
}

/** What an erasure before left as it was may be of another customer since, so it is judged anew. */
const takeTransaction = (data: CustomerData, stored: StoredTransaction) => {
  const { transaction, erasedAtMs } = stored;
  data.unknown.delete(transaction.uuid);
  if (erasedAtMs !== undefined) return;
  data.erasedBefore.delete(transaction.uuid);
  if (data.uuids.includes(transaction.uuid) || isOf(transaction, data)) data.transactions.push(stored);
  else if (isMentionedIn(transaction, data)) data.mentionedIn.add(transaction.uuid);
};

/** A copy of a transaction that names another customer by now may be of them all the same. */
const takeCopy = (data: CustomerData, copy: KeptCopy, theirs: Parameters<typeof isCopyOf>[1]) => {
  if (isCopyOf(copy, theirs)) data.copies.push(copy);
  if (copy.uuid === undefined) return;
  data.unknown.delete(copy.uuid);
  if (!theirs.uuids.has(copy.uuid) && isMentionedIn(copy.content, data)) data.mentionedIn.add(copy.uuid);
};

/** Whether its customer is the one with the address. */
export const isOf = (
  record: Parameters<typeof emailsOf>[0],
  { email }: Pick<CustomerData, 'email'>,
): boolean => email !== undefined && emailsOf(record).includes(email);

const isMentionedIn = (record: JsonObject, { email }: CustomerData): boolean =>
  email !== undefined && mentions(record, email);

/** The transactions that are theirs. */
export const uuidsOf = ({ transactions, uuids, erasedBefore }: CustomerData): Set<string> =>
  new Set([...transactions.map(({ transaction }) => transaction.uuid), ...uuids, ...erasedBefore]);

/** Whether a copy is of one of the transactions, whatever is in it, or names the customer: of an earlier state, say. */
export const isCopyOf = (
  { uuid, content, madeAtMs }: KeptCopy,
  { uuids, isTheirs }: { uuids: ReadonlySet<string>; isTheirs: (email: string, madeAtMs: number) => boolean },
): boolean =>
  hasContent(content) &&
  ((uuid !== undefined && uuids.has(uuid)) || emailsOf(content).some((email) => isTheirs(email, madeAtMs)));

/** A dead letter that is an event of the bus is judged as the copy in it is; of any other, the text is all that is known. */
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
