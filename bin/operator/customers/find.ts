import { isSignedIn } from '../../../functions/shared/domain/session.ts';
import { emailsOf, hasContent, mentions } from '../../../functions/shared/domain/transaction/erasure.ts';
import {
  isJsonObject,
  type JsonObject,
  type StoredTransaction,
} from '../../../functions/shared/domain/transaction/transaction.ts';
import type { OperatorDeps } from '../deps.ts';
import type { Erasure, KeptCopy, OnScan } from '../store/personal-data/personal-data-store.ts';
import { UserError } from '../user-error.ts';

/** A customer, named in one or more ways. */
export type CustomerQuery = {
  /** In the form of `readEmail`. */
  email: string | undefined;
  uuids: readonly string[];
  /** The session of a signed-in user (V1-10). */
  userSession: string | undefined;
  /** Whether all transactions of the signed-in users of the found ones are the customer's (S-88). */
  sameUser: boolean;
};

/** All data that is held about a customer. */
export type CustomerData = CustomerQuery & {
  /** The digests of the address and of the user's session, for the list of erasures. */
  digest: string | undefined;
  userDigest: string | undefined;
  /** Transactions that an earlier erasure of the same customer found; copies of them may be left. */
  erasedBefore: Set<string>;
  /** Those that only the session of a signed-in user names come first (`eraseCustomer`). */
  transactions: StoredTransaction[];
  /** Uuids of those that belong to the customer as a signed-in user, whatever their content says. */
  ofUser: Set<string>;
  /** Uuids of the other transactions of the sessions of those found: a person decides about them (S-88). */
  sameSession: { signedIn: Set<string>; anonymous: Set<string> };
  copies: KeptCopy[];
  /** Transactions of other customers that mention the address, or did: a person decides about them (S-82). */
  mentionedIn: Set<string>;
  /** Uuids that the operator named, of which there is neither transaction nor copy: most likely mistyped. */
  unknown: Set<string>;
};

type FindDeps = Pick<OperatorDeps, 'personalData'> & {
  transactions: Pick<OperatorDeps['transactions'], 'byUuid'>;
};

/**
 * Finds a customer's data. Scans all copies, all transactions for an address or a user, and all transactions once more for
 * the sessions of those found, since no index has addresses (S-64) or deleted transactions.
 */
export const findCustomer = async (
  query: CustomerQuery,
  deps: FindDeps,
  onScan: OnScan,
): Promise<CustomerData> => {
  const { email, uuids, userSession } = query;
  const data: CustomerData = {
    ...{ ...query, digest: undefined, userDigest: undefined, erasedBefore: new Set() },
    ...{ transactions: [], ofUser: new Set(), copies: [], mentionedIn: new Set(), unknown: new Set(uuids) },
    sameSession: { signedIn: new Set(), anonymous: new Set() },
  };
  await addErasedBefore(data, deps);
  const sessionOf = await presentSessions(deps, onScan);
  const isNamedByUuid = email === undefined && userSession === undefined;
  const read = isNamedByUuid ? transactionsNamed(data, deps) : deps.personalData.transactions(onScan);
  for await (const stored of read) takeTransaction(data, stored, sessionOf);
  await takeSameSession(data, deps, sessionOf, onScan);
  const theirs = { uuids: uuidsOf(data), isTheirs: (found: string) => found === email };
  for (const uuid of theirs.uuids) data.mentionedIn.delete(uuid);
  for await (const copy of deps.personalData.copies(onScan)) takeCopy(data, copy, theirs);
  return data;
};

/** An interrupted erasure may have emptied a transaction and left its copies. */
const addErasedBefore = async (data: CustomerData, { personalData: { erasures } }: FindDeps) => {
  const { email, userSession, uuids } = data;
  const digestOf = await erasures.digester();
  data.digest = email === undefined ? undefined : digestOf(email);
  data.userDigest = userSession === undefined ? undefined : digestOf(userSession);
  const isOfCustomer = ({ digest, userDigest, uuids: erased }: Erasure) =>
    (digest !== undefined && digest === data.digest) ||
    (userDigest !== undefined && userDigest === data.userDigest) ||
    // An erased transaction has no session that leads to those erased with it (`--uuid … --same-user`).
    (digest === undefined && erased.some((uuid) => uuids.includes(uuid)));
  const before = (await erasures.all()).filter(isOfCustomer);
  data.erasedBefore = new Set(before.flatMap((erasure) => erasure.uuids));
};

type SessionOf = (stored: StoredTransaction) => string | undefined;

