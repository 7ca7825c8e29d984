import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { type Outcome, refuse, succeed } from '../../../functions/shared/domain/outcome.ts';
import type { NdMeta } from '../../../functions/shared/domain/ownership/owner.ts';
import type { Storefront } from '../../../functions/shared/domain/ownership/storefront.ts';
import { failedConditionIn } from '../../../functions/shared/store/dynamodb/failure.ts';
import type { Statement } from '../../../functions/shared/store/dynamodb/statement.ts';
import type { TableAccess } from '../../../functions/shared/store/dynamodb/table-access.ts';
import {
  defaultKey,
  issuerKey,
  originKey,
  ownerKey,
  storefrontKey,
} from '../../../functions/shared/store/storefronts/keys.ts';
import {
  createStorefrontReader,
  type StorefrontReader,
  storefrontItems,
} from '../../../functions/shared/store/storefronts/reader.ts';
import { isAdoptable, takeOver } from './storefront-takeover.ts';

/** Registered storefronts, retired ones included (OWN-1): a method for each access pattern. */
export type StorefrontStore = StorefrontReader & {
  byName: (name: string) => Promise<Storefront | undefined>;
  all: () => Promise<Storefront[]>;
  /**
   * `isDefault` makes it the stage's default; the first storefront of an origin is that origin's default. Returns the stored
   * storefront, which may keep parts of the one that it replaces (`takeOver`).
   */
  register: (
    storefront: Storefront,
    options?: { isDefault?: boolean },
  ) => Promise<Outcome<Storefront, 'name-taken' | 'owner-taken' | 'issuer-taken'>>;
  retire: (name: string) => Promise<Outcome<Storefront, 'not-found'>>;
};

type Key = { pk: string; sk: string };

/**
 * Storefronts in the Partners table. Its items by name, owner, origin and default each hold the whole storefront, so each
 * question is one read; one atomic write changes them all. All reads are strongly consistent.
 */
export const createStorefrontStore = (access: TableAccess<'partnersTable'>): StorefrontStore => {
  const { documents, partnersTable: table } = access;
  const { get, query } = storefrontItems(access);
  const byName = (name: string) => get(storefrontKey(name));
  const write = (items: Statement[]) => documents.send(new TransactWriteCommand({ TransactItems: items }));

  return {
    ...createStorefrontReader(access),
    byName,
    all: () => query(storefrontKey('').pk),
    register: async (asked, { isDefault = false } = {}) => {
      const [holder, stageDefault] = await Promise.all([get(ownerKey(asked.owner)), get(defaultKey)]);
      if (holder && (!isAdoptable(holder) || stageDefault?.name === holder.name))
        return refuse('owner-taken');
      const storefront = holder ? takeOver(asked, holder) : asked;
      const items = registration({ table, storefront, holder, isDefault });
      const failed = await failedConditionIn(write(items));
      if (failed === undefined) return succeed(storefront);
      return refuse(conditions[failed] ?? 'issuer-taken');
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

type Registration = {
  table: string;
  storefront: Storefront;
  holder: Storefront | undefined;
  isDefault: boolean;
};

/** The refusals by the index of the failed statement. Of the later statements only the issuer has a condition. */
const conditions = ['name-taken', 'owner-taken'] as const;

/** The order of the first two statements is that of `conditions`. */
const registration = ({ table, storefront, holder, isDefault }: Registration): Statement[] => [
  put(table, storefrontKey(storefront.name), storefront, isFreeOrHeldBy(holder, storefront.name)),
  put(table, ownerKey(storefront.owner), storefront, isFreeOrHeldBy(holder, holder?.name)),
  ...storefront.origins.map((origin) => put(table, originKey(origin, storefront), storefront)),
  ...(isDefault ? [put(table, defaultKey, storefront)] : []),
  ...(storefront.identityProvider
    ? [putIssuer(table, storefront.identityProvider.issuer, storefront.owner)]
    : []),
  ...(holder && holder.name !== storefront.name ? [remove(table, storefrontKey(holder.name))] : []),
];

/** The origins stay registered: an unknown origin would fall to the stage's default storefront (OWN-1). */
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
}): Statement[] => [
  put(table, storefrontKey(storefront.name), retired),
  put(table, ownerKey(storefront.owner), retired),
  ...storefront.origins.map((origin) => put(table, originKey(origin, storefront), retired)),
  ...(isDefault ? [remove(table, defaultKey)] : []),
];

const put = (TableName: string, key: Key, storefront: Storefront, condition: object = {}) => ({
  Put: { TableName, Item: { ...key, storefront }, ...condition },
});

/**
 * An issuer belongs to one group: a user's session shows the transactions of every storefront that names the issuer, which
 * must not include another group's (V1-10).
 */
const putIssuer = (TableName: string, issuer: string, { group }: NdMeta): Statement => ({
  Put: {
    TableName,
    Item: { ...issuerKey(issuer), group },
    ConditionExpression: `${isFree} OR #group = :group`,
    ExpressionAttributeNames: { '#group': 'group' },
    ExpressionAttributeValues: { ':group': group },
  },
});

const remove = (TableName: string, Key: Key) => ({ Delete: { TableName, Key } });

const isFree = 'attribute_not_exists(pk)';

/** A name or an owner is free, or held by the storefront to replace, if that is unchanged since it was read. */
const isFreeOrHeldBy = (holder: Storefront | undefined, name: string | undefined) =>
  holder && holder.name === name
    ? {
        ConditionExpression: `${isFree} OR (storefront.#name = :name AND storefront.createdAtMs = :createdAtMs)`,
        ExpressionAttributeNames: { '#name': 'name' },
        ExpressionAttributeValues: { ':name': holder.name, ':createdAtMs': holder.createdAtMs },
      }
    : { ConditionExpression: isFree };
