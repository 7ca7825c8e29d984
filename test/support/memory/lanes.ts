import type { LaneStore } from '../../../functions/shared/store/debounce/lane-store.ts';

/** Leases of lanes over a map: a stand-in for tests. */
export const createMemoryLanes = (): LaneStore => {
  const rows = new Map<number, { holder: string; untilMs: number }>();
  return {
    held: async (nowMs) =>
      new Set([...rows].filter(([, { untilMs }]) => untilMs > nowMs).map(([lane]) => lane)),
    take: async (lane, { holder, nowMs, untilMs }) => {
      const row = rows.get(lane);
      const isEnded = row !== undefined && row.untilMs <= nowMs;
      const isOurs = row?.holder === holder;
      if (row && !isEnded && !isOurs) return false;
      rows.set(lane, { holder, untilMs });
      return true;
    },
    giveBack: async (lane, holder) => {
      const isOurs = rows.get(lane)?.holder === holder;
      if (isOurs) rows.delete(lane);
    },
  };
};
