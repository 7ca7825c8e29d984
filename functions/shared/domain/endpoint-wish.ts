import type { EndpointStatus, EndpointWish } from './endpoint.ts';
import type { Partner } from './partner.ts';

/** The present wish. A stop of all webhooks keeps the events of every partner. */
export const endpointWishOf = (partner: Partner | undefined, isStopped: boolean): EndpointWish => {
  if (!partner?.enabled || partner.webhookUrl === undefined) return { wanted: 'none' };
  const { webhookUrl: url, webhookSetAtMs: setAtMs, createdAtMs } = partner;
  return {
    wanted: partner.webhookPaused || isStopped ? 'kept' : 'on',
    url,
    ...(setAtMs !== undefined && { setAtMs }),
    signatureMadeAtMs: partner.signatureMadeAtMs ?? createdAtMs,
  };
};

const sameWish = (one: EndpointWish, other: EndpointWish): boolean =>
  one.wanted === other.wanted &&
  one.url === other.url &&
  one.setAtMs === other.setAtMs &&
  one.signatureMadeAtMs === other.signatureMadeAtMs;

/** Whether the bus matches this wish. Whoever changes a record waits for this or for `hasFailed`. */
export const isReached = (status: EndpointStatus | undefined, wish: EndpointWish): boolean =>
  status?.reached !== undefined && sameWish(status.reached, wish);

/** Whether this wish was tried and failed. The status has the reason, and the wish is tried again automatically. */
export const hasFailed = (status: EndpointStatus | undefined, wish: EndpointWish): boolean =>
  status?.state === 'failing' && status.tried !== undefined && sameWish(status.tried.wish, wish);

/**
 * Whether the removal of an address has not ended yet. A new address that is set before its end would get events that
 * were kept for the previous one, or `keep-endpoints` would miss the removal and go on serving the previous one
 * (EV-13).
 */
export const isBeingRemoved = (
  { webhookUrl, webhookChange }: Partner,
  status: EndpointStatus | undefined,
): boolean => {
  if (webhookUrl !== undefined || webhookChange === undefined || status === undefined) return false;
  return status.reached?.wanted !== 'none' || status.sendsKeptAtMs !== undefined;
};

/** Whether the wish's address has passed its check, or was set without a check. */
export const hasPassed = (status: EndpointStatus, { url, setAtMs }: EndpointWish): boolean =>
  status.servedUrl !== undefined && status.servedUrl === url && status.servedSetAtMs === setAtMs;

/**
 * Whether events are sent to an endpoint now. A status from before the last start of all webhooks does not count: the
 * stop removed the target, and a Partners table that was restored since does not show it (DR-13).
 */
export const isServed = (
  status: EndpointStatus | undefined,
  { nowMs, startedAtMs = 0 }: { nowMs: number; startedAtMs?: number | undefined },
): boolean =>
  status?.servesFromMs !== undefined &&
  status.servesFromMs <= nowMs &&
  (status.resumedAtMs ?? 0) >= startedAtMs;
