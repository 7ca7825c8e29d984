import { makeWebhookSignature } from '../../../functions/shared/auth/client-secret.ts';
import { type Outcome, refuse, succeed } from '../../../functions/shared/domain/outcome.ts';
import type { Partner, PartnerChange, WebhookSignature } from '../../../functions/shared/domain/partner.ts';
import { ensureEndpoint, signatureOf, type WebhookDeps } from './webhooks.ts';

export type RotationRefusal = 'rotation-announced' | 'no-rotation' | 'changed-meanwhile';

type RotationDeps = Pick<WebhookDeps, 'partners' | 'endpoints' | 'now' | 'random'>;

/**
 * First step (S-27): a next value, which messages carry as `X-Webhook-Signature-Next` from now on; the one that counts stays
 * the same (I22). It is in this answer and nowhere else.
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

/** Last step: the next value counts, the former one is forgotten. */
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

/** The announced value is forgotten, and nothing else has changed. */
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
 * The bus first, then the record: whoever dies in between finds the record as it was, and does the same step again. Both
 * values are accepted by then, so nothing that is sent in between is refused.
 */
const replace = async (
  change: PartnerChange,
  signature: WebhookSignature,
  { partners, endpoints }: RotationDeps,
): Promise<Outcome<Partner, 'changed-meanwhile'>> => {
  if (change.after.webhookUrl !== undefined) await endpoints.ensure(change.after, signature);
  return partners.replaceSignature(change, signature);
};
