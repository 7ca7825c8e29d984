import type { Storefront } from '../../domain/ownership/storefront.ts';
import { consistentGet } from '../dynamodb/consistent-get.ts';
import { pagesOf } from '../dynamodb/pages.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { defaultKey, groupPartition, originPartition } from './keys.ts';

/** What requests read of the storefronts. Separate from the writes, which readers do not need (S-67). */
export type StorefrontReader = {
  /** For V1 ownership: storefronts of a web origin, including retired ones, in the order of registration. */
  ofOrigin: (origin: string) => Promise<Storefront[]>;
  /** For V1 ownership without a known origin: the stage's default storefront, if there is one. */
  stageDefault: () => Promise<Storefront | undefined>;
  /** For grants with a location and no franchise, and for moves: all of a group, including retired ones. */
  ofGroup: (group: string) => Promise<Storefront[]>;
};

/** Storefronts in the Partners table, as requests read them. */
export const createStorefrontReader = (access: TableAccess<'partnersTable'>): StorefrontReader => {
  const { get, query } = storefrontItems(access);
  return {
    ofOrigin: (origin) => query(originPartition(origin)),
    stageDefault: () => get(defaultKey),
    ofGroup: async (group) =>
      (await query(groupPartition(group))).filter(({ owner }) => owner.group === group),
  };
};

/** Every item has the whole storefront. All reads are strongly consistent. */
export const storefrontItems = (access: TableAccess<'partnersTable'>) => ({
  get: async (Key: { pk: string; sk: string }) => {
    const { documents, partnersTable } = access;
    const request = consistentGet(partnersTable, Key);
    const { Item } = await documents.send(request);
    return Item?.storefront as Storefront | undefined;
  },
  query: (pk: string) => storefrontsIn(access, pk),
});

const storefrontsIn = async (access: TableAccess<'partnersTable'>, pk: string) => {
  const found: Storefront[] = [];
  const pages = pagesOf(access, {
    TableName: access.partnersTable,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    ConsistentRead: true,
  });
  for await (const items of pages) found.push(...items.map((item) => item.storefront as Storefront));
  return found;
};
