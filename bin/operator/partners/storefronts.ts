import type { Storefront } from '../../../functions/shared/domain/ownership/storefront.ts';

/** A storefront in the tool's output. */
export const toStorefrontView = ({ name, owner, origins, retired, ...storefront }: Storefront) => ({
  name,
  group: owner.group,
  franchise: owner.franchise,
  location: owner.location,
  branch: owner.branch,
  groupSoftware: owner.groupSoftware ?? '',
  origins,
  retired,
  ...(storefront.identityProvider && { identityProvider: storefront.identityProvider }),
  createdAt: new Date(storefront.createdAtMs).toISOString(),
});

/** The text that a browser sends as `Origin`; undefined for any other text, patterns included (V1-7). */
export const toOrigin = (text: string): string | undefined => {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  const isExact = /^([a-z0-9._-]+|\[[0-9a-f:]+\])$/.test(url.hostname);
  return isWeb && isExact && url.href === `${url.origin}/` ? url.origin : undefined;
};

/** Whether a text is an issuer identifier (OpenID Connect Discovery 1.0 section 2). A local stage `allowsLoopback`. */
export const isIssuer = (text: string, { allowsLoopback }: { allowsLoopback: boolean }): boolean => {
  if (!URL.canParse(text) || text.length > 300 || /[?#]/.test(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  const isProtected =
    protocol === 'https:' || (allowsLoopback && protocol === 'http:' && hostname === '127.0.0.1');
  return isProtected && username === '' && password === '';
};
