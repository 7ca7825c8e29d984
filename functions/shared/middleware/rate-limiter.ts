import { type RatePolicy, type RateStanding, standingOf, windowStartOf } from '../domain/rate-limit.ts';
import type { RequestLog } from '../runtime/logger.ts';
import type { RequestCounts, RequestWindow } from '../store/requests/request-counts.ts';

export type RateLimiter = {
  /** Takes a request of a partner where the policy's quota has room. */
  take: (clientId: string, policy: RatePolicy, nowMs: number) => Promise<RateStanding>;
};

/** What this process knows of a window: requests that all processes share, and its own that are no whole share yet. */
type Known = { startSeconds: number; shared: number; unshared: number };

/**
 * Counts in shares: the quota, and at most one request less than a share for each process, may pass in a window (S-40). What
 * is known is never more than what came, so nobody is refused within the quota. Without the store each process counts alone.
 * It remembers one window for each partner and policy.
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
      // Before the wait, so that requests meanwhile begin another share.
      Object.assign(known, { shared: count, unshared: 0 });
      const total = Math.max(count, await shareWithAll(window, deps));
      known.shared = Math.max(known.shared, total);
      return standingOf(total, policy, nowMs);
    },
  };
};

/** The requests of all processes; none where the store fails, since answers matter more than the bound. */
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
