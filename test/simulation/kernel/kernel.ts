/** Something that happens at a virtual instant. */
type Happening = { atMs: number; sequence: number; action: () => void };

/** Virtual time: what happens next is decided by the queue alone, never by the machine's clock or speed. */
export type Kernel = {
  /** Milliseconds since the world began. */
  nowMs: () => number;
  at: (atMs: number, action: () => void) => void;
  after: (delayMs: number, action: () => void) => void;
  /**
   * Runs until `untilMs`, or until nothing is left. Everything that an action causes has settled before the next one.
   */
  run: (untilMs: number) => Promise<void>;
  /** How much has happened: a run that repeats has the same number. */
  happened: () => number;
};

/** Ordered by virtual time, then by the order of asking: the same run happens again with the same seed. */
export const createKernel = (): Kernel => {
  const queue: Happening[] = [];
  let nowMs = 0;
  let sequence = 0;
  let happened = 0;

  const at = (atMs: number, action: () => void) => {
    sequence += 1;
    push(queue, { atMs: Math.max(atMs, nowMs), sequence, action });
  };

  /** Between two immediates everything that awaits an answer has gone as far as it can. */
  const run = (untilMs: number) =>
    new Promise<void>((resolve, reject) => {
      const next = () => {
        const [first] = queue;
        if (!first || first.atMs > untilMs) {
          nowMs = Math.max(nowMs, untilMs);
          resolve();
          return;
        }
        pop(queue);
        nowMs = first.atMs;
        happened += 1;
        try {
          first.action();
        } catch (fault) {
          reject(fault);
          return;
        }
        setImmediate(next);
      };
      next();
    });

  return {
    nowMs: () => nowMs,
    at,
    after: (delayMs, action) => at(nowMs + delayMs, action),
    run,
    happened: () => happened,
  };
};

const isBefore = (one: Happening, other: Happening) =>
  one.atMs < other.atMs || (one.atMs === other.atMs && one.sequence < other.sequence);

/** A binary heap: the earliest comes first. */
const push = (heap: Happening[], added: Happening) => {
  let index = heap.length;
  heap.push(added);
  while (index > 0) {
    const parent = (index - 1) >> 1;
    const above = heap[parent] as Happening;
    if (!isBefore(added, above)) break;
    heap[index] = above;
    index = parent;
  }
  heap[index] = added;
};

const pop = (heap: Happening[]) => {
  const last = heap.pop();
  if (!last || heap.length === 0) return;
  let index = 0;
  for (;;) {
    const left = 2 * index + 1;
    if (left >= heap.length) break;
    const right = left + 1;
    const isRightFirst = right < heap.length && isBefore(heap[right] as Happening, heap[left] as Happening);
    const child = isRightFirst ? right : left;
    if (!isBefore(heap[child] as Happening, last)) break;
    heap[index] = heap[child] as Happening;
    index = child;
  }
  heap[index] = last;
};
