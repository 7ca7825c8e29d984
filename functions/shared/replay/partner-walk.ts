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
export const sendKeptAgain = (clientId: string, deps: WalkDeps): Promise<SentCounts> =>
  walk({ clientId, untilMs: endOf(deps) }, isKept, deps);

/** Exclusive. */
const endOf = ({ clock }: WalkDeps): number => clock().getTime() + 1;

const isKept = ({ state, reason }: Delivery) =>
  state === 'HELD' || (state === 'DEAD' && reason === 'TARGET_REMOVED');

/** Sends again everything since a time that a partner was sent, or should have been; tests are left out. */
export const sendAgainSince = (
  clientId: string,
  sinceMs: number,
  deps: WalkDeps,
  onPart?: OnPart,
): Promise<SentCounts> =>
  walk({ clientId, sinceMs, untilMs: endOf(deps) }, ({ type }) => type !== testEventType, deps, onPart);

/** So many rows are in memory at a time, with their timelines some 2 MB. */
const rowsAtOnce = 1_000;

/** The oldest first, so that the first row of a transaction is its earliest nearly always. */
const walk = async (
  span: DeliveryLogSpan & { clientId: string },
  isWanted: (delivery: Delivery) => boolean,
  deps: WalkDeps,
  onPart: OnPart = () => {},
): Promise<SentCounts> => {
  const leaders: Leaders = new Map();
  const counts: SentCounts = { transactions: 0, asStored: 0 };
  let after: DeliveryLogPosition | undefined;
  do {
    const asked = { ...span, limit: rowsAtOnce, oldestFirst: true, ...(after && { after }) };
    const page = await deps.deliveryLog.deliveryPage(asked);
    const sent = await sendAgain(page.deliveries.filter(isWanted), deps, leaders);
    for (const { delivery, outcome } of sent)
      if (outcome === 'scheduled')
        counts[delivery.type === 'TransactionUpdated' ? 'transactions' : 'asStored'] += 1;
    after = page.next;
    if (after) onPart({ ...counts, untilMs: after.claimedAtMs });
  } while (after);
  return counts;
};
