import { styleText } from 'node:util';
import { SingleBar } from 'cli-progress';

/** Counts what held and what did not; the closing line is the one that `.ci/run` reads. */
export const createReport = () => {
  let passed = 0;
  let failed = 0;
  return {
    pass: () => {
      passed += 1;
    },
    fail: (title: string, text: string) => {
      failed += 1;
      console.log(`${styleText('red', 'FAILED')}  ${title}\n${text}\n`);
    },
    /** Whether all held. */
    close: (): boolean => {
      console.log(`${passed} passed, ${failed} failed`);
      return failed === 0;
    },
  };
};

export type Report = ReturnType<typeof createReport>;

/** A bar on a terminal; elsewhere nothing, for the lines that follow say it all. */
export const progressOver = (total: number, about: string) => {
  const bar = process.stdout.isTTY
    ? new SingleBar({
        format: ` {bar} {percentage}% | ${about} {value}/{total} | {eta_formatted} left`,
        hideCursor: true,
      })
    : undefined;
  bar?.start(total, 0);
  return { step: () => bar?.increment(), stop: () => bar?.stop() };
};
