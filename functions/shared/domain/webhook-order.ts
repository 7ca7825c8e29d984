import { type Outcome, refuse, succeed } from './outcome.ts';
import type { Partner, SignatureStep } from './partner.ts';
import { paused, resumed, rotationOf, withoutWebhook, withWebhook } from './webhook-changes.ts';

/** What a partner requests for its own webhook (V2-13). */
export type WebhookOrder =
  | { kind: 'set'; url: string }
  | { kind: 'pause' | 'resume' | 'remove' }
  | { kind: 'rotate'; step: Exclude<SignatureStep, 'cancel'> };

/** Why a request is refused. Each is the name of a problem. */
export type WebhookOrderRefusal =
  | 'webhook-missing'
  | 'webhook-paused-by-operator'
  | 'signature-not-announced';

/** The record after a partner's request, or why it is refused. The same object if nothing changes. */
export const afterOrder = (
  before: Partner,
  order: WebhookOrder,
  nowMs: number,
): Outcome<Partner, WebhookOrderRefusal> => {
  const change = { by: 'partner', atMs: nowMs } as const;
  const { webhookUrl, webhookPaused } = before;
  switch (order.kind) {
    case 'set':
      return succeed(withWebhook(before, order, change));
    case 'remove':
      return succeed(webhookUrl === undefined ? before : withoutWebhook(before, change));
    case 'pause':
      if (webhookUrl === undefined) return refuse('webhook-missing');
      return succeed(webhookPaused ? before : paused(before, change));
    case 'resume':
      if (webhookUrl === undefined) return refuse('webhook-missing');
      if (webhookPaused === 'operator') return refuse('webhook-paused-by-operator');
      return succeed(webhookPaused ? resumed(before, change) : before);
    case 'rotate': {
      const rotated = rotationOf(before, order.step, change);
      return rotated.ok ? succeed(rotated.value.after) : refuse('signature-not-announced');
    }
    default:
      return order satisfies never;
  }
};
