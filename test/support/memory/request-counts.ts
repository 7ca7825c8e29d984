import { partnerPolicy, standingOf } from '../../../functions/shared/domain/rate-limit.ts';
import type { LimitDeps } from '../../../functions/shared/middleware/limit-rate.ts';
import { createRateLimiter } from '../../../functions/shared/middleware/rate-limiter.ts';
import type { RequestCounts } from '../../../functions/shared/store/requests/request-counts.ts';

/** Shares of requests over a map: a stand-in for tests. */
export const createMemoryRequestCounts = (): RequestCounts => {
  const totals = new Map<string, number>();
  return {
    addShare: async ({ clientId, policy, startSeconds }) => {
      const id = [clientId, policy.name, startSeconds].join(' ');
      const total = (totals.get(id) ?? 0) + policy.shareSize;
      totals.set(id, total);
      return total;
    },
  };
};

/** For tests of other rules: every request of a partner is its first. Orders are counted. */
export const withoutPartnerRate = (): Pick<LimitDeps, 'rates' | 'partnerRate'> => {
  const { take } = createRateLimiter({ counts: createMemoryRequestCounts(), log: () => {} });
  const partnerRate = partnerPolicy(300);
  return {
    partnerRate,
    rates: {
      take: async (clientId, policy, nowMs) =>
        policy === partnerRate ? standingOf(1, policy, nowMs) : take(clientId, policy, nowMs),
    },
  };
};
