import { killAll, stopAll } from './processes.ts';
import { Halted, Report } from './report.ts';

/** Runs proofs to their end or to a signal, ends the started processes, and exits with the result. */
export const runProofs = async (prove: (report: Report) => Promise<unknown>): Promise<void> => {
  const report = new Report();
  const end = async () => {
    await stopAll();
    process.exit(report.close() ? 0 : 1);
  };
  process.on('exit', killAll);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      report.abandon(`stopped by ${signal}`);
      void end();
    });
  try {
    await prove(report);
  } catch (fault) {
    if (!(fault instanceof Halted)) report.abandon(fault instanceof Error ? `${fault.stack}` : `${fault}`);
  }
  await end();
};
