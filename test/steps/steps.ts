import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { root } from '../support/repository.ts';

/** A program that proves something by itself: it ends with 0 where all is well. */
export type Step = { command: readonly string[]; environment?: Record<string, string>; about: string };

/** What a step came to; `passed` and `failed` are the counts of its closing line, where it has one. */
type Ended = { name: string; isGood: boolean; passed: number; failed: number };

/**
 * Runs steps one after the other and prints what they print. Every step runs even when an earlier one failed. Returns the
 * closing line, `N passed, N failed`, with a failure for each step that failed without a count.
 */
export const runSteps = async (steps: Readonly<Record<string, Step>>): Promise<string> => {
  const ended: Ended[] = [];
  for (const [name, step] of Object.entries(steps)) {
    console.log(`\n=== ${name}: ${step.command.join(' ')}`);
    const started = performance.now();
    const one = await runStep(name, step);
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    console.log(`=== ${name}: ${one.isGood ? 'ok' : 'FAILED'} after ${seconds} s`);
    ended.push(one);
  }
  const failed = ended.filter(({ isGood }) => !isGood);
  if (failed.length > 0) {
    process.exitCode = 1;
    console.log(`\nFailed steps: ${failed.map(({ name }) => name).join(' ')}`);
  }
  const sum = (count: (one: Ended) => number) => ended.reduce((total, one) => total + count(one), 0);
  return `${sum(passedOf)} passed, ${sum(failedOf)} failed`;
};

/** A step that counts nothing is one proof. */
const passedOf = ({ isGood, passed }: Ended) => (isGood ? passed || 1 : passed);
const failedOf = ({ isGood, failed }: Ended) => (isGood ? 0 : failed || 1);

const runStep = async (
  name: string,
  { command: [program = '', ...words], environment }: Step,
): Promise<Ended> => {
  const child = spawn(program, words, {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  let counts = '';
  for await (const line of createInterface({ input: child.stdout })) {
    console.log(line);
    const plain = stripVTControlCharacters(line);
    if (/^Tests: |^\d+ passed, \d+ failed$/.test(plain)) counts = plain;
  }
  const [code] = await ended;
  return { name, isGood: code === 0, passed: countIn(counts, 'passed'), failed: countIn(counts, 'failed') };
};

const countIn = (line: string, what: 'passed' | 'failed') =>
  Number(new RegExp(`(\\d+) ${what}`).exec(line)?.[1] ?? 0);
