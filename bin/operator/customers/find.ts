import {
  comparableEmail,
  emailsOf,
  hasContent,
} from '../../../functions/shared/domain/transaction/erasure.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import { eventCopy } from '../../../functions/shared/store/personal-data/copies.ts';
import type { KeptCopy, OnScan } from '../../../functions/shared/store/personal-data/personal-data-store.ts';
import type { OperatorDeps } from '../deps.ts';

/** Everything that is held about a customer. */
export type CustomerData = {
  email: string;
  digest: string;
  transactions: StoredTransaction[];
  copies: KeptCopy[];
  /** Transactions of others that say the address somewhere, for a person to look at. */
  mentionedIn: string[];
  /** Transactions that an erasure of this address found before. */
  erasedBefore: string[];
};

/** Reads every table once: no index knows an address (S-64). */
export const findCustomer = async (
  email: string,
  { personalData }: Pick<OperatorDeps, 'personalData'>,
  onScan: OnScan,
): Promise<CustomerData> => {
  const wanted = comparableEmail(email);
  const digest = (await personalData.erasures.digester())(wanted);
  const erasedBefore = (await personalData.erasures.all())
    .filter((one) => one.digest === digest)
    .flatMap(({ uuids }) => uuids);
  const data: CustomerData = {
    ...{ email: wanted, digest, transactions: [], copies: [], mentionedIn: [] },
    erasedBefore: [...new Set(erasedBefore)],
  };
  for await (const stored of personalData.transactions(onScan)) takeTransaction(data, stored);
  const uuids = uuidsOf(data);
  const isTheirs = (named: string) => named === wanted;
  for await (const copy of personalData.copies(onScan))
    if (isCopyOf(copy, { uuids, isTheirs })) data.copies.push(copy);
  return data;
};

const takeTransaction = (data: CustomerData, stored: StoredTransaction) => {
  const { transaction } = stored;
  if (emailsOf(transaction).includes(data.email)) data.transactions.push(stored);
  else if (JSON.stringify(transaction).toLowerCase().includes(data.email))
    data.mentionedIn.push(transaction.uuid);
};

/** Those found now, and those that an erasure which died may have left copies of. */
export const uuidsOf = ({ transactions, erasedBefore }: CustomerData): Set<string> =>
  new Set([...transactions.map(({ transaction }) => transaction.uuid), ...erasedBefore]);

/** Whether a copy is of one of the transactions, or names the customer: of an earlier state, say. */
export const isCopyOf = (
  { uuid, content, madeAtMs }: KeptCopy,
  { uuids, isTheirs }: { uuids: ReadonlySet<string>; isTheirs: (email: string, madeAtMs: number) => boolean },
): boolean =>
  hasContent(content) &&
  ((uuid !== undefined && uuids.has(uuid)) || emailsOf(content).some((email) => isTheirs(email, madeAtMs)));

/** A dead letter that is an event of the bus is judged as the copy in it is; of any other, the text is all that is known. */
export const isLetterOf = (
  text: string,
  { email, uuids }: { email: string; uuids: ReadonlySet<string> },
): boolean => {
  const message = messageIn(text);
  if (message === undefined)
    return text.toLowerCase().includes(email) || [...uuids].some((uuid) => text.includes(uuid));
  return isCopyOf(eventCopy('', message), { uuids, isTheirs: (named) => named === email });
};

const messageIn = (text: string): string | undefined => {
  try {
    const message = JSON.parse(text)?.detail?.message;
    return message?.detail === undefined ? undefined : JSON.stringify(message);
  } catch {
    return undefined;
  }
};
