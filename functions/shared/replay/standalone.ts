import type { Delivery } from '../domain/event/delivery.ts';
import { isChainType } from '../domain/event/event.ts';
import { type DeliveryLogStore, eventLifetimeMs } from '../store/debounce/delivery-log-store.ts';
import { type MakeDueDeps, makeDue } from './make-due.ts';
import type { SendOutcome, SentAgain } from './send-again.ts';

export type StandaloneDeps = MakeDueDeps & { deliveryLog: Pick<DeliveryLogStore, 'deliveriesOfTransaction'> };

/** A standalone replay; `newerVersion` is a version that the partner was sent after this event, if there is one. */
export type StandaloneReplay = SentAgain & { newerVersion: number | null };

/**
 * Replays one event with its ID and bytes, even if newer ones were sent. Only a person may send older data last, and is told
 * so (EV-12).
 */
export const sendStandalone = async (
  delivery: Delivery,
  deps: StandaloneDeps,
): Promise<StandaloneReplay> => ({
  outcome: await outcomeOf(delivery, deps),
  delivery,
  covers: [],
  newerVersion: await newerVersionOf(delivery, deps),
});

const outcomeOf = async (delivery: Delivery, deps: StandaloneDeps): Promise<SendOutcome> => {
  if (delivery.state === 'READY') return 'underway';
  if (deps.clock().getTime() >= delivery.claimedAtMs + eventLifetimeMs) return 'expired';
  return (await makeDue(delivery, deps, { isStandalone: true })) ? 'scheduled' : 'underway';
};

/** Five thousand events, newest first: a newer one is among them. */
const mostPages = 5;

/** The newest version that the partner was sent after this event. Completions do not count. */
const newerVersionOf = async (
  { uuid, clientId, type, to }: Delivery,
  { deliveryLog }: StandaloneDeps,
): Promise<number | null> => {
  if (!isChainType(type)) return null;
  let newest = to;
  for await (const other of deliveryLog.deliveriesOfTransaction(uuid, { clientId, atMostPages: mostPages })) {
    const isSent = other.state === 'ACCEPTED' || other.state === 'DELIVERED';
    if (isSent && isChainType(other.type)) newest = Math.max(newest, other.to);
  }
  return newest > to ? newest : null;
};
