import type { Delivery } from '../domain/event/delivery.ts';
import { eventIdOf, testEventType } from '../domain/event/event.ts';
import { isOnItsWay } from '../domain/event/new-delivery.ts';
import type { StoredTransaction } from '../domain/transaction/transaction.ts';
import { chunksOf } from '../runtime/chunks.ts';
import type { Clock } from '../runtime/clock.ts';
import type { LedgerPages, LedgerStore } from '../store/debounce/ledger-store.ts';
import { armAgain, type Replayed, toReplayed } from './replay.ts';

export type ArmDeps = {
  ledger: Pick<LedgerStore, 'delivery' | 'move' | 'lease'> & LedgerPages;
  clock: Clock;
  /** The stage's name, which is part of every event's id (EV-6). */
  stage: string;
};

/** What is known beside the deliveries. */
export type ArmFacts = {
  /** Their transactions, as they are now. */
  stored: ReadonlyMap<string, StoredTransaction>;
  /** When a walk of several requests began: what was made since tells a transaction already. */
  armedSinceMs: number | undefined;
};

const transactionsAtOnce = 10;

/**
 * Has these deliveries of one partner sent again, oldest first: each completion as it is, and of the updates of a transaction
 * the one that begins earliest. The flush makes it one event up to the present version, with present values (EV-12), so
 * that no body is read here, however many events there were.
 */
export const armSince = async (
  deliveries: readonly Delivery[],
  facts: ArmFacts,
  deps: ArmDeps,
): Promise<Replayed[]> => {
  const told = deliveries.filter(({ type }) => type !== testEventType);
  const groups = [...Map.groupBy(told, groupOf).values()];
  const armed: Replayed[] = [];
  for (const some of chunksOf(groups, transactionsAtOnce))
    armed.push(...(await Promise.all(some.map((group) => armGroup(group, facts, deps)))).flat());
  return armed;
};

/** A completion stands outside the chain of versions, so it stands for itself. */
const groupOf = ({ type, uuid, eventId }: Delivery) =>
  type === 'TransactionUpdated' ? uuid : `${uuid} ${eventId}`;

const armGroup = async (group: readonly Delivery[], facts: ArmFacts, deps: ArmDeps): Promise<Replayed[]> => {
  const { chain, leaving } = await withoutLoners(group, deps);
  const alone = leaving.map((delivery) => toReplayed({ step: 'told', delivery, covers: [] }));
  return [...alone, ...(await armWidest(chain, facts, deps))];
};

/**
 * What was armed alone a moment ago would leave without the others and could arrive last, so it is put back into the chain.
 * One that is leaving already stands for nothing but itself.
 */
const withoutLoners = async (group: readonly Delivery[], deps: ArmDeps) => {
  const leaving: Delivery[] = [];
  for (const one of group) if (isLoner(one) && !(await backIntoChain(one, deps))) leaving.push(one);
  return { chain: group.filter((one) => !leaving.includes(one)), leaving };
};

const isLoner = ({ type, state, isAlone }: Delivery) =>
  type === 'TransactionUpdated' && state === 'READY' && isAlone === true;

/** On the condition of a lease, so that it and a tick that sends it alone exclude each other. A later due time is a tick's. */
const backIntoChain = async (loner: Delivery, { ledger, clock }: ArmDeps): Promise<boolean> => {
  const nowMs = clock().getTime();
  const isLeased = (loner.dueAtMs ?? 0) > nowMs;
  return !isLeased && ledger.lease(loner, { dueAtMs: nowMs, isInChain: true });
};

const armWidest = async (
  group: readonly Delivery[],
  { stored, armedSinceMs }: ArmFacts,
  deps: ArmDeps,
): Promise<Replayed[]> => {
  const [widest] = group.toSorted((one, other) => one.from - other.from || other.to - one.to);
  if (!widest) return [];
  const told = (await presentOf(widest, stored.get(widest.uuid), deps)) ?? widest;
  const isUnderway =
    isOnItsWay(told, deps.clock().getTime()) || (await isToldSince(told, armedSinceMs, deps));
  const isArmed = !isUnderway && (await armAgain(told, deps));
  const covers = group.filter((one) => one.eventId !== told.eventId);
  const step = toReplayed({ step: isArmed ? 'again' : 'told', delivery: told, covers });
  return [{ ...step, to: Math.max(told.to, ...group.map(({ to }) => to)) }];
};

/**
 * The event into which the flush would fold this one, where the partner was sent it before. The flush would leave it there:
 * so it is what has to be armed, else nothing would leave.
 */
const presentOf = async (
  { type, uuid, from, to, clientId }: Delivery,
  stored: StoredTransaction | undefined,
  { ledger, stage }: ArmDeps,
): Promise<Delivery | undefined> => {
  if (type !== 'TransactionUpdated' || stored === undefined || stored.version <= to) return undefined;
  const eventId = eventIdOf(stage, type, uuid, { from, to: stored.version });
  return ledger.delivery({ eventId, clientId });
};

/** Whether an earlier request of the same walk has made an event that tells as much; it is among the newest. */
const isToldSince = async (
  { clientId, uuid, from, to, type }: Delivery,
  armedSinceMs: number | undefined,
  { ledger }: ArmDeps,
): Promise<boolean> => {
  if (armedSinceMs === undefined || type !== 'TransactionUpdated') return false;
  const { deliveries } = await ledger.deliveryPage({ clientId, uuid, sinceMs: armedSinceMs, limit: 10 });
  return deliveries.some(
    (one) => one.type === type && one.from <= from && one.to >= to && one.state !== 'SUPPRESSED',
  );
};
