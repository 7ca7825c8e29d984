import type { Finding } from './finding.ts';

const marks = { good: 'ok  ', open: 'OPEN', unknown: '??  ' } as const;

/** A line for each finding, with what to ask for below it; the last line counts what is open. */
export const reportText = (findings: readonly Finding[]): string => {
  const lines = findings.flatMap(({ subject, state, says, ask }) => [
    `${marks[state]}  ${subject}: ${says}`,
    ...(ask === undefined ? [] : [`        → ${ask}`]),
  ]);
  return `${[...lines, '', verdictOf(findings)].join('\n')}\n`;
};

const verdictOf = (findings: readonly Finding[]): string => {
  const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length;
  const unseen = count('unknown');
  if (count('open') === 0 && unseen === 0) return 'Ready to be deployed.';
  return `To do first: ${count('open')}. Could not be read: ${unseen}.`;
};
