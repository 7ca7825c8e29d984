import type { Delivery } from '../../../functions/shared/domain/event/delivery.ts';
import { type Outcome, succeed } from '../../../functions/shared/domain/outcome.ts';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import {
  day,
  endScheduled,
  isGivenUpSince,
  keep,
  markRecalled,
  mayStillBeDelivered,
  recentDeliveriesOf,
} from './take-back.ts';
import {
  ensureEndpoint,
  pauseWebhook,
  resumeWebhook,
  type WebhookDeps,
  type WebhookRefusal,
  waitForEffect,
  waitForSenders,
} from './webhooks.ts';

/** The result of a recall: deliveries taken back, and events that are sent again for those and for what was kept meanwhile. */
export type Recalled = {
  recalled: number;
  events: number;
  /** Accepted by the bus within the last day, with no known result: the next try may be hours after the recall. */
  uncertain: number;
  /** The partner was paused before, by a person or by a recall that died: what is kept waits for `partner resume`. */
  isPaused: boolean;
};

/** How long to wait for dead letters: without reports of success, nothing shows that all have arrived. */
const collectMs = 60_000;
const lookAgainMs = 5_000;

/**
 * Takes back what the bus has accepted for a partner and not delivered: once the rule has no target, the bus gives these
 * events up, and their dead letters come into the ledger. The partner is paused meanwhile, because the bus drops what
 * matches a rule without a target. A run that dies leaves the partner paused; another recall and `partner resume` finish it.
 */
export const recall = async (
  partner: Partner,
  deps: WebhookDeps,
): Promise<Outcome<Recalled, WebhookRefusal>> => {
  if (!partner.enabled) return succeed(await recallForGood(partner, deps));
  const paused = partner.webhookPaused ? succeed(partner) : await pauseWebhook(partner, deps);
  if (!paused.ok) return paused;
  await waitForSenders(deps);
  await deps.endpoints.detach(partner.clientId);
  const { recalled, uncertain } = await collect(partner, deps);
  const isPaused = partner.webhookPaused !== undefined;
  const stopped = { recalled: recalled.length, events: 0, uncertain, isPaused };
  await ensureEndpoint(paused.value, deps);
  await waitForEffect(deps);
  for (const delivery of recalled) await keep(delivery, deps);
  if (isPaused) return succeed(stopped);
  const resumed = await resumeWebhook(paused.value, deps);
  return resumed.ok ? succeed({ ...stopped, events: resumed.value.events }) : resumed;
};

/**
 * A disabled partner keeps no target until it is enabled, so that the bus gives up later tries as well, and nothing that
 * comes back is sent by itself again (EV-13). What is accepted is marked before the target goes, so that no dead letter
 * arrives without its mark.
 */
const recallForGood = async (partner: Partner, deps: WebhookDeps): Promise<Recalled> => {
  await waitForSenders(deps);
  const before = await markRecalled(partner, deps);
  await deps.endpoints.detach(partner.clientId);
  await waitForDeadLetters(partner, deps);
  await endScheduled(partner, deps);
  const after = await recentDeliveriesOf(partner, deps);
  const isTakenBack = ({ eventId, reason }: Delivery) => reason === 'RECALLED' && before.has(eventId);
  return {
    recalled: after.filter(isTakenBack).length,
    events: 0,
    uncertain: after.filter((delivery) => mayStillBeDelivered(delivery, deps)).length,
    isPaused: partner.webhookPaused !== undefined,
  };
};

const collect = async (
  partner: Partner,
  deps: WebhookDeps,
): Promise<{ recalled: Delivery[]; uncertain: number }> => {
  await waitForDeadLetters(partner, deps);
  const deliveries = await recentDeliveriesOf(partner, deps);
  return {
    recalled: deliveries.filter((delivery) => isGivenUpSince(delivery, deps.now().getTime() - day)),
    uncertain: deliveries.filter((delivery) => mayStillBeDelivered(delivery, deps)).length,
  };
};

/** Ends early once the ledger knows the result of every delivery. */
const waitForDeadLetters = async (partner: Partner, deps: WebhookDeps): Promise<void> => {
  deps.note(`Waiting up to ${collectMs / 1000} s for what the bus gives up …\n`);
  for (let waitedMs = 0; waitedMs < collectMs; waitedMs += lookAgainMs) {
    if ((await recentDeliveriesOf(partner, deps)).every(({ state }) => state !== 'ACCEPTED')) break;
    await deps.wait(lookAgainMs);
  }
};
