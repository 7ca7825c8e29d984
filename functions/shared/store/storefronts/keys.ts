import type { NdMeta } from '../../domain/ownership/owner.ts';
import { idOfGroup, idOfOwner } from '../../domain/ownership/rollup.ts';
import type { Storefront } from '../../domain/ownership/storefront.ts';

/**
 * Keys of storefronts in the Partners table, one builder an access pattern:
 *
 * | question | pk | sk |
 * |---|---|---|
 * | by name, all | `STOREFRONTS` | name |
 * | of a group; is this owner registered | `ESTATE#<id of group>` | id of group, franchise, location |
 * | of an origin, first registered first | `ORIGIN#<origin>` | creation time, name |
 * | the stage's default | `STAGE` | `DEFAULT_STOREFRONT` |
 * | the group of an identity provider | `ISSUER#<issuer>` | `0` |
 */
export const storefrontKey = (name: string) => ({ pk: 'STOREFRONTS', sk: name });

export const ownerKey = (owner: NdMeta) => ({ pk: groupPartition(owner.group), sk: idOfOwner(owner) });

export const groupPartition = (group: string) => `ESTATE#${idOfGroup(group)}`;

export const originKey = (origin: string, { name, createdAtMs }: Storefront) => ({
  pk: originPartition(origin),
  sk: `${new Date(createdAtMs).toISOString()}#${name}`,
});

export const originPartition = (origin: string) => `ORIGIN#${origin}`;

export const defaultKey = { pk: 'STAGE', sk: 'DEFAULT_STOREFRONT' };

export const issuerKey = (issuer: string) => ({ pk: `ISSUER#${issuer}`, sk: '0' });
