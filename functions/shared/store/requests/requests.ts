import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { refuse, succeed } from '../../domain/outcome.ts';
import { consistentGet } from '../dynamodb/consistent-get.ts';
import { conditionHeld } from '../dynamodb/failure.ts';
import { withRetries } from '../dynamodb/retry.ts';
import type { PutStatement } from '../dynamodb/statement.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import {
  type IdempotencyRecord,
  isInForce,
  type KeptAnswer,
  type RequestStore,
  recordLifetimeMs,
} from './request-store.ts';

/** A record and the id of its write, so that a write whose answer was lost recognises its own. */
export type StoredRecord = IdempotencyRecord & { writtenBy: string };

/** Idempotency records over DynamoDB (WR-1). */
export const createRequestStore = (access: TableAccess<'requestsTable'>): RequestStore => ({
  find: async (id, now) => {
    const record = await readRecord(access, id);
    return record && isInForce(record, now.getTime()) ? withoutWriter(record) : undefined;
  },
  remember: (record) => remember(access, record),
});

const withoutWriter = ({ writtenBy: _, ...record }: StoredRecord): IdempotencyRecord => record;

/** After a lost answer, a stored record with this write's id is its own. */
const remember = async (access: TableAccess<'requestsTable'>, record: IdempotencyRecord) => {
  const { documents, requestsTable, retryDelays } = access;
  const writtenBy = randomUUID();
  const request = new PutCommand(putRecord(requestsTable, record, writtenBy));
  if (await conditionHeld(withRetries(() => documents.send(request), retryDelays))) return succeed(undefined);
  const found = await readRecord(access, record.id);
  return found?.writtenBy === writtenBy ? succeed(undefined) : refuse('key-used');
};

/** The record of an id, strongly consistent, expired or not, because the engine removes expired ones days late. */
export const readRecord = async (
  { documents, requestsTable, retryDelays }: TableAccess<'requestsTable'>,
  id: string,
): Promise<StoredRecord | undefined> => {
  const request = consistentGet(requestsTable, keyOf(id));
  const { Item } = await withRetries(() => documents.send(request), retryDelays);
  return Item && fromItem(id, Item);
};

/** Puts a record if its id has none in force. */
export const putRecord = (table: string, record: IdempotencyRecord, writtenBy: string): PutStatement => ({
  TableName: table,
  Item: toItem(record, writtenBy),
  ConditionExpression: 'attribute_not_exists(#pk) OR #expires <= :madeAt',
  ExpressionAttributeNames: { '#pk': 'pk', '#expires': 'expiresAtMs' },
  ExpressionAttributeValues: { ':madeAt': madeAtMs(record) },
});

/** A record as a part of another store's atomic write (WR-1). */
export const besideOf = (table: string, record: IdempotencyRecord | undefined): { beside?: PutStatement } =>
  record ? { beside: putRecord(table, record, randomUUID()) } : {};

export const madeAtMs = ({ expiresAtMs }: Pick<IdempotencyRecord, 'expiresAtMs'>) =>
  expiresAtMs - recordLifetimeMs;

const keyOf = (id: string) => ({ pk: `IDEM#${id}`, sk: '0' });

/**
 * The quotes of a body are escaped within the JSON of its answer. A larger body has an attribute of its own, because
 * the item might be too small otherwise.
 */
const largestInnerBody = 50_000;

/** `expiresAt` is for the engine's TTL, in whole seconds. */
const toItem = ({ id, bodyHash, uuid, answer, expiresAtMs }: IdempotencyRecord, writtenBy: string) => ({
  ...keyOf(id),
  bodyHash,
  uuid,
  ...('body' in answer ? toAttributes(answer) : { view: JSON.stringify(answer) }),
  expiresAtMs,
  expiresAt: Math.ceil(expiresAtMs / 1000),
  writtenBy,
});

const toAttributes = (answer: KeptAnswer) => {
  const { body, ...rest } = answer;
  return body.length > largestInnerBody
    ? { answer: JSON.stringify(rest), body }
    : { answer: JSON.stringify(answer) };
};

/** Only this module writes such items, so their shape is trusted. */
const fromItem = (id: string, item: Record<string, unknown>): StoredRecord => ({
  id,
  bodyHash: String(item.bodyHash),
  uuid: String(item.uuid),
  answer: {
    ...JSON.parse(String(item.answer ?? item.view)),
    ...(item.body !== undefined && { body: item.body }),
  },
  expiresAtMs: Number(item.expiresAtMs),
  writtenBy: String(item.writtenBy),
});
