import type { Delivery } from '../shared/domain/event/delivery.ts';
import { covers, type Grant } from '../shared/domain/ownership/grant.ts';
import type { Partner, SecretUses } from '../shared/domain/partner.ts';
import type { JsonObject } from '../shared/domain/transaction/transaction.ts';
import type { PartnerLookup } from '../shared/store/partners/directory.ts';
import type { PartnerReader } from '../shared/store/partners/reader.ts';
import type { StorefrontReader } from '../shared/store/storefronts/reader.ts';
import { isoTime } from './event-body.ts';
import { reasonOf } from './event-state.ts';
import { type EventReadDeps, firstMsOf, readableOf } from './readable-events.ts';
import { isStoppedFor } from './webhook.ts';

export type PartnerStateDeps = EventReadDeps & {
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

/** Failures are searched in this many of the newest events. */
const rowsLookedAt = 100;

const lastFailureOf = async (partner: Partner, deps: EventReadDeps): Promise<JsonObject | null> => {
  const sinceMs = firstMsOf({}, deps.clock().getTime());
  const { clientId } = partner;
  const { deliveries } = await deps.deliveryLog.deliveryPage({ clientId, sinceMs, limit: rowsLookedAt });
  const failed = await readableOf(partner, deliveries.filter(failureIn), deps);
  const [last] = failed.toSorted((one, other) => failedAtMs(other) - failedAtMs(one));
  return last ? presentFailure(last) : null;
};

const failureIn = ({ timeline }: Delivery) => timeline.findLast(({ step }) => step === 'dead');
const failedAtMs = (delivery: Delivery) => failureIn(delivery)?.atMs ?? 0;

/** A note is, for example, `EXHAUSTED: HTTP_503 after 185 retries`. */
const presentFailure = (delivery: Delivery): JsonObject => {
  const { atMs = 0, note = '' } = failureIn(delivery) ?? {};
  const [, status] = /HTTP_(\d{3})/.exec(note) ?? [];
  return {
    event: delivery.eventId,
    at: isoTime(atMs),
    reason: reasonOf(/^\w+/.exec(note)?.[0]) ?? 'OTHER',
    status: status === undefined ? null : Number(status),
  };
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
