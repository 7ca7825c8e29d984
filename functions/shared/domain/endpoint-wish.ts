import type { EndpointStatus, EndpointWish } from './endpoint.ts';
import type { Partner } from './partner.ts';

/** What is wanted now. A stop of all webhooks keeps the events of every partner. */
export const endpointWishOf = (partner: Partner | undefined, isStopped: boolean): EndpointWish => {
  if (!partner?.enabled || partner.webhookUrl === undefined) return { wanted: 'none' };
  const { webhookUrl: url, webhookSetAtMs: setAtMs, createdAtMs, nextSignatureMadeAtMs } = partner;
  return {
    wanted: partner.webhookPaused || isStopped ? 'kept' : 'on',
    url,
    ...(setAtMs !== undefined && { setAtMs }),
    signatureMadeAtMs: partner.signatureMadeAtMs ?? createdAtMs,
    ...(nextSignatureMadeAtMs !== undefined && { nextSignatureMadeAtMs }),
  };
};

const sameWish = (one: EndpointWish, other: EndpointWish): boolean =>
  one.wanted === other.wanted &&
  one.url === other.url &&
  one.setAtMs === other.setAtMs &&
  one.signatureMadeAtMs === other.signatureMadeAtMs &&
  one.nextSignatureMadeAtMs === other.nextSignatureMadeAtMs;

/** Whether the bus matches this wish. Who changed a record waits for it, or for `hasFailed`. */
export const isReached = (status: EndpointStatus | undefined, wish: EndpointWish): boolean =>
  status?.reached !== undefined && sameWish(status.reached, wish);

/** Whether this wish was tried and failed, for the reason that the status has; it is tried again by itself. */
export const hasFailed = (status: EndpointStatus | undefined, wish: EndpointWish): boolean =>
  status?.state === 'failing' && status.tried !== undefined && sameWish(status.tried.wish, wish);

/**
 * Whether the removal of an address has not ended yet. An address that is set before would be sent what was kept for the former
 * one, or `keep-endpoints` would not see the removal, and go on serving that (EV-13).
 */
export const isBeingRemoved = (
  { webhookUrl, webhookChange }: Partner,
  status: EndpointStatus | undefined,
): boolean => {
  if (webhookUrl !== undefined || webhookChange === undefined || status === undefined) return false;
  return status.reached?.wanted !== 'none' || status.sendsKeptAtMs !== undefined;
};

/** Whether the address of this wish has passed its check, or was set without one. */
export const hasPassed = (status: EndpointStatus, { url, setAtMs }: EndpointWish): boolean =>
  status.servedUrl !== undefined && status.servedUrl === url && status.servedSetAtMs === setAtMs;

/**
 * Whether events leave for an endpoint now. A status from before the last start of all webhooks does not count: the stop took the
 * target away, and a Partners table that was restored since does not say so (DR-13).
 */
export const isServed = (
  status: EndpointStatus | undefined,
  { nowMs, startedAtMs = 0 }: { nowMs: number; startedAtMs?: number | undefined },
): boolean =>
  status?.servesFromMs !== undefined &&
  status.servesFromMs <= nowMs &&
  (status.resumedAtMs ?? 0) >= startedAtMs;
