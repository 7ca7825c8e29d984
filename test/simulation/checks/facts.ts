import type { DeliveryKey } from '../../../functions/shared/domain/event/delivery.ts';
import type { TransactionEvent } from '../../../functions/shared/domain/event/event.ts';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import type { Accepted, ClaimMade, Commit } from '../service/history.ts';
import type { DeliveryLogEntry } from '../service/stores.ts';
import type { World } from '../worlds/world.ts';

/** Something that must not be. */
export type Finding = { invariant: string; what: string; uuid?: string; atMs?: number };

/** The finding, unless all is well. */
export const unless = (isWell: boolean, finding: Finding): Finding[] => (isWell ? [] : [finding]);

/** A world's history put in order, once for all checks. */
export type Facts = {
  world: World;
  /** The states of each transaction, the first one first. */
  commits: Map<string, Commit[]>;
  /** Claims of TransactionUpdated and of TransactionCompleted, by transaction, in order. */
  updated: Map<string, ClaimMade[]>;
  completed: Map<string, ClaimMade[]>;
  /** What the bus took, by event id; redrives and replays apart. */
  accepted: Map<string, Accepted[]>;
  again: Map<string, Accepted[]>;
  deliveryLog: Map<string, DeliveryLogEntry>;
  uuidOf: (eventId: string) => string | undefined;
  state: (uuid: string, version: number) => StoredTransaction | undefined;
  stateAt: (uuid: string, atMs: number) => StoredTransaction | undefined;
  partnerAt: (clientId: string, atMs: number) => Partner | undefined;
  /** False of a partner whose address does not pass its check. */
  isServedAtEnd: (clientId: string) => boolean;
  clientIds: string[];
};

/** Puts a world's history in order. */
export const factsOf = (world: World): Facts => {
  const { history, left, plan } = world;
  const commits = Map.groupBy(history.commits, ({ after }) => after.transaction.uuid);
  const events = new Map<string, TransactionEvent>();
  for (const { event } of [...history.claims, ...left.events]) events.set(event.eventId, event);
  const leased = new Set(
    history.notes
      .filter(({ call, answer }) => call.method === 'lease' && answer === true)
      .map(({ by, call }) => nameOf({ by, ...(call.args[0] as DeliveryKey) })),
  );
  const kinds = Map.groupBy(history.accepted, (one) => (leased.has(nameOf(one)) ? 'again' : 'first'));
  const byEvent = (some: Accepted[] = []) => Map.groupBy(some, ({ eventId }) => eventId);
  const statesOf = Map.groupBy(history.partnerStates, ({ clientId }) => clientId);
  const partnerAt = (clientId: string, atMs: number) =>
    statesOf.get(clientId)?.findLast((state) => state.atMs <= atMs)?.partner;
  const stateAt = (uuid: string, atMs: number) =>
    commits.get(uuid)?.findLast((commit) => commit.atMs <= atMs)?.after;

  return {
    world,
    commits,
    updated: claimsOf(world, 'NOTIFY'),
    completed: claimsOf(world, 'COMPLETED'),
    accepted: byEvent(kinds.get('first')),
    again: byEvent(kinds.get('again')),
    deliveryLog: new Map(left.events.map((entry) => [entry.event.eventId, entry])),
    uuidOf: (eventId) => events.get(eventId)?.uuid,
    state: (uuid, version) => commits.get(uuid)?.find(({ after }) => after.version === version)?.after,
    stateAt,
    partnerAt,
    isServedAtEnd: (clientId) => statesOf.get(clientId)?.at(-1)?.isServed ?? true,
    clientIds: plan.partners.map(({ partner }) => partner.clientId),
  };
};

const claimsOf = ({ history }: World, kind: string) =>
  Map.groupBy(
    history.claims.filter(({ key }) => key.kind === kind),
    ({ key }) => key.uuid,
  );

const nameOf = ({ by, eventId, clientId }: DeliveryKey & { by: string }) => `${by}/${eventId}/${clientId}`;

/** How long after a look things may still be as they were seen: requests under way, or a whole run where things go wrong. */
export const graceMs = ({ world: { plan } }: Facts) =>
  plan.graceMs ?? (plan.mode === 'none' ? 2_000 : 20_000);

/** By how much two clocks may differ. */
export const skewMs = ({ world: { plan } }: Facts) => plan.skewMs ?? (plan.mode === 'none' ? 0 : 4_000);

export const lostOf = ({ world }: Facts, uuid: string) =>
  world.history.lostRecords.filter((lost) => lost.uuid === uuid);

/** The transaction of an event, where it is known. */
export const ofEvent = ({ uuidOf }: Facts, eventId: string): Pick<Finding, 'uuid'> => {
  const uuid = uuidOf(eventId);
  return uuid === undefined ? {} : { uuid };
};
