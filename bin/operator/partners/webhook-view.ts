import type { EndpointStatus } from '../../../functions/shared/domain/endpoint.ts';
import type { Standing } from './endpoint-wait.ts';

/** How a webhook stands, for programs. */
export const statusView = (status: EndpointStatus | undefined) => ({
  webhook: status?.state ?? 'off',
  webhookSince: status === undefined ? null : new Date(status.sinceMs).toISOString(),
  webhookReason: status?.reason ?? null,
  webhookServedUrl: status?.servedUrl ?? null,
});

/** The same of one that was waited for. While it is awaited its status may be that from before the change. */
export const standingView = ({ step, wish, status }: Standing) =>
  step === 'waiting' && wish.wanted === 'on'
    ? { ...statusView(status), webhook: 'verifying' }
    : statusView(status);
