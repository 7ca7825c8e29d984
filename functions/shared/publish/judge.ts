import type { Delivery, DeliveryReason, DeliveryState, TimelineStep } from '../domain/event/delivery.ts';
import { isPendingDelivery } from '../domain/event/new-delivery.ts';
import { decideRecipient } from '../domain/event/recipient.ts';
import type { Partner } from '../domain/partner.ts';
import type { BusEntry } from '../outbound/event-bus.ts';
import type { ClaimedEvent } from './claim.ts';
import type { Invocation } from './invocation.ts';
import type { PublishDeps } from './publish-deps.ts';

/** One event for one partner, about to be sent. */
export type Sending = { claimed: ClaimedEvent; delivery: Delivery };
export type Addressed = Sending & { entry: BusEntry };

/** Entries to send now, and entries that stay open because a withheld one could not be recorded. */
export type Judged = { addressed: Addressed[]; open: Sending[] };

/** Checks each recipient again, by its record right before the request (S-54). */
export const judgeAll = async (sendings: readonly Sending[], invocation: Invocation): Promise<Judged> => {
  const partners = await invocation.deps.partners.byClientIds([
    ...new Set(sendings.map(({ delivery }) => delivery.clientId)),
  ]);
  const judged = await Promise.all(
    sendings.map(async (sending) => {
      const verdict = judge(sending, partners.get(sending.delivery.clientId));
      if ('entry' in verdict) return { addressed: [verdict], open: [] };
      const { eventId, clientId } = sending.delivery;
      const isRecorded = await invocation.apart(() => withhold(sending.delivery, verdict, invocation.deps), {
        ...{ eventId, clientId },
      });
      return { addressed: [], open: isRecorded ? [] : [sending] };
    }),
  );
  return {
    addressed: judged.flatMap(({ addressed }) => addressed),
    open: judged.flatMap(({ open }) => open),
  };
};

type Withheld = { to: DeliveryState; step: TimelineStep; reason?: DeliveryReason };

const judge = ({ claimed, delivery }: Sending, partner: Partner | undefined): Addressed | Withheld => {
  const { bodies, owner, isDeletedSince } = claimed;
  const decision = decideRecipient(partner, owner);
  if (decision === 'hold') return { to: 'HELD', step: 'held' };
  if (decision !== 'send') return suppressed(decision);
  if (isDeletedSince) return suppressed('DELETED');
  if (!bodies) return suppressed('EXPIRED');
  const message = partner?.showsPaymentTokens ? (bodies.tokens ?? bodies.plain) : bodies.plain;
  const { eventId, type, from, to, omitted } = claimed.event;
  const entry = { clientId: delivery.clientId, eventId, type, from, to, omitted, message };
  return { claimed, delivery, entry };
};

const suppressed = (reason: DeliveryReason): Withheld => ({ to: 'SUPPRESSED', step: 'suppressed', reason });

const withhold = async (
  delivery: Delivery,
  { to, step, reason }: Withheld,
  { deliveryLog, clock }: PublishDeps,
): Promise<true> => {
  const { eventId, clientId } = delivery;
  const atMs = clock().getTime();
  const entry = { atMs, step, ...(reason !== undefined && { note: reason }) };
  await deliveryLog.move({
    ...{ eventId, clientId, from: ['READY'], to, atMs, entry },
    ...(reason !== undefined && { reason }),
    ...(isPendingDelivery(delivery) && { start: delivery }),
  });
  return true;
};
