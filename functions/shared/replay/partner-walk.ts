import type { KeptPart, KeptPass } from '../domain/endpoint.ts';
import type { Delivery } from '../domain/event/delivery.ts';
import { testEventType } from '../domain/event/event.ts';
import type {
  DeliveryLogPages,
  DeliveryLogPosition,
  DeliveryLogSpan,
} from '../store/debounce/delivery-log-store.ts';
import { type Leaders, type SendAgainDeps, sendAgain } from './send-again.ts';

/** What a walk through all deliveries of a partner works with. */
export type WalkDeps = SendAgainDeps & { deliveryLog: DeliveryLogPages };

/** How many transactions get one event each, and how many completions and tests go as they are stored. */
export type SentCounts = { transactions: number; asStored: number };

/** Hears after each part of a walk but the last what is done, and up to which time of claims. */
export type OnPart = (done: SentCounts & { untilMs: number }) => void;

/**
 * Sends a resumed partner what was kept for it until now, and what the bus gave up for want of a target. It may be called again,
 * and has to be after a lease: a flush that judged the partner before it was resumed may keep something a moment later. That is
 * not ended in favour of a leader, of which the sender may have made its event before.
 */
export const sendKeptAgain = async (
  clientId: string,
  deps: WalkDeps,
  { beganAtMs, after }: KeptPass = { beganAtMs: deps.clock().getTime() },
): Promise<SentCounts & KeptPart> => {
  const endsAtMs = deps.clock().getTime() + keptPartMs;
  const span = { clientId, untilMs: beganAtMs + 1, endsAtMs, ...(after && { after }) };
  const { after: reached, ...part } = await walk(span, isKept, deps);
  return { ...part, ...(reached && { next: { beganAtMs, after: reached } }) };
};

/** A part of a pass over what was kept: half the time of an invocation of `keep-endpoints`. */
export const keptPartMs = 60_000;

/** Exclusive. */
const endOf = ({ clock }: WalkDeps): number => clock().getTime() + 1;

const isKept = ({ state, reason }: Delivery) =>
  state === 'HELD' || (state === 'DEAD' && reason === 'TARGET_REMOVED');

/** Sends again everything since a time that a partner was sent, or should have been; tests are left out. */
export const sendAgainSince = async (
  clientId: string,
  sinceMs: number,
  deps: WalkDeps,
  onPart?: OnPart,
): Promise<SentCounts> => {
  const span = { clientId, sinceMs, untilMs: endOf(deps) };
  const { fault, ...counts } = await walk(span, ({ type }) => type !== testEventType, deps, onPart);
  if (fault !== undefined) throw fault;
  return counts;
};

/** So many rows are in memory at a time, with their timelines some 2 MB. */
const rowsAtOnce = 1_000;

/** Of one partner, from a place on, and until a time of the clock. */
type Walk = DeliveryLogSpan & { clientId: string; after?: DeliveryLogPosition; endsAtMs?: number };

/** The oldest first, so that the first row of a transaction is its earliest nearly always. Answers where it had to end. */
const walk = async (
  { after: start, endsAtMs = Number.POSITIVE_INFINITY, ...span }: Walk,
  isWanted: (delivery: Delivery) => boolean,
  deps: WalkDeps,
  onPart: OnPart = () => {},
): Promise<SentCounts & { after?: DeliveryLogPosition; fault?: unknown }> => {
  const leaders: Leaders = new Map();
  const counts: SentCounts = { transactions: 0, asStored: 0 };
  const faults: unknown[] = [];
  let after = start;
  do {
    const asked = { ...span, limit: rowsAtOnce, oldestFirst: true, ...(after && { after }) };
    const page = await deps.deliveryLog.deliveryPage(asked);
    const sent = await sendAgain(page.deliveries.filter(isWanted), deps, leaders, (fault) =>
      faults.push(fault),
    );
    for (const { delivery, outcome } of sent)
      if (outcome === 'scheduled')
        counts[delivery.type === 'TransactionUpdated' ? 'transactions' : 'asStored'] += 1;
    after = page.next;
    if (after) onPart({ ...counts, untilMs: after.claimedAtMs });
  } while (after && deps.clock().getTime() < endsAtMs);
  return { ...counts, ...(after && { after }), ...(faults.length > 0 && { fault: faults[0] }) };
};
