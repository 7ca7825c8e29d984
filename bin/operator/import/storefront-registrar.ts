import type { NdMeta } from '../../../functions/shared/domain/ownership/owner.ts';
import { idOfOwner } from '../../../functions/shared/domain/ownership/rollup.ts';
import type { NewTransaction } from '../../../functions/shared/domain/transaction/new-transaction.ts';
import type { Clock } from '../../../functions/shared/runtime/clock.ts';
import type { StorefrontStore } from '../store/storefronts.ts';

/** Registers storefronts for the owners of imported transactions. */
export type StorefrontRegistrar = {
  /** Registers each owner without a storefront, before its first transaction is written; returns their number. */
  registerOwnersOf: (transactions: readonly NewTransaction[]) => Promise<number>;
};

/** Names are sort keys of at most 1,024 bytes: 100 characters of four bytes and the owner's id fit. */
const maxNameLength = 100;

/** Gives owners without a storefront one without origins, named after the branch (RUN-6). */
export const createStorefrontRegistrar = ({
  storefronts,
  now,
}: {
  storefronts: StorefrontStore;
  now: Clock;
}): StorefrontRegistrar => {
  const known = new Map<string, Promise<Set<string>>>();
  const ownersOf = async (group: string) =>
    new Set((await storefronts.ofGroup(group)).map(({ owner }) => idOfOwner(owner)));

  const register = async (owner: NdMeta): Promise<number> => {
    for (let attempt = 0; ; attempt += 1) {
      const name = nameFor(owner, attempt);
      const storefront = { name, owner, origins: [], retired: false, createdAtMs: now().getTime() };
      const outcome = await storefronts.register(storefront);
      if (outcome.ok) return 1;
      if (outcome.reason === 'owner-taken') return 0;
    }
  };

  const registerOwner = async (owner: NdMeta) => {
    const registered = known.get(owner.group) ?? ownersOf(owner.group);
    known.set(owner.group, registered);
    if ((await registered).has(idOfOwner(owner))) return 0;
    (await registered).add(idOfOwner(owner));
    return register(owner);
  };

  return {
    registerOwnersOf: async (transactions) => {
      let count = 0;
      for (const { transaction } of transactions) {
        if (transaction.ndMeta) count += await registerOwner(transaction.ndMeta);
      }
      return count;
    },
  };
};

/** The branch; where another storefront has that name, with the owner's id; then with a number too. */
const nameFor = (owner: NdMeta, attempt: number) =>
  [shorten(owner.branch), idOfOwner(owner), attempt].slice(0, attempt + 1).join(' ');

const shorten = (branch: string) => Array.from(branch).slice(0, maxNameLength).join('');
