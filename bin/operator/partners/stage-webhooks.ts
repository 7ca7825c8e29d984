import type { Partner } from '../../../functions/shared/domain/partner.ts';
import { chunksOf } from '../../../functions/shared/runtime/chunks.ts';
import type { OperatorDeps } from '../deps.ts';
import { resumeHeld } from '../replay/replay.ts';
import { isGivenUpSince, keep, recentDeliveriesOf } from './take-back.ts';
import { ensureEndpoint, type WebhookDeps, waitForEffect, waitForSenders } from './webhooks.ts';

/** What stopping and starting all webhooks works with; `step` is told of each partner that is done. */
export type StageWebhookDeps = WebhookDeps &
  Pick<OperatorDeps, 'webhookSwitch'> & { step: (done: number, about: string) => void };

/** How many partners' endpoints are changed at once: the bus takes a few dozen such requests a second. */
const atOnce = 5;

/**
 * Stops the webhooks of the stage (S-77): from now on events are kept; once what is being sent has ended, every target goes,
 * so that the bus gives up what it still tries to deliver. Answers how many partners had one. May be repeated.
 */
export const stopWebhooks = async (deps: StageWebhookDeps): Promise<number> => {
  await deps.webhookSwitch.stop(deps.now().getTime());
  await waitForSenders(deps);
  const partners = await withWebhooks(deps);
  await ofEach(partners, deps, ({ clientId }) => deps.endpoints.detach(clientId));
  return partners.length;
};

/** What a start did: partners that are served again, and events that are sent for what was kept. */
export type Started = { partners: number; events: number };

/**
 * Starts the webhooks again: endpoints first, and when the bus knows them what was kept, one event per transaction. It looks
 * for that twice, since a run that still decides by the switch may keep something right after the first look.
 */
export const startWebhooks = async (deps: StageWebhookDeps): Promise<Started> => {
  const sinceMs = (await deps.webhookSwitch.stoppedAtMs()) ?? deps.now().getTime();
  const partners = await withWebhooks(deps);
  await ofEach(partners, deps, (partner) => ensureEndpoint(partner, deps));
  await waitForEffect(deps);
  await deps.webhookSwitch.start();
  const served = partners.filter(({ enabled, webhookPaused }) => enabled && !webhookPaused);
  for (const partner of served) await keepGivenUp(partner, sinceMs, deps);
  const first = await releaseAll(served, deps);
  await waitForSenders(deps);
  return { partners: served.length, events: first + (await releaseAll(served, deps)) };
};

const withWebhooks = async ({ partners }: Pick<StageWebhookDeps, 'partners'>): Promise<Partner[]> =>
  (await partners.all()).filter(({ webhookUrl }) => webhookUrl !== undefined);

const ofEach = async (
  partners: readonly Partner[],
  { step }: Pick<StageWebhookDeps, 'step'>,
  change: (partner: Partner) => Promise<void>,
): Promise<void> => {
  let done = 0;
  for (const some of chunksOf(partners, atOnce)) {
    await Promise.all(some.map(change));
    done += some.length;
    step(done, `${done} of ${partners.length} partners`);
  }
};

/** What the bus gave up for want of a target is sent with the rest, not a quarter of an hour later by itself. */
const keepGivenUp = async (partner: Partner, sinceMs: number, deps: StageWebhookDeps): Promise<void> => {
  for (const delivery of await recentDeliveriesOf(partner, deps))
    if (isGivenUpSince(delivery, sinceMs)) await keep(delivery, deps);
};

const releaseAll = async (
  partners: readonly Partner[],
  { transactions, ledger, events: { stage }, now: clock }: StageWebhookDeps,
): Promise<number> => {
  let events = 0;
  for (const { clientId } of partners) {
    const replayed = await resumeHeld(clientId, { transactions, ledger, clock, stage });
    events += replayed.filter(({ step }) => step === 'again' || step === 'together').length;
  }
  return events;
};
