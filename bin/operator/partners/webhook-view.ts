import { isUnmended } from '../../../functions/shared/domain/endpoint-status.ts';
import { type AskedView, endpointViewOf } from '../../../functions/shared/domain/endpoint-view.ts';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import type { OperatorDeps } from '../deps.ts';
import type { Standing } from './endpoint-wait.ts';

/** A webhook's state as JSON, in the partner's words. `webhookReason` also tells why the bus could not be repaired. */
export const statusView = (partner: Partner, asked: AskedView) => {
  const { status } = asked;
  const { state, sinceMs, reason } = endpointViewOf(partner, asked);
  const unmended = status && isUnmended(status) ? status.reason : undefined;
  return {
    webhook: state,
    webhookSince: sinceMs === undefined ? null : new Date(sinceMs).toISOString(),
    webhookReason: reason ?? unmended ?? null,
    webhookServedUrl: status?.servedUrl ?? null,
  };
};

/** The state of a webhook after a wait; empty for a partner that was removed meanwhile. */
export const standingView = ({ partner, status, isStopped }: Standing, { now }: Pick<OperatorDeps, 'now'>) =>
  partner ? statusView(partner, { status, isStopped, nowMs: now().getTime() }) : {};
