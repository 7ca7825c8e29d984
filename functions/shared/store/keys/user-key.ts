import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { consistentGet } from '../dynamodb/consistent-get.ts';
import { conditionHeld } from '../dynamodb/failure.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';

/**
 * The key of the ids of users' sessions (V1-10). It is drawn once and never replaced, because a user has the same session
 * for ever. It opens nothing: a session is opened by a signed token.
 */
const userKeyKey = { pk: 'KEYS', sk: 'USERS' };

/** Reads the key of users' sessions. */
export type ReadUserKey = () => Promise<string>;

/** Read when somebody first signs in, and kept as long as the process. */
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

/** Stores the key where there is none. */
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
