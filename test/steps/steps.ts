import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { root } from '../support/repository.ts';

/** A program that proves something by itself: it ends with 0 where all is well. */
export type Step = { command: readonly string[]; environment?: Record<string, string>; about: string };
export type Steps = Readonly<Record<string, Step>>;

/** A script of package.json as a step. */
export const script = (name: string, about: string): Step => ({
  about,
  command: ['npm', 'run', '--silent', name],
});

/** A file as a step, with its options. */
export const file = (about: string, ...words: string[]): Step => ({
  about,
  command: ['node', '--no-warnings', ...words],
});

type Ended = { name: string; isGood: boolean; lines: string[] };
type Say = (line: string) => void;

/**
 * Runs the lanes beside each other, the steps of each one after the other. Every step runs even when an earlier one failed.
 * A single lane prints what its steps print at once, several print each step's output when it ends. Returns the closing line,
 * `N passed, N failed`: what the steps counted, and one for each step without a count.
 */
export const runLanes = async (lanes: readonly Steps[]): Promise<string> => {
  const ended = (await Promise.all(lanes.map((steps) => runLane(steps, lanes.length === 1)))).flat();
  const failed = ended.filter(({ isGood }) => !isGood);
  if (failed.length > 0) {
    process.exitCode = 1;
    for (const { name, lines } of failed) console.log(`\n--- ${name}\n${failuresIn(lines).join('\n')}`);
    console.log(`\nFailed steps: ${failed.map(({ name }) => name).join(' ')}`);
  }
  const sum = (count: (one: Ended) => number) => ended.reduce((total, one) => total + count(one), 0);
  return `${sum(passedOf)} passed, ${sum(failedOf)} failed`;
};

const runLane = async (steps: Steps, isAlone: boolean): Promise<Ended[]> => {
  const ended: Ended[] = [];
  for (const [name, step] of Object.entries(steps)) {
    console.log(`\n=== ${name}: ${step.command.join(' ')}`);
    const started = performance.now();
    const one = await runStep(name, step, isAlone ? console.log : () => undefined);
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    if (!isAlone) console.log(`\n=== ${name} printed:\n${one.lines.join('\n')}`);
    console.log(`=== ${name}: ${one.isGood ? 'ok' : 'FAILED'} after ${seconds} s`);
    ended.push(one);
  }
  return ended;
};

const runStep = async (
  name: string,
  { command: [program = '', ...words], environment }: Step,
  say: Say,
): Promise<Ended> => {
  const child = spawn(program, words, {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  const lines: string[] = [];
  const hear = async (stream: Readable) => {
    for await (const line of createInterface({ input: stream })) {
      lines.push(stripVTControlCharacters(line));
      say(line);
    }
  };
  await Promise.all([hear(child.stdout), hear(child.stderr)]);
  const [code] = await ended;
  return { name, isGood: code === 0, lines };
};

/**
 * What readers of the end of a long log must see: failed tests as jest prints them, or lines of a script's failures.
 */
const failuresIn = (lines: readonly string[]): string[] =>
  lines
    .filter((_, at) => lines.slice(Math.max(0, at - 14), at + 1).some((line) => /^ +(● |FAILED )/.test(line)))
    .slice(0, 60);

/** A step that counts nothing is one proof. */
const passedOf = (one: Ended) => countIn(one, 'passed') || (one.isGood ? 1 : 0);
const failedOf = (one: Ended) => (one.isGood ? 0 : countIn(one, 'failed') || 1);

const countIn = ({ lines }: Ended, what: 'passed' | 'failed') => {
  const counts = lines.findLast((line) => /^Tests: |^\d+ passed, \d+ failed$/.test(line)) ?? '';
  return Number(new RegExp(`(\\d+) ${what}`).exec(counts)?.[1] ?? 0);
};
