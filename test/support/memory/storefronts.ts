import { isAdoptable, takeOver } from '../../../bin/operator/store/storefront-takeover.ts';
import type { StorefrontStore } from '../../../bin/operator/store/storefronts.ts';
import { refuse, succeed } from '../../../functions/shared/domain/outcome.ts';
import type { Storefront } from '../../../functions/shared/domain/ownership/storefront.ts';

/** A stand-in for tests: the same answers as the Partners table gives, held in memory. */
export const createMemoryStorefronts = (): StorefrontStore => {
  const named = new Map<string, Storefront>();
  /** By creation time and name, so that a storefront that was opened again leaves its former self behind. */
  const registrations = new Map<string, Storefront>();
  const groupOfIssuer = new Map<string, string>();
  let defaultName: string | undefined;
  const all = () => [...named.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const granteeOf = (wanted: Storefront) => all().find((held) => isSameOwner(held, wanted));

  return {
    ofOrigin: async (origin) =>
      [...registrations.values()]
        .filter(({ origins }) => origins.includes(origin))
        .sort((a, b) => a.createdAtMs - b.createdAtMs),
    stageDefault: async () => (defaultName === undefined ? undefined : named.get(defaultName)),
    ofGroup: async (group) => all().filter(({ owner }) => owner.group === group),
    byName: async (name) => named.get(name),
    all: async () => all(),
    register: async (asked, { isDefault = false } = {}) => {
      const grantee = granteeOf(asked);
      if (grantee && (!isAdoptable(grantee) || grantee.name === defaultName)) return refuse('owner-taken');
      if (named.has(asked.name) && grantee?.name !== asked.name) return refuse('name-taken');
      const { issuer = '' } = asked.identityProvider ?? {};
      if ((groupOfIssuer.get(issuer) ?? asked.owner.group) !== asked.owner.group)
        return refuse('issuer-taken');
      if (issuer) groupOfIssuer.set(issuer, asked.owner.group);
      const storefront = grantee ? takeOver(asked, grantee) : asked;
      if (grantee) named.delete(grantee.name);
      named.set(storefront.name, storefront);
      registrations.set(registrationOf(storefront), storefront);
      if (isDefault) defaultName = storefront.name;
      return succeed(storefront);
    },
    retire: async (name) => {
      const storefront = named.get(name);
      if (!storefront) return refuse('not-found');
      const retired = { ...storefront, retired: true };
      named.set(name, retired);
      registrations.set(registrationOf(retired), retired);
      if (defaultName === name) defaultName = undefined;
      return succeed(retired);
    },
  };
};

const registrationOf = ({ createdAtMs, name }: Storefront) => `${createdAtMs}#${name}`;

const isSameOwner = ({ owner: a }: Storefront, { owner: b }: Storefront) =>
  a.group === b.group && a.franchise === b.franchise && a.location === b.location;
