import { covers, type Grant } from '../shared/domain/ownership/grant.ts';
import type { Partner, SecretUses } from '../shared/domain/partner.ts';
import type { JsonObject } from '../shared/domain/transaction/transaction.ts';
import type { PartnerLookup } from '../shared/store/partners/directory.ts';
import type { PartnerReader } from '../shared/store/partners/reader.ts';
import type { StorefrontReader } from '../shared/store/storefronts/reader.ts';
import { type EventDeps, lastFailureOf } from './events.ts';
import { isStoppedFor } from './webhook.ts';

export type PartnerStateDeps = EventDeps & {
  directory: PartnerLookup;
  storefronts: Pick<StorefrontReader, 'ofGroup'>;
  partners: Pick<PartnerReader, 'usesOf'>;
};

/**
 * Facts that a partner's record does not have: the present state of its webhook, the names of its grants, and the uses
 * of its secrets (S-20).
 */
export type PartnerState = {
  /** The switch for the webhooks of the whole stage (S-77). */
  isStopped: boolean;
  lastFailure: JsonObject | null;
  /** For each grant, the names of the registered branches within it. */
  branches: ReadonlyMap<Grant, string[]>;
  uses: SecretUses;
};

export const stateOfPartner = async (partner: Partner, deps: PartnerStateDeps): Promise<PartnerState> => {
  const { clientId } = partner;
  const [isStopped, lastFailure, branches, uses] = await Promise.all([
    isStoppedFor({ partner }, deps),
    lastFailureOf(partner, deps),
    branchesOf(partner, deps),
    deps.partners.usesOf(clientId),
  ]);
  return { isStopped, lastFailure, branches, uses };
};

/** Registered storefronts within a grant, including retired ones, because their transactions stay readable (OWN-1). */
const branchesOf = async (
  { grants }: Partner,
  { storefronts }: PartnerStateDeps,
): Promise<Map<Grant, string[]>> => {
  const groups = [...new Set(grants.map(({ group }) => group))];
  const registered = (await Promise.all(groups.map(storefronts.ofGroup))).flat();
  const namesIn = (grant: Grant) =>
    registered.filter(({ owner }) => covers([grant], owner)).map(({ owner }) => owner.branch);
  return new Map(grants.map((grant) => [grant, [...new Set(namesIn(grant))].filter(Boolean).sort()]));
};
