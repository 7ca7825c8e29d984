import { settingsOf } from '../../../functions/shared/domain/event/timing.ts';
import { type Outcome, refuse, succeed } from '../../../functions/shared/domain/outcome.ts';
import type { Partner, WebhookSignature } from '../../../functions/shared/domain/partner.ts';
import type { OperatorDeps } from '../deps.ts';
import { resumeHeld } from '../replay/replay.ts';

/** What a change of a webhook works with; `tell` says what takes time. */
export type WebhookDeps = Pick<
  OperatorDeps,
  | 'partners'
  | 'transactions'
  | 'endpoints'
  | 'endpointEffectMs'
  | 'ledger'
  | 'events'
  | 'now'
  | 'random'
  | 'wait'
> & { tell: (text: string) => void };

export type WebhookRefusal = 'no-webhook' | 'changed-meanwhile' | 'disabled';

/** Whoever judged a partner before it changed has sent, or left it to another, when a lease is over (events 5). */
const { leaseMs } = settingsOf(0);

/** The endpoint first, then the record: nothing is put on the bus before it leads somewhere. */
export const setWebhook = async (
  before: Partner,
  webhookUrl: string,
  deps: WebhookDeps,
): Promise<Outcome<Partner, 'changed-meanwhile'>> => {
  const after = { ...before, webhookUrl };
  await ensureEndpoint(after, deps);
  if (before.webhookUrl === undefined) await waitForEffect(deps);
  return deps.partners.update({ before, after });
};

/** Makes the endpoint as the record says; without a webhook there is none. */
export const ensureEndpoint = async (
  partner: Partner,
  { partners, endpoints }: Pick<WebhookDeps, 'partners' | 'endpoints'>,
): Promise<void> => {
  if (partner.webhookUrl !== undefined)
    await endpoints.ensure(partner, await signatureOf(partner, { partners }));
};

/** Every partner has one from its beginning. */
export const signatureOf = async (
  { clientId, name }: Partner,
  { partners }: Pick<WebhookDeps, 'partners'>,
): Promise<WebhookSignature> => {
  const signature = await partners.signatureOf(clientId);
  if (!signature) throw new Error(`The partner ${name} has no webhook signature`);
  return signature;
};

/**
 * The record first, so that nothing more is sent; what was kept for the partner is judged once more and comes to its end.
 * The endpoint goes last: as long as there is a part of it, whoever died before the end can do it again.
 */
export const removeWebhook = async (
  before: Partner,
  deps: WebhookDeps,
): Promise<Outcome<Partner, 'no-webhook' | 'changed-meanwhile'>> => {
  const { webhookUrl, webhookPaused: _, ...after } = before;
  if (webhookUrl === undefined && (await deps.endpoints.inspect(before)).length === 0) {
    return refuse('no-webhook');
  }
  const updated = await deps.partners.update({ before, after });
  if (!updated.ok) return updated;
  await releaseHeld(after, deps);
  await deps.endpoints.remove(before.clientId);
  return updated;
};

/** Its events are kept from the next sending on. */
export const pauseWebhook = async (
  before: Partner,
  { partners }: Pick<WebhookDeps, 'partners'>,
): Promise<Outcome<Partner, 'no-webhook' | 'changed-meanwhile'>> => {
  if (before.webhookUrl === undefined) return refuse('no-webhook');
  return partners.update({ before, after: { ...before, webhookPaused: true } });
};

/** The endpoint as the record says, and known to the bus: before a partner is sent anything after a time without. */
export const attachEndpoint = async (partner: Partner, deps: WebhookDeps): Promise<void> => {
  if (partner.webhookUrl === undefined) return;
  const differed = (await deps.endpoints.inspect(partner)).length > 0;
  await ensureEndpoint(partner, deps);
  if (differed) await waitForEffect(deps);
};

/** How many events are sent for what was kept. */
export type Resumed = { partner: Partner; events: number };

/** The endpoint first: a recall that died may have left it without its target. */
export const resumeWebhook = async (
  before: Partner,
  deps: WebhookDeps,
): Promise<Outcome<Resumed, WebhookRefusal>> => {
  if (before.webhookUrl === undefined) return refuse('no-webhook');
  if (!before.enabled) return refuse('disabled');
  await attachEndpoint(before, deps);
  const { webhookPaused: _, ...after } = before;
  const updated = await deps.partners.update({ before, after });
  if (!updated.ok) return updated;
  return succeed({ partner: after, events: await releaseHeld(after, deps) });
};

/**
 * What was kept is armed: one event per transaction, judged again by the next flush (events 7). Twice, a lease apart: who
 * judged by the former record may keep something right after the first look.
 */
const releaseHeld = async ({ clientId }: Partner, deps: WebhookDeps): Promise<number> => {
  const { transactions, ledger, events, now: clock } = deps;
  const replay = { transactions, ledger, clock, stage: events.stage };
  const first = await resumeHeld(clientId, replay);
  await waitForSenders(deps);
  const second = await resumeHeld(clientId, replay);
  return [...first, ...second].filter(({ step }) => step === 'again' || step === 'together').length;
};

export const waitForSenders = async ({ wait, tell }: Pick<WebhookDeps, 'wait' | 'tell'>): Promise<void> => {
  tell(`Waiting ${leaseMs / 1000} s for what is being sent right now …\n`);
  await wait(leaseMs);
};

/** Before anything is put on the bus for an endpoint that is new to it. */
export const waitForEffect = async ({
  endpointEffectMs,
  wait,
  tell,
}: Pick<WebhookDeps, 'endpointEffectMs' | 'wait' | 'tell'>): Promise<void> => {
  if (endpointEffectMs === 0) return;
  tell(`Waiting ${endpointEffectMs / 1000} s until the bus sends to it …\n`);
  await wait(endpointEffectMs);
};
