import type { KeptPart, KeptPass } from '../domain/endpoint.ts';
import type { Delivery } from '../domain/event/delivery.ts';
import { isChainType, testEventType } from '../domain/event/event.ts';
import type { Clock } from '../runtime/clock.ts';
import type {
  DeliveryLogPages,
  DeliveryLogPosition,
  DeliveryLogSpan,
  DeliveryPage,
} from '../store/debounce/delivery-log-store.ts';
import { type Leaders, type SendAgainDeps, sendAgain } from './send-again.ts';

type PageDeps = { deliveryLog: DeliveryLogPages; clock: Clock };

/** What sending again all deliveries of a partner works with. */
export type WalkDeps = SendAgainDeps & PageDeps;

/** How many transactions get one event each, and how many completions and tests go as they are stored. */
export type SentCounts = { transactions: number; asStored: number };

/** Hears after each page but the last what is done, and up to which time of claims; nothing more after a fault. */
export type OnPart = (done: SentCounts & { untilMs: number }) => void;

/**
 * Sends a resumed partner what was claimed and kept for it until the pass began, and what the bus gave up for want of a target.
 * Another pass has to follow after a lease: a flush that judged the partner before it was resumed may keep something a moment
 * later. This pass leaves that alone: the sender may have made the event of its leader before, without it (I1).
 */
export const sendKeptAgain = async (
  clientId: string,
  deps: WalkDeps,
  pass?: KeptPass,
): Promise<SentCounts & KeptPart> => {
  const { counts, send } = sendingWith(deps);
  const part = await partOfPass({ clientId, pass }, deps, (page, onFault) =>
    send(page.filter(isKept), onFault),
  );
  return { ...counts, ...part };
};

const isKept = ({ state, reason }: Delivery) =>
  state === 'HELD' || (state === 'DEAD' && reason === 'TARGET_REMOVED');

/** Sends again everything since a time that a partner was sent, or should have been; tests are left out. */
export const sendAgainSince = async (
  clientId: string,
  sinceMs: number,
  deps: WalkDeps,
  onPart: OnPart = () => {},
): Promise<SentCounts> => {
  const { counts, send } = sendingWith(deps);
  const faults: unknown[] = [];
  const span = { clientId, sinceMs, untilMs: deps.clock().getTime() + 1 };
  await eachPage(span, deps, async ({ deliveries, next }) => {
    await send(
      deliveries.filter(({ type }) => type !== testEventType),
      (fault) => faults.push(fault),
    );
    // Whoever goes on from the time that is named has to come by the fault again.
    if (next && faults.length === 0) onPart({ ...counts, untilMs: next.claimedAtMs });
  });
  if (faults.length > 0) throw faults[0];
  return counts;
};

/** Sends page after page of one call: a transaction has one leader in all of them. The next part of a pass is another call. */
const sendingWith = (deps: SendAgainDeps) => {
  const leaders: Leaders = new Map();
  const counts: SentCounts = { transactions: 0, asStored: 0 };
  const send = async (deliveries: readonly Delivery[], onFault: OnFault): Promise<void> => {
    for (const { delivery, outcome } of await sendAgain(deliveries, deps, leaders, onFault))
      if (outcome === 'scheduled') counts[isChainType(delivery.type) ? 'transactions' : 'asStored'] += 1;
  };
  return { counts, send };
};

/** A part of a pass over what was kept: half the time of an invocation of `keep-endpoints`. */
const partMs = 60_000;

/** Hears of a fault of one delivery, which stops no other. */
type OnFault = (fault: unknown) => void;

/** Works on a part of a pass over the deliveries of a partner until it began, and answers what is left of it. */
export const partOfPass = async (
  { clientId, pass }: { clientId: string; pass: KeptPass | undefined },
  deps: PageDeps,
  work: (deliveries: readonly Delivery[], onFault: OnFault) => Promise<unknown>,
): Promise<KeptPart> => {
  const nowMs = deps.clock().getTime();
  const { beganAtMs, after } = pass ?? { beganAtMs: nowMs };
  const faults: unknown[] = [];
  const span = { clientId, untilMs: beganAtMs + 1, endsAtMs: nowMs + partMs, ...(after && { after }) };
  const reached = await eachPage(span, deps, ({ deliveries }) =>
    work(deliveries, (fault) => faults.push(fault)),
  );
  return {
    ...(reached && { next: { beganAtMs, after: reached } }),
    ...(faults.length > 0 && { fault: faults[0] }),
  };
};

/** So many rows are in memory at a time, with their timelines some 2 MB. */
const rowsAtOnce = 1_000;

/** Of one partner, from a place on, and until a time of the clock. The end of its span is exclusive. */
type Walk = DeliveryLogSpan & { clientId: string; after?: DeliveryLogPosition; endsAtMs?: number };

/** The oldest first, so that the first row of a transaction is its earliest nearly always. Answers where it had to end before its span does. */
const eachPage = async (
  { after: start, endsAtMs = Number.POSITIVE_INFINITY, ...span }: Walk,
  { deliveryLog, clock }: PageDeps,
  work: (page: DeliveryPage) => Promise<unknown>,
): Promise<DeliveryLogPosition | undefined> => {
  let after = start;
  do {
    const asked = { ...span, limit: rowsAtOnce, oldestFirst: true, ...(after && { after }) };
    const page = await deliveryLog.deliveryPage(asked);
    await work(page);
    after = page.next;
  } while (after && clock().getTime() < endsAtMs);
  return after;
};
