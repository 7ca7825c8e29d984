import type { CursorKeys } from '../../../functions/shared/store/requests/cursor-keys.ts';

/** Keys of cursors over a map: a stand-in for tests. The n-th partner's is all of n. */
export const createMemoryCursorKeys = (): CursorKeys => {
  const keys = new Map<string, Uint8Array>();
  return {
    of: async (clientId) => {
      const key = keys.get(clientId) ?? new Uint8Array(32).fill(keys.size + 1);
      keys.set(clientId, key);
      return key;
    },
  };
};
