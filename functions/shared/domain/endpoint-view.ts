import type { EndpointState, EndpointStatus } from './endpoint.ts';
import { endpointWishOf, hasFailed, hasPassed } from './endpoint-wish.ts';
import type { Partner } from './partner.ts';

/**
 * The state of a partner's webhook as callers see it: the wish, and what `keep-endpoints` has reached of it (V2-13).
 */
export type EndpointView = {
  state: EndpointState;
  /** Absent where no time is known. */
  sinceMs?: number;
  /** Why the state is `failing`. */
  reason?: string;
  /** Who has to resume it. Absent if it is not paused. */
  pausedBy?: 'operator' | 'partner';
};

export type AskedView = { status: EndpointStatus | undefined; isStopped: boolean; nowMs: number };

/**
 * A pause counts from the moment it is written, because the sender reads the record. A status of another address, or of
 * a pause that has ended, does not apply: the state is `verifying` until there is a new one.
 */
export const endpointViewOf = (partner: Partner, { status, isStopped, nowMs }: AskedView): EndpointView => {
  const wish = endpointWishOf(partner, isStopped);
  const changedAtMs = partner.webhookChange?.atMs ?? partner.webhookSetAtMs;
  if (wish.wanted === 'none') return { state: 'off', ...since(changedAtMs) };
  if (wish.wanted === 'kept') return pausedView(partner, status);
  const isOfIt = status !== undefined && (hasPassed(status, wish) || hasFailed(status, wish));
  if (!isOfIt || !isServing(status, nowMs)) return { state: 'verifying', ...since(changedAtMs) };
  const { state, sinceMs, reason } = status;
  return { state, sinceMs, ...(state === 'failing' && reason !== undefined && { reason }) };
};

/** The bus applies a new target some time after its creation. The webhook is on from then. */
const isServing = ({ state, sinceMs }: EndpointStatus, nowMs: number): boolean =>
  state === 'failing' || (state === 'on' && sinceMs <= nowMs);

/** A partner without a pause of its own is paused if all webhooks of the stage are stopped (S-77). */
const pausedView = (
  { webhookPaused: pausedBy = 'operator', webhookChange }: Partner,
  status: EndpointStatus | undefined,
): EndpointView => ({
  state: 'paused',
  ...since(status?.state === 'paused' ? status.sinceMs : webhookChange?.atMs),
  pausedBy,
});

const since = (sinceMs: number | undefined) => (sinceMs === undefined ? {} : { sinceMs });
