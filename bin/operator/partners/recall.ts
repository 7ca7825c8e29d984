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

/** How many deliveries were taken back, and how many events are judged anew for these and for what was kept meanwhile. */
export type Recalled = {
  recalled: number;
  events: number;
  /** Accepted by the bus within the last day, and nobody knows how they ended: its next try may be hours after the recall. */
  uncertain: number;
  /** It was paused before, by a person or by a recall that died: what is kept waits for `partner resume`. */
  isPaused: boolean;
};

const hour = 60 * 60 * 1000;
/** The bus tries for a day what it accepted; redrives and replays of older events are within a week. */
const lookBackMs = 7 * 24 * hour;
/** So long dead letters are waited for: where no success is reported, nothing tells that these are all. */
const collectMs = 60_000;
const lookAgainMs = 5_000;

/**
 * Takes back what the bus has accepted for a partner and not delivered (events 7): without its target the bus gives it up,
 * and its dead letters come into the ledger. Meanwhile the partner is paused, because the bus drops what matches a rule
 * without a target. Whoever dies on the way leaves it paused: recalling again and resuming it brings everything to its end.
 * What a disabled partner had is not sent again, and it stays without its target until it is enabled: the bus gives up what
 * it tries at any later time, too.
 */
export const recall = async (
  partner: Partner,
  deps: WebhookDeps,
): Promise<Outcome<Recalled, WebhookRefusal>> => {
  const quiet =
    partner.enabled && !partner.webhookPaused ? await pauseWebhook(partner, deps) : succeed(partner);
  if (!quiet.ok) return quiet;
  await waitForSenders(deps);
  await deps.endpoints.detach(partner.clientId);
  const { recalled, uncertain } = await collect(partner, deps);
  const isPaused = partner.webhookPaused === true;
  const stopped = { recalled: recalled.length, events: 0, uncertain, isPaused };
  if (!partner.enabled) return succeed(stopped);
  await ensureEndpoint(quiet.value, deps);
  await waitForEffect(deps);
  for (const delivery of recalled) await keep(delivery, deps);
  if (isPaused) return succeed(stopped);
  const resumed = await resumeWebhook(quiet.value, deps);
  return resumed.ok ? succeed({ ...stopped, events: resumed.value.events }) : resumed;
};

/** Ends early where the ledger knows of every delivery how it ended. */
const collect = async (
  partner: Partner,
  deps: WebhookDeps,
): Promise<{ recalled: Delivery[]; uncertain: number }> => {
  deps.tell(`Waiting up to ${collectMs / 1000} s for what the bus gives up …\n`);
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

/** Given up for want of a target within the last day: by this recall, or by one that died. */
const isRecalled = (delivery: Delivery, deps: WebhookDeps) =>
  delivery.state === 'DEAD' &&
  delivery.reason === 'TARGET_REMOVED' &&
  delivery.timeline.some(({ step, atMs }) => step === 'dead' && isWithinDay(atMs, deps));

/** The bus tries for a day what it accepted. */
const isUncertain = ({ state, timeline, claimedAtMs }: Delivery, deps: WebhookDeps) =>
  state === 'ACCEPTED' &&
  isWithinDay(timeline.findLast(({ step }) => step === 'accepted')?.atMs ?? claimedAtMs, deps);

const isWithinDay = (atMs: number, { now }: WebhookDeps) => atMs > now().getTime() - 24 * hour;

/** As if it had never left: resuming sends one event per transaction, to whom it still covers. */
const keep = async ({ eventId, clientId }: Delivery, { ledger, now }: WebhookDeps) => {
  const atMs = now().getTime();
  const entry = { atMs, step: 'held', note: 'recalled' } as const;
  await ledger.move({ eventId, clientId, from: ['DEAD'], to: 'HELD', atMs, entry });
};