/** The session that a transaction has since its user signed in: a move leaves deleted transactions out (V1-10). */
const presentSessions = async ({ personalData }: FindDeps, onScan: OnScan): Promise<SessionOf> => {
  const moved = new Map<string, string>();
  for await (const { session, movedTo } of personalData.movedSessions(onScan)) moved.set(session, movedTo);
  return ({ session }) => (session === undefined ? undefined : (moved.get(session) ?? session));
};

async function* transactionsNamed({ uuids, erasedBefore }: CustomerData, { transactions }: FindDeps) {
  for (const uuid of new Set([...uuids, ...erasedBefore])) {
    const stored = await transactions.byUuid(uuid);
    if (stored) yield stored;
  }
}

/** A transaction that an interrupted erasure left may name another customer since, so it is matched again. */
const takeTransaction = (data: CustomerData, stored: StoredTransaction, sessionOf: SessionOf) => {
  const { transaction, erasedAtMs } = stored;
  const { uuid } = transaction;
  data.unknown.delete(uuid);
  if (erasedAtMs !== undefined) return;
  data.erasedBefore.delete(uuid);
  const isOfUser = data.userSession !== undefined && sessionOf(stored) === data.userSession;
  if (isOfUser) data.ofUser.add(uuid);
  if (isOfUser || data.uuids.includes(uuid) || isOf(transaction, data)) data.transactions.push(stored);
  else if (isMentionedIn(transaction, data)) data.mentionedIn.add(uuid);
};

/**
 * Takes the other transactions of the sessions of those found. Those of a signed-in user are the customer's where the operator
 * says so. An anonymous session may be of several persons, such as a household or the visitors of a dealer, so its
 * transactions are only named.
 */
const takeSameSession = async (
  data: CustomerData,
  { personalData }: FindDeps,
  sessionOf: SessionOf,
  onScan: OnScan,
): Promise<void> => {
  const sessions = new Set(data.transactions.flatMap((stored) => sessionOf(stored) ?? []));
  if (data.sameUser) demandOneUser(sessions);
  const isOfSameUser = (session: string | undefined) =>
    data.sameUser && session !== undefined && isSignedIn(session);
  for (const stored of data.transactions)
    if (isOfSameUser(sessionOf(stored))) data.ofUser.add(stored.transaction.uuid);
  if (sessions.size === 0) return;
  const found = uuidsOf(data);
  for await (const stored of personalData.transactions(onScan)) {
    const { uuid } = stored.transaction;
    const session = sessionOf(stored);
    if (session === undefined || !sessions.has(session) || found.has(uuid)) continue;
    if (isOfSameUser(session)) {
      data.ofUser.add(uuid);
      data.transactions.unshift(stored);
    } else data.sameSession[isSignedIn(session) ? 'signedIn' : 'anonymous'].add(uuid);
  }
};

/** A user may enter the address of somebody else, such as the receiver of a gift. */
const demandOneUser = (sessions: ReadonlySet<string>) => {
  const users = [...sessions].filter(isSignedIn).length;
  if (users > 1)
    throw new UserError(
      `The transactions found are of ${users} signed-in users, so --same-user could include another person. Nothing was done: name the user by --issuer and --subject, or the transactions by --uuid.`,
    );
};

/** A copy may be the customer's although its transaction names another customer by now. */
const takeCopy = (data: CustomerData, copy: KeptCopy, theirs: Parameters<typeof isCopyOf>[1]) => {
  if (isCopyOf(copy, theirs)) data.copies.push(copy);
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
  { uuid, content, madeAtMs }: Omit<KeptCopy, 'key'>,
  { uuids, isTheirs }: { uuids: ReadonlySet<string>; isTheirs: (email: string, madeAtMs: number) => boolean },
): boolean =>
  hasContent(content) && (uuids.has(uuid) || emailsOf(content).some((email) => isTheirs(email, madeAtMs)));

/** Whether a dead letter is the customer's: by the event in it, or by its text where it cannot be read as an event. */
export const isLetterOf = (
  text: string,
  { email, uuids }: { email: string | undefined; uuids: ReadonlySet<string> },
): boolean => {
  const content = transactionIn(text);
  if (content === undefined)
    return (email !== undefined && mentions(text, email)) || [...uuids].some((uuid) => text.includes(uuid));
  const copy = { uuid: String(content.uuid), content, madeAtMs: 0 };
  return isCopyOf(copy, { uuids, isTheirs: (found) => found === email });
};

/** The transaction in the message of a dead letter. */
const transactionIn = (text: string): JsonObject | undefined => {
  try {
    const detail = JSON.parse(text)?.detail?.message?.detail;
    return detail === undefined ? undefined : isJsonObject(detail) ? detail : {};
  } catch {
    return undefined;
  }
};
