import type { Storefront } from '../../../functions/shared/domain/ownership/storefront.ts';

/** A storefront as the operator sees it. */
export const toStorefrontView = ({ name, owner, origins, retired, createdAtMs }: Storefront) => ({
  name,
  group: owner.group,
  franchise: owner.franchise,
  location: owner.location,
  branch: owner.branch,
  groupSoftware: owner.groupSoftware ?? '',
  origins,
  retired,
  createdAt: new Date(createdAtMs).toISOString(),
});

/** The exact text that a browser sends as `Origin`; undefined for anything else, a pattern included (V1-7). */
export const toOrigin = (text: string): string | undefined => {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  const isExact = /^([a-z0-9._-]+|\[[0-9a-f:]+\])$/.test(url.hostname);
  return isWeb && isExact && url.href === `${url.origin}/` ? url.origin : undefined;
};
