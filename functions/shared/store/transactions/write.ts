import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { completes } from '../../domain/event/cursor.ts';
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
import { listingStatements, putTransaction } from './statements.ts';

export type WriterDeps = TableAccess<'transactionsTable' | 'listingTable'> & {
  /** Needed where idempotency records come with the changes. */
  requestsTable?: string;
  /** Needed where changes may complete transactions: the flush finds there what is to be told. */
  debounceTable?: string;
  settings?: ListingSettings;
  /** A new ClientRequestToken; at most 36 characters. */
  newToken?: () => string;
};

type Optional = 'requestsTable' | 'debounceTable';
export type WriterParts = Required<Omit<WriterDeps, Optional>> & Pick<WriterDeps, Optional>;

export const writerParts = (deps: WriterDeps): WriterParts => ({
  settings: productionSettings,
  retryDelays: realRetryDelays,
  newToken: randomUUID,
  ...deps,
});

/** Takes the next places in the creation order and answers the first; gaps are harmless. */
export const reservePositions = async (
  { documents, listingTable, retryDelays }: WriterParts,
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

/** A taken uuid whose item has our own position is our own write, whose answer was lost. */
export const createStored = async (
  parts: WriterParts,
  after: StoredTransaction,
  record?: IdempotencyRecord,
) => {
  const { isDone, isKeyUsed, found } = await writeOnce(parts, { before: undefined, after, record });
  if (isDone || found?.position === after.position) return succeed(after);
  return refuse(isKeyUsed ? 'key-used' : 'uuid-taken');
};

/**
 * After a lost answer, a stored state that is exactly what we wrote is our own write. Where others wrote since, only a record
 * can tell.
 */
export const replaceStored = async (
  parts: WriterParts,
  before: StoredTransaction,
  after: StoredTransaction,
  record?: IdempotencyRecord,
) => {
  const { isDone, isKeyUsed, perhapsDone, found } = await writeOnce(parts, { before, after, record });
  if (isDone) return succeed(after);
  if (isKeyUsed) return refuse('key-used');
  if (!found) return refuse('not-found');
  if (!perhapsDone) return refuse('changed-meanwhile');
  return isDeepStrictEqual(found, after) ? succeed(after) : refuse('perhaps-done');
};

/** One transaction's change, with the idempotency record that goes in with it (WR-1). */
type Change = {
  before: StoredTransaction | undefined;
  after: StoredTransaction;
  record: IdempotencyRecord | undefined;
};

type Written = {
  isDone: boolean;
  isKeyUsed?: boolean;
  perhapsDone?: boolean;
  found?: StoredTransaction | undefined;
};

/** Writes one transaction with what it changes in the listing; where a condition fails, answers what stands there. */
const writeOnce = async (parts: WriterParts, change: Change): Promise<Written> => {
  const token = parts.newToken();
  const request = requestFor(parts, change, token);
  return withRetries(async (perhapsDone) => {
    try {
      await request();
      return { isDone: true };
    } catch (error) {
      if (failureOf(error) !== 'condition-failed') throw error;
      return refused(parts, change, { token, perhapsDone: perhapsDone || wasSentAgain(error) });
    }
  }, parts.retryDelays);
};

/** A record says by itself whose write put it there, also when the transaction was changed again since. */
const refused = async (
  parts: WriterParts,
  { after, record }: Change,
  { token, perhapsDone }: { token: string; perhapsDone: boolean },
): Promise<Written> => {
  const held = record && (await readRecord(withRequests(parts), record.id));
  if (held?.writtenBy === token) return { isDone: true };
  if (held && isInForce(held, madeAtMs(record))) return { isDone: false, isKeyUsed: true };
  const found = await getTransaction(parts, after.transaction.uuid);
  return { isDone: false, perhapsDone, found };
};

const withRequests = ({ requestsTable, ...parts }: WriterParts) => {
  if (requestsTable === undefined) throw new Error('This writer was given no table for idempotency records');
  return { ...parts, requestsTable };
};

const debounceOf = ({ debounceTable }: WriterParts) => {
  if (debounceTable === undefined)
    throw new Error('This writer was given no table for markers of completions');
  return debounceTable;
};

/** Nothing of the listing changes in most updates: then the item is written alone, at half the price. */
const requestFor = (parts: WriterParts, { before, after, record }: Change, token: string) => {
  const put = putTransaction(parts.transactionsTable, before, after);
  const change = listingChange(before, after, parts.settings, randomShard(parts));
  const others = [
    ...listingStatements(parts.listingTable, change),
    ...(record ? [{ Put: putRecord(withRequests(parts).requestsTable, record, token) }] : []),
    ...(before && completes(before, after) ? [{ Put: putMarker(debounceOf(parts), after) }] : []),
  ];
  if (others.length === 0) return () => parts.documents.send(new PutCommand(put));
  return atomicWrite(parts, [{ Put: put }, ...others], token);
};

/** One TransactWriteItems; its token makes the engine itself recognise a request that comes twice. */
export const atomicWrite = (
  { documents, newToken }: WriterParts,
  statements: Statement[],
  token = newToken(),
) => {
  const request = { TransactItems: statements, ClientRequestToken: token };
  return () => documents.send(new TransactWriteCommand(request));
};

export const randomShard = ({ settings, retryDelays }: WriterParts) =>
  Math.floor(retryDelays.random() * settings.shards);
