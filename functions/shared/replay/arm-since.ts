import type { Delivery } from '../domain/event/delivery.ts';
import { testEventType } from '../domain/event/event.ts';
import { chunksOf } from '../runtime/chunks.ts';
import type { Clock } from '../runtime/clock.ts';
import type { LedgerPages, LedgerStore } from '../store/debounce/ledger-store.ts';
import { armAgain, type Replayed } from './replay.ts';

export type ArmDeps = { ledger: Pick<LedgerStore, 'move'> & LedgerPages; clock: Clock };

const transactionsAtOnce = 10;

/**
 * Has these deliveries of one partner sent again, oldest first: each completion as it is, and of the updates of a transaction
 * the one that begins earliest. The flush makes it one event up to the present version, with present values (EV-12), so
 * that no body is read here, however many events there were. `armedSinceMs` is when a walk of several requests began: what
 * was made since tells a transaction already.
 */
export const armSince = async (
  deliveries: readonly Delivery[],
  armedSinceMs: number | undefined,
  deps: ArmDeps,
): Promise<Replayed[]> => {
  const told = deliveries.filter(({ type }) => type !== testEventType);
  const groups = [...Map.groupBy(told, groupOf).values()];
  const armed: Replayed[] = [];
  for (const some of chunksOf(groups, transactionsAtOnce))
    armed.push(...(await Promise.all(some.map((group) => armGroup(group, armedSinceMs, deps)))).flat());
  return armed;
};

/** A completion stands outside the chain of versions, so it stands for itself. */
const groupOf = ({ type, uuid, eventId }: Delivery) =>
  type === 'TransactionUpdated' ? uuid : `${uuid} ${eventId}`;

const armGroup = async (
  group: readonly Delivery[],
  armedSinceMs: number | undefined,
  deps: ArmDeps,
): Promise<Replayed[]> => {
  const [widest, ...others] = group.toSorted((one, other) => one.from - other.from || other.to - one.to);
  if (!widest) return [];
  const isUnderway = widest.state === 'READY' || (await isToldSince(widest, armedSinceMs, deps));
  if (!isUnderway) await armAgain(widest, deps);
  const { eventId, clientId, uuid, type, from } = widest;
  return [
    {
      ...{ step: isUnderway ? 'told' : 'again', eventId, clientId, uuid, type, from },
      to: Math.max(...group.map(({ to }) => to)),
      covers: others.map((one) => one.eventId),
      ...{ gaps: [], newerVersion: null },
    },
  ];
};

/** Whether an earlier request of the same walk has made an event that tells as much; it is among the newest. */
const isToldSince = async (
  { clientId, uuid, from, to, type }: Delivery,
  armedSinceMs: number | undefined,
  { ledger }: ArmDeps,
): Promise<boolean> => {
  if (armedSinceMs === undefined || type !== 'TransactionUpdated') return false;
  const { deliveries } = await ledger.deliveryPage({ clientId, uuid, sinceMs: armedSinceMs, limit: 10 });
  return deliveries.some((one) => one.type === type && one.from <= from && one.to >= to);
};
