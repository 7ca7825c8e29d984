/** Running attempts at one destination, and how many more may begin. Each destination has its own limiter (S-52). */
export type RateLimiter = {
  running: ReadonlySet<number>;
  free: (nowMs: number, most: { atOnce: number; perSecond: number }) => number;
  begin: (id: number, nowMs: number) => void;
  end: (id: number) => void;
};

export const createRateLimiter = (): RateLimiter => {
  const running = new Set<number>();
  let begunMs: number[] = [];
  return {
    running,
    free: (nowMs, { atOnce, perSecond }) => {
      begunMs = begunMs.filter((ms) => ms > nowMs - 1000);
      return Math.max(0, Math.min(atOnce - running.size, perSecond - begunMs.length));
    },
    begin: (id, nowMs) => {
      running.add(id);
      begunMs.push(nowMs);
    },
    end: (id) => {
      running.delete(id);
    },
  };
};
