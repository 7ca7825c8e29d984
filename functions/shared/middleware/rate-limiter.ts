import { type RatePolicy, type RateStanding, standingOf, windowStartOf } from '../domain/rate-limit.ts';
import type { RequestLog } from '../runtime/logger.ts';
import type { RequestCounts, RequestWindow } from '../store/requests/request-counts.ts';

export type RateLimiter = {
  /** Accepts a request of a partner if the policy's quota has room. */
  take: (clientId: string, policy: RatePolicy, nowMs: number) => Promise<RateStanding>;
};

/** What this process knows of a window: the common count, and its own requests since the last share. */
type Known = { startSeconds: number; shared: number; unshared: number };

/**
 * Counts in shares: in a window, the quota and at most one share less a request for each process may pass (S-40). The
 * known count is never above the true one, so nobody is refused within the quota. If the store fails, each process
 * counts alone. Remembers one window for each partner and policy.
 */
export const createRateLimiter = (deps: { counts: RequestCounts; log: RequestLog }): RateLimiter => {
  const latest = new Map<string, Known>();

  const knownOf = ({ clientId, policy, startSeconds }: RequestWindow): Known => {
    const key = `${clientId} ${policy.name}`;
    const found = latest.get(key);
    if (found?.startSeconds === startSeconds) return found;
    const fresh = { startSeconds, shared: 0, unshared: 0 };
    latest.set(key, fresh);
    return fresh;
  };

  return {
    take: async (clientId, policy, nowMs) => {
      const window = { clientId, policy, startSeconds: windowStartOf(policy, nowMs) };
      const known = knownOf(window);
      const count = known.shared + known.unshared + 1;
      if (count > policy.quota) return standingOf(count, policy, nowMs);
      known.unshared += 1;
      if (known.unshared < policy.shareSize) return standingOf(count, policy, nowMs);
      // Set before waiting, so that requests meanwhile begin another share.
      Object.assign(known, { shared: count, unshared: 0 });
      const total = Math.max(count, await shareWithAll(window, deps));
      known.shared = Math.max(known.shared, total);
      return standingOf(total, policy, nowMs);
    },
  };
};

/** The requests of all processes. None if the store fails, because answers matter more than the limit. */
const shareWithAll = async (
  window: RequestWindow,
  { counts, log }: { counts: RequestCounts; log: RequestLog },
): Promise<number> => {
  try {
    return await counts.addShare(window);
  } catch (fault) {
    log('rateNotCounted', { clientId: window.clientId }, fault);
    return 0;
  }
};
