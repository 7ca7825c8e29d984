/** A clock that stands still until a test moves it. */
export const aClock = (start = '2026-11-21T12:00:00.000Z') => {
  let nowMs = Date.parse(start);
  return {
    now: () => new Date(nowMs),
    pass: ({ ms = 0, seconds = 0 }: { ms?: number; seconds?: number }) => {
      nowMs += ms + seconds * 1000;
    },
  };
};
