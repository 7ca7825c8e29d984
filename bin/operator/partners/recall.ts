import type { Delivery } from '../../../functions/shared/domain/event/delivery.ts';
import { type Outcome, succeed } from '../../../functions/shared/domain/outcome.ts';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
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

const hour = 60 * 60 * 1000;
/** The bus retries for a day; redrives and replays of older events happen within a week. */
const lookBackMs = 7 * 24 * hour;
/** How long to wait for dead letters: without reports of success, nothing shows that all have arrived. */
const collectMs = 60_000;
const lookAgainMs = 5_000;

/**
 * Takes back what the bus has accepted for a partner and not delivered: once the rule has no target, the bus gives these
 * events up, and their dead letters come into the ledger. The partner is paused meanwhile, because the bus drops what
 * matches a rule without a target. A run that dies leaves the partner paused; another recall and `partner resume` finish it.
 * A disabled partner keeps no target until it is enabled, so that the bus gives up later tries as well.
 */
export const recall = async (
  partner: Partner,
  deps: WebhookDeps,
): Promise<Outcome<Recalled, WebhookRefusal>> => {
  const paused =
    partner.enabled && !partner.webhookPaused ? await pauseWebhook(partner, deps) : succeed(partner);
  if (!paused.ok) return paused;
  await waitForSenders(deps);
  await deps.endpoints.detach(partner.clientId);
  const { recalled, uncertain } = await collect(partner, deps);
  const isPaused = partner.webhookPaused === true;
  const stopped = { recalled: recalled.length, events: 0, uncertain, isPaused };
  if (!partner.enabled) return succeed(stopped);
  await ensureEndpoint(paused.value, deps);
  await waitForEffect(deps);
  for (const delivery of recalled) await keep(delivery, deps);
  if (isPaused) return succeed(stopped);
  const resumed = await resumeWebhook(paused.value, deps);
  return resumed.ok ? succeed({ ...stopped, events: resumed.value.events }) : resumed;
};

/** Ends early once the ledger knows the result of every delivery. */
const collect = async (
  partner: Partner,
  deps: WebhookDeps,
): Promise<{ recalled: Delivery[]; uncertain: number }> => {
  deps.note(`Waiting up to ${collectMs / 1000} s for what the bus gives up …\n`);
  for (let waitedMs = 0; waitedMs < collectMs; waitedMs += lookAgainMs) {
    if ((await deliveriesOf(partner, deps)).every(({ state }) => state !== 'ACCEPTED')) break;
    await deps.wait(lookAgainMs);
  }
  const deliveries = await deliveriesOf(partner, deps);
  return {
    recalled: deliveries.filter((delivery) => isRecalled(delivery, deps)),
    uncertain: deliveries.filter((delivery) => isUncertain(delivery, deps)).length,
  };
};

const deliveriesOf = async ({ clientId }: Partner, { ledger, now }: WebhookDeps): Promise<Delivery[]> => {
  const found: Delivery[] = [];
  const span = { sinceMs: now().getTime() - lookBackMs };
  for await (const delivery of ledger.deliveriesOfPartner(clientId, span)) found.push(delivery);
  return found;
};

/** Given up within the last day because the target was missing: by this recall, or by one that died. */
const isRecalled = (delivery: Delivery, deps: WebhookDeps) =>
  delivery.state === 'DEAD' &&
  delivery.reason === 'TARGET_REMOVED' &&
  delivery.timeline.some(({ step, atMs }) => step === 'dead' && isWithinDay(atMs, deps));

/** The bus may still deliver what it accepted within the last day. */
const isUncertain = ({ state, timeline, claimedAtMs }: Delivery, deps: WebhookDeps) =>
  state === 'ACCEPTED' &&
  isWithinDay(timeline.findLast(({ step }) => step === 'accepted')?.atMs ?? claimedAtMs, deps);

const isWithinDay = (atMs: number, { now }: WebhookDeps) => atMs > now().getTime() - 24 * hour;

/** Holds a delivery as if it had never been sent: resuming sends one event per transaction, as far as grants still allow. */
const keep = async ({ eventId, clientId }: Delivery, { ledger, now }: WebhookDeps) => {
  const atMs = now().getTime();
  const entry = { atMs, step: 'held', note: 'recalled' } as const;
  await ledger.move({ eventId, clientId, from: ['DEAD'], to: 'HELD', atMs, entry });
};
