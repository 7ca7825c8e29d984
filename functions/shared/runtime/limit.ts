/** Runs work as soon as there is room for it. */
export type Limit = <Result>(work: () => Promise<Result>, weight?: number) => Promise<Result>;

/**
 * Lets work of so much weight be under way at once. The rest waits in the order in which it came, so that nothing light
 * overtakes what is heavy for ever; work heavier than the limit goes alone.
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
