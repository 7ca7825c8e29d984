import type { Denylist } from '../../../functions/shared/store/requests/denylist.ts';
import { isInForce } from '../../../functions/shared/store/requests/request-store.ts';

/** One that counts how often it is asked, and shows how long it keeps its entries. */
export type MemoryDenylist = Denylist & { asked: () => number; untilMs: ReadonlyMap<string, number> };

/** Revoked tokens over a map: a stand-in for tests. */
export const createMemoryDenylist = (): MemoryDenylist => {
  const untilMs = new Map<string, number>();
  let asked = 0;
  return {
    asked: () => asked,
    untilMs,
    has: async (jti, now) => {
      asked += 1;
      return isInForce({ expiresAtMs: untilMs.get(jti) ?? 0 }, now.getTime());
    },
    add: async ({ jti, expiresAtMs }) => {
      untilMs.set(jti, expiresAtMs);
    },
  };
};
