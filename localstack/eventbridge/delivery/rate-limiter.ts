/** The attempts at one destination that run now, and how many more may begin; each destination has its own (S-52). */
export type RateLimiter = {
  running: ReadonlySet<number>;
  free: (nowMs: number, perSecond: number) => number;
  begin: (id: number, nowMs: number) => void;
  end: (id: number) => void;
};

/** A receiver that hangs holds this many connections, for 5 s each. */
const mostAtOnce = 10;

export const createRateLimiter = (): RateLimiter => {
  const running = new Set<number>();
  let begunMs: number[] = [];
  return {
    running,
    free: (nowMs, perSecond) => {
      begunMs = begunMs.filter((ms) => ms > nowMs - 1000);
      return Math.max(0, Math.min(mostAtOnce - running.size, perSecond - begunMs.length));
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
