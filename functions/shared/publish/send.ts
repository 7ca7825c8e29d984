import { mayStillSend } from '../domain/event/cursor.ts';
import type {
  Delivery,
  DeliveryKey,
  DeliveryReason,
  DeliveryState,
  TimelineEntry,
  TimelineStep,
} from '../domain/event/delivery.ts';
import { decideRecipient } from '../domain/event/recipient.ts';
import type { Partner } from '../domain/partner.ts';
import { type BusAnswer, type BusEntry, groupsThatFit } from '../outbound/event-bus.ts';
import type { ClaimedEvent } from './claim.ts';
import type { PublishDeps } from './publish-deps.ts';

/** One event for one partner, on its way. */
type Sending = { claimed: ClaimedEvent; delivery: Delivery };
type Addressed = Sending & { entry: BusEntry };

/** An entry that the bus refuses so often is dead, so that it cannot hold up its transaction. */
const mostRefusals = 5;

/**
 * Sends what was claimed, and settles each event of which every entry is sent. What is not confirmed counts as not sent: the
 * end of its lease brings it back, with the same id and the same bytes.
 */
export const sendAndSettle = async (claimed: readonly ClaimedEvent[], deps: PublishDeps): Promise<void> => {
  const sendings = claimed.flatMap((one) =>
    one.deliveries.filter(({ state }) => state === 'READY').map((delivery) => ({ claimed: one, delivery })),
  );
  const open = new Set(await send(sendings, deps));
  const done = claimed.filter((one) => !open.has(one));
  await Promise.all(done.map((one) => settle(one, deps)));
};

/** Answers the events of which an entry is still to be sent. */
const send = async (sendings: readonly Sending[], deps: PublishDeps): Promise<ClaimedEvent[]> => {
  const addressed = await decideAll(sendings, deps);
  const left = await Promise.all(groupsThatFit(addressed).map((group) => sendGroup(group, deps)));
  return left.flat();
};

/** Decides on every recipient once more before its event leaves (S-54). */
const decideAll = async (sendings: readonly Sending[], deps: PublishDeps): Promise<Addressed[]> => {
  const clientIds = [...new Set(sendings.map(({ delivery }) => delivery.clientId))];
  const partners = clientIds.length > 0 ? await deps.partners.byClientIds(clientIds) : new Map();
  const decided = await Promise.all(
    sendings.map((sending) => decide(sending, partners.get(sending.delivery.clientId), deps)),
  );
  return decided.flatMap((one) => one ?? []);
};

const decide = async (
  { claimed, delivery }: Sending,
  partner: Partner | undefined,
  deps: PublishDeps,
): Promise<Addressed | undefined> => {
  const { bodies, owner, isDeletedSince } = claimed;
  const decision = decideRecipient(partner, owner);
  if (decision === 'hold') return withhold(delivery, { to: 'HELD', step: 'held' }, deps);
  const reason = isDeletedSince ? 'DELETED' : bodies ? undefined : 'EXPIRED';
  if (decision !== 'send' || reason || !bodies) {
    const why = decision === 'send' ? reason : decision;
    return withhold(delivery, { to: 'SUPPRESSED', step: 'suppressed', ...(why && { reason: why }) }, deps);
  }
  const message = partner?.showsPaymentTokens ? (bodies.tokens ?? bodies.plain) : bodies.plain;
  const { eventId, type, from, to, omitted } = claimed.event;
  const entry = { clientId: delivery.clientId, eventId, type, from, to, omitted, message };
  return { claimed, delivery, entry };
};

type Withheld = { to: DeliveryState; step: TimelineStep; reason?: DeliveryReason };

const withhold = async (
  { eventId, clientId }: Delivery,
  { to, step, reason }: Withheld,
  deps: PublishDeps,
) => {
  const atMs = deps.clock().getTime();
  const entry = { atMs, step, ...(reason !== undefined && { note: reason }) };
  await deps.ledger.move({
    ...{ eventId, clientId, from: ['READY'], to, atMs, entry },
    ...(reason !== undefined && { reason }),
  });
  return undefined;
};

/** A claim that is too old is not sent: another flusher may have its lease by now. */
const sendGroup = async (group: readonly Addressed[], deps: PublishDeps): Promise<ClaimedEvent[]> => {
  const nowMs = deps.clock().getTime();
  const isInTime = ({ claimed }: Addressed) => mayStillSend(claimed.leasedAtMs, nowMs, deps.settings);
  const late = group.filter((one) => !isInTime(one)).map(({ claimed }) => claimed);
  const timely = group.filter(isInTime);
  if (timely.length === 0) return late;
  const answers = await deps.bus.put(timely.map(({ entry }) => entry));
  const noted = await Promise.all(timely.map((one, index) => note(one, answers[index], deps)));
  const open = timely.filter((_, index) => noted[index] === 'open').map(({ claimed }) => claimed);
  return [...late, ...open];
};

/** Whether an entry is done with, or still open, after the bus has answered. */
const note = async (
  { delivery: { eventId, clientId } }: Addressed,
  answer: BusAnswer | undefined,
  deps: PublishDeps,
): Promise<'done' | 'open'> => {
  if (!answer || answer.outcome === 'unconfirmed') return 'open';
  const atMs = deps.clock().getTime();
  const key = { eventId, clientId };
  if (answer.outcome === 'accepted') {
    const { busEventId } = answer;
    const entry = { atMs, step: 'accepted' } as const;
    await deps.ledger.move({ ...key, from: ['READY'], to: 'ACCEPTED', atMs, entry, busEventId });
    return 'done';
  }
  const refusals = await deps.ledger.refused(key, { atMs, step: 'refused', note: answer.code });
  if (refusals < mostRefusals) return 'open';
  await markDead(key, { atMs, step: 'dead', note: answer.code }, deps);
  return 'done';
};

const markDead = async (key: DeliveryKey, entry: TimelineEntry, { ledger, log }: PublishDeps) => {
  const { atMs } = entry;
  await ledger.move({ ...key, from: ['READY'], to: 'DEAD', atMs, entry, reason: 'REFUSED_BY_BUS' });
  log('deliveryParked', key);
};

const settle = async ({ dueRow, event }: ClaimedEvent, { cursors, clock, settings }: PublishDeps) => {
  if (!dueRow) return;
  const { uuid, kind, changeCount } = dueRow;
  const nowMs = clock().getTime();
  const rescheduleAtMs = nowMs + settings.dormancyMs;
  await cursors.settle(
    { uuid, kind },
    { eventId: event.eventId, changeCount, to: event.to, nowMs, rescheduleAtMs },
  );
};
