import { settingsOf } from '../../../functions/shared/domain/event/timing.ts';
import { type Outcome, refuse, succeed } from '../../../functions/shared/domain/outcome.ts';
import type { Partner, WebhookSignature } from '../../../functions/shared/domain/partner.ts';
import { type EndpointQuota, QuotaReached } from '../../../functions/shared/outbound/endpoint/quota.ts';
import { sendKeptAgain } from '../../../functions/shared/replay/partner-walk.ts';
import type { OperatorDeps } from '../deps.ts';
import { endScheduled, markRecalled } from './take-back.ts';

/** What a change of a webhook works with; `note` prints what takes time. */
export type WebhookDeps = Pick<
  OperatorDeps,
  | 'partners'
  | 'transactions'
  | 'endpoints'
  | 'webhookSwitch'
  | 'endpointEffectMs'
  | 'ledger'
  | 'events'
  | 'now'
  | 'random'
  | 'wait'
> & { note: (text: string) => void };

/** Why a change of a webhook is refused. */
export type WebhookRefusal = 'no-webhook' | 'changed-meanwhile' | 'disabled';

/** After one lease, a run that still decides by the former record has sent, or left the sending to another run. */
const { leaseMs } = settingsOf(0);

/**
 * Sets the address: the endpoint first, then the record, so that no event reaches the bus before there is a target. Where the
 * account may have no more of a part, a new endpoint is taken back (EV-22).
 */
export const setWebhook = async (
  before: Partner,
  webhookUrl: string,
  deps: WebhookDeps,
): Promise<Outcome<Partner, 'changed-meanwhile' | EndpointQuota>> => {
  const after = { ...before, webhookUrl };
  const quota = await quotaOf(ensureEndpoint(after, deps));
  if (quota) {
    if (before.webhookUrl === undefined) await deps.endpoints.remove(before.clientId);
    return refuse(quota);
  }
  if (before.webhookUrl === undefined) await waitForEffect(deps);
  return deps.partners.update({ before, after });
};

/** The quota that kept an endpoint from being made. */
const quotaOf = async (made: Promise<void>): Promise<EndpointQuota | undefined> => {
  try {
    await made;
    return undefined;
  } catch (fault) {
    if (fault instanceof QuotaReached) return fault.quota;
    throw fault;
  }
};

/** Makes the endpoint match the record; a partner without a webhook has none. */
export const ensureEndpoint = async (
  partner: Partner,
  deps: Pick<WebhookDeps, 'partners' | 'endpoints' | 'webhookSwitch'>,
): Promise<void> => {
  if (partner.webhookUrl === undefined) return;
  const signature = await signatureOf(partner, deps);
  await deps.endpoints.ensure(await asServed(partner, deps), signature);
};

/** While all webhooks are stopped nobody gets a target back: the bus would deliver what it still tries (S-77). */
export const asServed = async (
  partner: Partner,
  { webhookSwitch }: Pick<WebhookDeps, 'webhookSwitch'>,
): Promise<Partner> => {
  const stop = await webhookSwitch.read();
  return stop && stop.startingAtMs === undefined ? { ...partner, enabled: false } : partner;
};

/** The signature of a partner, which every partner has from its creation. */
export const signatureOf = async (
  { clientId, name }: Partner,
  { partners }: Pick<WebhookDeps, 'partners'>,
): Promise<WebhookSignature> => {
  const signature = await partners.signatureOf(clientId);
  if (!signature) throw new Error(`The partner ${name} has no webhook signature`);
  return signature;
};

/**
 * Removes the webhook: the record first, so that nothing more is sent, then the events that were kept, then the endpoint: as
 * long as a part of it is left, a run that died can be repeated. A later webhook is not sent what was dropped here (EV-13).
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
  await markRecalled(after, deps);
  await endScheduled(after, deps);
  await deps.endpoints.remove(before.clientId);
  return updated;
};

/** Keeps the partner's events from the next sending on. */
export const pauseWebhook = async (
  before: Partner,
  { partners }: Pick<WebhookDeps, 'partners'>,
): Promise<Outcome<Partner, 'no-webhook' | 'changed-meanwhile'>> => {
  if (before.webhookUrl === undefined) return refuse('no-webhook');
  return partners.update({ before, after: { ...before, webhookPaused: 'operator' } });
};

/** Makes the endpoint match the record and waits until the bus knows it, before anything is sent to the partner again. */
export const attachEndpoint = async (partner: Partner, deps: WebhookDeps): Promise<void> => {
  if (partner.webhookUrl === undefined) return;
  const differed = (await deps.endpoints.inspect(partner)).length > 0;
  await ensureEndpoint(partner, deps);
  if (differed) await waitForEffect(deps);
};

/** A resumed partner, and how many events are sent for what was kept. */
export type Resumed = { partner: Partner; events: number };

/** Sends events again: the endpoint first, because a recall that died may have left it without a target. */
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
 * Schedules what was kept: one event per transaction, and the next flush decides again about each. It looks twice, a lease
 * apart: a run that still decides by the former record may keep something right after the first look.
 */
const releaseHeld = async (partner: Partner, deps: WebhookDeps): Promise<number> => {
  const first = await releaseOnce(partner, deps);
  await waitForSenders(deps);
  return first + (await releaseOnce(partner, deps));
};

/** One look: schedules what is kept for a partner now, and answers how many events that makes. */
export const releaseOnce = async (
  { clientId }: Partner,
  { transactions, ledger, now: clock }: WebhookDeps,
): Promise<number> => {
  const { transactions: updated, asStored } = await sendKeptAgain(clientId, { transactions, ledger, clock });
  return updated + asStored;
};

/** Waits until every run that started before has ended. */
export const waitForSenders = async ({ wait, note }: Pick<WebhookDeps, 'wait' | 'note'>): Promise<void> => {
  note(`Waiting ${leaseMs / 1000} s for what is being sent right now …\n`);
  await wait(leaseMs);
};

/** Waits until the bus knows a new endpoint, before any event is put on the bus for it. */
export const waitForEffect = async ({
  endpointEffectMs,
  wait,
  note,
}: Pick<WebhookDeps, 'endpointEffectMs' | 'wait' | 'note'>): Promise<void> => {
  if (endpointEffectMs === 0) return;
  note(`Waiting ${endpointEffectMs / 1000} s until the bus sends to it …\n`);
  await wait(endpointEffectMs);
};
