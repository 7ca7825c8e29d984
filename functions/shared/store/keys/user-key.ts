import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { consistentGet } from '../dynamodb/consistent-get.ts';
import { conditionHeld } from '../dynamodb/failure.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';

/**
 * The key for the ids of users' sessions (V1-10). It is made once and never replaced, because a user always has the
 * same session. It is no credential: only a signed token opens a session.
 */
const userKeyKey = { pk: 'KEYS', sk: 'USERS' };

/** Reads the key of users' sessions. */
export type ReadUserKey = () => Promise<string>;

/** Read at the first sign-in, and cached as long as the process runs. */
export const createUserKeyReader = (access: TableAccess<'partnersTable'>): ReadUserKey => {
  let held: string | undefined;
  return async () => {
    held ??= await readUserKey(access);
    return held;
  };
};

const readUserKey = async ({ documents, partnersTable }: TableAccess<'partnersTable'>): Promise<string> => {
  const { Item } = await documents.send(consistentGet(partnersTable, userKeyKey));
  if (typeof Item?.key !== 'string') throw new Error('There is no key of users’ sessions');
  return Item.key;
};

/** Stores the key if there is none. */
export const createUserKey = async (
  { documents, partnersTable }: TableAccess<'partnersTable'>,
  key: string,
): Promise<void> => {
  await conditionHeld(
    documents.send(
      new PutCommand({
        TableName: partnersTable,
        Item: { ...userKeyKey, key },
        ConditionExpression: 'attribute_not_exists(pk)',
      }),
    ),
  );
};
