/** How often and from which seed a property runs; `FUZZ_SEED` and `FUZZ_RUNS` replay or widen it. Printed, so that a red run can be replayed. */
export const propertyRun = (title: string, usualRuns: number) => {
  const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
  const numRuns = Number(process.env.FUZZ_RUNS ?? usualRuns);
  process.stdout.write(`${title}: ${numRuns} cases, FUZZ_SEED=${seed}\n`);
  return { seed, numRuns };
};
