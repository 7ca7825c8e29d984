import { type Outcome, refuse, succeed } from '../../../functions/shared/domain/outcome.ts';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import { chunksOf } from '../../../functions/shared/runtime/chunks.ts';
import { isGivenUpSince, keep, recentDeliveriesOf } from './take-back.ts';
import { releaseOnce, signatureOf, type WebhookDeps, waitForEffect, waitForSenders } from './webhooks.ts';

/** What stopping and starting all webhooks works with; `step` is told of each partner that is done. */
export type StageWebhookDeps = WebhookDeps & { step: (done: number, about: string) => void };

/** How many partners' endpoints are changed at once: the bus takes a few dozen such requests a second. */
const atOnce = 5;

/** Somebody else did the opposite meanwhile. */
export type StageWebhookRefusal = 'stopped-again' | 'started-meanwhile';

/** How many partners had an endpoint, and the names of those whose endpoint is still on. */
export type Stopped = { partners: number; failed: string[] };

/**
 * Stops the webhooks of the stage (S-77): from now on events are kept; once what is being sent has ended, every target goes,
 * so that the bus gives up what it still tries to deliver. May be repeated.
 */
export const stopWebhooks = async (
  deps: StageWebhookDeps,
): Promise<Outcome<Stopped, StageWebhookRefusal>> => {
  const { stops } = await deps.webhookSwitch.stop(deps.now().getTime());
  await waitForSenders(deps);
  const partners = await withWebhooks(deps);
  const failed = await ofEach(partners, deps, async ({ clientId }) => {
    // A start that was faster needs its targets.
    if ((await deps.webhookSwitch.read())?.stops === stops) await deps.endpoints.detach(clientId);
  });
  const now = await deps.webhookSwitch.read();
  if (now?.stops !== stops || now.startingAtMs !== undefined) return refuse('started-meanwhile');
  return succeed({ partners: partners.length, failed });
};

/**
 * What a start did: partners that are served again, and events that are sent for what was kept. Where endpoints cannot be
 * made nothing was done: these are the names of their partners.
 */
export type Started = { partners: number; events: number; failed: string[] };

/**
 * Starts the webhooks again: endpoints first, and when the bus knows them what was kept, one event per transaction. It looks
 * for that twice, since a run that still decides by the switch may keep something right after the first look. Nothing starts
 * while an endpoint cannot be made, since the bus drops what has no target; a start that died is finished by another.
 */
export const startWebhooks = async (
  deps: StageWebhookDeps,
): Promise<Outcome<Started, StageWebhookRefusal>> => {
  const { webhookSwitch } = deps;
  const stop = await webhookSwitch.read();
  if (!stop) return succeed({ partners: 0, events: 0, failed: [] });
  const failed = await ofEach(await withWebhooks(deps), deps, (partner) => makeEndpoint(partner, deps));
  if (failed.length > 0) return succeed({ partners: 0, events: 0, failed });
  await waitForEffect(deps);
  if (!(await webhookSwitch.release(stop, deps.now().getTime()))) return refuse('stopped-again');
  // Whoever was resumed, enabled or registered meanwhile is served, too; of a disabled one the kept events end.
  const all = (await withWebhooks(deps)).filter(({ webhookPaused }) => !webhookPaused);
  for (const partner of all) await keepGivenUp(partner, stop.stoppedAtMs, deps);
  const first = await releaseAll(all, deps);
  await waitForSenders(deps);
  const events = first + (await releaseAll(all, deps));
  if (!(await webhookSwitch.finish(stop))) return refuse('stopped-again');
  return succeed({ partners: all.filter(({ enabled }) => enabled).length, events, failed });
};

/** As the record is now. The endpoint of a partner that is paused or disabled may wait. */
const makeEndpoint = async ({ clientId }: Partner, { partners, endpoints }: StageWebhookDeps) => {
  const partner = await partners.byClientId(clientId);
  if (!partner?.webhookUrl) return;
  const isServed = partner.enabled && !partner.webhookPaused;
  const made = endpoints.ensure(partner, await signatureOf(partner, { partners }));
  await (isServed ? made : made.catch(() => {}));
};

/** Every partner with a webhook, also one that is paused or disabled. */
export const withWebhooks = async ({ partners }: Pick<StageWebhookDeps, 'partners'>): Promise<Partner[]> =>
  (await partners.all()).filter(({ webhookUrl }) => webhookUrl !== undefined);

/** Does the work for each, a few at once; answers the names of those at which it failed, after it was tried at all. */
export const ofEach = async (
  partners: readonly Partner[],
  { step }: Pick<StageWebhookDeps, 'step'>,
  change: (partner: Partner) => Promise<void>,
): Promise<string[]> => {
  const failed: string[] = [];
  let done = 0;
  for (const some of chunksOf(partners, atOnce)) {
    const results = await Promise.allSettled(some.map(change));
    failed.push(...some.filter((_, index) => results[index]?.status === 'rejected').map(({ name }) => name));
    done += some.length;
    step(done, `${done} of ${partners.length} partners`);
  }
  return failed;
};

/** What the bus gave up for want of a target is sent with the rest, not a quarter of an hour later by itself. */
const keepGivenUp = async (partner: Partner, sinceMs: number, deps: StageWebhookDeps): Promise<void> => {
  for (const delivery of await recentDeliveriesOf(partner, deps))
    if (isGivenUpSince(delivery, sinceMs)) await keep(delivery, deps);
};

const releaseAll = async (partners: readonly Partner[], deps: StageWebhookDeps): Promise<number> => {
  let events = 0;
  for (const partner of partners) events += await releaseOnce(partner, deps);
  return events;
};
