/**
 * How many milliseconds of processor time this process spent on the work. Unlike a clock on the wall it does not run on
 * while other programs have the processor, so a bound on it holds on a busy machine too.
 */
export const cpuMsOf = async (work: () => unknown): Promise<number> => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};
