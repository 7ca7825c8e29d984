import type { WrongSecretStore } from '../../../functions/shared/store/requests/wrong-secrets.ts';

/** Times of wrong secrets over a map: a stand-in for tests, which counts what it is asked. */
export const createMemoryWrongSecrets = (): WrongSecretStore & {
  reads: () => number;
  writes: () => number;
} => {
  const times = new Map<string, number[]>();
  let [reads, writes] = [0, 0];
  return {
    reads: () => reads,
    writes: () => writes,
    timesOf: async (id) => {
      reads += 1;
      return [...(times.get(id) ?? [])];
    },
    add: async (id, atMs) => {
      writes += 1;
      times.set(id, [...(times.get(id) ?? []), atMs]);
      return [...(times.get(id) ?? [])];
    },
  };
};
