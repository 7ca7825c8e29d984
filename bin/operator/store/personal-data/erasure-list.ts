import { createHmac } from 'node:crypto';
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type RandomBytes, randomText } from '../../../../functions/shared/runtime/random-text.ts';
import { consistentGet } from '../../../../functions/shared/store/dynamodb/consistent-get.ts';
import { conditionHeld } from '../../../../functions/shared/store/dynamodb/failure.ts';
import { pagesOf } from '../../../../functions/shared/store/dynamodb/pages.ts';
import type { TableAccess } from '../../../../functions/shared/store/dynamodb/table-access.ts';
import type { Erasure, ErasureList } from './personal-data-store.ts';

/** The erasures are in the Audit table: no function has a right to it, and it is never restored. */
const partition = 'ERASURES';
const keyOfDigests = { pk: partition, sk: 'KEY' };

type ListAccess = TableAccess<'auditTable'> & { random: RandomBytes };

/** The list of erasures in DynamoDB. */
export const createErasureList = (access: ListAccess): ErasureList => ({
  digester: async () => {
    const key = (await readKey(access)) ?? (await makeKey(access));
    return (text) => createHmac('sha256', key).update(text).digest('base64url');
  },
  add: async (erasure) => {
    const id = `AT#${new Date(erasure.atMs).toISOString()}#${randomText(access.random, 12)}`;
    const Item = { pk: partition, sk: id, ...erasure };
    await access.documents.send(new PutCommand({ TableName: access.auditTable, Item }));
    return { id, ...erasure };
  },
  all: () => readAll(access),
  end: (id, receipt) => end(access, id, receipt),
});

const readKey = async ({ documents, auditTable }: ListAccess): Promise<string | undefined> => {
  const { Item } = await documents.send(consistentGet(auditTable, keyOfDigests));
  return Item && String(Item.key);
};

/** Where two make a key at once, both use the first. */
const makeKey = async (access: ListAccess): Promise<string> => {
  const request = new PutCommand({
    TableName: access.auditTable,
    Item: { ...keyOfDigests, key: randomText(access.random, 43) },
    ConditionExpression: 'attribute_not_exists(pk)',
  });
  await conditionHeld(access.documents.send(request));
  return String(await readKey(access));
};

const readAll = async (access: ListAccess): Promise<Erasure[]> => {
  const found: Erasure[] = [];
  const pages = pagesOf(access, {
    TableName: access.auditTable,
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :at)',
    ExpressionAttributeValues: { ':pk': partition, ':at': 'AT#' },
    ConsistentRead: true,
  });
  for await (const items of pages)
    found.push(
      ...items.map(
        ({ sk, atMs, digest, userDigest, uuids }) => ({ id: sk, atMs, digest, userDigest, uuids }) as Erasure,
      ),
    );
  return found;
};

const end: (access: ListAccess, ...given: Parameters<ErasureList['end']>) => Promise<void> = async (
  { documents, auditTable },
  sk,
  receipt,
) => {
  await documents.send(
    new UpdateCommand({
      TableName: auditTable,
      Key: { pk: partition, sk },
      UpdateExpression: 'SET #receipt = :receipt',
      ExpressionAttributeNames: { '#receipt': 'receipt' },
      ExpressionAttributeValues: { ':receipt': receipt },
    }),
  );
};
