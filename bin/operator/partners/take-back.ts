import {
  type Delivery,
  type DeliveryState,
  isRecalled,
} from '../../../functions/shared/domain/event/delivery.ts';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import type { OperatorDeps } from '../deps.ts';

/** What taking back reads and writes. */
export type TakeBackDeps = Pick<OperatorDeps, 'ledger' | 'now'>;

/** For so long the bus tries. */
export const day = 24 * 60 * 60 * 1000;
/** The bus retries for a day; redrives and replays of older events happen within a week. */
const lookBackMs = 7 * day;

/** A partner's deliveries of the time from which something may still be on its way. */
export const recentDeliveriesOf = async (
  { clientId }: Partner,
  { ledger, now }: TakeBackDeps,
): Promise<Delivery[]> => {
  const found: Delivery[] = [];
  const span = { sinceMs: now().getTime() - lookBackMs };
  for await (const delivery of ledger.deliveriesOfPartner(clientId, span)) found.push(delivery);
  return found;
};

/** The bus may still deliver what it accepted within the last day. */
export const mayStillBeDelivered = (
  { state, timeline, claimedAtMs }: Delivery,
  deps: Pick<TakeBackDeps, 'now'>,
): boolean =>
  state === 'ACCEPTED' &&
  isWithinDay(timeline.findLast(({ step }) => step === 'accepted')?.atMs ?? claimedAtMs, deps);

/** Whether it is less than a day ago: for so long the bus tries. */
const isWithinDay = (atMs: number, { now }: Pick<TakeBackDeps, 'now'>): boolean =>
  atMs > now().getTime() - day;

/** Given up because the target was missing, at this time or later. */
export const isGivenUpSince = ({ state, reason, timeline }: Delivery, sinceMs: number): boolean =>
  state === 'DEAD' &&
  reason === 'TARGET_REMOVED' &&
  timeline.some(({ step, atMs }) => step === 'dead' && atMs >= sinceMs);

/** Holds a delivery as if it had never been sent: resuming sends one event per transaction, as far as grants still allow. */
export const keep = async ({ eventId, clientId }: Delivery, { ledger, now }: TakeBackDeps): Promise<void> => {
  const atMs = now().getTime();
  const entry = { atMs, step: 'held', note: 'recalled' } as const;
  await ledger.move({ eventId, clientId, from: ['DEAD'], to: 'HELD', atMs, entry });
};

/**
 * Marks what the bus has accepted: its dead letter, whenever it comes, ends it for good (EV-13). Answers the ids of the
 * events that are taken back if they were not delivered.
 */
export const markRecalled = async (partner: Partner, deps: TakeBackDeps): Promise<ReadonlySet<string>> => {
  const open = (await recentDeliveriesOf(partner, deps)).filter(
    (delivery) => isTriedAgain(delivery) || mayStillBeDelivered(delivery, deps),
  );
  for (const delivery of open) {
    if (delivery.state === 'ACCEPTED' && !isRecalled(delivery))
      await move(delivery, { to: 'ACCEPTED', entry: { step: 'recalled' } }, deps);
  }
  return new Set(open.map(({ eventId }) => eventId));
};

/** Ends what would be tried again by itself: what the bus gave up before it was marked. */
export const endScheduled = async (partner: Partner, deps: TakeBackDeps): Promise<void> => {
  const entry = { step: 'suppressed', note: 'RECALLED' } as const;
  for (const delivery of await recentDeliveriesOf(partner, deps)) {
    if (isTriedAgain(delivery)) await move(delivery, { to: 'SUPPRESSED', entry, reason: 'RECALLED' }, deps);
  }
};

const isTriedAgain = ({ state, dueAtMs }: Delivery) => state === 'DEAD' && dueAtMs !== undefined;

type Step = {
  to: DeliveryState;
  entry: { step: 'recalled' | 'suppressed'; note?: string };
  reason?: 'RECALLED';
};

const move = async (
  { eventId, clientId, state }: Delivery,
  { to, entry, reason }: Step,
  { ledger, now }: TakeBackDeps,
) => {
  const atMs = now().getTime();
  await ledger.move({
    ...{ eventId, clientId, from: [state], to, atMs, entry: { atMs, ...entry } },
    ...(reason !== undefined && { reason }),
  });
};
