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

/** Dependencies for replaying all deliveries of a partner. */
export type WalkDeps = SendAgainDeps & PageDeps;

/** Numbers: transactions with one event each, and completions and tests that are sent as stored. */
export type SentCounts = { transactions: number; asStored: number };

/** Called after each page but the last with the progress and the time that it reached; not called after a fault. */
export type OnPart = (done: SentCounts & { untilMs: number }) => void;

/**
 * Replays to a resumed partner what was kept until this pass began, and what the bus gave up for lack of a target. A second
 * pass must follow after a lease, because a flush that checked the partner before it resumed may keep an event a moment
 * later. Events after the start of the pass are left alone: the sender may have folded their transaction without them (I1).
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

/** Replays everything that a partner was sent, or should have been sent, since a time, except tests. */
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
    // After a fault the named time does not advance, so that the next call meets the fault again.
    if (next && faults.length === 0) onPart({ ...counts, untilMs: next.claimedAtMs });
  });
  if (faults.length > 0) throw faults[0];
  return counts;
};

/** Replays all pages of one call. Each transaction has one leader within a call; the next part of a pass is another call. */
const sendingWith = (deps: SendAgainDeps) => {
  const leaders: Leaders = new Map();
  const counts: SentCounts = { transactions: 0, asStored: 0 };
  const send = async (deliveries: readonly Delivery[], onFault: OnFault): Promise<void> => {
    for (const { delivery, outcome } of await sendAgain(deliveries, deps, leaders, onFault))
      if (outcome === 'scheduled') counts[isChainType(delivery.type) ? 'transactions' : 'asStored'] += 1;
  };
  return { counts, send };
};

/** One part of a pass: half of an invocation of `keep-endpoints`. */
const partMs = 60_000;

/** Called with the fault of one delivery; it stops no other. */
type OnFault = (fault: unknown) => void;

/** Works on one part of a pass over a partner's deliveries. Returns what is left. */
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

/** Rows in memory at a time, about 2 MB with their histories. */
const rowsAtOnce = 1_000;

/** The deliveries of one partner from a place on, up to an exclusive time. */
type Walk = DeliveryLogSpan & { clientId: string; after?: DeliveryLogPosition; endsAtMs?: number };

/** Oldest first, so that the first row of a transaction is nearly always its earliest. Returns where it stopped. */
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
