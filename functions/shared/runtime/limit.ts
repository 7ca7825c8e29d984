/** Runs work as soon as there is room for it. */
export type Limit = <Result>(work: () => Promise<Result>, weight?: number) => Promise<Result>;

/**
 * Limits the total weight of concurrent work. The rest waits in order, so that light work does not delay heavy work for
 * ever. Work above the limit runs alone.
 */
export const createLimit = (most: number): Limit => {
  const waiting: { weight: number; go: () => void }[] = [];
  let free = most;
  const admit = () => {
    for (let [first] = waiting; first && first.weight <= free; [first] = waiting) {
      waiting.shift();
      free -= first.weight;
      first.go();
    }
  };
  return async (work, asked = 1) => {
    const weight = Math.min(asked, most);
    await new Promise<void>((go) => {
      waiting.push({ weight, go });
      admit();
    });
    try {
      return await work();
    } finally {
      free += weight;
      admit();
    }
  };
};
