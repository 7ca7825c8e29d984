import { makeWebhookSignature } from '../../../functions/shared/auth/client-secret.ts';
import { type Outcome, refuse, succeed } from '../../../functions/shared/domain/outcome.ts';
import type { Partner, PartnerChange, WebhookSignature } from '../../../functions/shared/domain/partner.ts';
import { asServed, ensureEndpoint, signatureOf, type WebhookDeps } from './webhooks.ts';

/** Why a step of a rotation is refused. */
export type RotationRefusal = 'rotation-announced' | 'no-rotation' | 'changed-meanwhile';

type RotationDeps = Pick<WebhookDeps, 'partners' | 'endpoints' | 'webhookSwitch' | 'now' | 'random'>;

/**
 * First step: a next value, which messages carry as `X-Webhook-Signature-Next` from now on; the current one stays valid
 * (I22). The new value is returned here and shown nowhere else.
 */
export const announceSignature = async (
  before: Partner,
  deps: RotationDeps,
): Promise<Outcome<{ partner: Partner; next: string }, RotationRefusal>> => {
  if (before.nextSignatureMadeAtMs !== undefined) {
    await ensureEndpoint(before, deps);
    return refuse('rotation-announced');
  }
  const { signature } = await signatureOf(before, deps);
  const next = makeWebhookSignature(deps.random);
  const after = { ...before, nextSignatureMadeAtMs: deps.now().getTime() };
  const replaced = await replace({ before, after }, { signature, next }, deps);
  return replaced.ok ? succeed({ partner: after, next }) : replaced;
};

/** Last step: the next value becomes the current one, and the former one is forgotten. */
export const finishRotation = async (
  before: Partner,
  deps: RotationDeps,
): Promise<Outcome<Partner, RotationRefusal>> => {
  const { nextSignatureMadeAtMs, ...rest } = before;
  const { next } = await signatureOf(before, deps);
  if (nextSignatureMadeAtMs === undefined || next === undefined) return refuse('no-rotation');
  const after = { ...rest, signatureMadeAtMs: nextSignatureMadeAtMs };
  return replace({ before, after }, { signature: next }, deps);
};

/** Forgets the announced value and changes nothing else. */
export const cancelRotation = async (
  before: Partner,
  deps: RotationDeps,
): Promise<Outcome<Partner, RotationRefusal>> => {
  const { nextSignatureMadeAtMs, ...after } = before;
  if (nextSignatureMadeAtMs === undefined) return refuse('no-rotation');
  const { signature } = await signatureOf(before, deps);
  return replace({ before, after }, { signature }, deps);
};

/**
 * The bus first, then the record: a run that died in between left the record as it was, and can be repeated. The endpoint
 * accepts both values by then, so it refuses nothing that is sent in between.
 */
const replace = async (
  change: PartnerChange,
  signature: WebhookSignature,
  { partners, endpoints, webhookSwitch }: RotationDeps,
): Promise<Outcome<Partner, 'changed-meanwhile'>> => {
  if (change.after.webhookUrl !== undefined)
    await endpoints.ensure(await asServed(change.after, { webhookSwitch }), signature);
  return partners.replaceSignature(change, signature);
};
