import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { completes } from '../../domain/event/debounce-row.ts';
import { refuse, succeed } from '../../domain/outcome.ts';
import type { StoredTransaction } from '../../domain/transaction/transaction.ts';
import { putMarker } from '../debounce/completion-marker.ts';
import { failureOf, wasSentAgain } from '../dynamodb/failure.ts';
import { realRetryDelays, withRetries } from '../dynamodb/retry.ts';
import type { Statement } from '../dynamodb/statement.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { listingChange } from '../listing/change.ts';
import { sequenceKey } from '../listing/keys.ts';
import { type ListingSettings, productionSettings } from '../listing/settings.ts';
import { type IdempotencyRecord, isInForce } from '../requests/request-store.ts';
import { madeAtMs, putRecord, readRecord } from '../requests/requests.ts';
import { getTransaction } from './get.ts';
import { countOfSession } from './session-count.ts';
import { listingStatements, putTransaction } from './statements.ts';

/** What the writes are handed. */
export type WriterDeps = TableAccess<'transactionsTable' | 'listingTable'> & {
  /** Needed where idempotency records come with the changes. */
  requestsTable?: string;
  /** Needed where changes may complete transactions: the flush finds their markers there. */
  debounceTable?: string;
  settings?: ListingSettings;
  /** A new ClientRequestToken; at most 36 characters. */
  newToken?: () => string;
};

type Optional = 'requestsTable' | 'debounceTable';
export type WriterAccess = Required<Omit<WriterDeps, Optional>> & Pick<WriterDeps, Optional>;

export const writerAccess = (deps: WriterDeps): WriterAccess => ({
  settings: productionSettings,
  retryDelays: realRetryDelays,
  newToken: randomUUID,
  ...deps,
});

/** Takes the next places in the creation order and answers the first; gaps are harmless. */
export const reserveSequenceNumbers = async (
  { documents, listingTable, retryDelays }: WriterAccess,
  count: number,
) => {
  const request = new UpdateCommand({
    TableName: listingTable,
    Key: sequenceKey,
    UpdateExpression: 'ADD #n :count',
    ExpressionAttributeNames: { '#n': 'n' },
    ExpressionAttributeValues: { ':count': count },
    ReturnValues: 'UPDATED_NEW',
  });
  const { Attributes } = await withRetries(() => documents.send(request), retryDelays);
  return Number(Attributes?.n) - count + 1;
};

/** What goes in with a creation. */
export type CreateOptions = {
  record?: IdempotencyRecord;
  /** How many a session may make, counted in the same step from its second one on (S-41). */
  sessionLimit?: number;
};

/** A taken uuid whose item has our own sequence number is our own write, whose answer was lost. */
export const createStored = async (
  access: WriterAccess,
  after: StoredTransaction,
  { record, sessionLimit }: CreateOptions = {},
) => {
  const { isDone, isKeyUsed, found } = await writeOnce(access, {
    ...{ before: undefined, after, record, sessionLimit },
  });
  if (isDone || found?.sequenceNumber === after.sequenceNumber) return succeed(after);
  if (isKeyUsed) return refuse('key-used');
  return refuse(found || sessionLimit === undefined ? 'uuid-taken' : 'session-full');
};

/**
 * After a lost answer an idempotency record shows whose write it was. Without one, a stored state that is exactly what we
 * wrote counts as our own: nobody can tell it from another's of the same millisecond.
 */
export const replaceStored = async (
  access: WriterAccess,
  before: StoredTransaction,
  after: StoredTransaction,
  record?: IdempotencyRecord,
) => {
  const { isDone, isKeyUsed, perhapsDone, found } = await writeOnce(access, { before, after, record });
  if (isDone) return succeed(after);
  if (isKeyUsed) return refuse('key-used');
  if (!found) return refuse('not-found');
  // Its record would stand there: another made the same state.
  if (!perhapsDone || record) return refuse('changed-meanwhile');
  return isDeepStrictEqual(found, after) ? succeed(after) : refuse('perhaps-done');
};

/** One transaction's change, with the idempotency record that goes in with it (WR-1). */
type TransactionChange = {
  before: StoredTransaction | undefined;
  after: StoredTransaction;
  record: IdempotencyRecord | undefined;
  sessionLimit?: number | undefined;
};

type WriteResult = {
  isDone: boolean;
  isKeyUsed?: boolean;
  perhapsDone?: boolean;
  found?: StoredTransaction | undefined;
};

/** Writes one transaction with what it changes in the listing; where a condition fails, answers what stands there. */
const writeOnce = async (access: WriterAccess, change: TransactionChange): Promise<WriteResult> => {
  const token = access.newToken();
  const request = requestFor(access, change, token);
  return withRetries(async (perhapsDone) => {
    try {
      await request();
      return { isDone: true };
    } catch (error) {
      if (failureOf(error) !== 'condition-failed') throw error;
      return refused(access, change, { token, perhapsDone: perhapsDone || wasSentAgain(error) });
    }
  }, access.retryDelays);
};

/** A record says by itself whose write put it there, also when the transaction was changed again since. */
const refused = async (
  access: WriterAccess,
  { after, record }: TransactionChange,
  { token, perhapsDone }: { token: string; perhapsDone: boolean },
): Promise<WriteResult> => {
  const held = record && (await readRecord(withRequests(access), record.id));
  if (held?.writtenBy === token) return { isDone: true };
  if (held && isInForce(held, madeAtMs(record))) return { isDone: false, isKeyUsed: true };
  const found = await getTransaction(access, after.transaction.uuid);
  return { isDone: false, perhapsDone, found };
};

export const withRequests = ({ requestsTable, ...access }: WriterAccess) => {
  if (requestsTable === undefined) throw new Error('This writer was given no table for idempotency records');
  return { ...access, requestsTable };
};

const debounceOf = ({ debounceTable }: WriterAccess) => {
  if (debounceTable === undefined)
    throw new Error('This writer was given no table for markers of completions');
  return debounceTable;
};

/** Nothing of the listing changes in most updates: then the item is written alone, at half the price. */
const requestFor = (access: WriterAccess, written: TransactionChange, token: string) => {
  const { before, after, record, sessionLimit } = written;
  const put = putTransaction(access.transactionsTable, before, after);
  const change = listingChange(before, after, access.settings, access.retryDelays.random());
  const others = [
    ...listingStatements(access.listingTable, change),
    ...(record ? [{ Put: putRecord(withRequests(access).requestsTable, record, token) }] : []),
    ...(sessionLimit ? [countOfSession(withRequests(access).requestsTable, after, sessionLimit)] : []),
    ...(before && completes(before, after) ? [{ Put: putMarker(debounceOf(access), after) }] : []),
  ];
  if (others.length === 0) return () => access.documents.send(new PutCommand(put));
  return atomicWrite(access, [{ Put: put }, ...others], token);
};

/** One TransactWriteItems; its token makes the engine itself recognise a request that comes twice. */
export const atomicWrite = (
  { documents, newToken }: WriterAccess,
  statements: Statement[],
  token = newToken(),
) => {
  const request = { TransactItems: statements, ClientRequestToken: token };
  return () => documents.send(new TransactWriteCommand(request));
};
