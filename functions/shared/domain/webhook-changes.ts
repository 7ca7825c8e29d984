import { type Outcome, refuse, succeed } from './outcome.ts';
import type { Partner, PartnerChange, SignatureStep } from './partner.ts';

/** Who changes a webhook, and when: it stands in the record afterwards (V2-13). */
export type WebhookChange = NonNullable<Partner['webhookChange']>;

/** An address, and whether it serves without a check. */
export type NewWebhook = { url: string; unchecked?: boolean | undefined };

/** The record with this address. One that is set again is checked again. */
export const withWebhook = (
  { webhookUnchecked: _, ...partner }: Partner,
  { url, unchecked }: NewWebhook,
  webhookChange: WebhookChange,
): Partner => ({
  ...partner,
  ...{ webhookUrl: url, webhookSetAtMs: webhookChange.atMs, webhookChange },
  ...(unchecked && { webhookUnchecked: true }),
});

/** The record without an address, and without all that is about one, but for the operator's pause. */
export const withoutWebhook = (partner: Partner, webhookChange: WebhookChange): Partner => {
  const {
    webhookUrl: _,
    webhookSetAtMs: __,
    webhookUnchecked: ___,
    ...rest
  } = resumed(partner, webhookChange);
  return rest;
};

/** The operator's pause stays the operator's. */
export const paused = (partner: Partner, webhookChange: WebhookChange): Partner => ({
  ...partner,
  webhookPaused: partner.webhookPaused === 'operator' ? 'operator' : webhookChange.by,
  webhookChange,
});

/** The operator resumes whoever paused; what the operator paused, the partner does not resume (V2-13). */
export const resumed = ({ webhookPaused, ...partner }: Partner, webhookChange: WebhookChange): Partner => ({
  ...partner,
  ...(webhookPaused === 'operator' && webhookChange.by === 'partner' && { webhookPaused }),
  webhookChange,
});

/**
 * What a step of a rotation (S-27) changes in the record; the signature changes with it in one atomic write. A partner announces
 * another value in the place of one that it may never have seen; the operator, who saw it, cancels it first.
 */
export const rotationOf = (
  before: Partner,
  step: SignatureStep,
  webhookChange: WebhookChange,
): Outcome<PartnerChange, 'rotation-announced' | 'no-rotation'> => {
  const { nextSignatureMadeAtMs, ...partner } = before;
  const rest = { ...partner, webhookChange };
  if (typeof step !== 'string')
    return nextSignatureMadeAtMs === undefined || webhookChange.by === 'partner'
      ? succeed({ before, after: { ...rest, nextSignatureMadeAtMs: webhookChange.atMs } })
      : refuse('rotation-announced');
  if (nextSignatureMadeAtMs === undefined) return refuse('no-rotation');
  const after = step === 'finish' ? { ...rest, signatureMadeAtMs: nextSignatureMadeAtMs } : rest;
  return succeed({ before, after });
};
