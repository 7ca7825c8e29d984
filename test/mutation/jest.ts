import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';

/** What a run of tests came to: which of them failed, and the text of what kept them from running at all. */
export type Verdict = { failed: string[]; broken: string; isEnded: boolean };

type JestReport = {
  testResults: {
    message: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
};

/** Runs some test files of a copy in a process of their own, which is ended after the limit. */
export const runJest = async (copy: string, tests: readonly string[], limitMs: number): Promise<Verdict> => {
  const reportPath = `${copy}.json`;
  forgetReport(copy);
  const command = [
    ...['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'],
    ...['--silent', '--forceExit', '--json', '--outputFile', reportPath, '--runTestsByPath', ...tests],
  ];
  const errors = await ended(copy, command, limitMs);
  if (!existsSync(reportPath)) return { failed: [], broken: errors.slice(-2_000), isEnded: errors !== '' };
  return verdictOf(JSON.parse(readFileSync(reportPath, 'utf8')) as JestReport);
};

/** What was printed to standard error; nothing when it had to be ended. */
const ended = (copy: string, command: readonly string[], limitMs: number): Promise<string> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, command, { cwd: copy, stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
    child.on('close', (_code, signal) => {
      clearTimeout(timer);
      resolve(signal === 'SIGKILL' ? '' : errors || 'no output');
    });
  });

const verdictOf = ({ testResults }: JestReport): Verdict => ({
  failed: testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  ),
  broken: testResults
    .filter(({ assertionResults }) => assertionResults.length === 0)
    .map(({ message }) => message)
    .join('\n'),
  isEnded: true,
});

/** Takes away what jest reported last. */
export const forgetReport = (copy: string) => rmSync(`${copy}.json`, { force: true });
