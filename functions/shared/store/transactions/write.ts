import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { refuse, succeed } from '../../domain/outcome.ts';
import type { StoredTransaction } from '../../domain/transaction/transaction.ts';
import { completes, completionMarker } from '../../events/rows.ts';
import { putMarker } from '../../events/table.ts';
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

/** Dependencies of the writes. */
export type WriterDeps = TableAccess<'transactionsTable' | 'listingTable'> & {
  /** Needed if idempotency records are written with the changes. */
  requestsTable?: string;
  /** Needed if changes may complete transactions, whose markers are written there, and for the sweep. */
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

/** Takes the next sequence numbers and returns the first. Gaps are harmless. */
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

/** What is written together with a creation. */
export type CreateOptions = {
  record?: IdempotencyRecord;
  /** The limit of a session's transactions, counted in the same write from the second one on (S-41). */
  sessionLimit?: number;
};

/** An item of this uuid with our own sequence number is our own write, whose answer was lost. */
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
 * After a lost answer, an idempotency record shows whose write it was. Without a record, a stored state that equals
 * ours counts as our own, because nobody can distinguish it from another's of the same millisecond.
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
  // Without its record, another write made the same state.
  if (!perhapsDone || record) return refuse('changed-meanwhile');
  return isDeepStrictEqual(found, after) ? succeed(after) : refuse('perhaps-done');
};

/** One transaction's change, with the idempotency record that is written with it (WR-1). */
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

/** Writes one transaction with its changes of the listing. If a condition fails, returns the stored state. */
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

/** A record names the write that put it, even if the transaction has changed since. */
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

export const debounceOf = ({ debounceTable }: WriterAccess) => {
  if (debounceTable === undefined)
    throw new Error('This writer was given no table for markers of completions');
  return debounceTable;
};

/** Most updates do not change the listing. Then the item is written alone, at half the price. */
const requestFor = (access: WriterAccess, written: TransactionChange, token: string) => {
  const { before, after, record, sessionLimit } = written;
  const put = putTransaction(access.transactionsTable, before, after);
  const change = listingChange(before, after, access.settings, access.retryDelays.random());
  const others = [
    ...listingStatements(access.listingTable, change),
    ...(record ? [{ Put: putRecord(withRequests(access).requestsTable, record, token) }] : []),
    ...(sessionLimit ? [countOfSession(withRequests(access).requestsTable, after, sessionLimit)] : []),
    ...(before && completes(before, after)
      ? [{ Put: putMarker(debounceOf(access), completionMarker(after)) }]
      : []),
  ];
  if (others.length === 0) return () => access.documents.send(new PutCommand(put));
  return atomicWrite(access, [{ Put: put }, ...others], token);
};

/** One TransactWriteItems. Its token makes DynamoDB recognise a repeated request. */
export const atomicWrite = (
  { documents, newToken }: WriterAccess,
  statements: Statement[],
  token = newToken(),
) => {
  const request = { TransactItems: statements, ClientRequestToken: token };
  return () => documents.send(new TransactWriteCommand(request));
};
