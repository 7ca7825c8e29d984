import { countedTimes, standingOf } from '../../../functions/shared/domain/rate-limit.ts';
import type { RequestTimes } from '../../../functions/shared/store/requests/request-times.ts';

/** Times of limited requests over a map: a stand-in for tests. */
export const createMemoryRequestTimes = (): RequestTimes => {
  const times = new Map<string, number[]>();
  return {
    take: async (clientId, policy, nowMs) => {
      const id = `${clientId}/${policy.name}`;
      const counted = countedTimes(times.get(id) ?? [], policy, nowMs);
      const isTaken = counted.length < policy.quota;
      const after = isTaken ? [...counted, nowMs] : counted;
      times.set(id, after);
      return standingOf(after, policy, { isTaken, nowMs });
    },
  };
};
