import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { refuse, succeed } from '../../domain/outcome.ts';
import { isAdoptable, type Storefront } from '../../domain/ownership/storefront.ts';
import { defaultKey, estateKey, originKey, storefrontKey } from './keys.ts';
import { createEstateReader, estateItems } from './reader.ts';
import type { EstateStore } from './storefront-store.ts';

type Key = { pk: string; sk: string };

/**
 * The estate in the Partners table. Every item that answers a question carries the whole storefront, so each question
 * is one read; registering and retiring change all of them in one atomic write. All reads are strongly consistent.
 */
export const createEstateStore = (client: DynamoDBDocumentClient, table: string): EstateStore => {
  const { get, query } = estateItems(client, table);
  const byName = (name: string) => get(storefrontKey(name));
  const write = (items: TransactItems) => client.send(new TransactWriteCommand({ TransactItems: items }));

  return {
    ...createEstateReader(client, table),
    byName,
    all: () => query(storefrontKey('').pk),
    register: async (storefront, { isDefault = false } = {}) => {
      const [holder, stageDefault] = await Promise.all([get(estateKey(storefront.owner)), get(defaultKey)]);
      if (holder && (!isAdoptable(holder) || stageDefault?.name === holder.name))
        return refuse('owner-taken');
      const items = registration({ table, storefront, holder, isDefault });
      const refusedAt = await conditionFailedAt(() => write(items));
      if (refusedAt === undefined) return succeed(storefront);
      return refuse(refusedAt === 0 ? 'name-taken' : 'owner-taken');
    },
    retire: async (name) => {
      const storefront = await byName(name);
      if (!storefront) return refuse('not-found');
      const retired = { ...storefront, retired: true };
      const isDefault = (await get(defaultKey))?.name === name;
      await write(retirement({ table, storefront, retired, isDefault }));
      return succeed(retired);
    },
  };
};

type TransactItems = NonNullable<ConstructorParameters<typeof TransactWriteCommand>[0]['TransactItems']>;

type Registration = {
  table: string;
  storefront: Storefront;
  holder: Storefront | undefined;
  isDefault: boolean;
};

/** The name first, the owner second: `conditionFailedAt` tells which of the two was taken. */
const registration = ({ table, storefront, holder, isDefault }: Registration): TransactItems => [
  put(table, storefrontKey(storefront.name), storefront, isFreeOrHeldBy(holder, storefront.name)),
  put(table, estateKey(storefront.owner), storefront, isFreeOrHeldBy(holder, holder?.name)),
  ...storefront.origins.map((origin) => put(table, originKey(origin, storefront), storefront)),
  ...(isDefault ? [put(table, defaultKey, storefront)] : []),
  ...(holder && holder.name !== storefront.name ? [remove(table, storefrontKey(holder.name))] : []),
];

const retirement = ({
  table,
  storefront,
  retired,
  isDefault,
}: {
  table: string;
  storefront: Storefront;
  retired: Storefront;
  isDefault: boolean;
}): TransactItems => [
  put(table, storefrontKey(storefront.name), retired),
  put(table, estateKey(storefront.owner), retired),
  ...storefront.origins.map((origin) => remove(table, originKey(origin, storefront))),
  ...(isDefault ? [remove(table, defaultKey)] : []),
];

const put = (TableName: string, key: Key, storefront: Storefront, condition: object = {}) => ({
  Put: { TableName, Item: { ...key, storefront }, ...condition },
});

const remove = (TableName: string, Key: Key) => ({ Delete: { TableName, Key } });

const isFree = 'attribute_not_exists(pk)';

/** A name or an owner may be taken over from the estate member that gives way, as long as that is still the one read. */
const isFreeOrHeldBy = (holder: Storefront | undefined, name: string | undefined) =>
  holder && holder.name === name
    ? {
        ConditionExpression: `${isFree} OR (storefront.#name = :name AND storefront.createdAtMs = :createdAtMs)`,
        ExpressionAttributeNames: { '#name': 'name' },
        ExpressionAttributeValues: { ':name': holder.name, ':createdAtMs': holder.createdAtMs },
      }
    : { ConditionExpression: isFree };

/** The index of the first item whose condition failed; undefined when the write went through. */
const conditionFailedAt = async (write: () => Promise<unknown>) => {
  try {
    await write();
    return undefined;
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    const index = (error.CancellationReasons ?? []).findIndex(
      ({ Code }) => Code === 'ConditionalCheckFailed',
    );
    if (index < 0) throw error;
    return index;
  }
};
