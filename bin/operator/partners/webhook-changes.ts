import { type Outcome, refuse, succeed } from '../../../functions/shared/domain/outcome.ts';
import type { Partner, PartnerChange, SignatureStep } from '../../../functions/shared/domain/partner.ts';

/** An address, when it was set, and whether it serves without a check. */
export type NewWebhook = { url: string; atMs: number; unchecked?: boolean | undefined };

/** The record with this address. One that is set again is checked again. */
export const withWebhook = (partner: Partner, { url, atMs, unchecked }: NewWebhook): Partner => {
  const { webhookUnchecked: _, ...rest } = partner;
  return { ...rest, webhookUrl: url, webhookSetAtMs: atMs, ...(unchecked && { webhookUnchecked: true }) };
};

/** The record without an address, and without all that is about one. */
export const withoutWebhook = (partner: Partner): Partner => {
  const { webhookUrl: _, webhookSetAtMs: __, webhookUnchecked: ___, ...rest } = resumed(partner);
  return rest;
};

/** What the operator paused, the partner does not resume (V2-13). */
export const paused = (partner: Partner): Partner => ({ ...partner, webhookPaused: 'operator' });

/** Whoever paused it. */
export const resumed = ({ webhookPaused: _, ...partner }: Partner): Partner => partner;

/** What a step of a rotation (S-27) changes in the record; the signature changes with it in one atomic write. */
export const rotationOf = (
  before: Partner,
  step: SignatureStep,
  nowMs: number,
): Outcome<PartnerChange, 'rotation-announced' | 'no-rotation'> => {
  const { nextSignatureMadeAtMs, ...rest } = before;
  if (typeof step !== 'string')
    return nextSignatureMadeAtMs === undefined
      ? succeed({ before, after: { ...before, nextSignatureMadeAtMs: nowMs } })
      : refuse('rotation-announced');
  if (nextSignatureMadeAtMs === undefined) return refuse('no-rotation');
  const after = step === 'finish' ? { ...rest, signatureMadeAtMs: nextSignatureMadeAtMs } : rest;
  return succeed({ before, after });
};
