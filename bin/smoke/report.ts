import type { Result } from './check.ts';

/** One look, as it ends. */
export const resultText = (result: Result): string => {
  const { title, state } = result;
  if (state === 'passed') return `ok      ${title}`;
  if (state === 'skipped') return `--      ${title}: not looked at, ${result.why}`;
  const { expected, came, mend } = result;
  return `FAILED  ${title}\n        expected ${expected}\n        came     ${came}\n        → ${mend}`;
};

/** The closing line. */
export const countText = (results: readonly Result[]): string => {
  const count = (state: Result['state']) => results.filter((one) => one.state === state).length;
  return `${count('passed')} passed, ${count('failed')} failed`;
};

/** 0 where everything that was looked at is as it has to be, and something was. */
export const exitCodeOf = (results: readonly Result[]): 0 | 1 =>
  results.some(({ state }) => state === 'failed') || !results.some(({ state }) => state === 'passed') ? 1 : 0;
