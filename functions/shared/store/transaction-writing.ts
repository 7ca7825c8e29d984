import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  type DynamoDBDocumentClient,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { refuse, succeed } from '../domain/outcome.ts';
import type { StoredTransaction } from '../domain/transaction.ts';
import { listingChange } from './listing-change.ts';
import { sequenceKey } from './listing-keys.ts';
import { type ListingSettings, productionSettings } from './listing-settings.ts';
import { failureOf, type Patience, realPatience, withRetries } from './store-retry.ts';
import { getTransaction } from './transaction-get.ts';
import {
  listingStatements,
  type PutStatement,
  putTransaction,
  type Statement,
} from './transaction-statements.ts';

export type WriterDeps = {
  documents: DynamoDBDocumentClient;
  transactionsTable: string;
  listingTable: string;
  settings?: ListingSettings;
  patience?: Patience;
  /** A new ClientRequestToken; at most 36 characters. */
  newToken?: () => string;
};

export type WriterParts = Required<WriterDeps>;

export const writerParts = (deps: WriterDeps): WriterParts => ({
  settings: productionSettings,
  patience: realPatience,
  newToken: randomUUID,
  ...deps,
});

/** Takes the next places in the creation order and answers the first; gaps are harmless. */
export const reservePositions = async ({ documents, listingTable, patience }: WriterParts, count: number) => {
  const request = new UpdateCommand({
    TableName: listingTable,
    Key: sequenceKey,
    UpdateExpression: 'ADD #n :count',
    ExpressionAttributeNames: { '#n': 'n' },
    ExpressionAttributeValues: { ':count': count },
    ReturnValues: 'UPDATED_NEW',
  });
  const { Attributes } = await withRetries(() => documents.send(request), patience);
  return Number(Attributes?.n) - count + 1;
};

/** A taken uuid whose item has our own position is our own write, whose answer was lost. */
export const createStored = async (parts: WriterParts, after: StoredTransaction) => {
  const { isDone, found } = await writeOnce(parts, undefined, after);
  return isDone || found?.position === after.position ? succeed(after) : refuse('uuid-taken');
};

/** After a lost answer, a stored state that is exactly what we wrote is our own write. */
export const replaceStored = async (
  parts: WriterParts,
  before: StoredTransaction,
  after: StoredTransaction,
) => {
  const { isDone, found, perhapsDone } = await writeOnce(parts, before, after);
  if (isDone || (perhapsDone && isDeepStrictEqual(found, after))) return succeed(after);
  return refuse(found ? 'changed-meanwhile' : 'not-found');
};

type Written = { isDone: boolean; perhapsDone: boolean; found?: StoredTransaction | undefined };

/** Writes one transaction with what it changes in the listing; where its condition fails, answers what stands there. */
const writeOnce = async (
  parts: WriterParts,
  before: StoredTransaction | undefined,
  after: StoredTransaction,
): Promise<Written> => {
  const put = putTransaction(parts.transactionsTable, before, after);
  const change = listingChange(before, after, parts.settings, randomShard(parts));
  const request = requestFor(parts, put, listingStatements(parts.listingTable, change));
  return withRetries(async (perhapsDone) => {
    try {
      await request();
      return { isDone: true, perhapsDone };
    } catch (error) {
      if (failureOf(error) !== 'condition-failed') throw error;
      const found = await getTransaction(parts, after.transaction.uuid);
      return { isDone: false, perhapsDone: perhapsDone || wasSentAgain(error), found };
    }
  }, parts.patience);
};

/** Nothing of the listing changes in most updates: then the item is written alone, at half the price. */
const requestFor = (parts: WriterParts, put: PutStatement, listing: Statement[]) => {
  if (listing.length === 0) return () => parts.documents.send(new PutCommand(put));
  return atomicWrite(parts, [{ Put: put }, ...listing]);
};

/** One TransactWriteItems; its token makes the engine itself recognise a request that comes twice. */
export const atomicWrite = ({ documents, newToken }: WriterParts, statements: Statement[]) => {
  const request = { TransactItems: statements, ClientRequestToken: newToken() };
  return () => documents.send(new TransactWriteCommand(request));
};

export const randomShard = ({ settings, patience }: WriterParts) =>
  Math.floor(patience.random() * settings.shards);

/** The SDK repeats a request by itself when its answer is lost. */
const wasSentAgain = (error: unknown) =>
  ((error as { $metadata?: { attempts?: number } }).$metadata?.attempts ?? 1) > 1;
