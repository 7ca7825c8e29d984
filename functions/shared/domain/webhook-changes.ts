import { type Outcome, refuse, succeed } from './outcome.ts';
import type { Partner, PartnerChange, SignatureStep } from './partner.ts';

/** Who changes a webhook, and when. The record keeps both (V2-13). */
export type WebhookChange = NonNullable<Partner['webhookChange']>;

/** An address, and whether it serves without a check. */
export type NewWebhook = { url: string; unchecked?: boolean | undefined };

/** The record with this address. Setting an address again checks it again. */
export const withWebhook = (
  { webhookUnchecked: _, ...partner }: Partner,
  { url, unchecked }: NewWebhook,
  webhookChange: WebhookChange,
): Partner => ({
  ...partner,
  ...{ webhookUrl: url, webhookSetAtMs: webhookChange.atMs, webhookChange },
  ...(unchecked && { webhookUnchecked: true }),
});

/** The record without an address and everything about it, except a pause by the operator. */
export const withoutWebhook = (partner: Partner, webhookChange: WebhookChange): Partner => {
  const {
    webhookUrl: _,
    webhookSetAtMs: __,
    webhookUnchecked: ___,
    ...rest
  } = resumed(partner, webhookChange);
  return rest;
};

/** A partner cannot take over a pause by the operator. */
export const paused = (partner: Partner, webhookChange: WebhookChange): Partner => ({
  ...partner,
  webhookPaused: partner.webhookPaused === 'operator' ? 'operator' : webhookChange.by,
  webhookChange,
});

/** The operator can end any pause. A partner cannot end a pause by the operator (V2-13). */
export const resumed = ({ webhookPaused, ...partner }: Partner, webhookChange: WebhookChange): Partner => ({
  ...partner,
  ...(webhookPaused === 'operator' && webhookChange.by === 'partner' && { webhookPaused }),
  webhookChange,
});

/**
 * The change of the record by a step of a rotation (S-27). The signature changes in the same atomic write. A partner
 * may replace a next value, which it may never have received. The operator, who received it, must cancel it first.
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
